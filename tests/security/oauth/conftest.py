from tests.support.oauth_fixtures import client, http, owner, served_house, service

__all__ = ["client", "http", "owner", "served_house", "service"]
