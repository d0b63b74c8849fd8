"""Keeps the home's embedded server running while somebody uses it.

Apart from ``cypher.engine``, which loads the driver and more, because this process stays for as long as the
server does: it must be small.
"""
