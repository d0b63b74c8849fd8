"""``mnemo connect``: what an assistant needs to be told, written into its own files and taken out again."""
