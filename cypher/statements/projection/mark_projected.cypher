// Record up to which registry entry the memories that it touches are projected.
// $projected_seq: its sequence
MATCH (h:ChainHead {name: 'ledger'})
SET h.projected_seq = $projected_seq
RETURN h.projected_seq AS projected_seq
