// The proposals of some lines: the first of each, and those admitted again for it.
// $roots: the first proposal of each line
// $limit: most proposals of all lines together
MATCH (p:Proposal)
WHERE p.root IN $roots
RETURN p {.*, decision: null} AS proposal
ORDER BY p.place
LIMIT $limit
