// Keep what was decided about a proposal until it is committed.
// $id: the proposal's
// $decision: canonical JSON
MATCH (p:Proposal {id: $id})
SET p.decision = $decision
RETURN p.id AS id
