"""Makes books: Markdown with live numbers and pictures becomes set pages and a page for the phone."""
