// Make the database this store's, unless it is one's already; tells whose it is.
// $name: the store's name
MERGE (store:Store {key: 'store'})
ON CREATE SET store.name = $name
RETURN store.name AS name
