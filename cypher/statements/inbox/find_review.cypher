// Where the anchor review of a name stands in their order.
// $key: the name, folded
MATCH (r:AnchorReview {key: $key})
RETURN r.place AS place
