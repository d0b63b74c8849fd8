from tests.support.service_fixtures import anyio_backend, furnished, house, session, web

__all__ = ["anyio_backend", "furnished", "house", "session", "web"]
