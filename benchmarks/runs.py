"""Runs of compare.py: processes, what they printed, and the file that keeps it."""
import json
import os
import shlex
import signal
import subprocess
import tempfile
import time


class Failed(Exception):
    """A process that gave no figures."""


def run(command, timeout, **values):
    """One run: the command's JSON line, with the process's own wall time and peak memory added."""
    words = [word.format(**values) for word in shlex.split(command)]
    environment = {"CORNU_CACHE_DIR": "off", **os.environ}  # compile times are those of a first start
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.perf_counter()
        try:
            process = subprocess.Popen(words, stdout=out, stderr=err, env=environment, start_new_session=True)
        except OSError as error:
            raise Failed(f"cannot start {words[0]}: {error.strerror}") from error
        usage, code = wait(process, timeout)
        wall = time.perf_counter() - started
        out.seek(0)
        err.seek(0)
        text, complaint = (file.read().decode(errors="replace") for file in (out, err))
    if usage is None:
        raise Failed(f"no result after {timeout:.0f} s")
    lines = [line for line in text.splitlines() if line.startswith("{")]
    if code != 0 or not lines:
        last = [line for line in (text + complaint).splitlines() if line.strip()][-1:]
        raise Failed(f"exit code {code}: {' '.join(words)}: {''.join(last)[:300]}")
    row = json.loads(lines[-1])
    row["process_s"] = round(wall, 3)
    row["rss_mb"] = usage.ru_maxrss // 1024
    row.setdefault("startup_s", row.get("import_s", 0) + row.get("first_fit_s", 0))
    return row


def wait(process, timeout):
    """Resource usage and exit code; (None, None) when the time was up and the process group was killed."""
    end = time.monotonic() + timeout
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage, process.returncode
        if time.monotonic() > end:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None, None
        time.sleep(0.05)


class Results:
    """All runs by (workload, K) and who, failures, and the machine's limits; in a file after every change."""

    def __init__(self, path=None):
        self.path = path
        self.pairs = {}     # (workload, K): {who: [row, ...]}
        self.failures = {}  # (workload, K): {who: reason}
        self.capped = {}    # (workload, K): {who: rounds}
        self.limits = []    # rows of cornu bench limit
        self.facts = {}     # peers that are missing, options

    @classmethod
    def resumed(cls, path):
        """Those of a run that was cut; empty when there is no such file."""
        results = cls(path)
        if not os.path.exists(path):
            return results
        with open(path, encoding="utf-8") as file:
            saved = json.load(file)
        results.limits, results.facts = saved["limits"], saved["facts"]
        for entry in saved["entries"]:
            key = (entry["workload"], entry["spe"])
            if entry["runs"]:
                results.pairs.setdefault(key, {})[entry["who"]] = entry["runs"]
            if "capped" in entry:
                results.capped.setdefault(key, {})[entry["who"]] = entry["capped"]
        return results  # what failed may try again

    def add(self, key, who, row):
        self.pairs.setdefault(key, {}).setdefault(who, []).append(row)

    def count(self, key, who):
        return len(self.pairs.get(key, {}).get(who, []))

    def entries(self):
        """A dictionary a pair of (workload, K) and who, for the file, the table and the plots."""
        from report import summarize
        entries = []
        for key in list(dict.fromkeys([*self.pairs, *self.failures])):
            names = list(dict.fromkeys([*self.pairs.get(key, {}), *self.failures.get(key, {})]))
            for who in names:
                runs = self.pairs.get(key, {}).get(who, [])
                entry = {"workload": key[0], "spe": key[1], "who": who, "runs": runs}
                if runs:
                    entry["summary"] = summarize(runs)
                if who in self.failures.get(key, {}):
                    entry["failed"] = self.failures[key][who]
                if who in self.capped.get(key, {}):
                    entry["capped"] = self.capped[key][who]
                entries.append(entry)
        return entries

    def save(self):
        """Whole or not at all."""
        if self.path is None:
            return
        temporary = self.path + ".new"
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump({"limits": self.limits, "facts": self.facts, "entries": self.entries()}, file, indent=1)
        os.replace(temporary, self.path)
