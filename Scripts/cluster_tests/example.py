"""The files of Examples/cluster, with the addresses and paths of a test."""

import glob
import os
import pathlib
import random
import re
import shlex
import subprocess

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "Examples/cluster"
HOST = "articles.example"
PORTS = {"plain": 8090, "secure": 8443}
# PostgreSQL refuses to run as root.
IS_ROOT = os.geteuid() == 0
AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if IS_ROOT else []


def binaries():
    """The folder of PostgreSQL's programs."""
    found = glob.glob("/usr/lib/postgresql/*/bin")
    if not found:
        raise SystemExit("install the package postgresql")
    return max(found, key=lambda path: int(path.split("/")[4]))


def loopback_prefix():
    """The beginning of a network of this machine that parallel runs do not share."""
    return f"127.{random.randrange(10, 250)}.{random.randrange(250)}"


def run(*arguments, input=None, user=AS_POSTGRES, **options):
    """Runs a program of PostgreSQL, and returns its output."""
    result = subprocess.run(
        # The home folder of root cannot be read by another user.
        [*user, *map(str, arguments)], input=input, capture_output=True, text=True, cwd="/",
        env={"PATH": os.environ["PATH"], "HOME": "/"}, **options)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, arguments))}: {result.stderr.strip() or result.stdout.strip()}")
    return result.stdout


class Example:
    """The example, in a place. All addresses begin with `prefix` in place of 10.0.0."""

    def __init__(self, place, prefix):
        self.place, self.prefix = place, prefix
        self.is_loopback = prefix.startswith("127.")

    def address(self, number):
        return f"{self.prefix}.{number}"

    def text(self, name, *pairs, node=None):
        """A file of the example. Each text to replace must be in the file.

        The files of a node are those of node1. In the files of another node, its name and its address replace those of
        node1, except in the lines that list all nodes.
        """
        text = (FOLDER / name).read_text()
        if node:
            text = "\n".join(
                line if "10.0.0.22" in line else line.replace("node1", f"node{node}").replace("10.0.0.21", f"10.0.0.2{node}")
                for line in text.split("\n"))
        for old, new in pairs:
            if old not in text:
                raise RuntimeError(f"{name} does not contain “{old}”")
            text = text.replace(old, str(new))
        if self.is_loopback:
            # Connections to loopback addresses come from 127.0.0.1.
            text = text.replace("10.0.0.0/24", "127.0.0.0/8").replace("--trusted-proxy 10.0.0.10", "--trusted-proxy 127.0.0.1")
        if not IS_ROOT:
            # The user of the test is not “postgres”.
            text = re.sub(r"^(\s*(?:- )?local .*) peer$", r"\1 trust", text, flags=re.M)
        return text.replace("10.0.0.", self.prefix + ".")

    def make_authority(self):
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                     "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem")

    def make_certificate(self, name, *subjects):
        """Creates NAME.pem and NAME.key, signed by the authority, for names and addresses."""
        names = ",".join(("IP:" if re.match(r"[\d.]+$", subject) else "DNS:") + subject for subject in subjects)
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={subjects[0]}",
                     "-keyout", f"{name}.key", "-out", f"{name}.csr")
        (self.place / f"{name}.ext").write_text(f"subjectAltName={names}\n")
        self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial",
                     str(random.getrandbits(60)), "-days", "2", "-extfile", f"{name}.ext", "-out", f"{name}.pem")

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.place, check=True, capture_output=True)

    def private(self, path, text=None):
        """Gives a file to PostgreSQL's user alone, and writes it if there is a text."""
        if text is not None:
            path.write_text(text)
        path.chmod(0o600)
        self.give(path)
        return path

    def give(self, path):
        """Gives a file or a folder to PostgreSQL's user."""
        if IS_ROOT:
            subprocess.run(["chown", "postgres:", path], check=True)

    def options(self, number, *pairs):
        """The options of articlesd on a machine."""
        text = self.text(
            "articlesd.default", ("--listen 10.0.0.11", f"--listen 10.0.0.{number}"),
            ("/var/lib/articlesd/", f"{self.place}/articlesd/"), *pairs)
        return shlex.split(re.search(r'^ARTICLESD_OPTIONS="(.*)"$', text, re.M)[1])

    def start_nginx(self):
        """Starts nginx with the certificate site.pem, on other ports, and returns the process."""
        address = self.address(10)
        site = self.text(
            "nginx.conf", ("listen 80;", f"listen {address}:{PORTS['plain']};"), ("    listen [::]:80;\n", ""),
            ("listen 443 ", f"listen {address}:{PORTS['secure']} "), ("    listen [::]:443 ssl http2;\n", ""),
            ("/etc/ssl/articles.", f"{self.place}/site."))
        (self.place / "site.conf").write_text(site)
        folders = "".join(
            f"{name}_temp_path {self.place}/nginx-{name};\n" for name in ("client_body", "proxy", "fastcgi", "scgi", "uwsgi"))
        (self.place / "nginx.conf").write_text(
            f"daemon off; pid {self.place}/nginx.pid; error_log {self.place}/nginx.log;\n"
            f"events {{}}\nhttp {{ access_log off;\n{folders}include {self.place}/site.conf; }}\n")
        command = ["nginx", "-e", self.place / "nginx.log", "-c", self.place / "nginx.conf"]
        subprocess.run([*command, "-q", "-t"], check=True)
        return subprocess.Popen(command)
