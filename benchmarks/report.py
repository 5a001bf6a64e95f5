"""The tables of compare.py, from the entries that runs.Results.entries() gives."""
import math
import statistics


def summarize(rows):
    return {
        "ms_min": min(row["ms_min"] for row in rows),
        "ms_median": statistics.median(row["ms_step"] for row in rows),
        "startup_s": min(row["startup_s"] for row in rows),
        "rss_mb": max(row["rss_mb"] for row in rows),
        "runs": len(rows),
        "steps": min(row.get("steps", 0) for row in rows),
    }


def by_pair(entries):
    """{(workload, K): {who: entry}}, Cornu first."""
    pairs = {}
    for entry in entries:
        pairs.setdefault((entry["workload"], entry["spe"]), {})[entry["who"]] = entry
    return {key: dict(sorted(pair.items(), key=lambda item: item[0] != "cornu")) for key, pair in pairs.items()}


def best_peer(pair):
    """(who, ms_min) of the fastest peer that has figures; None: there is none."""
    times = [(entry["summary"]["ms_min"], who) for who, entry in pair.items() if who != "cornu" and "summary" in entry]
    return min(times)[::-1] if times else None


def machine_limits(limits):
    """The best that the runs of cornu bench limit saw: (GFLOP/s, GB/s); None without them."""
    if not limits:
        return None
    return max(row["fma_gflops"] for row in limits), max(row["triad_gb_s"] for row in limits)


def floor_ms(pair, limits):
    """(milliseconds, what bounds it) that the limits allow Cornu's step: its products' operations at the rate of multiply-adds, or its
    state read and written once, whichever takes longer. None where either is not known."""
    runs = pair["cornu"]["runs"] if "cornu" in pair else []
    if limits is None or not runs or "gflop" not in runs[-1]:
        return None
    gflops, gb_s = limits
    operations, traffic = runs[-1]["gflop"] / gflops * 1e3, 2 * runs[-1]["state_mb"] / gb_s
    return (operations, "multiply-adds") if operations >= traffic else (traffic, "bandwidth")


def number(value, digits=4):
    """About `digits` significant digits, never in scientific notation."""
    decimals = digits - 1 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:.{max(0, decimals)}f}"


def notes_of(entry, rounds):
    notes = []
    if "failed" in entry:
        notes.append("failed: " + entry["failed"])
    runs = entry.get("summary", {}).get("runs", 0)
    if 0 < runs < rounds:
        notes.append(f"{runs} of {rounds} rounds" + (", slow" if "capped" in entry else ""))
    if runs and 0 < entry["summary"]["steps"] <= entry["spe"]:
        notes.append("one execution measured")
    return "; ".join(notes)


def print_table(header, rows):
    table = [header, *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]
    for index, row in enumerate(table):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
        if index == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def print_limits(limits):
    for name, row in zip(("start", "end"), (limits[:1] + limits[-1:]) if len(limits) > 1 else limits):
        print(f"The machine at the {name}: {row['fma_gflops']:.0f} GFLOP/s of multiply-adds ({row['fma_gflops_one_thread']:.0f} on one thread), "
              f"{row['triad_gb_s']:.0f} GB/s ({row['triad_gb_s_one_thread']:.0f} on one), {row['threads']} threads, {row['isa']}.")


def print_all(entries, limits, rounds):
    """The limits; a line a workload with its best peer and its floor; all figures."""
    pairs = by_pair(entries)
    best_limits = machine_limits(limits)
    print_limits(limits)
    print()
    rows = []
    for (workload, spe), pair in pairs.items():
        if "summary" not in pair.get("cornu", {}):
            rows.append((workload, str(spe), "", "", "", "", "", "", pair.get("cornu", {}).get("failed", "not run")))
            continue
        own = pair["cornu"]["summary"]["ms_min"]
        best, floor = best_peer(pair), floor_ms(pair, best_limits)
        rows.append((workload, str(spe), number(own), best[0] if best else "", number(best[1]) if best else "", f"{best[1] / own:.2f}" if best else "",
                     number(floor[0]) if floor else "", floor[1] if floor else "", f"{100 * floor[0] / own:.0f} %" if floor else ""))
    print_table(("workload", "K", "Cornu, ms", "best peer", "its ms", "ratio", "floor, ms", "bound by", "floor / Cornu"), rows)
    print()
    rows = []
    for (workload, spe), pair in pairs.items():
        own = pair.get("cornu", {}).get("summary")
        for who, entry in pair.items():
            figures = entry.get("summary")
            cells = [workload, str(spe), who]
            if figures is None:
                cells += [""] * 6
            else:
                cells += [number(figures["ms_min"]), number(figures["ms_median"]), f"{figures['startup_s']:.3f}", str(figures["rss_mb"]),
                          f"{figures['ms_min'] / own['ms_min']:.2f}" if own else "", f"{figures['ms_median'] / own['ms_median']:.2f}" if own else ""]
            rows.append((*cells, notes_of(entry, rounds)))
    print_table(("workload", "K", "who", "ms_min", "ms_median", "startup_s", "rss_mb", "ratio_min", "ratio_median", "notes"), rows)
