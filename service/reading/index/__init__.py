"""The text index: one Tantivy index for each distinct view, holding exactly what that view may be served.

Non-interference (G1) is so by construction: what is outside a view never enters its index, and every number
that a score is made of is counted among the live documents of that index alone. Tantivy's own statistics,
which remember deleted documents until a merge, are never used.
"""

from service.reading.index.documents import Edge, Mark, Row, marked
from service.reading.index.indexes import Indexes
from service.reading.index.snapshot import SCALE, Filters, Hits, IndexDamaged, Snapshot

__all__ = ["SCALE", "Edge", "Filters", "Hits", "IndexDamaged", "Indexes", "Mark", "Row", "Snapshot", "marked"]
