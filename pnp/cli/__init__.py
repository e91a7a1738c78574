"""What a person types, and is told."""
