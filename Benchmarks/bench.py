#!/usr/bin/env python3
"""Measures what readers and operators do most, beside the same work in C and beside other programs, in a few minutes.

    bench.py ARTICLESCTL ARTICLESD FLOOR SERVER_FLOOR [--articles N] [--rounds N] [--datasette PROGRAM]
             [--json FILE] [--picture FILE] [--old ARTICLESCTL ARTICLESD]

Each round runs each program once, in turn, so that what else the machine does falls on all alike; figures are medians.
The ratio is of ours to the floor, in one run. Each other program does the work as its users would: it reads a library
that it has filled itself, or the same tables. With --old, the programs of another revision are measured too, and the
exit code is 1 if a row is more than 10 % slower than theirs.
"""
import argparse
import contextlib
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import tt_rss
from run import QUERY_LIST, QUERY_SHOW, write_articles
from server import PASSWORD, Program, Route, browser_cookies, copy_plain_tables, free_port, log_in

WORDS = "navigation gate"
QUERY_SEARCH = (
    "SELECT a.id, a.title FROM found JOIN article AS a ON a.id = found.rowid WHERE found MATCH '{words}' ORDER BY rank LIMIT 50"
)
# A row that becomes slower by this factor is reported.
WORSE = 1.10


class Row:
    """A kind of work, and the times that each program takes for it."""

    def __init__(self, work, unit):
        self.work, self.unit, self.times, self.absent = work, unit, {}, {}

    def add(self, name, value):
        self.times.setdefault(name, []).append(value)

    def median(self, name):
        return statistics.median(self.times[name]) if name in self.times else None

    @property
    def peers(self):
        return {name: self.median(name) for name in self.times if name not in ("floor", "ours", "old")}

    def ratio(self, name, other):
        return self.median(name) / self.median(other) if name in self.times and other in self.times else None

    def object(self):
        return {
            "work": self.work, "unit": self.unit, "floor": self.median("floor"), "ours": self.median("ours"),
            "old": self.median("old"), "peers": self.peers, "absent": self.absent, "ratio": self.ratio("ours", "floor"),
        }  # fmt: skip


class Library:
    """A library in its own folder, filled by one revision of the programs."""

    def __init__(self, folder, binary, server):
        self.folder, self.binary, self.server = folder, binary, server
        folder.mkdir()
        self.database = folder / "articles.db"
        self.environment = {
            "HOME": str(folder), "PATH": os.environ["PATH"], "XDG_STATE_HOME": str(folder / "state"),
            "XDG_DATA_HOME": str(folder / "data"), "ARTICLESCTL_DATABASE": str(self.database),
        }  # fmt: skip

    def run(self, *arguments, **how):
        subprocess.run(
            [self.binary, *arguments], env=self.environment, check=True, stdout=subprocess.DEVNULL, text=True, **how)

    def log_in(self):
        self.run("register", "ada", "--region", "SE", "--no-login", "--password-stdin", input=PASSWORD)
        self.run("login", "ada", "--password-stdin", input=PASSWORD)

    def serve(self, folder):
        port = free_port()
        # The limits are for people, not for a measurement.
        arguments = [self.server, "--listen", f"127.0.0.1:{port}", "--long-requests", "2000", "--long-seconds", "1000000"]
        return Program(f"articlesd-{self.folder.name}", arguments, port, self.environment, folder)


def timed(arguments, environment):
    """The time in milliseconds that a command takes."""
    arguments = [str(argument) for argument in arguments]
    nowhere = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    start = time.perf_counter()
    _, status = os.waitpid(os.posix_spawn(arguments[0], arguments, environment, file_actions=nowhere), 0)
    if status:
        sys.exit(f"{arguments} failed")
    return (time.perf_counter() - start) * 1000


