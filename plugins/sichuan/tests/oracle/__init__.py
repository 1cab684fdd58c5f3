"""A second settlement of bloodbath rounds, from the rule sheet alone; it imports nothing of mjsettle."""

from .ledger import settle

__all__ = ["settle"]
