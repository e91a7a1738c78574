"""The conductors: what runs the stages, in order, and writes what they made."""
