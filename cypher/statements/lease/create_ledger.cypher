// The three nodes that a ledger begins with; nothing if they are there.
// $genesis: the hash before the first entry
MERGE (l:Lease {name: 'curator'})
ON CREATE SET l.epoch = 0, l.holder = '', l.expires_at = 0, l.lock = 0
MERGE (h:ChainHead {name: 'ledger'})
ON CREATE SET h.seq = 0, h.hash = $genesis, h.recorded_at = 0, h.registry_seq = 0, h.passkey_seq = 0,
              h.projected_seq = 0, h.lock = 0
MERGE (p:Published {name: 'ledger'})
ON CREATE SET p.seq = 0, p.registry_seq = 0, p.passkey_seq = 0
