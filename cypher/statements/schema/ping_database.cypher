// Whether the database answers.
RETURN 1 AS one
