// The migrations that were applied to this database.
MATCH (step:Schema)
RETURN step.number AS number, step.digest AS digest
ORDER BY number
