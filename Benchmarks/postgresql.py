#!/usr/bin/env python3
"""Measures a library on a PostgreSQL server beside the same library in a file: imports, operations, searches, and pages.

    with-postgresql postgresql.py ARTICLESCTL ARTICLESD ENGINES DELAY [--articles N] [--imported N] [--seconds S] [--rounds N]
                                  [--part import|operations|search|pages|servers]...

The program `delay` passes connections to the server on, each byte half a round trip later, so that the server seems to be
on another machine. For the pages, the program that is measured has a processor of its own, as if the database and the load were on
other machines. For two servers, each has only a small part of a processor, so that the database and the load have spare time, which
needs root. Everything else shares this machine, so the ratios say more than the rates.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import urllib.parse

from server import PASSWORD, TICK, Program, Route, browser_cookies, free_port, load, log_in

# The round-trip times in milliseconds at which pages are measured.
DELAYS = (0, 0.5, 2)
PARTS = ["import", "operations", "search", "pages", "servers"]
SOCKET = ".s.PGSQL.5432"


class Database:
    """The server that with-postgresql started."""

    def __init__(self, url):
        self.url = url
        self.folder = pathlib.Path(urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["host"][0])
        self.postmaster = (self.folder / "data" / "postmaster.pid").read_text().split()[0]

    def address(self, database, folder=None):
        url = self.url.replace(":///postgres?", f":///{database}?")
        return url.replace(str(self.folder), str(folder)) if folder else url

    def run(self, sql, database="postgres"):
        return subprocess.run(
            ["psql", "--no-psqlrc", "-qAtF", "  ", "-c", sql, self.address(database)], check=True, capture_output=True, text=True).stdout

    def move(self, processors):
        """Lets the server use these processors only. New connections do the same."""
        os.sched_setaffinity(int(self.postmaster), processors)

    def processor(self):
        """The processor time of all its processes, in seconds."""
        ticks = 0
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if process.name == self.postmaster:
                # Its own time, and that of its processes that have ended.
                ticks += sum(map(int, fields[11:15]))
            elif fields[1] == self.postmaster:
                ticks += int(fields[11]) + int(fields[12])
        return ticks / TICK


class Delay:
    """A way to the server on which each round trip takes longer."""

    def __init__(self, program, database, milliseconds, folder):
        self.folder = folder / f"delay-{milliseconds}"
        self.folder.mkdir()
        self.process = subprocess.Popen([program, self.folder / SOCKET, database.folder / SOCKET, str(int(milliseconds * 1000))])
        while not (self.folder / SOCKET).exists():
            time.sleep(0.01)

    def processor(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


class Quota:
    """Limits a program to a part of a processor."""

    # A short period in microseconds, so that a response does not wait long for the next one.
    PERIOD = 10_000

    def __init__(self, program, part):
        root = pathlib.Path("/sys/fs/cgroup")
        is_old = (root / "cpu").exists()
        self.folder = root / ("cpu" if is_old else "") / f"articles-bench-{program.process.pid}"
        self.folder.mkdir()
        quota = int(part * self.PERIOD)
        if is_old:
            (self.folder / "cpu.cfs_period_us").write_text(str(self.PERIOD))
            (self.folder / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (self.folder / "cpu.max").write_text(f"{quota} {self.PERIOD}")
        (self.folder / "cgroup.procs").write_text(str(program.process.pid))

    def stop(self):
        self.folder.rmdir()


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.database = Database(os.environ["ARTICLES_POSTGRESQL"])
        self.environment = {
            "HOME": str(folder), "PATH": os.environ["PATH"], "XDG_STATE_HOME": str(folder / "state"),
            "XDG_DATA_HOME": str(folder / "data"),
        }  # fmt: skip
        self.file, self.url = folder / "articles.db", self.database.address("library")
        self.delays = {each: Delay(options.delay, self.database, each, folder) for each in DELAYS}

    def articlesctl(self, place, *arguments, **how):
        subprocess.run(
            [self.options.binary, *map(str, arguments), "--database", str(place)], env=self.environment, check=True,
            stdout=subprocess.DEVNULL, text=True, **how)  # fmt: skip

    def engines(self, *arguments):
        subprocess.run([self.options.engines, *map(str, arguments)], check=True)

    def seed(self, place, articles):
        """Imports twenty sources with the command of an operator, until searches find all articles."""
        self.articlesctl(place, "migrate")
        start = time.perf_counter()
        for file in sorted(articles.glob("*.jsonl")):
            self.articlesctl(place, "seed", file)
        self.articlesctl(place, "index")
        return time.perf_counter() - start

    def imports(self):
        count, articles = self.options.imported, self.folder / "imported"
        self.engines("write", articles, count)
        print(f"\nimport of {count} articles of 4 KB with articlesctl; {load()}", flush=True)
        took = {"SQLite": self.seed(self.folder / "imported.db", articles)}
        for name, folder in [("PostgreSQL", None)] + [(f"PostgreSQL, {each} ms", self.delays[each].folder) for each in DELAYS if each]:
            self.database.run("CREATE DATABASE imported")
            before = self.database.processor()
            took[name] = self.seed(self.database.address("imported", folder), articles)
            cost = self.database.processor() - before
            self.database.run("DROP DATABASE imported")
        for name, seconds in took.items():
            print(f"{name:24} {count / seconds:7.0f} articles/s   {took['SQLite'] / seconds:5.2f} × SQLite", flush=True)
        print(f"the last import took {cost / count * 1e6:.0f} µs of the database's processor time for each article", flush=True)

    def fill(self):
        articles = self.folder / "articles"
        self.engines("write", articles, self.options.articles)
        self.database.run("CREATE DATABASE library")
        for name, place in (("SQLite", self.file), ("PostgreSQL", self.url)):
            took = self.seed(place, articles)
            print(f"{name:24} {self.options.articles} articles in {took:.0f} s, {self.options.articles / took:.0f}/s", flush=True)
            self.articlesctl(place, "register", "ada", "--region", "SE", "--no-login", "--password-stdin", input=PASSWORD)
        self.engines("mark", self.file, self.url)
        # The server does this itself, a while after an import.
        self.database.run("VACUUM ANALYZE", "library")
        self.sizes()

    def sizes(self):
        print(f"\nSQLite {self.file.stat().st_size / 1e6:.0f} MB", end="")
        print(f", PostgreSQL {int(self.database.run('SELECT pg_database_size(current_database())', 'library')) / 1e6:.0f} MB:")
        print(self.database.run(
            """
            SELECT rpad(coalesce(i.inhparent::regclass, c.oid::regclass)::text, 20), sum(greatest(c.reltuples, 0))::bigint AS rows,
                (sum(pg_table_size(c.oid)) / 1e6)::numeric(9,1) AS table_mb, (sum(pg_indexes_size(c.oid)) / 1e6)::numeric(9,1) AS index_mb
            FROM pg_class AS c LEFT JOIN pg_inherits AS i ON i.inhrelid = c.oid
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
            GROUP BY coalesce(i.inhparent::regclass, c.oid::regclass) HAVING sum(pg_total_relation_size(c.oid)) > 1e6 ORDER BY 3 DESC
            """, "library"), flush=True)  # fmt: skip

    def serve(self, name, place):
        port = free_port()
        return Program(name, [
            self.options.server, "--database", str(place), "--listen", f"127.0.0.1:{port}", "--connections-per-address", "1500",
            "--api-limit", "1000000", "--long-requests", "2000", "--long-seconds", "1000000",
        ], port, self.environment, self.folder)  # fmt: skip

    def slugs(self):
        return [f"article-{n * self.options.articles // 200}" for n in range(200)]

    def servers(self):
        """Two servers of one database. It needs the rest of the processors only in part, so it does not limit them."""
        here, options, part = pathlib.Path(__file__).parent, self.options, 0.2
        programs, quotas = [self.serve(f"server-{number}", self.url) for number in (1, 2)], []
        try:
            cookies = [{"Cookie": browser_cookies(program, log_in(program, "ada"))} for program in programs]
            quotas = [Quota(program, part) for program in programs]
            print(f"\none and two servers with {part} of a processor each, 64 connections to each; {load()}", flush=True)
            for title, paths in [("list", ["/articles"]), ("article", [f"/articles/{slug}" for slug in self.slugs()])]:
                routes = [Route(title, *each, self.folder) for each in zip(programs, [paths] * 2, cookies)]
                rates, database = {1: [], 2: []}, {1: [], 2: []}
                for _ in range(options.rounds):
                    for count in (1, 2):
                        before, start = self.database.processor(), time.perf_counter()
                        threads = [threading.Thread(target=route.measure, args=(options.seconds, here)) for route in routes[:count]]
                        for thread in threads:
                            thread.start()
                        for thread in threads:
                            thread.join()
                        database[count].append((self.database.processor() - before) / (time.perf_counter() - start))
                        rates[count].append(sum(route.rates[-1] for route in routes[:count]))
                one, two = (sorted(rates[count])[options.rounds // 2] for count in (1, 2))
                print(
                    f"{title:10} one {one:7.0f}/s, two {two:7.0f}/s: {two / one:5.2f} ×   the database uses {max(database[1]):.2f} and"
                    f" {max(database[2]):.2f} of a processor", flush=True)
        finally:
            for program in programs:
                program.stop()
            for quota in quotas:
                quota.stop()

    def pages(self):
        here, options = pathlib.Path(__file__).parent, self.options
        places = {"SQLite": self.file, "PostgreSQL": self.url}
        places |= {f"PostgreSQL, {each} ms": self.database.address("library", self.delays[each].folder) for each in DELAYS}
        programs, routes = [], {}
        # Children and new threads use the processors of their parents.
        all_processors = os.sched_getaffinity(0)
        own, others = {min(all_processors)}, all_processors - {min(all_processors)} or all_processors
        self.database.move(others)
        for delay in self.delays.values():
            os.sched_setaffinity(delay.process.pid, others)
        try:
            os.sched_setaffinity(0, own)
            for name, place in places.items():
                programs.append(self.serve(name, place))
                session = log_in(programs[-1], "ada")
                cookie, bearer = {"Cookie": browser_cookies(programs[-1], session)}, {"Authorization": f"Bearer {session}"}
                for title, paths, fields in [
                    ("list", ["/articles"], cookie), ("article", [f"/articles/{slug}" for slug in self.slugs()], cookie),
                    ("unread", ["/articles?unread=1"], cookie), ("api list", ["/api/v1/articles"], bearer),
                ]:  # fmt: skip
                    routes.setdefault(title, []).append(Route(title, programs[-1], paths, fields, self.folder))
            os.sched_setaffinity(0, others)
            print(f"\npages, 64 connections, {options.rounds} rounds of {options.seconds} s; {load()}", flush=True)
            for title, each in routes.items():
                costs = {route: [] for route in each}
                for _ in range(options.rounds):
                    for route in each:
                        before = [self.database.processor(), sum(delay.processor() for delay in self.delays.values())]
                        start = time.perf_counter()
                        route.measure(options.seconds, here)
                        requests = route.rates[-1] * (time.perf_counter() - start)
                        after = [self.database.processor(), sum(delay.processor() for delay in self.delays.values())]
                        costs[route].append([(new - old) / max(requests, 1) * 1e6 for old, new in zip(before, after)])
                for route in each:
                    database, delay = (sorted(column)[len(column) // 2] for column in zip(*costs[route]))
                    print(
                        f"{title:10} {route.program.name:20} {route.rate:7.0f}/s   p50 {route.half:7.2f} ms   p99 {route.tail:7.2f} ms"
                        f"   processor: {route.cost:5.0f} µs, database {database:5.0f} µs, delay {delay:4.0f} µs"
                        f"   rate {route.rate / each[0].rate:5.2f} ×, p50 {route.half / each[0].half:5.2f} × SQLite", flush=True)
        finally:
            os.sched_setaffinity(0, all_processors)
            self.database.move(all_processors)
            for program in programs:
                program.stop()

    def stop(self):
        for delay in self.delays.values():
            delay.stop()


def main():
    parser = argparse.ArgumentParser()
    for name in ("binary", "server", "engines", "delay"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--imported", type=int, default=20_000, help="the number of articles for the rate of imports")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--part", action="append", choices=PARTS)
    options = parser.parse_args()
    parts = options.part or PARTS
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(options, pathlib.Path(place))
        try:
            version = bench.database.run("SHOW server_version").split()[0]
            print(f"PostgreSQL {version}, {os.cpu_count()} processors")
            if "import" in parts:
                bench.imports()
            if parts != ["import"]:
                bench.fill()
            if "operations" in parts:
                print(load())
                bench.engines("operations", bench.file, bench.url)
            if "search" in parts:
                print(f"\n{load()}", flush=True)
                bench.engines("search", bench.file, bench.url)
            if "pages" in parts:
                bench.pages()
            if "servers" in parts:
                bench.servers()
        finally:
            bench.stop()


if __name__ == "__main__":
    main()
