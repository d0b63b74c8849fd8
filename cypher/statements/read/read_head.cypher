// Where the ledger ends for those who follow it: the last commit whose projection is complete for every reader.
MATCH (h:Published {name: 'ledger'})
RETURN h.seq AS seq, h.registry_seq AS registry_seq, coalesce(h.passkey_seq, 0) AS passkey_seq
