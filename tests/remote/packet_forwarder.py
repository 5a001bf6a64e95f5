"""Passes IP packets on between two hosts as badly as it is told to; rough_link.py starts it on a host between them.

Usage: packet_forwarder.py SEED PID PID
The processes say which hosts: each gets a TUN device "eth0". Input: a line of JSON for each change of the rules; it is answered by a line
with the counts. It ends when the input does.
"""

import fcntl
import heapq
import json
import os
import random
import select
import struct
import subprocess
import sys
import time

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
LARGEST_PACKET = 65536
HOLD_SECONDS = 0.01  # several packets of a stream, fewer than make TCP wait for its timer
QUEUE_SECONDS = 0.1  # of packets that wait for a slow link; more are lost


class Way:
    """One direction: from one device to the other."""

    def __init__(self, name, source, target):
        self.name, self.source, self.target = name, source, target
        self.number = 0           # of the packet that was taken in last
        self.free_at = 0.0        # when the packets before it have gone onto the link
        self.latest_due = 0.0
        self.latest_delivered = 0


class Forwarder:
    def __init__(self, seed, pids):
        self.random = random.Random(seed)
        self.rules = {"loss": 0.0, "repeats": 0.0, "holds": 0.0, "delay_ms": 0.0, "jitter_ms": 0.0, "bytes_a_second": 1e12,
                      "cut_ways": ()}
        self.counts = {"passed": 0, "lost": 0, "repeated": 0, "reordered": 0, "cut": 0}
        self.under_way = []  # a heap of (due, order, way, number in the way, packet)
        self.order = 0
        ends = [self._make_device(name, pid) for name, pid in zip(("left", "right"), pids)]
        self.ways = [Way("there", ends[0], ends[1]), Way("back", ends[1], ends[0])]

    @staticmethod
    def _make_device(name, pid):
        """A device that is moved to another host stays with the file by which it was made."""
        device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
        subprocess.run(["ip", "link", "set", name, "netns", str(pid), "name", "eth0"], check=True)
        return device

    def take_in(self, way):
        while True:
            try:
                packet = os.read(way.source, LARGEST_PACKET)
            except OSError:  # no more, or the device is not up yet
                return
            if packet[0] >> 4 != 4:
                continue  # what IPv6 says when a device comes up
            rules = self.rules
            way.number += 1
            now = time.monotonic()
            if self.random.random() < rules["loss"] or way.free_at > now + QUEUE_SECONDS:
                self.counts["lost"] += 1
                continue
            way.free_at = max(way.free_at, now) + len(packet) / rules["bytes_a_second"]
            delay = (rules["delay_ms"] + self.random.random() * rules["jitter_ms"]) / 1e3
            way.latest_due = due = max(way.latest_due, way.free_at + delay)
            self._put(due + HOLD_SECONDS * (self.random.random() < rules["holds"]), way, packet)
            if self.random.random() < rules["repeats"]:
                self.counts["repeated"] += 1
                self._put(due, way, packet)

    def _put(self, due, way, packet):
        self.order += 1
        heapq.heappush(self.under_way, (due, self.order, way, way.number, packet))

    def deliver(self):
        now = time.monotonic()
        while self.under_way and self.under_way[0][0] <= now:
            _, _, way, number, packet = heapq.heappop(self.under_way)
            if way.name in self.rules["cut_ways"]:
                self.counts["cut"] += 1
                continue
            try:
                os.write(way.target, packet)
            except OSError:  # the device is not up yet
                continue
            self.counts["passed"] += 1
            self.counts["reordered"] += number < way.latest_delivered
            way.latest_delivered = max(number, way.latest_delivered)

    def run(self):
        sources = {way.source: way for way in self.ways}
        while True:
            wait = max(0.0, self.under_way[0][0] - time.monotonic()) if self.under_way else None
            ready = select.select([sys.stdin, *sources], [], [], wait)[0]
            for source in ready:
                if source in sources:
                    self.take_in(sources[source])
            self.deliver()
            if sys.stdin in ready:
                line = sys.stdin.readline()
                if not line:
                    return
                self.rules.update(json.loads(line))
                print(json.dumps(self.counts), flush=True)


if __name__ == "__main__":
    Forwarder(int(sys.argv[1]), [int(word) for word in sys.argv[2:4]]).run()
