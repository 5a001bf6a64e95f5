"""Hosts that are not there: network namespaces, each with a name, processes and shared memory of its own, on one bridge.

What runs on one reaches the others by TCP over a link of its own only, and cannot see their processes: to it they are other
machines. Root only.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time

KEEPER = "mount -t tmpfs tmpfs /dev/shm && hostname {name} && ip link set lo up && echo ready && exec cat"


def reason_to_skip():
    """Why hosts cannot be made here; empty where they can."""
    if os.geteuid() != 0:
        return "hosts are made by root only"
    for program in ("ip", "unshare", "nsenter"):
        if shutil.which(program) is None:
            return f"{program} is not there (packages iproute2 and util-linux)"
    made = subprocess.run(
        ["unshare", "--net", "--uts", "--pid", "--ipc", "--mount", "--fork", "--mount-proc", "sh", "-c",
         "ip link add probe type bridge && ip link add left type veth peer name right && mount -t tmpfs tmpfs /dev/shm"],
        capture_output=True, text=True)
    return "" if made.returncode == 0 else f"namespaces cannot be made here: {made.stderr.strip()}"


class Host:
    """One of them. `pid` is its first process, which ends with this program at the latest; then all others of the host end."""

    def __init__(self, name, address):
        self.name = name
        self.address = address
        self.keeper = subprocess.Popen(
            ["unshare", "--net", "--uts", "--pid", "--ipc", "--mount", "--fork", "--mount-proc",
             "sh", "-c", KEEPER.format(name=name)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)  # Debian 12's unshare complains there of a mask of signals that it never made
        if self.keeper.stdout.readline().strip() != "ready":
            raise RuntimeError(f"host {name} could not be made")
        children = f"/proc/{self.keeper.pid}/task/{self.keeper.pid}/children"
        with open(children, encoding="ascii") as file:
            self.pid = int(file.read().split()[0])

    def command(self, words):
        """What runs `words` there."""
        return ["nsenter", "--target", str(self.pid), "--net", "--uts", "--pid", "--ipc", "--mount", *words]

    def start(self, words, **options):
        """Begins what is on this host's link and has its name, but sees the processes of all: it may enter other hosts."""
        return subprocess.Popen(["nsenter", "--target", str(self.pid), "--net", "--uts", *words], **options)

    def run(self, *words):
        subprocess.run(self.command(words), check=True, capture_output=True, text=True)

    def pids_of(self, program):
        """The processes there whose program has this name, as this machine numbers them."""
        space = os.readlink(f"/proc/{self.pid}/ns/pid")
        found = []
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit() and os.readlink(f"/proc/{entry}/ns/pid") == space and os.path.basename(
                        os.readlink(f"/proc/{entry}/exe")) == program:
                    found.append(int(entry))
            except OSError:
                pass  # it has ended
        return sorted(found)

    def signal(self, program, number):
        for pid in self.pids_of(program):
            os.kill(pid, number)

    def cut(self):
        """Nothing goes in or out any more."""
        self.run("ip", "link", "set", "eth0", "down")

    def end(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.keeper.stdin.close()
        self.keeper.stdout.close()
        self.keeper.wait()


class Hosts:
    """Hosts of one link. A context: at its end all of them and all that runs on them is gone."""

    def __init__(self, names):
        self.names = names
        self.hosts = {}
        self.folder = None

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="cornu_hosts_")
        try:
            self._make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for host in self.hosts.values():
            host.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __getitem__(self, name):
        return self.hosts[name]

    def _make(self):
        # The bridge is on a host too, which nothing else runs on: it goes with it.
        switch = self.hosts["switch"] = Host("switch", None)
        switch.run("ip", "link", "add", "bridge", "type", "bridge")
        switch.run("ip", "link", "set", "bridge", "up")
        for number, name in enumerate(self.names, 1):
            host = self.hosts[name] = Host(name, f"10.77.0.{number}")
            # Not run(): there the number means nothing.
            subprocess.run(["nsenter", "--target", str(switch.pid), "--net", "ip", "link", "add", f"to_{name}", "type", "veth",
                            "peer", "name", "eth0", "netns", str(host.pid)], check=True)
            switch.run("ip", "link", "set", f"to_{name}", "master", "bridge", "up")
            host.run("ip", "addr", "add", f"{host.address}/24", "dev", "eth0")
            host.run("ip", "link", "set", "eth0", "up")
        names = "127.0.0.1 localhost\n" + "".join(f"{self.hosts[n].address} {n}\n" for n in self.names)
        with open(f"{self.folder}/hosts", "w", encoding="ascii") as file:
            file.write(names)
        for name in self.names:
            self.hosts[name].run("mount", "--bind", f"{self.folder}/hosts", "/etc/hosts")
        self._write_agent()

    def _write_agent(self):
        """What mpirun calls in ssh's place: agent HOST COMMAND..."""
        self.agent = f"{self.folder}/agent"
        cases = "".join(f"  {n}) at={self.hosts[n].pid} ;;\n" for n in self.names)
        with open(self.agent, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\ncase $1 in\n{cases}  *) echo \"no host $1\" >&2; exit 1 ;;\nesac\nshift\n"
                       "exec nsenter --target $at --net --uts --pid --ipc --mount sh -c \"$*\"\n")
        os.chmod(self.agent, 0o755)


def wait_until(condition, seconds):
    """Whether it became true within the time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False
