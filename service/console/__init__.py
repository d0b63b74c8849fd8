"""The owner's console: pages rendered on the server, in French and English.

``house`` is what pages may use, ``visit`` one request as a page sees it, ``site`` serves the pages and guards
them; each file of ``pages`` holds one subject and lists its ``PAGES``. The console has no route to commit: all
that changes the ledger is a directive, put into the inbox by ``Visit.direct``.
"""
