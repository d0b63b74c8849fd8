// How many memories are believed, by effective level, domains and discretion.
MATCH (s:State)
WHERE s.believed
RETURN s.level AS level, s.domains AS domains, s.discretion AS discretion, count(s) AS memories
ORDER BY level, domains, discretion
