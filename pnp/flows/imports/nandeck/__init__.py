"""nanDECK: a script, the sheet that it links, and pictures. The script is read as text, and nothing of it is run."""
