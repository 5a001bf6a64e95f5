"""What the four documents say, which runs stand beside it, and in which sizes they run."""
import dataclasses
import os

from page import Document, Row

TPU = "sim:colab-tpu-node,clock=virtual"
TPU_AS_CALLED_THEN = "sim:colab-tpu-node,rows=sent,clock=virtual"
# Nothing is computed where only times are read: they are the same.
TIMES_ONLY = ",results=zeros"
# So much memory for rows that 500 steps are one launch, as they were there.
TPU_FOR_STEPS = "sim:colab-tpu-node,rows=sent,max_launch_bytes=4e9,clock=virtual" + TIMES_ONLY
CALLER = "sim:colab-tensorflow-cpu,clock=virtual"
K80 = "sim:k80,clock=virtual" + TIMES_ONLY
NETWORKS = ("mnist_mlp", "mnist_cnn", "cifar10_cnn", "imdb_fasttext", "imdb_bidirectional_lstm", "lstm_text_generation")
# MNIST's format and sizes, where Debian's package dataset-fashion-mnist is installed.
REAL_IMAGES = "/usr/share/datasets/fashion-mnist"
# The trainings of the guide, each of which runs by itself: in full size it takes half an hour.
GUIDE_PARTS = ("fit", "fit_many_steps_an_execution", "loop", "many_steps_a_call")
# As `cornu bench` calls them.
WORKLOADS = {"imdb_bidirectional_lstm": "imdb_bilstm", "lstm_text_generation": "lstm_textgen"}


@dataclasses.dataclass
class Run:
    """A program with its arguments. `reader`: "figures" of a file that --results names, or "cost": the JSON of a study.
    {worker} in an argument is the address of a worker that lends this machine's CPU, {isa} the best level of instructions here.
    `arguments`: None where it is run in the document's own size only. `full`: the arguments of that size, where `arguments` make it smaller."""
    program: str
    arguments: tuple | None
    reader: str = "figures"
    limit_seconds: int = 600
    full: tuple | None = None


def real_images():
    return ("--data", REAL_IMAGES) if os.path.isdir(REAL_IMAGES) else ()


def runs():
    """Runs by name, with their arguments in both sizes."""
    iris, grid, guide_program = "document_iris_on_tpu", "document_steps_per_execution", "document_tpu_guide"
    cost_of_all = ("study", "cost", "--prices", "gcp-2017-07", "--isa", "{isa}", "--workloads",
                   ",".join(WORKLOADS.get(name, name) for name in NETWORKS), "--json")
    now, then = ("--tpu", "sim:tpu_8_cores,clock=virtual" + TIMES_ONLY), ("--tpu", TPU_AS_CALLED_THEN + TIMES_ONLY)
    all_runs = {
        "iris-then": Run(iris, ("--device", TPU_AS_CALLED_THEN, "--process", CALLER)),
        "iris-own": Run(iris, ("--device", TPU, "--way", "own")),
        "iris-cpu": Run(iris, ()),
        "iris-worker": Run(iris, ("--device", "{worker}", "--way", "own")),
        "cloud": Run("document_cloud_cpus", ("--steps", "10", "--device", K80), full=("--device", K80)),
        "cost": Run("cornu", cost_of_all + ("--seconds", "0.1"), "cost", full=cost_of_all),
    }
    for run, device in (("guide", now), ("guide-then", then)):
        for part in GUIDE_PARTS:
            all_runs[f"{run}-{part}"] = Run(guide_program, device + ("--part", part) + real_images())
    for network, batch, steps in (("2m", "32", "64"), ("10m", "32", "32"), ("2m", "256", None), ("10m", "256", None)):
        case = ("--network", network, "--batch", batch)
        once = ("--repeats", "1")
        all_runs[f"steps-{network}-{batch}"] = Run(grid, case + once + ("--device", TPU_FOR_STEPS))
        # Few steps of large batches say nothing of 1,000: their times differ by more than what is looked for.
        few = None if steps is None else case + ("--steps", steps, "--repeats", "3")
        all_runs[f"steps-cpu-{network}-{batch}"] = Run(grid, few, full=case + once)
    return all_runs


def in_small_size(both):
    """The runs that have a small size."""
    return {name: run for name, run in both.items() if run.arguments is not None}


def in_full_size(both):
    """The same runs with the documents' own sizes, which take hours."""
    return {name: dataclasses.replace(run, arguments=run.arguments if run.full is None else run.full, full=None,
                                      limit_seconds=12 * 3600) for name, run in both.items()}


NO_FIGURE = "the document has no figure"
ONLY_TIMES = "The simulated devices only keep time (results=zeros), to the same times as if they computed."
OWN_WAY = "the rows stay on the device, so that no pass over them needs a set-up"


