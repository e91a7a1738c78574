"""Values that stages and conductors share; they do nothing."""
