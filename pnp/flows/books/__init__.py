"""The conductors of books: text, figures and pages of one build."""
