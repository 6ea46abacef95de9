#!/usr/bin/env python3
"""Measures whole commands on a library of 100,000 articles, each beside the same work in C and in sqlite3.

    run.py ARTICLESCTL FLOOR READING [ARTICLES]

Every round runs each contestant once, in turn, so that what else the machine does falls on all alike; the figure is
the median. A ratio is of two figures of one run.
"""
import fcntl
import json
import os
import pathlib
import pty
import random
import select
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROUNDS = 101
QUERY_SHOW = "SELECT b.body FROM article AS a JOIN article_body AS b ON b.article_id = a.id WHERE a.slug = '{slug}'"
QUERY_LIST = (
    "SELECT id, slug, date(published_at, 'unixepoch'), authors, title, tags FROM article "
    "ORDER BY published_at DESC, id DESC LIMIT 50"
)
QUERY_TOTAL = "SELECT count(*) FROM article"
WORDS = (
    "article body column coordinator delegate event flow front gate index journal keyset library lock migration "
    "navigation page query reader route row screen session snapshot state statement table terminal token transaction"
).split()


def write_articles(path, count):
    """Writes JSON Lines with `count` articles of about 4 KB, the same in every run."""
    generator = random.Random(1)
    with open(path, "w") as file:
        for number in range(count):
            body = "\n\n".join(" ".join(generator.choices(WORDS, k=60)) for _ in range(10))
            article = {
                "slug": f"article-{number}",
                "title": " ".join(generator.choices(WORDS, k=5)).capitalize(),
                "author": f"Author {generator.randrange(500)}",
                "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(946684800 + generator.randrange(800_000_000))),
                "tags": generator.sample(WORDS, 3),
                "language": generator.choice(["en", "en", "sv", "de", "fr"]),
                "body": f"# Heading\n\n{body}\n",
            }
            file.write(json.dumps(article) + "\n")


def run(arguments, environment, **options):
    return subprocess.run(arguments, env=environment, check=True, capture_output=True, **options)


def seconds(arguments, environment, sink):
    start = time.perf_counter()
    process = os.posix_spawn(
        arguments[0], arguments, environment, file_actions=[(os.POSIX_SPAWN_DUP2, sink, 1)])
    _, status = os.waitpid(process, 0)
    if status:
        sys.exit(f"{arguments} failed")
    return time.perf_counter() - start


def race(title, contestants, environment):
    times = {name: [] for name in contestants}
    with open(os.devnull, "wb") as sink:
        for _ in range(ROUNDS):
            for name, arguments in contestants.items():
                times[name].append(seconds(arguments, environment, sink.fileno()))
    medians = {name: statistics.median(values) * 1000 for name, values in times.items()}
    for name, median in medians.items():
        print(
            f"{title:12} {name:12} {median:7.2f} ms   {median / medians['floor']:5.2f} × floor"
            f"   {median / medians['sqlite3']:5.2f} × sqlite3")


