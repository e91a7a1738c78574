"""Talks to this machine: files, cache, locks, processes, signals, and a person's settings."""
