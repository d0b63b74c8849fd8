"""The graph's constraints, indexes and types: numbered migrations of each engine, and what applies them."""
