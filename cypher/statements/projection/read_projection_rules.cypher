// Under which parameters the projection was made; empty while it is being made.
MATCH (p:Published {name: 'ledger'})
RETURN p.rules AS rules
