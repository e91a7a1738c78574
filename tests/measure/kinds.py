"""The kinds of real changes, made of what the games say: after each a player or a printer would be misled."""

from __future__ import annotations

import ofnames
import ofnumbers
import ofpieces
from making import Kind

KINDS: dict[str, Kind] = {
    "prose-digits": ofnumbers.prose_digits,
    "prose-words": ofnumbers.prose_words,
    "text-number": ofnumbers.text_numbers,
    "cell-number": ofnumbers.cell_numbers,
    "copies": ofnumbers.copies,
    "promise": ofnumbers.promises,
    "name-in-prose": ofnames.name_in_prose,
    "name-in-cell": ofnames.name_in_cell,
    "banned": ofnames.banned,
    "exchanged": ofpieces.exchanged,
    "owner": ofpieces.owners,
    "value": ofpieces.values,
    "colour": ofpieces.colours,
    "size": ofpieces.sizes,
    "back": ofpieces.backs,
    "drawing": ofnames.drawings,
    "id": ofnames.ids,
    "row-deleted": ofpieces.rows_deleted,
    "row-doubled": ofpieces.rows_doubled,
    "slot": ofpieces.slots,
    "map": ofpieces.maps,
    "players": ofnumbers.players,
    "text-key": ofnames.text_keys,
    "rule-value": ofnames.rule_values,
    "reference": ofnames.references,
}
