// The lanes of the inbox, the one that was served longest ago first.
// $limit: most lanes
MATCH (l:Lane)
RETURN l.grant AS grant
ORDER BY l.served, l.grant
LIMIT $limit
