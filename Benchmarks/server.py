#!/usr/bin/env python3
"""Measures the server on a library of 100,000 articles, route by route and under a mix, beside the same work in C.

    server.py ARTICLESCTL ARTICLESD FLOOR [--articles N] [--seconds S] [--rounds N] [--mix-seconds S] [--connections N]
              [--datasette PROGRAM] [--part routes|mix] [--keep FOLDER]

Each route is asked by 64 connections of wrk, by a reader who is logged in, in turn with the floor, so that what else the
machine does falls on all alike; figures are medians of the rounds. Rates say as much of the machine and of wrk, which
runs on it, as of the server: the time of the processor that a request takes is measured besides, and ratios are of two
figures of one run. Exits with 1 when a request failed, a mark was lost or memory grew under the mix.
"""
import argparse
import contextlib
import http.client
import json
import os
import pathlib
import re
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

from run import write_articles

PASSWORD = "a passphrase for one measurement"
# The number of articles that are requested in turn. It stands for the articles that many users read at the same time.
OPENED = 1000
# The maximum growth factor of the server's memory after the first ten seconds.
GROWTH = 1.15
TICK = os.sysconf("SC_CLK_TCK")


class Program:
    """A server process on its own port."""

    # Whether a response ends with its connection. wrk counts this as a read error.
    closes = False
    # The number of connections that ask at the same time. wrk does not count the requests that are unfinished at the end, but
    # they use processor time. A slow program therefore gets FEW of them.
    connections = 64
    FEW = 2

    def __init__(self, name, arguments, port, environment, folder):
        self.name, self.port = name, port
        self.log = folder / f"{name}.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(arguments, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for _ in range(300):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        sys.exit(f"{name} does not serve: {self.log.read_text()[-500:]}")

    def processor(self):
        """The processor time that it has used, in seconds."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self):
        """The resident private memory in megabytes, and the number of threads."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) / 1024, int(re.search(r"Threads:\s+(\d+)", status)[1])

    def ask(self, method, path, body=None, fields=None):
        """The status and the body of a response."""
        return self.exchange(method, path, body, fields)[:2]

    def known(self, path, fields):
        """The fields of a request of a client that has the present version."""
        return fields | {"If-None-Match": self.exchange("GET", path, None, fields)[2]["ETag"]}

    def exchange(self, method, path, body=None, fields=None):
        """The status, the body, and the fields of a response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, body, fields or {})
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, data, response.headers

    def rest(self):
        """Waits until the server has finished the requests of clients that did not wait for the response."""
        before = -1.0
        while (now := self.processor()) - before > 0.02:
            before = now
            time.sleep(0.3)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def milliseconds(text):
    value, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(value) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}[unit]


class Route:
    """The requests to a program, and the results of their measurement."""

    def __init__(self, title, program, paths, fields, folder, status=200, floor=None):
        self.title, self.program, self.fields, self.floor = title, program, fields, floor
        self.file = folder / f"{program.name}-{title.replace('/', '_').replace(' ', '-')}.paths"
        self.file.write_text("".join(f"{path}\n" for path in paths))
        self.rates, self.halves, self.tails, self.costs = [], [], [], []
        # An article that is opened for the first time is marked as read. Do that before the measurement.
        for path in paths:
            found, body = program.ask("GET", path, fields=fields)
            if found != status:
                sys.exit(f"{program.name}: {path} was answered with {found}: {body[:200]!r}")
        self.is_right = status < 400
        self.bytes = len(body)

    def measure(self, seconds, here):
        arguments = ["wrk", "--latency", "--timeout", "30s", "-t2", f"-c{self.program.connections}", f"-d{seconds}s", "-s", str(here / "server.lua")]
        for name, value in self.fields.items():
            arguments += ["-H", f"{name}: {value}"]
        self.program.rest()
        before = self.program.processor()
        arguments += [f"http://127.0.0.1:{self.program.port}", "--", str(self.file)]
        text = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
        self.program.rest()
        cost = self.program.processor() - before
        requests = int(re.search(r"(\d+) requests in", text)[1])
        errors = re.sub(r"read \d+", "", text) if self.program.closes else text
        if re.search(r"Socket errors:.* [1-9]", errors) or ("Non-2xx" in text) == self.is_right:
            sys.exit(f"{self.program.name} {self.title}: {text}")
        self.rates.append(float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]))
        self.halves.append(milliseconds(re.search(r"(?m)^\s+50%\s+(\S+)", text)[1]))
        self.tails.append(milliseconds(re.search(r"(?m)^\s+99%\s+(\S+)", text)[1]))
        self.costs.append(cost / max(requests, 1) * 1e6)

    def __getattr__(self, name):
        measured = {"rate": "rates", "half": "halves", "tail": "tails", "cost": "costs"}
        if name not in measured:
            raise AttributeError(name)
        return statistics.median(self.__dict__[measured[name]])

    def report(self):
        floor = self.floor
        ratio = f"   {self.rate / floor.rate:5.2f} × floor, time {self.cost / floor.cost:5.2f} ×" if floor else ""
        print(
            f"{self.title:26} {self.program.name:10} {self.rate:8.0f}/s   p50 {self.half:7.2f} ms   p99 {self.tail:7.2f} ms"
            f"   {self.cost:7.0f} µs of the processor   {self.bytes:7} B{ratio}", flush=True)


def log_in(server, username):
    """The token of a new session."""
    form = json.dumps({"username": username, "password": PASSWORD})
    status, text = server.ask("POST", "/api/v1/session", form, {"Content-Type": "application/json"})
    if status not in (200, 201):
        sys.exit(f"the log-in was answered with {status}: {text!r}")
    return json.loads(text)["bearer"]


def browser_cookies(server, session):
    """The cookies of a logged-in user's browser: the session, and the key that identifies the browser."""
    fields = server.exchange("GET", "/account", None, {"Cookie": f"session={session}"})[2]
    given = [cookie.split(";")[0] for cookie in fields.get_all("Set-Cookie", [])]
    return "; ".join([f"session={session}", *given])


