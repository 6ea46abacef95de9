#!/usr/bin/env python3
"""Measures seeding of every format that is read, each into a library of its own, and prints a table.

    formats.py ARTICLESCTL POSTS [MEGABYTES]

POSTS is a folder of posts in Markdown with front matter. They are repeated, each time under another title, address and date,
until there is so much of a format: 50 megabytes unless something else is said, of lists of links a quarter of that. What is
made is the same on every run.
"""
import html
import json
import os
import pathlib
import re
import sys
import tempfile
import time
from xml.sax.saxutils import escape

MEGABYTES = 50
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


class Post:
    """A numbered copy of a post from the folder."""

    def __init__(self, path, number):
        text = path.read_text(errors="replace")
        matter = re.match(r"---\n(.*?)\n---\n(.*)", text, re.S)
        self.body = matter.group(2).strip() if matter else text
        named = re.search(r"^title: *[\"']?(.*?)[\"']?$", matter.group(1), re.M) if matter else None
        author = re.search(r"^author: *(\w+)", matter.group(1), re.M) if matter else None
        self.number = number
        self.slug = f"{path.stem}-{number}"
        self.title = f"{named.group(1) if named else path.stem} {number}"
        self.author = author.group(1) if author else "somebody"
        self.unix = 946684800 + number * 7919 % 800_000_000
        self.date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.unix))
        self.url = f"https://posts.example/{self.slug}/"
        self.tags = ["swift", f"tag {number % 50}"]

    @property
    def html(self):
        return "\n".join(f"<p>{html.escape(part, quote=False)}</p>" for part in self.body.split("\n\n"))

    @property
    def record(self):
        return {"slug": self.slug, "title": self.title, "author": self.author, "date": self.date, "tags": self.tags,
                "body": self.body}


def posts(folder):
    paths = sorted(pathlib.Path(folder).glob("*.md"))
    number = 0
    while paths:
        for path in paths:
            yield Post(path, number)
            number += 1


