"""Squib: a script in Ruby, layouts in YAML, tables. The script is read as text, and nothing of it is run."""
