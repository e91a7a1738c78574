"""Frozen dataclasses that are made in a quarter of the time, and whose values are made in half of it.

``dataclasses`` writes and compiles seven methods for each frozen class. pnp has more than 300, which took 0.2 of the
1.3 s of a small build. Here ``__eq__``, ``__hash__`` and ``__repr__`` are the same functions for all, and only
``__init__`` is compiled. That nothing is assigned to afterwards is checked by mypy, not while it runs: a frozen
``__init__`` has to go around its own guard for each field. A type checker sees the dataclass of the library.
"""

from __future__ import annotations

from dataclasses import dataclass as _dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool = False, slots: bool = False, eq: bool = True) -> Any:
        """Makes a class a dataclass, as that of the library does."""

        def made(given: type) -> type:
            if not frozen:
                return _dataclass(slots=slots, eq=eq)(given)
            own = vars(given)
            methods = {name: method for name, method in _METHODS.items() if name not in own and (eq or name == "__repr__")}
            cls = _dataclass(slots=slots, repr=False, eq=False)(given)
            fields = cls.__dataclass_fields__.values()
            compared = [field.name for field in fields if field.compare]
            cls._key = attrgetter(*compared) if compared else type
            cls._shown = tuple(field.name for field in fields if field.repr)
            for name, method in methods.items():
                setattr(cls, name, method)
            return cls

        return made


def _equal(self: Any, other: Any) -> Any:
    if self.__class__ is not other.__class__:
        return NotImplemented
    return self is other or self._key(self) == self._key(other)


def _hash(self: Any) -> int:
    return hash(self._key(self))


def _repr(self: Any) -> str:
    return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._shown)})"


_METHODS = {"__eq__": _equal, "__hash__": _hash, "__repr__": _repr}