def question():
    then = "iris-then"

    def together(program):
        return (then, f"{program}_together")

    a, b, c = "a_arrays_two_steps_an_epoch", "b_twenty_short_epochs", "c_one_long_epoch"
    return Document(
        "Why is the CPU faster than the TPU?",
        "A question and its answer: the Iris classifier on a notebook's TPU and on its CPU. The program is "
        "examples/documents/iris_on_tpu.cc.",
        [
            Row("A: arrays, two steps an epoch, 20 epochs, as TensorFlow called the TPU", "no figure", together(a), why=NO_FIGURE),
            Row("B: data set, 20 short epochs, as TensorFlow called the TPU", "about 30 s", together(b), 30, fitted=True),
            Row("C: the rows 20 times in one long epoch, as TensorFlow called the TPU", "about 6 s", together(c), 6, fitted=True),
            Row("B in TensorFlow on the CPU", "about 1.3 s", (then, f"{b}_in_the_process"), 1.3, fitted=True),
            Row("short epochs to one long epoch", "30 / 6 = 5", together(b), 5, together(c), fitted=True),
            Row("short epochs to the CPU", "30 / 1.3 = 23", together(b), 30 / 1.3, (then, f"{b}_in_the_process"), fitted=True),
            Row("A by Cornu's own way of calling", "no figure", ("iris-own", a), why=NO_FIGURE),
            Row("B by Cornu's own way of calling", "about 30 s", ("iris-own", b), 30, why=OWN_WAY),
            Row("C by Cornu's own way of calling", "about 6 s", ("iris-own", c), 6, why=OWN_WAY),
            Row("B with arrays, by Cornu's own way of calling", "about 30 s", ("iris-own", "b_with_arrays"), 30, why=OWN_WAY),
            Row("B on this machine's CPU, one step an execution", "about 1.3 s", ("iris-cpu", b), 1.3,
                why="a step of Cornu takes microseconds, one of TensorFlow about a millisecond"),
            Row("C on this machine's CPU, one step an execution", "no figure", ("iris-cpu", c), why=NO_FIGURE),
            Row("B on a worker in another process", "no figure", ("iris-worker", b), why=NO_FIGURE),
        ],
        "TensorFlow's way of calling explains it: {1} with short epochs and {2} with one long epoch on a simulated TPU, {3} on the CPU. "
        "Called as Cornu calls, the same TPU takes {7}, and this machine's CPU {10}.",
        notes=(
            "B makes 180 steps in 40 passes over data, C 108 steps in 2: the cost is that of the passes (0.6 s each) and, "
            "once in both, of two programs, not of the steps. Rows that stay on the device need no pass; with them and several "
            "steps an execution only compiling is left. docs/guide/devices.md has the sums.",))


def cost():
    rows = []
    many = float("inf")
    findings = {
        "mnist_mlp": ("GPU fastest; compiled much better at 8 and 16 vCPU", (1, many)),
        "mnist_cnn": ("GPU more than twice as fast as any CPU", (2, many)),
        "cifar10_cnn": ("all CPUs better when compiled", None),
        "imdb_fasttext": ("GPU much faster", (2, many)),
        "imdb_bidirectional_lstm": ("the GPU takes twice as long as the CPUs", (0.4, 0.6)),
        "lstm_text_generation": ("like the others, a smaller gap", None),
    }
    for network in NETWORKS:
        rows.append(Row(f"{network}: time compiled to generic, all threads of this machine",
                        "compiling gives 30 to 40 %: 0.6 to 0.7", ("cloud", f"{network}_compiled_to_generic"), bounds=(0.6, 0.7),
                        why="this engine gains more from wide vectors than the study's TensorFlow"))
        says, bounds = findings[network]
        rows.append(Row(f"{network}: time on this machine, compiled, all threads (K80 = 1)", says,
                        ("cloud", f"{network}_compiled_to_reference"), bounds=bounds,
                        why="the study had 8 to 64 processors and another engine" if bounds else "the finding is not about this figure"))
        study = f"{WORKLOADS.get(network, network)}_compiled_"
        for machine, says, other in (("highcpu-16", "16 vCPU compiled: best value", "highcpu-8"),
                                     ("highcpu-64", "64 vCPU never pay", "highcpu-32")):
            rows.append(Row(f"{network}: cost on {machine} as a spot machine, compiled (K80 = 1)", "a bar without a number",
                            ("cost", f"{study}{machine}_spot_cost"), why="the document shows a bar without a number"))
            best = machine == "highcpu-16"
            rows.append(Row(f"{network}: the same, in proportion to {other}", says, ("cost", f"{study}{machine}_spot_cost"),
                            over=("cost", f"{study}{other}_spot_cost"), bounds=(0, 1) if best else (1, many),
                            why="by the law of threads half of the processors always cost less" if best else ""))
    return Document(
        "TensorFlow on cloud CPUs or a cloud GPU",
        "A study of 2017: six examples of Keras on a K80 and on 8 to 64 virtual processors, with TensorFlow from pip and "
        "compiled for the processor; time and cost with the GPU as 1. The programs are in examples/documents/cloud_cpus.cc; "
        "`cornu study cost` extends their times to other machines and to prices of 2017.",
        rows,
        "Few processors are the best value, as the study found: on a spot machine with 16 processors mnist_mlp costs {2} times as much as on "
        "a K80, with 64 processors {4} times as much (predicted). Compiling saves more here than the study's 30 to 40 %: it reduces the "
        "time of mnist_mlp to {0} times, that of imdb_fasttext to {18} times the time before.",
        sentences=("cost",),
        notes=("The K80 is a profile of peak rates, so a real one is slower than the simulated one, and the CPUs look the "
               "worse for it. Times for 8 to 64 processors follow from Amdahl's law, which the processors of this machine "
               "decide: with two the error is not known.",))


