// What is served on request only is in no text index: it is looked up here.
CREATE INDEX state_discretion IF NOT EXISTS FOR (s:State) ON (s.discretion);
