// One state that changed since a decision was made and that touches what it rests on.
// $after: begin after this key (State.change)
// $anchors: canonical ids of entities
// $keys: digests of what is said
MATCH (s:State)
WHERE s.change > $after AND (s.dedup_key IN $keys OR any(a IN s.anchors WHERE a IN $anchors))
RETURN s.memory AS memory
ORDER BY s.change
LIMIT 1
