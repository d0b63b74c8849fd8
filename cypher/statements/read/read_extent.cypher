// Since when there is anything: the earliest time that a memory is true from, and the first that was recorded.
MATCH (s:State)
RETURN min(s.valid_from) AS valid_from, min(s.recorded_at) AS recorded_at
