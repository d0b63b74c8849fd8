// The end of the hash chain: what the next entry will be linked to.
MATCH (h:ChainHead {name: 'ledger'})
RETURN h.seq AS seq, h.hash AS hash, h.recorded_at AS recorded_at, h.registry_seq AS registry_seq
