"""Checks a call's arguments against the tool's own schema, and refuses in our words, never a library's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, cast

from jsonschema import Draft202012Validator

from policies.errors import (
    ArgumentTooLong,
    InvalidArgument,
    MissingArgument,
    MnemoError,
    UnknownArgument,
)
from policies.nesting import leaves

FIELD_CHARACTERS_MAX = 64

# What is wrong is told in this order: a caller first learns which arguments there are, then what they take.
_ORDER = (
    "additionalProperties",
    "required",
    "type",
    "enum",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
)


class _Fault(Protocol):
    """What is read of a ``jsonschema.ValidationError``, which is untyped upstream."""

    validator: str
    validator_value: Any
    instance: Any
    absolute_path: Any


class ArgumentCheck:
    """The check of one tool's arguments."""

    def __init__(self, schema: Mapping[str, Any], depth_max: int) -> None:
        """Check against a schema; ``depth_max`` counts the arguments' own object as the first level."""
        self._validator: Any = Draft202012Validator(dict(schema))
        self._properties = frozenset(cast("Mapping[str, object]", schema["properties"]))
        self._depth_max = depth_max

    def checked(self, arguments: Mapping[str, object]) -> dict[str, Any]:
        """The arguments, without those that are null: null counts as absent.

        Raises:
            UnknownArgument: one that the tool does not have.
            MissingArgument: a required one is absent.
            ArgumentTooLong: a text or a list beyond its limit.
            ArgumentTooDeep: nested too deeply.
            UnsafeText: a text holds a character that is refused.
            InvalidArgument: anything else.
        """
        for name in arguments:
            if name not in self._properties:
                raise UnknownArgument(field=shown_field(name))
        given = {name: value for name, value in arguments.items() if value is not None}
        for name, value in given.items():
            for _ in leaves(name, value, self._depth_max):
                pass  # what it is else, the schema says
        faults = sorted(cast("Iterator[_Fault]", self._validator.iter_errors(given)), key=_rank)
        if faults:
            raise _told(faults[0])
        return {name: _whole(value) for name, value in given.items()}


def shown_field(name: str) -> str:
    """An argument's name as it may be repeated to the caller: short and printable."""
    return "".join(c if c.isprintable() else "\ufffd" for c in name[:FIELD_CHARACTERS_MAX])


def _rank(fault: _Fault) -> tuple[int, list[str]]:
    order = _ORDER.index(fault.validator) if fault.validator in _ORDER else len(_ORDER)
    return order, [str(part) for part in fault.absolute_path]


def _told(fault: _Fault) -> MnemoError:
    path = [str(part) for part in fault.absolute_path]
    field, limit = ".".join(path), fault.validator_value
    match fault.validator:
        case "additionalProperties":
            known = cast("Mapping[str, object]", fault.instance)
            return UnknownArgument(field=shown_field(".".join([*path, _first_unknown(known, fault)])))
        case "required":
            missing = next(name for name in limit if name not in fault.instance)
            return MissingArgument(field=".".join([*path, missing]))
        case "type":
            return InvalidArgument(field=field, problem="type", expected=limit)
        case "enum":
            return InvalidArgument(field=field, problem="choice", allowed=limit)
        case "maxLength":
            return ArgumentTooLong(field=field, limit=limit, unit="characters")
        case "minLength":
            return InvalidArgument(field=field, problem="empty")
        case "minimum" | "maximum":
            return InvalidArgument(field=field, problem=fault.validator, limit=limit)
        case "maxItems":
            return InvalidArgument(field=field, problem="too_many", limit=limit)
        case _:
            return InvalidArgument(field=field, problem="pattern")


def _first_unknown(given: Mapping[str, object], fault: _Fault) -> str:
    declared = cast("Any", fault).schema["properties"]
    return next(name for name in given if name not in declared)


def _whole(value: object) -> object:
    """JSON has one kind of number: 3.0 is a whole one, and reads as 3."""
    return int(value) if isinstance(value, float) else value
