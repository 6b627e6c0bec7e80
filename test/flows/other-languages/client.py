"""Authlib: a public client. Prints its authorization URL, reads the redirect, prints its results."""
import json
import os
import sys

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.integrations.base_client.errors import OAuthError

issuer = os.environ["ISSUER"]
session = OAuth2Session(
    "gallery",
    redirect_uri="http://127.0.0.1:6750/gallery",
    scope="photos:read profile",
    token_endpoint=issuer + "/token",
    token_endpoint_auth_method="none",
    revocation_endpoint_auth_method="none",
    code_challenge_method="S256",
)
verifier = generate_token(48)
url, state = session.create_authorization_url(issuer + "/authorize", code_verifier=verifier)
print(url, flush=True)

redirect = sys.stdin.readline().strip()
first = dict(
    session.fetch_token(authorization_response=redirect, state=state, code_verifier=verifier)
)
photos = session.get(issuer + "/api/photos")
second = dict(session.refresh_token(issuer + "/token"))
again = session.get(issuer + "/api/photos")
revoked = session.revoke_token(issuer + "/revoke", second["refresh_token"])
ended = session.get(issuer + "/api/photos")
try:
    session.refresh_token(issuer + "/token", refresh_token=second["refresh_token"])
    refused = None
except OAuthError as fault:
    refused = fault.error

print(
    json.dumps(
        {
            "scope": first["scope"],
            "photos": [photos.status_code, again.status_code, ended.status_code],
            "rotated": first["refresh_token"] != second["refresh_token"],
            "revoked": [revoked.status_code, revoked.json()],
            "refused": refused,
        }
    )
)
