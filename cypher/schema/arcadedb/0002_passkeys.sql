-- The changes of the owner's passkeys are read in the order of the chain.
CREATE VERTEX TYPE PasskeyEntry IF NOT EXISTS;
CREATE PROPERTY PasskeyEntry.`seq` IF NOT EXISTS LONG;
CREATE INDEX IF NOT EXISTS ON PasskeyEntry (`seq`) NOTUNIQUE NULL_STRATEGY SKIP;
