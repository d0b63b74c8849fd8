// Move the end of the chain, already locked, to the last entry appended.
// $seq: its sequence
// $hash: its hash
// $recorded_at: when it was recorded
// $registry_seq: sequence of the last registry entry
// $passkey_seq: sequence of the last passkey entry
// $projected_seq: of the last registry entry that all the memories it touches are projected under
MATCH (h:ChainHead {name: 'ledger'})
SET h.seq = $seq, h.hash = $hash, h.recorded_at = $recorded_at, h.registry_seq = $registry_seq,
    h.passkey_seq = $passkey_seq, h.projected_seq = $projected_seq
