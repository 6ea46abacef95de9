"""Tiny Tiny RSS of Debian, with a PostgreSQL server that ends with the measurement."""
import csv
import http.server
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.parse

from server import TICK, Program, free_port

PAGES = pathlib.Path("/usr/share/tt-rss/www")
SCHEMA = pathlib.Path("/usr/share/tt-rss/schema/ttrss_schema_pgsql.sql")
WITH_POSTGRESQL = pathlib.Path(__file__).parent.parent / "Scripts" / "with-postgresql"


def is_installed():
    """Whether tt-rss can run here, with PHP and PostgreSQL."""
    if not (PAGES.is_dir() and shutil.which("psql") and any(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))):
        return False
    php = shutil.which("php")
    return bool(php) and "pdo_pgsql" in subprocess.run([php, "-m"], capture_output=True, text=True).stdout.split()


class Feeds(http.server.ThreadingHTTPServer):
    """A proxy with the contents of feeds by their addresses. tt-rss refuses the addresses of its own machine."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), FeedHandler)
        self.contents = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()


class FeedHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        content = self.server.contents.get(self.path)
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/atom+xml")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


class TinyTinyRSS:
    """An installation in its own folder, with the user “admin”."""

    def __init__(self, folder):
        self.folder = folder
        self.feeds = Feeds()
        # The server of the database ends when this input is closed. It writes to the disk, as our library does. Its own cleaning
        # would count as the cost of a page.
        self.postgresql = subprocess.Popen(
            [WITH_POSTGRESQL, "sh", "-c", 'echo "$ARTICLES_POSTGRESQL"; cat'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=os.environ | {"POSTGRESQL_OPTIONS": "-c fsync=on -c autovacuum=off"}, text=True)  # fmt: skip
        self.address = self.postgresql.stdout.readline().strip()
        self.database = pathlib.Path(re.search(r"host=([^&]+)", self.address)[1])
        self.pages = folder / "tt-rss"
        shutil.copytree(PAGES, self.pages, ignore=shutil.ignore_patterns("config.php", "feed-icons"))
        states = {name: folder / f"tt-rss-{name}" for name in ("lock", "cache", "icons")}
        for state in [*states.values(), *(states["cache"] / name for name in ("images", "upload", "export", "feeds"))]:
            state.mkdir()
        self.port = free_port()
        settings = {
            "DB_TYPE": "pgsql", "DB_HOST": self.database, "DB_PORT": "", "DB_USER": "articles", "DB_NAME": "postgres", "DB_PASS": "",
            "SELF_URL_PATH": f"http://127.0.0.1:{self.port}/", "PHP_EXECUTABLE": shutil.which("php"), "ICONS_URL": "feed-icons",
            "LOCK_DIRECTORY": states["lock"], "CACHE_DIR": states["cache"], "ICONS_DIR": states["icons"],
            "PLUGINS": "auth_internal", "LOG_DESTINATION": "", "SINGLE_USER_MODE": False, "SIMPLE_UPDATE_MODE": False,
            "AUTH_AUTO_CREATE": True, "AUTH_AUTO_LOGIN": True, "FORCE_ARTICLE_PURGE": 0, "ENABLE_REGISTRATION": False,
            "MYSQL_CHARSET": "UTF8", "REG_NOTIFY_ADDRESS": "", "REG_MAX_USERS": 1, "SMTP_FROM_NAME": "", "SMTP_FROM_ADDRESS": "",
            "DIGEST_SUBJECT": "", "SESSION_COOKIE_LIFETIME": 86400, "CHECK_FOR_UPDATES": False, "ENABLE_GZIP_OUTPUT": False, "CONFIG_VERSION": 26,
            # If PHP has curl, tt-rss would use it, and curl writes the address of a proxy in another form.
            "NO_CURL": True, "_HTTP_PROXY": f"tcp://127.0.0.1:{self.feeds.server_port}",
            # The generator of the load sends requests without a body.
            "_API_DEBUG_HTTP_ENABLED": True,
        }  # fmt: skip
        lines = [f"define({json.dumps(name)}, {json.dumps(value if isinstance(value, (bool, int)) else str(value))});"
                 for name, value in settings.items()]  # fmt: skip
        (self.pages / "config.php").write_text("<?php\n" + "\n".join(lines) + "\n")
        # PHP keeps compiled pages in memory. tt-rss refuses to run as root, which it cannot find out without this function.
        (folder / "php.ini").write_text("opcache.enable_cli=1\ndisplay_errors=0\ndisable_functions=posix_getuid\n")
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "PHPRC": str(folder)}
        self.psql(SCHEMA.read_text())
        self.psql(
            "INSERT INTO ttrss_user_prefs (owner_uid, pref_name, value) SELECT u.id, p.pref_name, "
            "CASE p.pref_name WHEN 'ENABLE_API_ACCESS' THEN 'true' ELSE p.def_value END FROM ttrss_users AS u, ttrss_prefs AS p;"
            # The feeds of users who have not been there for a month are not fetched.
            "UPDATE ttrss_users SET last_login = now()")

    def psql(self, sql):
        return subprocess.run(
            ["psql", "--quiet", "--no-psqlrc", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1", self.address],
            input=sql, check=True, stdout=subprocess.PIPE, text=True).stdout.split()  # fmt: skip

    def subscribe(self, name, content=None):
        """Subscribes to a feed, which is not fetched yet, and returns its number."""
        # tt-rss looks up each name, also if it uses a proxy. This address is reserved for documentation (RFC 5737).
        address = f"http://192.0.2.1/{name}"
        self.feeds.contents[address] = content
        return self.psql(
            "INSERT INTO ttrss_feeds (owner_uid, title, feed_url) "
            f"SELECT id, 'Feed', '{address}' FROM ttrss_users WHERE login = 'admin' RETURNING id")[0]  # fmt: skip

    @property
    def update(self):
        """The command that fetches all new feeds."""
        return [shutil.which("php"), self.pages / "update.php", "--feeds", "--quiet"]

    def fill(self, articles):
        """Replaces all entries by the articles of a file with JSON Lines, and returns their numbers."""
        self.psql("DELETE FROM ttrss_feeds; DELETE FROM ttrss_entries")
        feed = self.subscribe("articles")
        table = io.StringIO()
        rows = csv.writer(table, lineterminator="\n")
        with open(articles) as lines:
            for line in lines:
                article = json.loads(line)
                paragraphs = "".join(f"<p>{text}</p>" for text in article["body"].split("\n\n")[1:])
                rows.writerow([article["title"], article["slug"], f"https://blog.example/{article['slug']}", article["date"],
                               paragraphs, article["author"]])  # fmt: skip
        self.psql(
            "CREATE TABLE given (title text, slug text, link text, date timestamp, content text, author text);\n"
            f"COPY given FROM STDIN (FORMAT csv);\n{table.getvalue()}\\.\n"
            "INSERT INTO ttrss_entries (title, guid, link, updated, content, content_hash, date_entered, date_updated, author) "
            "SELECT title, slug, link, date, content, '', date, date, author FROM given;\n"
            "INSERT INTO ttrss_user_entries (ref_id, uuid, feed_id, owner_uid, tag_cache, label_cache) "
            f"SELECT e.id, '', {feed}, f.owner_uid, '', '' FROM ttrss_entries AS e, ttrss_feeds AS f WHERE f.id = {feed};\n"
            f"UPDATE ttrss_feeds SET last_updated = now(), update_interval = -1 WHERE id = {feed};")
        self.psql("VACUUM ANALYZE")
        self.psql("CHECKPOINT")
        return self.psql(f"SELECT ref_id FROM ttrss_user_entries WHERE feed_id = {feed} ORDER BY ref_id")

    def serve(self):
        return PHPServer(self)

    def stop(self):
        self.feeds.shutdown()
        self.postgresql.stdin.close()
        self.postgresql.wait(60)


class PHPServer(Program):
    """PHP's own web server, with a process for each processor, and with compiled pages in memory."""

    closes = True
    connections = Program.FEW

    def __init__(self, installation):
        self.database = installation.database
        environment = installation.environment | {"PHP_CLI_SERVER_WORKERS": str(os.cpu_count())}
        arguments = ["php", "-S", f"127.0.0.1:{installation.port}", "-t", installation.pages]
        super().__init__("tt-rss", arguments, installation.port, environment, installation.folder)
        self.session = ""
        self.session = self.answer(self.path("login", user="admin", password="password"))["session_id"]

    def path(self, operation, **values):
        return "/api/index.php?" + urllib.parse.urlencode({"op": operation, "sid": self.session, **values})

    def answer(self, path):
        """The content of a response. An error has the status 200, too."""
        found = json.loads(self.ask("GET", path)[1])
        if found["status"] != 0:
            sys.exit(f"tt-rss: {path} was answered with {found}")
        return found["content"]

    def stop(self):
        # The workers do not end with the process that started them.
        workers = children(self.process.pid)
        super().stop()
        for worker in workers:
            os.kill(worker, signal.SIGTERM)

    def processor(self):
        """The processor time of the web server and of the database, in seconds. PostgreSQL starts a process for each request."""
        database = int((self.database / "data" / "postmaster.pid").read_text().split()[0])
        return sum(tree_time(root) for root in (self.process.pid, database))


def children(process):
    return [int(child) for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def tree_time(root):
    """The processor time of a process, of its children, and of those that have ended, in seconds."""
    try:
        # A child that ends now is part of the time of its parent, which is read afterwards.
        others = sum(tree_time(child) for child in children(root))
        fields = pathlib.Path(f"/proc/{root}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return others + sum(int(field) for field in fields[11:15]) / TICK
