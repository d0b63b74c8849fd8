// What migrations and the store's claim are kept in.
CREATE CONSTRAINT schema_number IF NOT EXISTS FOR (s:Schema) REQUIRE s.number IS UNIQUE;
CREATE CONSTRAINT store_key IF NOT EXISTS FOR (s:Store) REQUIRE s.key IS UNIQUE;
