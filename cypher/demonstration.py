"""The ground of a demonstration on a server: a database that is empty or bears the demonstration's mark.

The mark is the name of the store that the database belongs to. Nothing else in Mnemo may bear it, and nothing
without it is ever erased: the statement itself looks for it.
"""

from __future__ import annotations

from cypher.engine import connect
from cypher.settings import DEMONSTRATION, Settings
from cypher.statement import statement
from policies.errors import InvariantBroken

_CLEAR = statement("clear_demonstration")
_BATCH = 5_000
_BATCHES_MAX = 1_000


def clear_demonstration(settings: Settings) -> None:
    """Erase what an earlier demonstration left.

    Args:
        settings: of the demonstration's store.

    Raises:
        StoreInvalid: the database holds something that is not the demonstration's.
        LedgerUnavailable: the server does not answer.
    """
    if settings.store != DEMONSTRATION:
        raise InvariantBroken("only the demonstration's store may be cleared")
    with connect(settings) as engine:
        for _ in range(_BATCHES_MAX):
            if engine.graph.write(_CLEAR, mark=DEMONSTRATION, limit=_BATCH)[0]["erased"] == 0:
                return
    raise InvariantBroken("the demonstration's database does not become empty")