def timed_seed(name, arguments, environment, megabytes, count):
    start = time.perf_counter()
    process = os.posix_spawn(arguments[0], arguments, environment, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(process, 0)
    if status:
        sys.exit(f"{arguments} failed")
    took = time.perf_counter() - start
    print(
        f"{'seed':12} {name:12} {count / took:7.0f} articles/s   {megabytes / took:5.1f} MB/s"
        f"   peak {usage.ru_maxrss / 1024:5.0f} MiB   user {usage.ru_utime:5.1f} s   system {usage.ru_stime:5.1f} s"
        # Blocks of 512 bytes, in which getrusage(2) counts the data written to a file system.
        f"   written {usage.ru_oublock * 512 / 1e6 / megabytes:5.2f} bytes a byte")
    return took


# The bytes that end every frame: the end of synchronized output.
FRAME_END = b"\x1b[?2026l"


class Screen:
    """A program on a terminal of 80 by 24, from its start."""

    def __init__(self, arguments, environment):
        self.started = time.perf_counter()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.execve(arguments[0], arguments, environment)
        self.first = self.frame(self.started)

    def frame(self, since):
        """Waits for a frame. Returns the time that it took, and its bytes."""
        data = b""
        while FRAME_END not in data:
            data += os.read(self.terminal, 65536)
        return time.perf_counter() - since, len(data)

    def press(self, key):
        start = time.perf_counter()
        os.write(self.terminal, key.encode())
        return self.frame(start)

    def settle(self):
        """Waits until the program has stopped drawing."""
        while select.select([self.terminal], [], [], 1)[0]:
            os.read(self.terminal, 65536)

    def leave(self):
        self.settle()
        os.write(self.terminal, b"q")
        try:
            while os.read(self.terminal, 65536):
                pass
        except OSError:
            pass
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def summary(title, name, frames):
    times = sorted(time for time, _ in frames)
    sizes = sorted(size for _, size in frames)
    print(
        f"{title:16} {name:12} {statistics.median(times) * 1000:7.2f} ms   slowest {times[-1] * 1000:6.2f} ms"
        f"   {statistics.median(sizes):5.0f} bytes, at most {sizes[-1]}   ({len(frames)} times)")
    return statistics.median(times)


def reader(contestants, environment):
    """Measures the first frame of a list, and the frame after a key. Each key is pressed only after the frame for the previous key."""
    firsts = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, arguments in contestants.items():
            screen = Screen(arguments, environment)
            firsts[name].append(screen.first)
            screen.leave()
    medians = {name: summary("first frame", name, frames) for name, frames in firsts.items()}
    print(f"{'first frame':16} {'ratio':12} {medians['articlesctl'] / medians['floor']:7.2f} × floor")
    for title, keys in {"row": "j" * 20 + "k" * 19, "page": " b" * 20}.items():
        frames = {}
        for name, arguments in contestants.items():
            screen = Screen(arguments, environment)
            frames[name] = [screen.press(key) for key in keys]
            screen.leave()
        medians = {name: summary(title, name, of) for name, of in frames.items()}
        print(f"{title:16} {'ratio':12} {medians['articlesctl'] / medians['floor']:7.2f} × floor")
    for title, keys in {"rows, to 800": " " * 40, "ends of the list": "Gg" * 20}.items():
        screen = Screen(contestants["articlesctl"], environment)
        summary(title, "articlesctl", [screen.press(key) for key in keys])
        screen.leave()
    # The typed text is drawn first, and the matches after it.
    for title, keys in {"search, common": "/table", "search, rare": "/zzzzz"}.items():
        screen = Screen(contestants["articlesctl"], environment)
        typed = []
        for key in keys:
            typed.append(screen.press(key))
            screen.settle()
        summary(title, "articlesctl", typed)
        os.write(screen.terminal, b"\x1b")
        screen.leave()
    screen = Screen(contestants["articlesctl"], environment)
    summary("article, open", "articlesctl", [screen.press("\r")])
    summary("article, line", "articlesctl", [screen.press(key) for key in "jk" * 20])
    summary("article, page", "articlesctl", [screen.press(key) for key in " b" * 20])
    os.write(screen.terminal, b"q")
    screen.leave()


def main():
    binary, floor, reading = (os.path.abspath(path) for path in sys.argv[1:4])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 100_000
    sqlite3 = shutil.which("sqlite3") or sys.exit("sqlite3 is missing")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        environment = {
            "HOME": str(folder), "PATH": os.environ["PATH"], "XDG_STATE_HOME": str(folder / "state"),
            "ARTICLESCTL_DATABASE": str(folder / "articles.db"),
        }
        articles = folder / "articles.jsonl"
        write_articles(articles, count)
        megabytes = articles.stat().st_size / 1e6
        print(f"{count} articles, {megabytes:.0f} MB; medians of {ROUNDS} rounds\n")

        run([binary, "migrate"], environment)
        run([binary, "migrate", "--database", folder / "floor.db"], environment)
        floor_took = timed_seed("floor", [floor, "seed", str(folder / "floor.db"), str(articles)], environment, megabytes, count)
        took = timed_seed("articlesctl", [binary, "seed", str(articles)], environment, megabytes, count)
        timed_seed("again", [binary, "seed", str(articles)], environment, megabytes, count)
        print(f"{'seed':12} {'ratio':12} {took / floor_took:7.2f} × floor\n")

        password = "a passphrase for one measurement"
        run([binary, "register", "ada", "--region", "SE", "--no-login", "--password-stdin"], environment, input=password.encode())
        run([binary, "login", "ada", "--password-stdin"], environment, input=password.encode())
        database, slug = str(folder / "articles.db"), f"article-{count // 2}"
        print(run([reading, database], environment, text=True).stdout)
        race("show", {
            "articlesctl": [binary, "show", slug],
            "sqlite3": [sqlite3, database, QUERY_SHOW.format(slug=slug)],
            "floor": [floor, "show", database, slug],
        }, environment)
        race("list", {
            "articlesctl": [binary, "list"],
            "sqlite3": [sqlite3, "-tabs", database, QUERY_LIST],
            "floor": [floor, "list", database],
        }, environment)
        race("list --json", {
            "articlesctl": [binary, "list", "--json"],
            "sqlite3": [sqlite3, "-json", database, f"{QUERY_LIST}; {QUERY_TOTAL}"],
            "floor": [floor, "list-json", database],
        }, environment)
        print()
        reader({
            "articlesctl": [binary, "read", "/articles"], "floor": [floor, "reader", database],
        }, environment | {"TERM": "xterm-256color"})


if __name__ == "__main__":
    main()
