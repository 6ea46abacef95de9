"""A server with its own library, and other sites on the web."""

import base64
import contextlib
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import re
import secrets
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request

from . import hostile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PASSWORD = "correct " + secrets.token_hex(8)


class Elsewhere:
    """Another site, with pages, with pictures that contain scripts, and with two feeds."""

    FEEDS = b"".join(b'<link rel="alternate" type="application/rss+xml" title="%s" href="/%s.xml">' % (name, name)
                     for name in (b"News", b"Comments"))

    PICTURE = (b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="alert(1)"><script>alert(1)</script>'
               b'<rect width="40" height="40" fill="teal"/></svg>')

    def __init__(self):
        asked = self.asked = []

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                is_picture = self.path.endswith(".svg")
                body = b"<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1>"
                if is_picture:
                    body = Elsewhere.PICTURE
                elif self.path == "/feeds":
                    body = b"<!doctype html>" + Elsewhere.FEEDS
                elif self.path.endswith(".xml"):
                    name = self.path[1:-4].encode()
                    body = b"<rss><channel><title>%s</title><item><title>From %s</title></item></channel></rss>" % (name, name)
                self.send_response(200)
                self.send_header("Content-Type", "image/svg+xml" if is_picture else "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.server.shutdown()


class Site:
    """A server and its users: olga is an operator, edda is an editor, and the others are readers."""

    def __init__(self, binary, server, folder, elsewhere):
        self.folder, self.binary, self.server = pathlib.Path(folder), binary, server
        self.environment = {**os.environ, "XDG_DATA_HOME": f"{folder}/data", "XDG_STATE_HOME": f"{folder}/state",
                            "XDG_CONFIG_HOME": f"{folder}/config"}
        for name in ["ARTICLESCTL_DATABASE", "ARTICLESCTL_TOKEN"]:
            self.environment.pop(name, None)
        self.processes = []
        self.elsewhere, self.is_hostile = elsewhere, False
        self.run("migrate")
        self.run("seed", str(ROOT / "Examples/articles") + "/")
        for name, role in [("olga", None), ("edda", "editor"), ("rita", None), ("nora", None), ("ada", None)]:
            self.register(name)
            if role:
                self.run("users", "role", name, role)

    def run(self, *arguments, given=None):
        """The output of a command of the binary."""
        return subprocess.run([self.binary, *arguments], env=self.environment, check=True, stdout=subprocess.PIPE,
                              input=given, text=True).stdout

    def register(self, name):
        self.run("register", name, "--region", "SE", "--no-login", "--password-stdin", given=PASSWORD + "\n")

    def seed(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        self.run("seed", str(file))

    def add_articles(self):
        """Many similar articles, and two from one site that link to each other."""
        fillers = [{"slug": f"filler-{index}", "title": f"Filler {index}", "authors": ["Ann"], "tags": ["filler"],
                    "format": "markdown", "published": f"2025-{index % 12 + 1:02d}-01T00:00:00Z",
                    "body": "Words. " * 400 + "\n\n```swift\nlet " + "x" * 300 + " = \"text\" // 1\n```\n\n|a|b|\n|-|-|\n|1|2|\n"}
                   for index in range(120)]
        paragraphs = "\n\n".join(f"Paragraph {index}." for index in range(60))
        site = [{"slug": "home", "title": "Home", "url": f"{self.elsewhere.url}/2024/home.html", "format": "markdown",
                 "published": "2024-01-02T00:00:00Z",
                 "body": f"See [the other](/2024/other.html), [its part](/2024/other.html#part-two), [the end](#the-end) and "
                         f"[the feed](/feed). A note[^1].\n\n{paragraphs}\n\n## The end\n\nHere it ends.\n\n{paragraphs}\n\n"
                         "[^1]: What there is to note.\n"},
                {"slug": "other", "title": "Other", "url": f"{self.elsewhere.url}/2024/other.html", "format": "markdown",
                 "published": "2024-01-01T00:00:00Z",
                 "body": f"Here you are.\n\n{paragraphs}\n\n## Part two\n\nThis is it.\n\n{paragraphs}"}]
        self.seed("many.jsonl", "\n".join(json.dumps(article) for article in fillers + site))

    def add_hostile_articles(self):
        """Adds the hostile articles. They are added only once and late, because other stories are faster without them."""
        if not self.is_hostile:
            self.is_hostile = True
            self.seed("hostile.jsonl", "\n".join(map(json.dumps, hostile.articles(self.elsewhere.url))))

    def serve(self, images="off"):
        """Starts a new server process, and returns its address."""
        log = self.folder / f"log-{len(self.processes)}"
        process = subprocess.Popen([self.server, "--listen", "127.0.0.1:0", "--images", images, "--api-limit", "100000",
             "--long-requests", "1000", "--long-seconds", "100000", "--fetch-host", "127.0.0.1"],
                                   env=self.environment, stderr=open(log, "w"))
        self.processes.append(process)
        for _ in range(300):
            if found := re.search(r"serving .* on (http:\S+?)/?$", log.read_text(), re.M):
                return found.group(1)
            if process.poll() is not None:
                break
            time.sleep(0.1)
        sys.exit(log.read_text())

    def routes(self):
        """The names of all screens."""
        return {screen["name"] for screen in json.loads(self.run("flow", "--json"))["screens"]}

    def ask(self, url, method, path, token=None, body=None):
        """The response of the API."""
        request = urllib.request.Request(f"{url}/api/v1{path}", method=method,
                                         data=None if body is None else json.dumps(body).encode())
        request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or b"null")

    def end_sessions(self, url, name):
        """Ends all sessions of a user, as if they had expired."""
        token = self.ask(url, "POST", "/session", body={"username": name, "password": PASSWORD})["bearer"]
        for session in self.ask(url, "GET", "/sessions", token)["sessions"]:
            if not session["current"]:
                self.ask(url, "DELETE", f"/sessions/{session['id']}", token)
        self.ask(url, "DELETE", "/session", token)

    def make_sessions_old(self):
        """Changes all sessions, as if everybody had logged in long ago."""
        with contextlib.closing(sqlite3.connect(self.folder / "data/articlesctl/articles.db", timeout=30)) as database:
            with database:
                database.execute("UPDATE session SET confirmed_at = 0")

    def close(self):
        for process in self.processes:
            process.terminate()
            process.wait()


def one_time_code(secret, later=0):
    """The code that an authenticator app shows (RFC 6238)."""
    step = int(time.time()) // 30 + later
    key = base64.b32decode(secret.replace(" ", "") + "=" * (-len(secret.replace(" ", "")) % 8))
    digest = hmac.digest(key, step.to_bytes(8), hashlib.sha1)
    place = digest[-1] & 15
    return f"{(int.from_bytes(digest[place:place + 4]) & 0x7FFFFFFF) % 1_000_000:06d}"
