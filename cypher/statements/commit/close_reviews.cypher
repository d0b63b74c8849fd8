// Close anchor reviews, with the entities that now answer to the names; null where nothing does.
// $closed: key, entity and at of each
UNWIND $closed AS one
MATCH (r:AnchorReview {key: one.key})
SET r.closed_at = one.at, r.entity = one.entity
