// Where some proposals stand in the inbox.
// $ids: their ids
MATCH (p:Proposal)
WHERE p.id IN $ids
RETURN p.id AS id, p.state AS state, p.root AS root, p.grant AS grant, p.submitted_at AS submitted_at
ORDER BY id