def imports(libraries, floor, articles, plain, row):
    """Fills the libraries. Each is filled once: the time is seconds, not milliseconds."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(plain.parent)}
    for name, library in libraries.items():
        library.run("migrate")
        row.add(name, timed([library.binary, "seed", articles], library.environment))
        library.run("index")
        library.log_in()
    copy = plain.parent / "floor.db"
    libraries["ours"].run("migrate", "--database", str(copy))
    row.add("floor", timed([floor, "seed", copy, articles], environment))
    copy.unlink()
    if program := shutil.which("sqlite-utils"):
        copy = plain.parent / "utils.db"
        took = timed([program, "insert", copy, "article", articles, "--nl", "--pk", "slug"], environment)
        took += timed([program, "enable-fts", copy, "article", "title", "body"], environment)
        row.add("sqlite-utils", took)
        copy.unlink()
    else:
        row.absent["sqlite-utils"] = "not installed"
    # The other programs read the same articles, with an index of SQLite.
    copy_plain_tables(libraries["ours"].database, plain)
    subprocess.run(
        ["sqlite3", plain, "CREATE VIRTUAL TABLE found USING fts5(title, body, content='');"
         "INSERT INTO found (rowid, title, body) SELECT a.id, a.title, b.body FROM article AS a "
         "JOIN article_body AS b ON b.article_id = a.id"], check=True)  # fmt: skip


def commands(libraries, floor, plain, slug, rounds):
    """Measures whole commands."""
    show, search = QUERY_SHOW.format(slug=slug), QUERY_SEARCH.format(words=WORDS)
    library = libraries["ours"].database
    works = {
        "show an article": (["show", slug], "show", library, slug, show),
        "list 50 articles": (["list"], "list", library, "", QUERY_LIST),
        f"search for “{WORDS}”": (["search", WORDS], "search", plain, WORDS, search),
    }
    environment = {"PATH": os.environ["PATH"], "HOME": str(plain.parent)}
    rows = []
    for work, (ours, command, file, word, sql) in works.items():
        base = [floor, command, file, *([word] if word else [])]
        peers = {"sqlite3": ["-tabs", file, sql], "sqlite-utils": [file, sql, "--tsv"]}
        row = Row(work, "ms")
        contestants = {"floor": (base, environment)}
        for name, library in libraries.items():
            contestants[name] = ([library.binary, *ours], library.environment)
        for name, arguments in peers.items():
            if program := shutil.which(name):
                contestants[name] = ([program, *arguments], environment)
            else:
                row.absent[name] = "not installed"
        for index in range(rounds):
            for name, (arguments, variables) in contestants.items():
                # Programs in Python take a hundred times as long. A few rounds of them are enough.
                if name != "sqlite-utils" or index < 5:
                    row.add(name, timed(arguments, variables))
        rows.append(row)
    return rows


def feed(number):
    """A feed of 500 entries, which differ from those of other feeds."""
    entries = "".join(
        f"<entry><id>urn:{number}:{n}</id><title>Entry {n}</title><updated>2024-01-01T00:00:00Z</updated>"
        f"<link href='https://feed.example/{n}'/><content type='html'>{'&lt;p&gt;Some words of a text.&lt;/p&gt;' * 20}</content></entry>"
        for n in range(500))
    return (
        f"<feed xmlns='http://www.w3.org/2005/Atom'><id>urn:{number}</id><title>F</title><updated>2024-01-01T00:00:00Z</updated>"
        f"{entries}</feed>").encode()  # fmt: skip


def feeds(libraries, folder, other, rounds):
    """Measures a new feed of 500 entries: subscribed and fetched from a file, without a network. Only tt-rss fetches it with HTTP."""
    row = Row("read a feed of 500 entries", "ms")
    file = folder / "feed.xml"
    file.write_bytes(feed(0))
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    for index in range(rounds):
        for name, library in libraries.items():
            place = folder / f"{name}-{index}.db"
            library.run("migrate", "--database", str(place))
            row.add(name, timed([library.binary, "seed", file, "--database", place], library.environment))
        if program := shutil.which("sfeed"):
            row.add("sfeed", timed(["/bin/sh", "-c", '"$0" < "$1" > "$2"', program, file, folder / "sfeed.tsv"], environment))
        if program := shutil.which("newsboat"):
            (folder / "urls").write_text(f"file://{file}\n")
            place = folder / f"newsboat-{index}.db"
            row.add("newsboat", timed(
                [program, "-q", "-u", folder / "urls", "-c", place, "-C", "/dev/null", "-x", "reload"], environment))  # fmt: skip
        if other:
            other.subscribe(f"{index}.xml", feed(index + 1))
            row.add("tt-rss", timed(other.update, other.environment))
            if (stored := other.psql("SELECT count(*) FROM ttrss_entries")) != [str(500 * (index + 1))]:
                sys.exit(f"tt-rss stored {stored[0]} entries of {index + 1} feeds.")
    for name in ("sfeed", "newsboat"):
        if not shutil.which(name):
            row.absent[name] = "not installed"
    if not other:
        row.absent["tt-rss"] = "not installed"
    return row


def pages(libraries, server_floor, datasette, other, plain, folder, articles, rounds):
    """Measures the processor time of a page, asked by 64 connections, or by two for slow programs."""
    if not shutil.which("wrk"):
        rows = [Row(work, "µs") for work in ("page of a list", "page of an article")]
        for row in rows:
            row.absent["all"] = "wrk is not installed"
        return rows
    here = pathlib.Path(__file__).parent
    numbers = [n * articles // 200 for n in range(200)]
    slugs = [f"article-{n}" for n in numbers]
    rows = {"list": Row("page of a list", "µs"), "article": Row("page of an article", "µs")}
    with contextlib.ExitStack() as programs:

        def started(program):
            programs.callback(program.stop)
            return program

        routes = []
        for name, library in libraries.items():
            server = started(library.serve(folder))
            fields = {"Cookie": browser_cookies(server, log_in(server, "ada"))}
            if name == "ours":
                port = free_port()
                base = started(Program("floor", [server_floor, str(library.database), str(port)], port, library.environment, folder))
                routes.append(("floor", "list", Route("list", base, ["/articles"], fields, folder)))
                # Our page of an article contains its list.
                routes.append(("floor", "article", Route("article", base, [f"/panes/{slug}" for slug in slugs], fields, folder)))
            routes.append((name, "list", Route("list", server, ["/articles"], fields, folder)))
            routes.append((name, "article", Route("article", server, [f"/articles/{slug}" for slug in slugs], fields, folder)))
        if datasette:
            port = free_port()
            arguments = [datasette, "serve", str(plain), "-h", "127.0.0.1", "-p", str(port), "--setting", "sql_time_limit_ms", "30000"]
            peer = started(Program("datasette", arguments, port, {"PATH": os.environ["PATH"], "HOME": str(folder)}, folder))
            peer.connections = Program.FEW
            path = f"/{plain.stem}"
            routes.append(("datasette", "list", Route(
                "list", peer, [f"{path}/article.json?_size=50&_sort_desc=published_at&_nocount=1"], {}, folder)))  # fmt: skip
            routes.append(("datasette", "article", Route(
                "article", peer, [f"{path}/article_body/{n + 1}" for n in range(200)], {}, folder)))  # fmt: skip
        if other:
            found = other.fill(folder / "articles.jsonl")
            peer = started(other.serve())
            list_path = peer.path("getHeadlines", feed_id=-4, limit=50)
            paths = [peer.path("getArticle", article_id=found[n]) for n in numbers]
            if len(peer.answer(list_path)) != 50 or not all(peer.answer(path)[0]["content"] for path in paths[:5]):
                sys.exit("tt-rss does not show the articles.")
            routes.append(("tt-rss", "list", Route("list", peer, [list_path], {}, folder)))
            routes.append(("tt-rss", "article", Route("article", peer, paths, {}, folder)))
        for _ in range(rounds):
            for name, work, route in routes:
                route.measure(3, here)
                if route.rates[-1]:
                    rows[work].add(name, route.costs[-1])
                else:
                    rows[work].absent[name] = "answered no request in 3 s"
    for name, peer in (("datasette", datasette), ("tt-rss", other)):
        if not peer:
            for row in rows.values():
                row.absent[name] = "not installed"
    return list(rows.values())


def figure(value, unit):
    if value is None:
        return "–"
    if value >= 10_000:
        value, unit = value / 1000, {"µs": "ms", "ms": "s"}[unit]
    return f"{value:.1f} {unit}" if value < 100 else f"{value:.0f} {unit}"


def table(rows):
    """The rows as text, with aligned columns."""
    has_old = any("old" in row.times for row in rows)
    lines = [["work", "floor", "ours", *(["before", "change"] if has_old else []), "ratio", "others"]]
    for row in rows:
        peers = [f"{name} {figure(value, row.unit)}" for name, value in row.peers.items()]
        peers += [f"{name} absent ({reason})" for name, reason in row.absent.items()]
        ratio, change = row.ratio("ours", "floor"), row.ratio("ours", "old")
        lines.append([
            row.work, figure(row.median("floor"), row.unit), figure(row.median("ours"), row.unit),
            *([figure(row.median("old"), row.unit), f"{change:.2f} ×" if change else "–"] if has_old else []),
            f"{ratio:.2f} ×" if ratio else "–", ", ".join(peers),
        ])  # fmt: skip
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def draw(rows, path):
    """Draws each program's time as a multiple of the floor, or of ours where there is no floor."""
    import matplotlib

    matplotlib.use("svg")
    # The same figures give the same file.
    matplotlib.rcParams.update({"svg.hashsalt": "bench", "font.size": 9})
    from matplotlib import pyplot

    shown = [row for row in rows if "ours" in row.times]
    colors = {"floor": "#8c8c8c", "ours": "#1f6feb"}
    others = ["#d4a72c", "#bf5af2", "#2da44e", "#cf222e", "#1b9e9e", "#8b5a2b"]
    figure_, axes = pyplot.subplots(figsize=(8, 0.9 * len(shown) + 0.8))
    place, ticks = 0.0, []
    for row in reversed(shown):
        base = row.median("floor") or row.median("ours")
        start = place
        for name in reversed([name for name in row.times if name != "old"]):
            color = colors.setdefault(name, others[(len(colors) - 2) % len(others)])
            value = row.median(name) / base
            axes.barh(place, value, height=0.8, color=color)
            axes.text(value * 1.05, place, f"{name} {figure(row.median(name), row.unit)}", va="center", fontsize=7)
            place += 1
        ticks.append(((start + place - 1) / 2, row.work))
        place += 0.7
    axes.set_yticks([tick for tick, _ in ticks], [work for _, work in ticks])
    axes.set_xscale("log")
    axes.set_xlabel("multiple of the same work in C (of ours where there is none); shorter is faster")
    axes.margins(x=0.2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure_.tight_layout()
    figure_.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser()
    for name in ("binary", "server", "floor", "server_floor"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--articles", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--datasette", help="the program, to compare with")
    parser.add_argument("--json", type=pathlib.Path, help="a file for the rows")
    parser.add_argument("--picture", type=pathlib.Path, help="an SVG file for a chart of the rows")
    parser.add_argument("--old", nargs=2, type=os.path.abspath, metavar=("ARTICLESCTL", "ARTICLESD"))
    options = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        libraries = {"ours": Library(folder / "ours", options.binary, options.server)}
        if options.old:
            libraries["old"] = Library(folder / "old", *options.old)
        articles, plain = folder / "articles.jsonl", folder / "plain" / "articles.db"
        plain.parent.mkdir()
        write_articles(articles, options.articles)
        filled = Row(f"import {options.articles} articles, {articles.stat().st_size / 1e6:.0f} MB", "ms")
        imports(libraries, options.floor, articles, plain, filled)
        other = tt_rss.TinyTinyRSS(folder) if tt_rss.is_installed() else None
        rows = [filled, feeds(libraries, folder, other, 5)]
        rows += commands(libraries, options.floor, plain, f"article-{options.articles // 2}", options.rounds)
        rows += pages(libraries, options.server_floor, options.datasette, other, plain, folder, options.articles, 2)
        if other:
            other.stop()
    machine = f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
    print(f"{table(rows)}\n\n{machine}; {time.monotonic() - begun:.0f} s")
    if options.json:
        found = {"articles": options.articles, "machine": machine, "rows": [row.object() for row in rows]}
        options.json.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    if options.picture:
        draw(rows, options.picture)
    worse = [row for row in rows if (row.ratio("ours", "old") or 0) > WORSE]
    for row in worse:
        print(f"worse: {row.work} takes {row.ratio('ours', 'old'):.2f} times as long as before", file=sys.stderr)
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
