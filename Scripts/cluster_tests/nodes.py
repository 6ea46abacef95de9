"""Nodes with etcd, Patroni, and PostgreSQL, as Examples/cluster/failover describes them."""

import contextlib
import errno
import http.client
import json
import os
import secrets
import select
import signal
import subprocess
import threading
import time

from .client import Client, wait
from .example import AS_POSTGRES, IS_ROOT, binaries, run

# In seconds, from patroni.yml.
TTL = 20


class Network:
    """A network namespace for each node and a bridge between them; without root, loopback addresses.

    The machines 10, 11, and 12 (nginx and articlesd) are in the namespace of the test.
    """

    def __init__(self, prefix):
        self.prefix = prefix
        self.name = f"ct{os.getpid()}"
        self.has_namespaces = not prefix.startswith("127.")

    def ip(self, *arguments, check=True):
        subprocess.run(["ip", *arguments], check=check, capture_output=True)

    def start(self):
        if not self.has_namespaces:
            return
        self.ip("link", "add", self.name, "type", "bridge")
        for number in (10, 11, 12):
            self.ip("address", "add", f"{self.prefix}.{number}/24", "dev", self.name)
        self.ip("link", "set", self.name, "up")
        for node in (1, 2, 3):
            space, outer, inner = self.space(node), f"{self.name}o{node}", f"{self.name}i{node}"
            self.ip("netns", "add", space)
            self.ip("link", "add", outer, "type", "veth", "peer", "name", inner)
            self.ip("link", "set", inner, "netns", space)
            self.ip("link", "set", outer, "master", self.name, "up")
            self.ip("-n", space, "address", "add", f"{self.prefix}.2{node}/24", "dev", inner)
            self.ip("-n", space, "link", "set", inner, "up")
            self.ip("-n", space, "link", "set", "lo", "up")

    def space(self, node):
        return f"{self.name}n{node}"

    def enter(self, node):
        """The beginning of a command that runs on a node."""
        return ["ip", "netns", "exec", self.space(node)] if self.has_namespaces else []

    def cut(self, node, others):
        """Cuts a node off from all machines, or only from some other nodes."""
        if others is None:
            self.ip("link", "set", f"{self.name}o{node}", "down")
        for other in others or ():
            self.ip("-n", self.space(node), "route", "add", "blackhole", f"{self.prefix}.2{other}/32")

    def mend(self, node, others):
        if others is None:
            self.ip("link", "set", f"{self.name}o{node}", "up")
        for other in others or ():
            self.ip("-n", self.space(node), "route", "del", "blackhole", f"{self.prefix}.2{other}/32")

    def stop(self):
        if not self.has_namespaces:
            return
        for node in (1, 2, 3):
            pids = subprocess.run(["ip", "netns", "pids", self.space(node)], capture_output=True, text=True).stdout.split()
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
            self.ip("netns", "del", self.space(node), check=False)
        self.ip("link", "del", self.name, check=False)


class Watchdog(threading.Thread):
    """Resets a node if its Patroni stops renewing the watchdog, as the device /dev/watchdog does.

    Patroni has a driver for tests, which writes to a pipe.
    """

    def __init__(self, node, path):
        super().__init__(daemon=True)
        self.node, self.path = node, path
        os.mkfifo(path)
        path.chmod(0o666)
        # Opened for both, so that the pipe does not end with a writer.
        self.pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.timeout, self.deadline, self.resets, self.is_paused = 60.0, None, 0, False
        self.start()

    def run(self):
        while True:
            ready, _, _ = select.select([self.pipe], [], [], 0.1)
            for line in os.read(self.pipe, 4096).split(b"C") if ready else []:
                if line.startswith(b"timeout="):
                    self.timeout = float(line.split(b"=")[1].split(b"\n")[0])
                    line = line.partition(b"\n")[2]
                if b"1" in line or line.endswith(b"\n") or not line:
                    self.deadline = time.monotonic() + self.timeout
                if b"V" in line:
                    self.deadline = None
            if self.deadline and time.monotonic() > self.deadline:
                self.deadline = None
                # A frozen machine does not run its watchdog.
                if not self.is_paused:
                    self.resets += 1
                    self.node.kill_machine()


