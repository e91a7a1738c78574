"""Game → decks of faces, and the book of their layers. Draws; decides nothing about paper."""
