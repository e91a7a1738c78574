"""Holds the values that stages and conductors share; they do nothing."""