class Node:
    """A machine with etcd, Patroni, and PostgreSQL."""

    def __init__(self, cluster, number):
        self.cluster, self.number = cluster, number
        self.address = cluster.example.address(20 + number)
        self.folder = cluster.place / f"node{number}"
        self.folder.mkdir()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        self.etcd = self.patroni = None
        if cluster.has_disks:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600m,mode=755", "articles", self.disk], check=True)
        for folder in (self.folder, self.disk, self.mkdir("sockets"), self.mkdir("etcd")):
            cluster.example.give(folder)
        self.data = self.disk / "articles"
        self.watchdog = Watchdog(self, self.folder / "watchdog")
        self.configure()

    def mkdir(self, name):
        (self.folder / name).mkdir()
        return self.folder / name

    def configure(self):
        example = self.cluster.example
        example.make_certificate(f"node{self.number}", self.address)
        example.give(example.place / f"node{self.number}.key")
        text = example.text(
            "failover/patroni.yml", ("/etc/postgresql/server.", f"{example.place}/node{self.number}."),
            ("/etc/postgresql/ca.pem", f"{example.place}/ca.pem"), ("/var/lib/postgresql/patroni.pgpass", f"{self.folder}/pgpass"),
            ("/var/lib/postgresql/15/articles", self.data), ("/var/run/postgresql", f"{self.folder}/sockets"),
            ("/usr/lib/postgresql/15/bin", binaries()), ("mode: automatic", "mode: required\n  driver: testing"),
            ("/dev/watchdog", self.watchdog.path), *self.cluster.changes, node=self.number)
        # The disk of the test is small.
        self.configuration = example.private(self.folder / "patroni.yml", text.replace("10GB", "200MB"))
        lines = example.text(
            "failover/etcd.default", ("/var/lib/etcd/articles", f"{self.folder}/etcd"), node=self.number).splitlines()
        self.etcd_settings = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))

    def popen(self, name, *command, **environment):
        return subprocess.Popen(
            [*self.cluster.network.enter(self.number), *AS_POSTGRES, *map(str, command)], cwd="/", stdin=subprocess.DEVNULL,
            stdout=(self.folder / f"{name}.log").open("a"), stderr=subprocess.STDOUT, start_new_session=True,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8", **environment})

    def start_etcd(self):
        self.etcd = self.popen("etcd", "/usr/bin/etcd", **self.etcd_settings)

    def start_patroni(self):
        self.patroni = self.popen("patroni", "/usr/bin/patroni", self.configuration)

    def postgresql_pids(self):
        try:
            pid = int((self.data / "postmaster.pid").read_text().split()[0])
            os.kill(pid, 0)
        except (OSError, ValueError, IndexError):
            return []
        children = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
        return [pid, *map(int, children)]

    def kill_postgresql(self):
        send(signal.SIGKILL, self.postgresql_pids())

    def kill_patroni(self):
        if self.patroni:
            self.patroni.kill()
            self.patroni.wait()

    def kill_machine(self):
        """Kills Patroni and PostgreSQL, as a reset of the machine does. etcd continues."""
        self.watchdog.deadline = None
        self.kill_patroni()
        self.kill_postgresql()

    def freeze(self):
        self.watchdog.is_paused = True
        send(signal.SIGSTOP, self.frozen_pids())

    def thaw(self):
        send(signal.SIGCONT, self.frozen_pids())
        self.watchdog.deadline = None
        self.watchdog.is_paused = False

    def frozen_pids(self):
        return [self.patroni.pid, *self.postgresql_pids()]

    def sql(self, text, database="articles"):
        return run("psql", "-X", "-h", self.folder / "sockets", "-U", "postgres", "-d", database, "-v", "ON_ERROR_STOP=1", "-Atq",
                   input=text).strip()

    def status(self):
        """The state of all nodes as Patroni knows it; None if it does not answer."""
        try:
            _, _, body = Client(self.address, 8008, timeout=3).ask("GET", "/cluster")
            return json.loads(body)["members"]
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            return None

    def stop(self):
        send(signal.SIGCONT, self.postgresql_pids())
        self.kill_machine()
        if self.etcd:
            self.etcd.kill()
            self.etcd.wait()
        if self.cluster.has_disks:
            subprocess.run(["umount", "-l", self.disk], capture_output=True)


class Cluster:
    """Three nodes."""

    def __init__(self, example, network):
        self.example, self.network, self.place = example, network, example.place
        # Only root may mount the disks.
        self.has_disks = IS_ROOT
        self.passwords = {name: secrets.token_hex(16) for name in ("SUPERUSER", "REPLICATION", "RESTAPI", "articles")}
        self.changes = [
            (f"{name}-PASSWORD", password) for name, password in self.passwords.items() if name != "articles"]
        self.nodes = [Node(self, number) for number in (1, 2, 3)]

    def start(self):
        for node in self.nodes:
            node.start_etcd()
        wait(self.has_quorum, "etcd has no leader")
        # The first one creates the database.
        self.nodes[0].start_patroni()
        wait(self.leader, "no node is the primary", 90)
        for node in self.nodes[1:]:
            node.start_patroni()
        self.wait_until_whole()
        password = self.passwords["articles"]
        self.leader().sql(f"CREATE ROLE articles LOGIN PASSWORD '{password}'", "postgres")
        self.leader().sql("CREATE DATABASE articles OWNER articles", "postgres")

    def has_quorum(self):
        try:
            return Client(self.nodes[0].address, 2379, timeout=2).ask("GET", "/health")[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def members(self):
        """The state of the cluster, as a node sees it that can be reached."""
        for node in self.nodes:
            if members := node.status():
                return members
        return []

    def leader(self):
        """The node that is the primary, if it runs and its Patroni answers."""
        for member in self.members():
            if member["role"] == "leader" and member["state"] == "running":
                node = self.nodes[int(member["name"][-1]) - 1]
                with contextlib.suppress(OSError, http.client.HTTPException):
                    if Client(node.address, 8008, timeout=3).ask("GET", "/primary")[0] == 200:
                        return node
        return None

    def is_whole(self):
        """Whether a primary and two standbys run, one of them synchronous."""
        members = self.members()
        leader = self.leader()
        return (leader and len(members) == 3 and sum(member["role"] == "sync_standby" for member in members) == 1
                and all(member["state"] in ("running", "streaming") and member.get("lag", 0) == 0 for member in members)
                and leader.sql("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'", "postgres") == "2")

    def wait_until_whole(self, seconds=120):
        def holds():
            with contextlib.suppress(RuntimeError):
                return self.is_whole()
        wait(holds, lambda: f"the cluster is not whole: {self.members()}", seconds)

    def switch_over(self):
        """Gives the role of the primary to the synchronous standby."""
        leader, target = (
            next(member["name"] for member in self.members() if member["role"] == role) for role in ("leader", "sync_standby"))
        # patronictl runs on a node.
        node = self.nodes[0]
        result = subprocess.run(
            [*self.network.enter(1), *AS_POSTGRES, "/usr/bin/patronictl", "-c", node.configuration, "switchover", "--master",
             leader, "--candidate", target, "--force"], capture_output=True, text=True, cwd="/",
            env={"PATH": "/usr/bin:/bin", "HOME": "/", "LC_ALL": "C.UTF-8"})
        if "Successfully" not in result.stdout:
            raise RuntimeError(f"patronictl: {result.stdout} {result.stderr}")

    def stop(self):
        for node in self.nodes:
            node.stop()
        self.network.stop()


def send(number, pids):
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError as error:
            if error.errno != errno.ESRCH:
                raise
