"""articlesd, and its clients."""

import http.client
import json
import os
import socket
import ssl
import subprocess
import time


def wait(holds, what, seconds=60):
    """Waits until a condition holds, and returns its value."""
    end = time.monotonic() + seconds
    while not (value := holds()):
        if time.monotonic() > end:
            raise RuntimeError(what() if callable(what) else what)
        time.sleep(0.05)
    return value


class Server:
    """articlesd with the options of the example."""

    def __init__(self, binary, folder, number, address, options):
        self.binary, self.folder, self.number, self.address, self.options = binary, folder, number, address, options
        self.log = folder / f"articlesd-{number}.log"
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [self.binary, *self.options], stdin=subprocess.DEVNULL, stderr=self.log.open("a"), env={
                "HOME": str(self.folder), "PATH": os.environ["PATH"], "SWIFT_BACKTRACE": "enable=no"})

    def is_ready(self):
        try:
            return Client(self.address, 8080, timeout=6).ask("GET", "/readyz")[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def wait_until_ready(self, seconds=60):
        wait(self.is_ready, lambda: f"articlesd {self.number} is not ready: {self.last_lines()}", seconds)

    def last_lines(self):
        return " | ".join(self.log.read_text().splitlines()[-3:])

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()


class Client:
    """A client that keeps its connection."""

    def __init__(self, address, port, authority=None, token=None, timeout=60):
        self.address, self.port, self.token, self.timeout = address, port, token, timeout
        self.context = ssl.create_default_context(cafile=authority) if authority else None
        self.connection = None

    def ask(self, method, path, body=None, **fields):
        """Sends a request, and returns the status, the fields, and the body of the response.

        Raises OSError or HTTPException if there is no response.
        """
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        try:
            if not self.connection:
                self.connection = self.connect()
            self.connection.request(method, path, body, headers)
            response = self.connection.getresponse()
            content = response.read()
        except Exception:
            self.close()
            raise
        if response.getheader("Connection", "").lower() == "close":
            self.close()
        return response.status, response.headers, content.decode(errors="replace")

    def connect(self):
        if not self.context:
            return http.client.HTTPConnection(self.address, self.port, timeout=self.timeout)
        connection = http.client.HTTPSConnection("articles.example", self.port, timeout=self.timeout, context=self.context)
        # The name belongs to the certificate, the address to the test.
        connection._create_connection = lambda _, timeout, source: socket.create_connection((self.address, self.port), timeout)
        return connection

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None
