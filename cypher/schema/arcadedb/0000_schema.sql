-- What migrations and the store's claim are kept in.
-- A property is declared with its type before it is indexed: an index of an undeclared one holds strings, and
-- numbers come out of it in the order of their digits.
CREATE VERTEX TYPE `Schema` IF NOT EXISTS;
CREATE PROPERTY `Schema`.`number` IF NOT EXISTS LONG;
CREATE INDEX schema_number IF NOT EXISTS ON `Schema` (`number`) UNIQUE;
CREATE VERTEX TYPE Store IF NOT EXISTS;
CREATE PROPERTY Store.`key` IF NOT EXISTS STRING;
CREATE INDEX store_key IF NOT EXISTS ON Store (`key`) UNIQUE;
