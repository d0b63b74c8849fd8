-- What is served on request only is in no text index: it is looked up here.
CREATE PROPERTY State.`discretion` IF NOT EXISTS STRING;
CREATE INDEX IF NOT EXISTS ON State (`discretion`) NOTUNIQUE NULL_STRATEGY SKIP;