def guide():
    rows = [Row("replicas, a core each", "8", ("guide-fit", "num_replicas"), 8)]
    for run, what in (("guide", "eight cores over a network"), ("guide-then", "the notebook's TPU, rows sent")):
        one, many, loop, steps = ((f"{run}-{part}", f"{part}_step") for part in GUIDE_PARTS)
        rows += [
            Row(f"fit, one step an execution, a step ({what})", "no figure", one, why=NO_FIGURE),
            Row(f"fit, many steps an execution, a step ({what})", "no figure", many, why=NO_FIGURE),
            Row(f"throughput of many steps an execution ({what})", "about 50 % more", one, 1.5, over=many,
                why="this profile has a round trip to each core in each call" if run == "guide" else "most of a step is the sending of its rows"),
            Row(f"a custom loop, a step ({what})", "no figure", loop, why=NO_FIGURE),
            Row(f"many steps inside a function, a step ({what})", "no figure", steps, why=NO_FIGURE),
            Row(f"throughput of many steps a call ({what})", "no figure", loop, over=steps, why=NO_FIGURE),
        ]
    return Document(
        "TensorFlow's guide to TPUs",
        "Initialization, manual placement, strategies, fit, fit with many steps an execution, a custom training loop, "
        "many steps inside a function. The program is in examples/documents/tpu_guide.cc; docs/guide/accelerators.md "
        "explains it.",
        rows,
        "Many steps an execution are {3} times as fast on eight simulated cores over a network and {9} times on the notebook's simulated "
        "TPU; the guide says about 1.5 times.",
        notes=(f"In the guide's sizes, with {'Fashion-MNIST, as Debian ships it' if real_images() else 'made digits'}. " + ONLY_TIMES,
               "A profile charges a pass over data when fit begins one, but not a custom loop that passes batches to a function: "
               "on the notebook's TPU such loops look better than they were.",))


def steps(full):
    on_cpu = "share" if full else "1000_steps_share"
    rows = []
    for network, batch, seconds, share in (("2m", "32", 13.5, 91.2), ("10m", "32", 17.7, 84.2), ("2m", "256", 18.0, 83.7),
                                           ("10m", "256", 33.9, 94.1)):
        run, name = f"steps-{network}-{batch}", f"{network}_b{batch}"
        label = f"{'2,187,434' if network == '2m' else '10,165,578'} parameters, batch {batch}"
        rows.append(Row(f"{label}: 1,000 steps at 500 an execution", f"{seconds} s", (run, f"{name}_fit_k500"), seconds, fitted=network == "2m",
                        why="the profile has the chip's peak rate, at which this network's computation hardly shows"))
        rows.append(Row(f"{label}: share of the time left unset", f"{share} %", (run, f"{name}_share_k500"), share, fitted=True))
        rows.append(Row(f"{label}: share at 20 an execution", "more than 100 %", (run, f"{name}_share_k20"), bounds=(100, float("inf")),
                        why="here a call costs more than the rows that fill up the last execution"))
        if full or batch == "32":
            rows.append(Row(f"{label}: share at 500 an execution on this machine's CPU", "GPUs: no gain",
                            (f"steps-cpu-{network}-{batch}", f"{name}_{on_cpu}_k500"), 100,
                            why="the machine was not quiet: repeats of one setting differ by as much"))
    return Document(
        "experimental_steps_per_execution, measured",
        "A study of 2020 on a notebook's TPU: two networks for CIFAR-10, 1,000 steps. The program is "
        "examples/documents/steps_per_execution.cc.",
        rows,
        "At 500 steps an execution, batches of 32 take {1} and {5} of the time left unset on the simulated TPU (the study: 91.2 % and "
        "84.2 %), and {7} on this machine's CPU with 10,165,578 parameters.",
        notes=(ONLY_TIMES,) + (() if full else
                               ("On this machine's CPU fits of 64 and of 32 steps are timed; 1,000 steps are predicted from the cost "
                                "of a fit, an execution and a step in them.",)))


def documents(full=False):
    return [question(), cost(), guide(), steps(full)]