def load():
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


def routes(server, floor, others, session, options, folder):
    here = pathlib.Path(__file__).parent
    cookie, bearer = {"Cookie": browser_cookies(server, session)}, {"Authorization": f"Bearer {session}"}
    slugs = [f"article-{n * options.articles // OPENED}" for n in range(min(OPENED, options.articles))]
    words = ["coordinator table", "navigation gate", "snapshot token", "journal", "title:screen"]
    searches = ["/articles?" + urllib.parse.urlencode({"search": text}) for text in words]
    status, text = server.ask("POST", "/api/v1/feed-address", fields=bearer)
    feed = urllib.parse.urlsplit(json.loads(text)["atom"]).path
    form = urllib.parse.urlencode({"Email": "ada", "Passwd": PASSWORD})
    status, text = server.ask(
        "POST", "/accounts/ClientLogin", form, {"Content-Type": "application/x-www-form-urlencoded"})
    google = {"Authorization": "GoogleLogin auth=" + re.search(r"Auth=(\S+)", text.decode())[1]}
    stream, sources = "user/-/state/com.google/reading-list", "/api/v1/sources"

    def route(title, paths, fields, **how):
        return Route(title, server, paths, fields, folder, **how)

    articles = [f"/articles/{slug}" for slug in slugs]
    # A wide window keeps its list when another article is opened in it.
    opened = cookie | {"X-Opens": "/articles"}
    list_floor = Route("list", floor, ["/articles"], cookie, folder)
    article_floor = Route("article", floor, articles, cookie, folder)
    unchanged_floor = Route("304", floor, ["/unchanged"], floor.known("/unchanged", cookie), folder, status=304)
    panes_floor = Route("article and list", floor, [f"/panes/{slug}" for slug in slugs], cookie, folder)
    measured = [
        route("list", ["/articles"], cookie, floor=list_floor),
        route("article, opened in a pane", articles, opened, floor=article_floor),
        route("article and list", articles, cookie, floor=panes_floor),
        route("search", searches, cookie),
        route("library", ["/library"], cookie),
        route("404", ["/nothing/here"], cookie, status=404),
        route("api list", ["/api/v1/articles"], bearer, floor=list_floor),
        route("api article", [f"/api/v1/articles/{slug}" for slug in slugs], bearer, floor=article_floor),
        route("304 of a feed", [feed], server.known(feed, {}), status=304, floor=unchanged_floor),
        route("304 of all sources", [sources], server.known(sources, bearer), status=304, floor=unchanged_floor),
        route("stream/items/ids, 1,000", [f"/reader/api/0/stream/items/ids?s={stream}&n=1000&output=json"], google),
        route("stream/contents, 20", [f"/reader/api/0/stream/contents/{stream}?n=20&output=json"], google),
        route("feed, 50 as Atom", [feed], {}),
    ]
    if others:
        # Datasette returns rows of the same tables, without log-in, marks, and rendering: the list as JSON, an article
        # as HTML.
        measured += [
            Route("list, JSON", others, ["/articles/article.json?_size=50&_sort_desc=published_at&_nocount=1"], {}, folder,
                  floor=list_floor),
            Route("article", others, [f"/articles/article_body/{n + 1}" for n in range(OPENED)], {}, folder,
                  floor=article_floor),
        ]  # fmt: skip
    print(f"\nroutes, 64 connections, {options.rounds} rounds of {options.seconds} s; {load()}", flush=True)
    every = [list_floor, article_floor, panes_floor, unchanged_floor, *measured]
    for _ in range(options.rounds):
        for each in every:
            each.measure(options.seconds, here)
    for each in every:
        each.report()
    memory, threads = server.memory()
    print(f"{server.name}: {memory:.0f} MB, {threads} threads; {load()}", flush=True)


