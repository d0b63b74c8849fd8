// The name of the database that the connection leads to, where the server has such a notion.
CALL db.info() YIELD name
RETURN name
