// The owner looks through memories in the order in which they were recorded.
CREATE INDEX state_seq IF NOT EXISTS FOR (s:State) ON (s.seq);
