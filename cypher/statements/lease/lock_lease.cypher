// The lease, locked for the rest of the transaction: it is written before it is read.
MATCH (l:Lease {name: 'curator'})
SET l.lock = l.lock + 1
RETURN l.holder AS holder, l.epoch AS epoch, l.expires_at AS expires_at
