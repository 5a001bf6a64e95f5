"""A link between two hosts (tests/processes/hosts.py) that delays, loses, repeats and reorders packets, or is cut, one way or both:
where the kernel has no netem. Root only.

Each host has a TUN device "eth0", and a process on a third host passes the packets on. What is told holds from then on:

    with RoughLink(seed=1) as link:
        link.set(loss=0.02, repeats=0.01, holds=0.05, delay_ms=20, jitter_ms=5)
        link.cut()                        # or cut("there"), cut("back"): to the worker, to the client
        link.heal()
        link.counts()["lost"]
"""

import contextlib
import json
import os
import subprocess
import sys

from hosts import Host

FORWARDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packet_forwarder.py")


class RoughLink:
    """Two hosts, `client` and `worker`, and the process between them. A context: at its end all that runs on them is gone.

    seed: of the random numbers by which packets are chosen. When they come is not up to it."""

    def __init__(self, seed):
        self.seed = seed

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            hosts = [Host("client", "10.78.0.1"), Host("worker", "10.78.0.2"), Host("between", None)]
            for host in hosts:
                stack.callback(host.end)
            self.client, self.worker, between = hosts
            self.process = between.start(
                [sys.executable, FORWARDER, str(self.seed), str(self.client.pid), str(self.worker.pid)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            stack.callback(self._end_process)
            self.counts()  # the devices are there
            for host in hosts[:2]:
                host.run("ip", "addr", "add", f"{host.address}/24", "dev", "eth0")
                host.run("ip", "link", "set", "eth0", "up")
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    def set(self, **fields):
        """loss, repeats, holds: probabilities for each packet; a packet that is held comes behind those that follow it closely.
        delay_ms, and at random up to jitter_ms more, for each way; the jitter changes no order. bytes_a_second: of each way."""
        return self._ask(fields)

    def cut(self, *ways):
        """Nothing passes any more, and nobody hears of it."""
        return self._ask({"cut_ways": ways or ("there", "back")})

    def heal(self):
        return self._ask({"cut_ways": ()})

    def counts(self):
        """What has become of packets: passed, lost, repeated, reordered (delivered behind one that was sent later), cut."""
        return self._ask({})

    def _ask(self, fields):
        self.process.stdin.write(json.dumps(fields) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def _end_process(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
