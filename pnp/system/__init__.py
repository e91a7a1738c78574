"""This machine: files, cache, locks, processes, signals, and what a person keeps in settings."""
