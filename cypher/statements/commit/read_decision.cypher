// What was decided about a proposal and perhaps not committed.
// $id: the proposal's
MATCH (p:Proposal {id: $id})
RETURN p.decision AS decision
