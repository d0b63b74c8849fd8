// The proposal that was submitted under an idempotency key.
// $idempotency: grant, action and key
MATCH (p:Proposal {idempotency: $idempotency})
RETURN p.id AS id, p.digest AS digest