def copy_plain_tables(database, copy):
    """Copies the articles and their texts with the index of the list, for a program that cannot use the search index."""
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        connection.execute("ATTACH ? AS library", (str(database),))
        for table in ("source", "article", "article_body"):
            [sql] = connection.execute("SELECT sql FROM library.sqlite_master WHERE name = ?", (table,)).fetchone()
            connection.execute(sql)
            # Leave out generated columns.
            columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA library.table_info({table})"))
            connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM library.{table}")
        connection.execute("CREATE INDEX article_by_date ON article (published_at, number)")
        connection.commit()


def marks_kept(database, username):
    with contextlib.closing(sqlite3.connect(database)) as connection:
        [count] = connection.execute(
            "SELECT ifnull(sum(ifnull(is_starred, 0) + ifnull(is_later, 0)), 0) FROM article_mark "
            "WHERE user_id = (SELECT id FROM user WHERE username = ?)", (username,)).fetchone()
        return count


def mix(server, username, session, database, options):
    seconds, script = options.mix_seconds, pathlib.Path(__file__).parent / "mix.lua"
    print(f"\nmix, {options.connections} connections, {seconds} s; {load()}", flush=True)
    start = server.processor()
    # wrk must not disconnect before all marks were answered, even if a response takes seconds.
    marks_end = int(time.time()) + seconds - min(20, seconds // 2)
    load_of = subprocess.Popen(
        ["wrk", "--latency", "--timeout", "60s", "-t2", f"-c{options.connections}", f"-d{seconds}s", "-s", str(script),
         f"http://127.0.0.1:{server.port}", "--", str(options.articles), session, "1", str(marks_end)],
        stdout=subprocess.PIPE, text=True)  # fmt: skip
    begun, samples = time.monotonic(), []
    while load_of.poll() is None and time.monotonic() - begun < seconds - 0.5:
        time.sleep(0.5)
        samples.append((time.monotonic() - begun, server.memory()))
    found = json.loads(load_of.communicate()[0].strip().splitlines()[-1])
    cost = server.processor() - start
    server.rest()
    kept = marks_kept(database, username)
    # Until then, caches are being filled.
    settled = min(10, seconds / 2)
    early = next((memory for when, (memory, _) in samples if when >= settled), samples[-1][1][0])
    last, threads = samples[-1][1]
    print(
        f"{found['requests'] / found['seconds']:.0f} requests/s   p50 {found['p50'] * 1000:.0f} ms   p99 {found['p99'] * 1000:.0f} ms"
        f"   {cost / found['requests'] * 1e6:.0f} µs of the processor a request")
    print(
        f"memory {samples[0][1][0]:.0f} MB at the start, {early:.0f} MB after {settled:.0f} s, {last:.0f} MB at the end;"
        f" {threads} threads")
    print(f"marks: {found['acknowledged']} acknowledged, {kept} kept; {load()}", flush=True)
    wrong = [f"{found[name]} errors ({name})" for name in ("refused", "connect", "read", "write", "timeout") if found[name]]
    if kept != found["acknowledged"]:
        wrong.append(f"{found['acknowledged']} marks were acknowledged, {kept} are there")
    if last > early * GROWTH + 8:
        wrong.append(f"memory grew from {early:.0f} MB to {last:.0f} MB")
    for problem in wrong:
        print(f"  wrong: {problem}", file=sys.stderr)
    return not wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("server")
    parser.add_argument("floor")
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mix-seconds", type=int, default=60)
    parser.add_argument("--connections", type=int, default=1000)
    parser.add_argument("--datasette", help="the program, to compare with")
    parser.add_argument("--part", choices=["routes", "mix"])
    parser.add_argument("--keep", help="a folder where the library is kept, and used again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(options.keep or place).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        database = folder / "articles.db"
        environment = {
            "HOME": str(folder), "PATH": os.environ["PATH"], "XDG_STATE_HOME": str(folder / "state"),
            "XDG_DATA_HOME": str(folder / "data"), "ARTICLESCTL_DATABASE": str(database),
        }  # fmt: skip

        def run(*arguments, **how):
            subprocess.run([options.binary, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL, text=True, **how)

        if not database.exists():
            articles = folder / "articles.jsonl"
            write_articles(articles, options.articles)
            run("migrate")
            run("seed", str(articles))
            run("register", "ada", "--region", "SE", "--no-login", "--password-stdin", input=PASSWORD)
            articles.unlink()
            run("index")
        print(f"{options.articles} articles, {database.stat().st_size / 1e6:.0f} MB; {load()}", flush=True)
        programs = []

        def start(name, *arguments):
            port = free_port()
            arguments = [str(argument).format(port=port) for argument in arguments]
            programs.append(Program(name, arguments, port, environment, pathlib.Path(place)))
            return programs[-1]

        try:
            server = start(
                "articlesd", options.server, "--listen", "127.0.0.1:{port}", "--connections-per-address", "1500", "--api-limit", "1000000",
                "--long-requests", "2000", "--long-seconds", "1000000")
            if options.part != "mix":
                floor = start("floor", options.floor, database, "{port}")
                plain = pathlib.Path(place) / "plain" / "articles.db"
                if options.datasette:
                    plain.parent.mkdir()
                    copy_plain_tables(database, plain)
                others = options.datasette and start(
                    "datasette", options.datasette, "serve", plain, "-h", "127.0.0.1", "-p", "{port}",
                    "--setting", "sql_time_limit_ms", "30000", "--setting", "suggest_facets", "off")  # fmt: skip
                routes(server, floor, others, log_in(server, "ada"), options, pathlib.Path(place))
                for program in programs[1:]:
                    program.stop()
                del programs[1:]
            is_right = True
            if options.part != "routes":
                # A new user without marks, because setting an existing mark again would not count.
                username = f"reader{int(time.time())}"
                run("register", username, "--region", "SE", "--no-login", "--password-stdin", input=PASSWORD)
                is_right = mix(server, username, log_in(server, username), database, options)
        finally:
            for program in programs:
                program.stop()
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
