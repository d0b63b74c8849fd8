"""The authorization server: tools connect by OAuth 2.1, and the owner decides what each is allowed.

Authlib's framework-free core checks requests (``server.py``); one file serves each endpoint. What is asked waits
in the store until the owner rules on it (``consent.py``); the console shows it.
"""
