"""Queue, workers and result store for mjsettle on Redis and RQ."""
