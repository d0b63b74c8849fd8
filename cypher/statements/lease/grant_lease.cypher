// Give the lease, already locked, to a holder.
// $holder: whose it is; unique to a process
// $epoch: greater than the one before whenever it changes hands
// $expires_at: when anybody may take it
MATCH (l:Lease {name: 'curator'})
SET l.holder = $holder, l.epoch = $epoch, l.expires_at = $expires_at
