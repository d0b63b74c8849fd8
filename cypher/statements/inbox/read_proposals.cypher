// Proposals by id; what does not exist is left out.
// $ids: their ids
MATCH (p:Proposal)
WHERE p.id IN $ids
RETURN p {.*, decision: null} AS proposal
ORDER BY p.place DESC
