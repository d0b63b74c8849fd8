// Record under which parameters the projection was made.
// $rules: their digest; empty before it is begun
MATCH (p:Published {name: 'ledger'})
SET p.rules = $rules
RETURN p.rules AS rules
