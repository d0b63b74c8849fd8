// Tell followers how far the ledger and its projection reach. Runs after the commit, in a transaction of its own:
// an engine may show a reader the head of a commit a moment before the rest of it.
MATCH (h:ChainHead {name: 'ledger'})
MATCH (p:Published {name: 'ledger'})
SET p.seq = h.seq, p.registry_seq = h.registry_seq, p.passkey_seq = coalesce(h.passkey_seq, 0)
RETURN p.seq AS seq
