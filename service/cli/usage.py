"""How the command was called: what is wrong with that as an error of ours, and the help's own words in French.

The parser says both in English alone, and an error of its own is no object that a script could read.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Any

import typer
from typer import rich_utils

from cypher.cli import tr
from policies.errors import CommandUnknown, InvalidArgument, MissingArgument, MnemoError, UnknownArgument

_QUOTED = re.compile(r"'([^']*)'")
_EXTRA = re.compile(r"\(s\) \((.*)\)$")


def error_of(fault: typer.TyperException) -> MnemoError | None:
    """The error of ours that a fault of the parser is; None where it stands for the help, which is printed already."""
    said: Any = fault
    param, option = getattr(said, "param", None), getattr(said, "option_name", None)
    if isinstance(fault, typer.BadParameter):
        # Without a message nothing was given at all.
        return _invalid(fault, param) if fault.message else MissingArgument(field=_name(param))
    if option is not None:
        if "requires" in fault.message:
            return MissingArgument(field=option)
        if "take a value" in fault.message:
            return InvalidArgument(field=option, problem=tr("it takes no value", "il n'admet pas de valeur"))
        return UnknownArgument(field=option)
    if not fault.message:
        return None
    if extra := _EXTRA.search(fault.message):
        return UnknownArgument(field=extra.group(1))
    named = _QUOTED.search(fault.message)
    return CommandUnknown(name=named.group(1) if named else "…")


def nearest(fault: typer.TyperException) -> list[str]:
    """What the person may have meant: options, or a command."""
    if isinstance(fault, typer.BadParameter):
        return []
    options = getattr(fault, "possibilities", None)
    return sorted(options) if options else _QUOTED.findall(fault.message)[1:]


def speak(command: Any) -> None:
    """Give the help of a command, and of those below it, its words in the person's language."""
    rich_utils.OPTIONS_PANEL_TITLE = "Options"
    rich_utils.ARGUMENTS_PANEL_TITLE = "Arguments"
    rich_utils.COMMANDS_PANEL_TITLE = tr("Commands", "Commandes")
    rich_utils.REQUIRED_LONG_STRING = tr("[required]", "[requis]")
    rich_utils.DEFAULT_STRING = tr("[default: {}]", "[par défaut : {}]")
    option = command.get_help_option(typer.Context(command))
    option.help = tr("Show this and end.", "Afficher ceci.")
    for below in getattr(command, "commands", {}).values():
        speak(below)


def _invalid(fault: typer.BadParameter, param: Any) -> InvalidArgument:
    choices = getattr(getattr(param, "type_descriptor", None), "choices", None)
    if choices:
        allowed = [str(one.value if isinstance(one, Enum) else one) for one in choices]
        return InvalidArgument(field=_name(param), problem="choice", allowed=allowed)
    for words, problem, limit in (("greater", "minimum", "min"), ("less", "maximum", "max")):
        if words in fault.message:
            return InvalidArgument(field=_name(param), problem=problem, limit=getattr(param, limit))
    return InvalidArgument(field=_name(param), problem="type", expected="integer")


def _name(param: Any) -> str:
    """An option as it is written, an argument in capitals."""
    name = max(getattr(param, "opts", None) or ["…"], key=len)
    return name if name.startswith("-") else getattr(param, "metavar", None) or name.upper()
