"""What the detectors of ``policies.language`` can find, as closed lists ordered from harmless to grave."""

from __future__ import annotations

from enum import StrEnum


class _Graded(StrEnum):
    """A finding whose members are declared from the harmless to the grave one."""

    @property
    def gravity(self) -> int:
        """0 for the harmless member."""
        return list(type(self)).index(self)


class Health(_Graded):
    """Whether a text tells somebody's health, psychology or intimacy, and how (G10)."""

    NONE = "none"
    UNSURE = "unsure"
    """The words of health are there; whether somebody's health is meant, the rules cannot tell."""
    STATED = "stated"
    """Stated plainly."""
    INFERRED = "inferred"
    """Concluded, hedged, or read from behaviour."""


class Importance(_Graded):
    """Whether a text says that something matters to the owner, and on what ground."""

    NONE = "none"
    DECLARED = "declared"
    """The owner said so, in so many words."""
    DERIVED = "derived"
    """Concluded from frequency, emotion, length or an impression."""


class Instruction(_Graded):
    """Whether a text instructs the assistants that will read it."""

    NONE = "none"
    RULE = "rule"
    """An ordinary instruction ("always answer in French"): for the owner to confirm."""
    DISGUISED = "disguised"
    """An instruction in disguise, an override, a role tag, something hidden: quarantined."""
