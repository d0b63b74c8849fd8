// Open the anchor review of a name, or join it.
// $named: key, place, name, type, at and proposal of each
UNWIND $named AS one
MERGE (r:AnchorReview {key: one.key})
ON CREATE SET r.place = one.place, r.name = one.name, r.type = one.type, r.opened_at = one.at
WITH r, one
MATCH (p:Proposal {id: one.proposal})
MERGE (p)-[a:AWAITS]->(r)
ON CREATE SET a.name = one.name, a.type = one.type, a.at = one.at
