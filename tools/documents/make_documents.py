#!/usr/bin/env python3
"""Runs the programs of the four documents, on the CPU in small sizes, and writes docs/documents.md and a page of HTML.

Usage: make_documents.py [--build build/release] [--markdown docs/documents.md] [--html build/documents/documents.html]
                         [--only NAME ...] [--full] [--resume]

A program that fails is named in both files, the others run all the same, and the exit code is then 1. --full runs the documents'
own sizes, which takes hours, and writes docs/documents_full.md; --resume takes over what an earlier call has finished. Results in full
size are kept in tools/documents/full, each with its machine and date, so that they may come from several machines."""
import argparse
import contextlib
import dataclasses
import datetime
import json
import os
import re
import signal
import subprocess
import sys
import time

import page
import plan

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class LocalWorker:
    """A worker of this machine's CPU, on a free port. Where it does not start, `why` says so and there is no address."""

    def __init__(self, build):
        self.address, self.why, self.process = "", "", None
        try:
            self.process = subprocess.Popen([os.path.join(build, "bin", "cornu"), "worker", "--listen", "127.0.0.1:0"],
                                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        except OSError as error:
            self.why = f"the worker cannot be started: {error}"
            return
        line = self.process.stdout.readline()
        port = re.search(r"listens on [^ ]*:(\d+)", line)
        if port is None:
            self.why = f"the worker did not start: {line.strip() or 'it said nothing'}"
        else:
            self.address = f"grpc://127.0.0.1:{port.group(1)}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process is None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def read_figures(path):
    """(failures, figures, texts) of a program's --results."""
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    figures = {each["name"]: page.Figure(each["value"], each["unit"], each["device"], each["kind"])
               for each in results["figures"]}
    return list(results["failures"]), figures, []


def read_cost(path):
    """The same of `cornu study cost --json`, for one level of instructions: forecasts of costs, and the conclusions."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    figures = {}
    for row in (row for table in report["tables"][1:3] for row in table["rows"]):
        name = f"{row['program']}_compiled_{row['machine']}"
        for column, what in (("time_to_reference", "time"), ("cost_to_reference", "cost"), ("spot_cost_to_reference", "spot_cost")):
            if row.get(column) is not None:
                figures[f"{name}_{what}"] = page.Figure(row[column], "", f"{row['machine']}, Amdahl's law", "predicted")
    # The prices are as old as the document: that is no failure.
    warnings = [warning for warning in report["warnings"] if not re.match(r'The prices "[^"]*" are of ', warning)]
    return warnings, figures, list(report["conclusions"])


def derived(figures):
    """Ratios that more than one figure of a program makes: by all threads, whatever their number."""
    added = {}
    for name in figures:
        found = re.fullmatch(r"(.*)_generic_(\d+)_threads?", name)
        if found is None:
            continue
        network, threads = found.group(1), int(found.group(2))
        suffix = f"_{threads}_thread" + ("s" if threads > 1 else "")
        compiled = figures.get(f"{network}_compiled{suffix}")
        if compiled is not None:
            added[f"{network}_compiled_to_generic"] = page.Figure(
                compiled.value / figures[name].value, "", compiled.device, compiled.kind)
        to_reference = figures.get(f"{network}_compiled{suffix}_to_reference")
        if to_reference is not None:
            added[f"{network}_compiled_to_reference"] = to_reference
    return added


READERS = {"figures": read_figures, "cost": read_cost}


def best_isa():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = set(next((line for line in file if line.startswith("flags")), "").split())
    return "avx512" if "avx512f" in flags else "avx2" if "avx2" in flags else "sse2"


def shown(program, arguments):
    """The command as the page shows it."""
    return " ".join([program, *arguments]).replace("{worker}", "grpc://127.0.0.1:PORT").replace("{isa}", best_isa())


def execute(run, build, folder, name, worker):
    """Result of one run; never throws for what the program does."""
    path = os.path.join(folder, f"{name}.json")
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)
    command = [os.path.join(build, "bin", run.program)]
    command += [each.replace("{isa}", best_isa()).replace("{worker}", worker) for each in run.arguments]
    begin = time.monotonic()
    failures, figures, texts = [], {}, []
    try:
        if run.reader == "figures":
            done = subprocess.run(command + ["--results", path], capture_output=True, text=True, timeout=run.limit_seconds)
        else:
            done = subprocess.run(command, capture_output=True, text=True, timeout=run.limit_seconds)
            with open(path, "w", encoding="utf-8") as file:
                file.write(done.stdout)
        with open(os.path.join(folder, f"{name}.log"), "w", encoding="utf-8") as file:
            file.write(done.stdout + done.stderr)
        unreadable = []
        try:
            failures, figures, texts = READERS[run.reader](path)
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            unreadable = [f"its results cannot be read: {error}"]
        if done.returncode != 0 and not failures:
            last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            failures.append(f"exit code {done.returncode}: {last}")
        failures += unreadable
    except subprocess.TimeoutExpired:
        failures.append(f"it took longer than {run.limit_seconds} s")
    except OSError as error:
        failures.append(f"it cannot be started: {error}")
    figures.update(derived(figures))
    # A worker is this machine here, whatever its port.
    for figure in figures.values():
        figure.device = figure.device.replace(worker, "a worker on this machine") if worker else figure.device
    return page.Result(shown(run.program, run.arguments), time.monotonic() - begin, failures, figures, texts)


def describe_machine(build):
    facts = []
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    facts.append(("processor", models[0] if models else "not known"))
    facts.append(("logical processors", str(len(os.sched_getaffinity(0)))))
    version = subprocess.run([os.path.join(build, "bin", "cornu"), "--version"], capture_output=True, text=True, check=False)
    facts.append(("version", version.stdout.strip()))
    facts.append(("date", datetime.date.today().isoformat()))
    return page.Machine(facts)


def write(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def kept_result(path, run):
    """What an earlier call has finished of this run, or None."""
    try:
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
        if kept.pop("arguments") != [run.program, *run.arguments]:
            return None
        kept["figures"] = {name: page.Figure(**figure) for name, figure in kept["figures"].items()}
        return page.Result(**kept)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep_result(path, run, result):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"arguments": [run.program, *run.arguments], **dataclasses.asdict(result)}, file, indent=1)
        file.write("\n")


def run_one(run, build, folder, name):
    if not any("{worker}" in each for each in run.arguments):
        return execute(run, build, folder, name, "")
    with LocalWorker(build) as worker:
        return (execute(run, build, folder, name, worker.address) if worker.address
                else page.Result(run.program, 0, [worker.why], {}))


def run_all(runs, build, folder, resume=False, kept_in=None, machine=""):
    """Results by name. `kept_in`: where finished ones are kept, `folder` if None; `machine`: the text that is kept with them."""
    for each in (folder, kept_in or folder):
        os.makedirs(each, exist_ok=True)
    results = {}
    for number, (name, run) in enumerate(runs.items(), 1):
        print(f"[{number}/{len(runs)}] {name}: {run.program} {' '.join(run.arguments)}", flush=True)
        kept = os.path.join(kept_in or folder, f"{name}.result.json")
        result = kept_result(kept, run) if resume else None
        if result is None:
            result = run_one(run, build, folder, name)
            for failure in result.failures:
                print(f"  failed: {failure}", flush=True)
            result.machine = machine
            if not result.failures:
                keep_result(kept, run, result)
        if run.full is not None:
            result.full_size = shown(run.program, run.full)
        results[name] = result
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--markdown", help="docs/documents.md, with --full docs/documents_full.md")
    parser.add_argument("--html", help="build/documents/documents.html, with --full build/documents/full/documents.html")
    parser.add_argument("--only", nargs="*", help="names of runs; the page then lacks the others")
    parser.add_argument("--full", action="store_true", help="the documents' own sizes: hours, those on this CPU two and a half")
    parser.add_argument("--resume", action="store_true", help="take over the results of runs that an earlier call has finished")
    arguments = parser.parse_args()
    markdown = arguments.markdown or os.path.join(ROOT, "docs", "documents_full.md" if arguments.full else "documents.md")
    html = arguments.html or os.path.join(ROOT, "build", "documents", *(["full"] if arguments.full else []), "documents.html")
    all_runs = plan.in_full_size(plan.runs()) if arguments.full else plan.in_small_size(plan.runs())
    runs = {name: run for name, run in all_runs.items() if not arguments.only or name in arguments.only}
    documents, machine = plan.documents(arguments.full), describe_machine(arguments.build)
    results = run_all(runs, arguments.build, os.path.dirname(html), arguments.resume,
                      os.path.join(ROOT, "tools", "documents", "full") if arguments.full else None,
                      machine.text())
    machine.facts.append(("all of it took", f"{sum(result.seconds for result in results.values()):.0f} s"))
    with open(os.path.join(ROOT, "cli", "study", "page.css"), encoding="utf-8") as file:
        style = file.read()
    write(markdown, page.to_markdown(documents, results, machine, arguments.full))
    write(html, page.to_html(documents, results, machine, style, arguments.full))
    wrong = page.complaints(documents, results)
    for complaint in wrong:
        print(f"not as it should be: {complaint}", file=sys.stderr)
    print(f"wrote {os.path.relpath(markdown)} and {os.path.relpath(html)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
