// Put a proposal into the inbox; nothing if it is there already.
// $id: the proposal's
// $properties: everything else about it
// $lane: whose turn it waits for
MERGE (l:Lane {grant: $lane})
ON CREATE SET l.served = 0
MERGE (p:Proposal {id: $id})
ON CREATE SET p += $properties
RETURN p.id AS id
