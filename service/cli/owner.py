"""``owner``: what only somebody at this machine may do for the owner of the store."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.markup import escape

from cypher.cli import show_outcome, terminal, tr
from cypher.owner import OwnerSession
from cypher.runtime import SystemClock
from policies import moments
from policies.errors import DirectiveRefused
from policies.terms import Outcome
from service.machine_links import passkey_link, reset_link


def add_to(app: typer.Typer) -> None:
    """Add this family to the command."""
    family = typer.Typer(
        no_args_is_help=True,
        help=tr("The owner's sign-in to the console.", "La connexion du propriétaire à la console."),
    )
    for name, command, help_text in (
        (
            "reset",
            reset,
            tr(
                "Begin anew: end all sessions, withdraw all passkeys, choose another passphrase.",
                "Repartir de zéro : fermer les sessions, retirer les clés d'accès, changer de phrase de passe.",
            ),
        ),
        (
            "passkey",
            passkey,
            tr("A link to enrol your first passkey.", "Un lien pour inscrire votre première clé d'accès."),
        ),
    ):
        family.command(name, help=help_text)(command)
    app.add_typer(family, name="owner")


def reset() -> None:
    """For a passphrase or a passkey that is lost. The ledger keeps a trace; assistants stay connected.

    Raises:
        MnemoError: sessions ended, and the ledger did not take up the rest: to be run again.
    """
    settings, clock = terminal().settings(), SystemClock()
    # Sessions end first, whether or not the ledger answers: who holds one could be letting assistants in.
    link, ended = reset_link(settings, clock)
    with OwnerSession(settings, at_machine=True) as session:
        outcome = session.direct("owner_reset", {})
    if outcome.outcome is not Outcome.COMMITTED:
        show_outcome(outcome, settings)
    answer: dict[str, object] = {
        "url": link.url,
        "expires_at": moments.show_recorded(link.expires_at, settings.zone),
        "sessions_ended": ended,
    }

    def show(console: Console) -> None:
        console.print(
            tr(
                f"The passphrase, the codes and every passkey are good no more; sessions ended: {ended}. "
                "The memory and the connected assistants are not touched. Choose another passphrase here, once, "
                "within the hour:",
                f"La phrase de passe, les codes et toutes les clés d'accès ne servent plus ; sessions fermées : "
                f"{ended}. La mémoire et les assistants connectés ne sont pas touchés. Choisissez une autre phrase "
                "de passe ici, une seule fois, dans l'heure :",
            )
        )
        console.print(escape(link.url), soft_wrap=True)

    terminal().answer(answer, show)


def passkey() -> None:
    """Good for an hour, once, while there is no passkey: later ones are confirmed by an earlier one.

    Raises:
        DirectiveRefused: there is one already.
    """
    settings, clock = terminal().settings(), SystemClock()
    with OwnerSession(settings) as session:
        if session.reader.passkeys().living:
            raise DirectiveRefused(problem="passkey.living")
    link = passkey_link(settings, clock)
    answer: dict[str, object] = {
        "url": link.url,
        "expires_at": moments.show_recorded(link.expires_at, settings.zone),
    }

    def show(console: Console) -> None:
        console.print(
            tr(
                "Sign in to the console and enrol your passkey here, within the hour:",
                "Connectez-vous à la console et inscrivez votre clé d'accès ici, dans l'heure :",
            )
        )
        console.print(escape(link.url), soft_wrap=True)

    terminal().answer(answer, show)
