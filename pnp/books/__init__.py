"""Books: Markdown with live numbers and pictures → set pages and a page for the phone."""
