-- The owner looks through memories in the order in which they were recorded.
CREATE PROPERTY State.`seq` IF NOT EXISTS LONG;
CREATE INDEX IF NOT EXISTS ON State (`seq`) NOTUNIQUE NULL_STRATEGY SKIP;
