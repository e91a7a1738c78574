"""Runs the stages in order and writes what they made: a module for each command."""
