from tests.support.oauth_fixtures import client, http, owner, service, served_house

__all__ = ["client", "http", "owner", "served_house", "service"]
