// Memories as the owner looks through them, the last recorded first; retractions are part of what they take back.
// $before: sequence of the memory to begin before
// $entities: null, or canonical ids, of which a memory is about one
// $domain: null, or a domain that it is in
// $kinds: null, or what it must be, or restate
// $levels: null, or the effective levels that it may have, as numbers
// $provenance: null, or where it must come from
// $on_request: whether what is served on request only is among them
// $relates: whether it must assert a relation between two entities
// $known: the exclusive end of what is known
// $erased: null, or whether it must have been erased
// $believed: null, or whether it must be believed as of then
// $retracted: null, or whether it must have been taken back, rather than replaced by another
// $happened: the kinds that happened once and are never closed
// $closes_after: null, or an instant at which it must not be closed
// $closed_by: null, or an instant at which it must be
// $opens_before: null, or an instant before which it must begin to be true
// $opens_after: null, or an instant after which it must
// $limit: most memories of this page
MATCH (s:State)
WHERE s.seq < $before
  AND s.kind <> 'retraction'
  AND ($on_request OR s.on_request IS NULL)
  AND ($entities IS NULL OR any(anchor IN s.anchors WHERE anchor IN $entities))
  AND ($domain IS NULL OR $domain IN s.domains)
  AND ($kinds IS NULL OR s.kind IN $kinds OR s.asserts IN $kinds)
  AND ($levels IS NULL OR s.level IN $levels)
  AND ($provenance IS NULL OR s.provenance = $provenance)
  AND (NOT $relates OR s.relates)
  AND s.recorded_at < $known
  AND ($erased IS NULL OR s.erased = $erased)
  AND ($believed IS NULL OR (coalesce(s.superseded_at, $known) >= $known) = $believed)
  AND ($retracted IS NULL OR (s.ended_by = 'retraction') = $retracted)
  AND ($closes_after IS NULL OR s.valid_to IS NULL OR s.kind IN $happened OR s.valid_to > $closes_after)
  AND ($closed_by IS NULL OR (s.valid_to <= $closed_by AND NOT s.kind IN $happened))
  AND ($opens_before IS NULL OR s.valid_from IS NULL OR s.valid_from < $opens_before)
  AND ($opens_after IS NULL OR s.valid_from > $opens_after)
RETURN s.memory AS memory, s.seq AS seq
ORDER BY s.seq DESC
LIMIT $limit
