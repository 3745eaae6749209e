"""Who may ask: somebody who has the address with its token, from this very page, in requests of a sensible size.

The token comes with the printed address and becomes a cookie that no script can read and no other site can send. A page
of another site, or of another port of this machine, is refused by where its request comes from; a name that merely
leads here is refused by the name. What is sent may load nothing from elsewhere, run no script but ours, and be shown
in no frame.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BODY = 1 << 16
"""The most bytes that a request may bring."""
MOST_QUERY = 1 << 13
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Refused(Exception):
    """A request that is not answered, with its status and the reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Guard:
    """Stands before an application, lets in what is allowed, and adds the headers that keep browsers in bounds.

    Parameters
    ----------
    token
        what opens the page
    names
        the names under which it may be asked for; numbers of this machine too if it is ``open`` to others
    """

    def __init__(self, app: App, token: str, names: frozenset[str], is_open: bool = False) -> None:
        self._app, self._token, self._names, self._is_open = app, token, names, is_open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            raise Refused(400, "only HTTP is spoken here")
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            host = self._check_host(headers)
            self._check_origin(scope["method"], headers, host)
            self._check_size(scope, headers)
            if self._is_entrance(scope):
                await self._let_in(send, host)
                return
            self._check_cookie(headers, host)
        except Refused as refused:
            await refuse(send, refused.status, str(refused))
            return
        await self._app(scope, limited(receive), guarded(send))

    # --- checks ---

    def _check_host(self, headers: dict[str, str]) -> str:
        host = headers.get("host", "")
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            name = ""
        if name not in self._names and not (self._is_open and _is_number(name)):
            raise Refused(421, "this page is not known under the name in the address")
        return host

    def _check_origin(self, method: str, headers: dict[str, str], host: str) -> None:
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        foreign = origin is not None and origin not in (f"http://{host}", f"https://{host}")
        if foreign or site not in (None, "same-origin", "none"):
            raise Refused(403, "requests from other pages are refused: open the address itself")
        if method not in ("GET", "HEAD", "POST"):
            raise Refused(405, "only GET and POST are known here")
        if method == "POST" and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise Refused(415, "a POST must bring JSON")

    @staticmethod
    def _check_size(scope: Scope, headers: dict[str, str]) -> None:
        length = headers.get("content-length", "0")
        if len(scope["query_string"]) > MOST_QUERY or len(scope["path"]) > MOST_QUERY:
            raise Refused(414, f"an address must have at most {MOST_QUERY} letters")
        if not length.isdigit() or int(length[:20]) > MOST_BODY:
            raise Refused(413, f"a request must have at most {MOST_BODY} bytes")

    def _is_entrance(self, scope: Scope) -> bool:
        if scope["path"] != "/" or scope["method"] != "GET" or b"token=" not in scope["query_string"]:
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if not hmac.compare_digest(given.encode(), self._token.encode()):
            raise Refused(403, "the token in the address is not that of this page")
        return True

    def _check_cookie(self, headers: dict[str, str], host: str) -> None:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            cookies = SimpleCookie()
        found = cookies.get(cookie_name(host))
        if found is None or not hmac.compare_digest(found.value.encode(), self._token.encode()):
            raise Refused(403, "open the address that rookery serve has printed, with its token")

    # --- answers ---

    async def _let_in(self, send: Send, host: str) -> None:
        """Turn the token into a cookie, and lead to the address without it, so that no history holds it."""
        cookie = f"{cookie_name(host)}={self._token}; Path=/; HttpOnly; SameSite=Strict"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode())]
        await guarded(send)({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def cookie_name(host: str) -> str:
    """The name of the cookie, which differs from port to port: cookies are shared between them.

    >>> cookie_name("127.0.0.1:8765")
    'rookery-8765'
    """
    port = host.rpartition(":")[2]
    return f"rookery-{port}" if port.isdigit() else "rookery"


def guarded(send: Send) -> Send:
    """Add the headers to every answer that does not have its own."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message.get("headers", [])}
            more = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in there]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return sending


def limited(receive: Receive) -> Receive:
    """Stop reading a request that brings more than it said, or more than is allowed."""
    taken = 0

    async def receiving() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        return {"type": "http.disconnect"} if taken > MOST_BODY else message

    return receiving


async def refuse(send: Send, status: int, reason: str) -> None:
    """Answer with a reason in words."""
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await guarded(send)({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{reason}\n".encode()})


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
