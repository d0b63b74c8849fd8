// The anchor reviews that one grant's proposals opened or joined, as those proposals name them.
// $lane: the beginning of the grant's keys
// $limit: most namings
MATCH (p:Proposal)-[a:AWAITS]->(r:AnchorReview)
WHERE p.by_grant STARTS WITH $lane
RETURN r.key AS key, r.closed_at AS closed_at, r.entity AS entity,
       a.name AS name, a.type AS type, a.at AS at, p.id AS proposal
ORDER BY at, proposal, key
LIMIT $limit
