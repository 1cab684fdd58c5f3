"""Help for testing rule sets: wire cases, conformance, and slow, obvious twins of the judging core."""
