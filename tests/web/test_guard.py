"""Whoever has no token, comes from another page, uses another name or brings too much is refused."""

from __future__ import annotations

import re
import socket

import pytest
from sites import ADDRESS, NAMES, TOKEN, client, site_of
from starlette.testclient import TestClient

import rookery as rk
from rookery.web.guard import MOST_BODY, POLICY
from rookery.web.replies import page, page_names
from rookery.web.serving import Server, listening

PATHS = ["/", "/main.js", "/api/runs", "/api/run?file=a.jsonl", "/api/picture?file=a", "/api/choices"]


@pytest.fixture
def outside(tmp_path):
    """A client without the token."""
    return TestClient(site_of(tmp_path).guarded(TOKEN, NAMES), base_url=ADDRESS, follow_redirects=False)


@pytest.fixture
def inside(tmp_path):
    return client(site_of(tmp_path))


@pytest.mark.parametrize("path", PATHS)
def test_without_the_token_nothing_is_told(path, outside):
    answer = outside.get(path)
    assert (answer.status_code, "with its token" in answer.text) == (403, True)


@pytest.mark.parametrize("query", ["token=", "token=other", "token=a-tokem", "token=a-token-and-more", "token=%ff"])
def test_a_wrong_token_is_refused(query, outside):
    assert outside.get(f"/?{query}").status_code == 403


@pytest.mark.parametrize("cookie", ["rookery-8765=other", "rookery=a-token", "rookery-1=a-token", 'a="', "\xff=1; ="])
def test_a_wrong_cookie_is_refused(cookie, outside):
    assert outside.get("/api/runs", headers={"cookie": cookie.encode("latin-1")}).status_code == 403


def test_the_token_becomes_a_cookie_that_no_script_and_no_other_site_can_use(outside):
    answer = outside.get(f"/?token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert answer.headers["set-cookie"] == f"rookery-8765={TOKEN}; Path=/; HttpOnly; SameSite=Strict"


def test_the_token_opens_nothing_but_the_entrance(outside):
    assert outside.get(f"/api/runs?token={TOKEN}").status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "evil.example:8765", "[::1", "192.168.0.9"]
)
def test_a_name_that_merely_leads_here_is_refused(host, inside):
    assert inside.get("/api/runs", headers={"host": host}).status_code == 421


def test_numbers_of_the_machine_are_names_once_it_is_open_to_others(tmp_path):
    guard = site_of(tmp_path).guarded(TOKEN, NAMES, is_open=True)
    opened = TestClient(guard, base_url="http://192.168.0.9:8765", follow_redirects=False)
    assert opened.get(f"/?token={TOKEN}").status_code == 303
    assert opened.get("/", headers={"host": "evil.example"}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_request_from_another_page_is_refused_even_with_the_cookie(method, headers, inside):
    answer = inside.request(method, "/api/position", json={}, headers=headers)
    assert (answer.status_code, "from other pages" in answer.text) == (403, True)


def test_requests_of_the_page_itself_are_answered(inside):
    for headers in ({}, {"origin": ADDRESS, "sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}):
        assert inside.get("/api/runs", headers=headers).json() == []


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_a_form_of_another_page_cannot_steer_anything(kind, inside):
    assert inside.post("/api/think", content=b"{}", headers={"content-type": kind}).status_code == 415


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_unknown(method, inside):
    assert inside.request(method, "/api/runs").status_code == 405


def test_a_request_that_brings_too_much_is_refused(inside):
    large = b'{"moves": [' + b"1," * MOST_BODY + b"1]}"
    kind = {"content-type": "application/json"}
    assert inside.post("/api/position", content=large, headers=kind).status_code == 413
    pieces = (large[k : k + 4096] for k in range(0, len(large), 4096))
    assert inside.post("/api/position", content=pieces, headers=kind).status_code == 400
    assert inside.get("/api/run?file=" + "a" * 9000).status_code == 414


@pytest.mark.parametrize("path", [*PATHS, "/none", "/api/none"])
def test_every_answer_keeps_the_browser_in_bounds(path, inside, outside):
    for answer in (inside.get(path), outside.get(path)):
        headers = answer.headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"] or answer.headers["content-type"] == "image/svg+xml"
        assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")
        assert headers["cross-origin-resource-policy"] == headers["cross-origin-opener-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


def test_the_page_keeps_its_own_policy():
    assert "'self'" in POLICY
    for name in page_names():
        text = page(name).decode()
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), f"{name} asks elsewhere"
        assert not re.search(r"<script(?![^>]*src=)|\son\w+=\"|\sstyle=\"|innerHTML|insertAdjacentHTML|eval\(", text), (
            name
        )


def test_the_server_listens_on_this_machine_alone_unless_told_otherwise(tmp_path):
    server = Server(str(tmp_path), port=0)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}", server.address)
    assert server._socket.getsockname()[0] == "127.0.0.1"
    other = Server(str(tmp_path), port=0)
    assert other.address.partition("token=")[2] != server.address.partition("token=")[2]
    for one in (server, other):
        one.close()


def test_a_port_that_is_taken_is_told_in_one_sentence():
    with (
        listening("127.0.0.1", 0) as taken,
        pytest.raises(rk.InputError, match=r"cannot listen on 127.0.0.1, port \d+: "),
    ):
        listening("127.0.0.1", taken.getsockname()[1])
    with pytest.raises(rk.InputError, match="cannot listen"):
        listening("127.0.0.1", 99_999)


def test_without_a_port_any_free_one_will_do():
    with listening("127.0.0.1", None) as first, listening("127.0.0.1", None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]
        assert isinstance(second, socket.socket)
