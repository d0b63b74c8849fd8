"""Reading: profile, pack, recall, path, resources and completions, of one view and without a language model.

Anchors in the question, candidates from the view's own index and its edges, filters before any scoring,
relevance and order by ``policies.ranking``, budgets by ``policies.budget``: one module for each step.
"""

from service.reading.holdings import Holding
from service.reading.items import Answer
from service.reading.pack import PackArguments
from service.reading.path import PathArguments
from service.reading.profile import ProfileArguments
from service.reading.reading import Reading
from service.reading.recall import RecallArguments

__all__ = [
    "Answer",
    "Holding",
    "PackArguments",
    "PathArguments",
    "ProfileArguments",
    "Reading",
    "RecallArguments",
]
