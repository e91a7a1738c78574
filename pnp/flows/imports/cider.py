from pnp.flows.imports.deck import Imported
from pnp.flows.imports.source import Source


def recognises(source: Source) -> bool:
    return False


def read(source: Source) -> Imported:
    raise NotImplementedError
