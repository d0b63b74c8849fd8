// The changes of the owner's passkeys are read in the order of the chain.
CREATE INDEX passkey_entry_seq IF NOT EXISTS FOR (p:PasskeyEntry) ON (p.seq);