class Made:
    """A file or folder that grows until it is large enough."""

    def __init__(self, path, limit):
        self.path, self.limit, self.size, self.count, self.file = path, limit, 0, 0, None

    def put(self, text):
        if self.file is None:
            self.file = open(self.path, "w", newline="")
        self.size += self.file.write(text) if text.isascii() else len(text.encode()) * bool(self.file.write(text))

    def put_file(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.size += path.stat().st_size

    def fill(self, folder, record):
        for post in posts(folder):
            if self.size >= self.limit:
                break
            record(post)
            self.count += 1

    def close(self):
        if self.file:
            self.file.close()


def markdown(made, folder):
    def record(post):
        matter = f"---\ntitle: {json.dumps(post.title)}\nauthor: {post.author}\ndate: {post.date}\ntags: {json.dumps(post.tags)}\n---\n"
        made.put_file(f"{post.number // 200}/{post.slug}.md", matter + post.body)
    made.fill(folder, record)


def jsonl(made, folder):
    made.fill(folder, lambda post: made.put(json.dumps(post.record, ensure_ascii=False) + "\n"))


def separated(made, folder, record, separator=",\n"):
    made.fill(folder, lambda post: made.put((separator if made.count else "") + json.dumps(record(post), ensure_ascii=False)))


def array(made, folder):
    made.put("[")
    separated(made, folder, lambda post: post.record)
    made.put("]\n")


def rss(made, folder):
    made.put(XML + '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" '
             'xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Posts</title><link>https://posts.example/</link>\n')
    made.fill(folder, lambda post: made.put(
        f"<item><title>{escape(post.title)}</title><link>{post.url}</link><guid>{post.url}</guid>"
        f"<dc:creator>{escape(post.author)}</dc:creator><pubDate>{time.strftime('%a, %d %b %Y %H:%M:%S GMT', time.gmtime(post.unix))}"
        f"</pubDate><category>{post.tags[1]}</category><content:encoded>{escape(post.html)}</content:encoded></item>\n"))
    made.put("</channel></rss>\n")


def atom(made, folder):
    made.put(XML + '<feed xmlns="http://www.w3.org/2005/Atom"><title>Posts</title><id>https://posts.example/</id>\n')
    made.fill(folder, lambda post: made.put(
        f'<entry><title>{escape(post.title)}</title><id>{post.url}</id><link href="{post.url}"/><updated>{post.date}</updated>'
        f"<published>{post.date}</published><author><name>{escape(post.author)}</name></author>"
        f'<category term="{post.tags[1]}"/><content type="html">{escape(post.html)}</content></entry>\n'))
    made.put("</feed>\n")


def jsonfeed(made, folder):
    made.put('{"version":"https://jsonfeed.org/version/1.1","title":"Posts","items":[')
    separated(made, folder, lambda post: {
        "id": post.url, "url": post.url, "title": post.title, "content_html": post.html, "date_published": post.date,
        "authors": [{"name": post.author}], "tags": post.tags})
    made.put("]}\n")


def wordpress(made, folder):
    made.put(XML + '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" '
             'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">'
             "<channel><title>Posts</title><link>https://posts.example</link><wp:wxr_version>1.2</wp:wxr_version>\n")
    made.fill(folder, lambda post: made.put(
        f"<item><title>{escape(post.title)}</title><link>{post.url}</link><dc:creator>{escape(post.author)}</dc:creator>"
        f'<guid isPermaLink="false">https://posts.example/?p={post.number}</guid>'
        f"<content:encoded><![CDATA[{post.html.replace(']]>', ']]&gt;')}]]></content:encoded>"
        f"<wp:post_date_gmt>{post.date[:10]} {post.date[11:19]}</wp:post_date_gmt><wp:post_name>{post.slug}</wp:post_name>"
        "<wp:status>publish</wp:status><wp:post_type>post</wp:post_type>"
        f'<category domain="post_tag" nicename="t"><![CDATA[{post.tags[1]}]]></category></item>\n'))
    made.put("</channel></rss>\n")


def ghost(made, folder):
    made.put('{"db":[{"meta":{"exported_on":1673670577626,"version":"5.2.0"},"data":{"posts":[')
    separated(made, folder, lambda post: {
        "id": f"p{post.number}", "title": post.title, "slug": post.slug, "html": post.html, "type": "post",
        "status": "published", "published_at": post.date, "updated_at": post.date})
    made.put('],"users":[{"id":"u","name":"Somebody"}],"tags":[{"id":"t","name":"Swift"}],"posts_authors":[')
    made.put(",".join(f'{{"post_id":"p{number}","author_id":"u","sort_order":0}}' for number in range(made.count)))
    made.put('],"posts_tags":[')
    made.put(",".join(f'{{"post_id":"p{number}","tag_id":"t","sort_order":0}}' for number in range(made.count)))
    made.put("]}}]}\n")


def wallabag(made, folder):
    made.put("[")
    separated(made, folder, lambda post: {
        "is_archived": 0, "is_starred": 0, "id": post.number, "title": post.title, "url": post.url, "content": post.html,
        "created_at": post.date, "published_at": post.date, "published_by": [post.author], "mimetype": "text/html",
        "language": "en_GB", "tags": post.tags})
    made.put("]\n")


def pocket(made, folder):
    made.put("<!DOCTYPE html>\n<html>\n<head><title>Pocket Export</title></head>\n<body>\n<h1>Unread</h1>\n<ul>\n")
    made.fill(folder, lambda post: made.put(
        f'<li><a href="{post.url}" time_added="{post.unix}" tags="{",".join(post.tags)}">{html.escape(post.title)}</a></li>\n'))
    made.put("</ul>\n</body>\n</html>\n")


def bookmarks(made, folder):
    made.put("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n")
    made.fill(folder, lambda post: made.put(
        (f"<DT><H3>Folder {post.number // 100}</H3>\n<DL><p>\n" if post.number % 100 == 0 else "")
        + f'<DT><A HREF="{post.url}" ADD_DATE="{post.unix}" TAGS="{",".join(post.tags)}">{html.escape(post.title)}</A>\n'
        + ("</DL><p>\n" if post.number % 100 == 99 else "")))
    made.put("</DL>\n")


def row(*cells):
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\r\n"


def csv(made, folder):
    made.put("slug,title,author,date,tags,body\r\n")
    made.fill(folder, lambda post: made.put(
        row(post.slug, post.title, post.author, post.date, ", ".join(post.tags), post.body)))


def instapaper(made, folder):
    made.put("URL,Title,Selection,Folder,Timestamp,Tags\r\n")
    made.fill(folder, lambda post: made.put(
        row(post.url, post.title, post.body[:200], "Unread", str(post.unix), json.dumps(post.tags))))


def omnivore(made, folder):
    entries = []

    def end():
        if entries:
            first = made.count - len(entries)
            made.put_file(f"metadata_{first}_to_{made.count}.json", json.dumps(entries))
            entries.clear()

    def record(post):
        if len(entries) == 20:
            end()
        made.put_file(f"content/{post.slug}.html", post.html)
        entries.append({
            "id": str(post.number), "slug": post.slug, "title": post.title, "author": post.author, "url": post.url,
            "state": "Active", "readingProgress": 0, "labels": post.tags, "savedAt": post.date, "updatedAt": post.date,
            "publishedAt": post.date})

    made.fill(folder, record)
    end()


def pages(made, folder):
    made.fill(folder, lambda post: made.put_file(
        f"{post.number // 200}/{post.slug}.html",
        f'<!DOCTYPE html>\n<html lang="en"><head><title>{html.escape(post.title)}</title><meta name="author" content="{post.author}">'
        f'<meta property="article:published_time" content="{post.date}"><link rel="canonical" href="{post.url}"></head>\n'
        f"<body><header><a href=\"/\">Posts</a></header><nav><a href=\"/about\">About</a></nav><article>{post.html}</article>"
        "<footer>All of it</footer></body></html>\n"))


# The name, the name of the file or folder, the function that makes it, and its share of the size.
FORMATS = [
    ("Markdown files", "posts", markdown, 1), ("JSON Lines", "a.jsonl", jsonl, 1), ("JSON array", "a.json", array, 1),
    ("RSS", "a.rss", rss, 1), ("Atom", "a.atom", atom, 1), ("JSON Feed", "feed.json", jsonfeed, 1),
    ("WordPress", "wxr.xml", wordpress, 1), ("Ghost", "ghost.json", ghost, 1), ("wallabag", "wallabag.json", wallabag, 1),
    ("Omnivore", "omnivore", omnivore, 1), ("HTML pages", "pages", pages, 1), ("CSV", "a.csv", csv, 1),
    ("Instapaper", "instapaper.csv", instapaper, 0.5), ("Pocket", "ril_export.html", pocket, 0.25),
    ("Bookmarks", "bookmarks.html", bookmarks, 0.25),
]


def run(arguments, environment, output):
    start = time.perf_counter()
    process = os.posix_spawn(arguments[0], arguments, environment, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, str(output), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)])
    _, status, usage = os.wait4(process, 0)
    if status:
        sys.exit(f"{arguments} failed: {pathlib.Path(output).read_text()}")
    return time.perf_counter() - start, usage


