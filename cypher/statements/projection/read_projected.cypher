// Up to which registry entry the memories that it touches are projected, and which is the last one.
MATCH (h:ChainHead {name: 'ledger'})
RETURN h.projected_seq AS projected_seq, h.registry_seq AS registry_seq
