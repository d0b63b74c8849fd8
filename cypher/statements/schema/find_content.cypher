// Whether the database holds anything besides the record of its schema.
MATCH (node)
WHERE NOT node:Schema
RETURN 1 AS found
LIMIT 1