def main():
    binary, folder = (os.path.abspath(path) for path in sys.argv[1:3])
    limit = float(sys.argv[3] if len(sys.argv) > 3 else MEGABYTES) * 1e6
    if not any(pathlib.Path(folder).glob("*.md")):
        sys.exit(f"no posts in {folder}")
    print(f"{'format':16} {'records':>8} {'MB':>6} {'MB/s':>7} {'records/s':>10} {'peak MiB':>9} {'user s':>7} {'system s':>9}")
    for title, name, make, part in FORMATS:
        with tempfile.TemporaryDirectory() as home:
            home = pathlib.Path(home)
            made = Made(home / name, limit * part)
            make(made, folder)
            made.close()
            environment = {
                "HOME": str(home), "PATH": os.environ["PATH"], "XDG_STATE_HOME": str(home / "state"),
                "ARTICLESCTL_DATABASE": str(home / "articles.db"),
            }
            output = home / "output"
            run([binary, "migrate"], environment, output)
            took, usage = run([binary, "seed", "--source", "posts", str(made.path)], environment, output)
            taken = int(re.search(r"(\d+) inserted", output.read_text()).group(1))
            if taken != made.count:
                sys.exit(f"{title}: {made.count} records, of which {taken} went in: {output.read_text()}")
            print(
                f"{title:16} {made.count:8} {made.size / 1e6:6.1f} {made.size / 1e6 / took:7.1f} {made.count / took:10.0f}"
                f" {usage.ru_maxrss / 1024:9.0f} {usage.ru_utime:7.1f} {usage.ru_stime:9.1f}", flush=True)


if __name__ == "__main__":
    main()
