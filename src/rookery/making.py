"""What makes a problem or a game from texts: its ``build`` or its constructor, with values read by annotations."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable, Mapping
from typing import Any, cast

from rookery.errors import InputError
from rookery.reading import Parameter


def class_parameters(cls: type) -> tuple[Parameter, ...]:
    """The parameters of ``build``, or of the constructor if there is none."""
    maker = maker_of(cls)
    hints = _hints(cls) | _hints(inspect.getattr_static(cls, "__init__")) if maker is cls else _hints(maker)
    found = []
    for p in inspect.signature(maker).parameters.values():
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY):
            untyped = type(p.default) if isinstance(p.default, (bool, int, float)) else str
            found.append(Parameter(p.name, hints.get(p.name, untyped if p.annotation is p.empty else None), p.default))
    return tuple(found)


def maker_of(cls: type) -> Callable[..., Any]:
    """What makes a problem or a game from simple values: its ``build``, or the class itself."""
    if not hasattr(cls, "build"):
        return cls
    if not isinstance(inspect.getattr_static(cls, "build"), (classmethod, staticmethod)):
        raise InputError(f"{cls.__name__}.build must be a classmethod: put @classmethod above it")
    return cast("Callable[..., Any]", cls.build)


def _hints(owner: Any) -> dict[str, Any]:
    """Resolved annotations; those that cannot be resolved are left out."""
    try:
        return typing.get_type_hints(owner)
    except Exception:
        scope = getattr(inspect.unwrap(owner), "__globals__", None) or vars(sys.modules[owner.__module__])
        found = {}
        for name, annotation in inspect.get_annotations(owner).items():
            try:
                found[name] = eval(annotation, scope) if isinstance(annotation, str) else annotation
            except Exception:
                continue
        return found


def read_parameters(cls: type, name: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Values for ``build`` or the constructor, each as its annotation says."""
    known = {p.name: p for p in class_parameters(cls)}
    for key in texts:
        if key not in known:
            there = f"it has {', '.join(known)}" if known else "it has none"
            raise InputError(f"{name} has no parameter {key!r}; {there}")
    for p in known.values():
        if p.kind is None and (p.required or p.name in texts):
            needs = f"{cls.__name__} needs a classmethod build(cls, ...)"
            raise InputError(f"{name}: {p.name} cannot be given on the command line; {needs} that makes it")
        if p.required and p.name not in texts:
            raise InputError(f"{name} needs {p.name}, {p.kind}: -p {p.name}=...")
    return {key: known[key].read(text) for key, text in texts.items()}
