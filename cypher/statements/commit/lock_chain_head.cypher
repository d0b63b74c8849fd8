// The end of the chain, locked for the rest of the transaction: it is written before it is read.
MATCH (h:ChainHead {name: 'ledger'})
SET h.lock = h.lock + 1
RETURN h.seq AS seq, h.hash AS hash, h.recorded_at AS recorded_at, h.registry_seq AS registry_seq,
       coalesce(h.passkey_seq, 0) AS passkey_seq, h.projected_seq AS projected_seq
