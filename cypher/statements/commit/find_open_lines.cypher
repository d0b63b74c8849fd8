// The lines, of some, that have a proposal which is not settled yet.
// $roots: the first proposals of the lines
MATCH (p:Proposal)
WHERE p.root IN $roots AND p.state <> 'settled'
RETURN DISTINCT p.root AS root
ORDER BY root
