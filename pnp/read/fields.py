"""What values in the files of a game are made of: texts, names, counts, and sections that refuse unknown keys."""

from __future__ import annotations

import os
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pnp.shapes.colour import WRITTEN

# No other package has a say in what a game.toml means; to look for one is to read what all that are installed say of
# themselves, each time that pnp is started.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Colour = Annotated[str, StringConstraints(pattern=WRITTEN)]
Count = Annotated[int, Field(ge=0, le=100_000)]


class Strict(BaseModel):
    """A section: its keys, and no others."""

    # Each is made within the one that holds it, once a file is read, and not by itself before.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)
