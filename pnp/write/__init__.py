"""Pages → files. Writers know no game: they are given pages, faces and texts, and put them into a format."""
