// Who curates, and until when it is sure to be alive.
MATCH (l:Lease {name: 'curator'})
RETURN l.holder AS holder, l.epoch AS epoch, l.expires_at AS expires_at
