#!/usr/bin/env python3
"""Writes docs/guide/classes.md: the classes of cornu::keras by family, each with the first sentence that its header says of it.

    python3 tools/classes_page.py ROOT            writes the page
    python3 tools/classes_page.py ROOT --check    fails when the page is not what would be written, or a class has no sentence
"""

import pathlib
import re
import sys

PAGE = "docs/guide/classes.md"
# Folder of headers, with those below it or not; namespace; heading.
FAMILIES = [("losses", False, "losses", "Losses"), ("metrics", False, "metrics", "Metrics"), ("optimizers", False, "optimizers", "Optimizers"),
            ("optimizers/schedules", False, "optimizers::schedules", "Schedules of the learning rate"), ("initializers", False, "initializers", "Initializers"),
            ("regularizers", False, "regularizers", "Regularizers"), ("constraints", False, "constraints", "Constraints"),
            ("callbacks", True, "callbacks", "Callbacks")]
LAYERS = {"rnn": "Recurrent"}  # headings of families of layers that are not called as their folder
# What users make derives from one of these; those that stand here as classes of their own are bases.
BASES = {"LayerHandle", "LoraHandle", "Recurrent", "Cell", "KerasTensor", "LossHandle", "MetricHandle", "OptimizerHandle", "LearningRateScheduleHandle",
         "InitializerHandle", "RegularizerHandle", "ConstraintHandle", "Callback", "MonitorCallback"}
CLASS = re.compile(r"((?:^///.*\n)*)^class (\w+)(?: final)? : public ([\w<>]+)[^{]*\{", re.MULTILINE)
ALIAS = re.compile(r"^using (\w+) = (\w+);", re.MULTILINE)
SECTION = re.compile(r"^[A-Z][a-z]+:( |$)")
ACTIVATION = re.compile(r'NamedActivation\{"(\w+)"')
# Of Keras 3.15: classes and functions that Cornu does not have, and what serves in their place, if anything does. The page may not name one that is there.
NOT_THERE = [
    ("Metrics", "IoU MeanIoU BinaryIoU OneHotIoU OneHotMeanIoU", "a [metric of your own](own_parts.md) with a confusion matrix as its variable"),
    ("", "PearsonCorrelation ConcordanceCorrelation", "a metric of your own with the sums as variables; `R2Score` exists"),
    ("Losses", "Dice Tversky Circle", "any function of `(y_true, y_pred)` as `.loss`"),
    ("", "CTC", "nothing"),
    ("Optimizers", "Adafactor Muon ScheduleFreeAdamW", "an [optimizer of your own](own_parts.md#an-optimizer)"),
    ("", "MultiOptimizer", "a [step of your own](own_training_step.md) that applies several optimizers"),
    ("Layers", "AdaptiveAveragePooling1D AdaptiveAveragePooling2D AdaptiveAveragePooling3D AdaptiveMaxPooling1D AdaptiveMaxPooling2D AdaptiveMaxPooling3D",
     "pooling whose windows divide the input; global pooling layers such as `GlobalAveragePooling1D` for an output of one position"),
    ("", "ConvLSTM1D ConvLSTM2D ConvLSTM3D", "a [cell of your own](recurrent_layers.md#cells) in `RNN`, which reshapes its states from rows of features"),
    ("", "SpectralNormalization ReversibleEmbedding", "a [layer of your own](functional_models.md#layers-and-models-as-classes)"),
    ("", "MelSpectrogram STFTSpectrogram", "nothing"),
    ("", "Pipeline", "`Sequential`, or `.map` after `.map` of a [data set](datasets.md)"),
    ("", "MixUp CutMix RandAugment AugMix AutoContrast Equalization ContrastLimitedAdaptiveHistogramEqualization Solarization RandomColorDegeneration "
         "RandomColorJitter RandomElasticTransform RandomErasing RandomGaussianBlur RandomGrayscale RandomHue RandomInvert RandomPerspective "
         "RandomPosterization RandomSaturation RandomSharpness RandomShear",
     "`ops` and `random` in a `.map` of a data set; `RandomFlip`, `RandomRotation`, `RandomZoom` and others [exist](#preprocessing)"),
    ("", "MaxNumBoundingBoxes", "nothing"),
    ("", "FlaxLayer JaxLayer TFSMLayer TorchModuleWrapper", "nothing: they run Python"),
    ("Initializers", "STFT", "`Constant` with a tensor, or a function of `(shape, dtype)`"),
    ("Callbacks", "OrbaxCheckpoint RemoteMonitor", "`ModelCheckpoint`, `BackupAndRestore`; a [callback of your own](own_parts.md)"),
    ("Functions of `utils`", "normalize", "`ops::normalize(x)`, or the layer `UnitNormalization`"),
    ("", "split_dataset", "`take` and `skip` of a data set, `rows` of a tensor"),
    ("", "FeatureSpace", "the layers of [preprocessing](datasets.md#preprocessing) in a functional model"),
]


def first_sentence(comment):
    """Of a `///` comment what stands before its first section (`Shapes:`, `Errors:`), up to the first full stop; empty where there is none."""
    words = []
    for line in comment.splitlines():
        text = line.removeprefix("///").strip()
        if not text or SECTION.match(text):
            break
        words += text.split()
    text = re.split(r" Errors: | Shapes: ", " ".join(words))[0]
    found = re.match(r"(.*?[^\s.]\.)(?= |$)", text)
    if found:
        return found.group(1)
    return text.rstrip(":") + "." if text else ""


def classes_of(header):
    """(name, names of the same class, sentence) in the order of the header; a class without a comment shares that of its relative in 1D."""
    text = header.read_text()
    aliases = {}
    for alias, name in ALIAS.findall(text):
        aliases.setdefault(name, []).append(alias)
    found = []
    for comment, name, base in CLASS.findall(text):
        if base not in BASES or name in BASES:
            continue
        sentence = first_sentence(comment)
        if not sentence and found and re.sub(r"\d", "", name) == re.sub(r"\d", "", found[-1][0][-1]):
            found[-1][0].append(name)
            found[-1][1].extend(aliases.get(name, []))
        else:
            found.append(([name], aliases.get(name, []), sentence))
    return found


def table(headers, namespace, missing):
    """The rows of a family, and how many classes they have. Headers `*_support.h` are not for users."""
    lines = ["| class | |", "| --- | --- |"]
    count = 0
    for header in sorted(header for header in headers if not header.name.endswith("_support.h")):
        for names, aliases, sentence in classes_of(header):
            count += len(names)
            if not sentence:
                missing.append(f"{namespace}::{names[0]}")
            also = ", also " + ", ".join(f"`{alias}`" for alias in aliases) if aliases else ""
            lines.append(f"| {', '.join(f'`{name}`' for name in names)}{also} | {sentence.replace('|', chr(92) + '|')} |")
    return lines + [""], count


def page(root):
    keras, missing = root / "cornu/keras", []
    lines = ["# Classes", "",
             "Generated by `tools/classes_page.py`: the classes of each family in `cornu/keras/keras.h`, with the first sentence of their headers. The headers have options, shapes and errors;",
             "names, arguments and defaults are Keras's. Where Keras takes a name (`.loss = \"mse\"`, `.activation = \"relu\"`), Cornu takes a name or an object:",
             "`.loss = losses::MeanSquaredError()`. [Operations](ops.md) lists the functions of tensors.", ""]
    parts, total = [], 0
    for folder in sorted(path for path in (keras / "layers").iterdir() if path.is_dir()):
        rows, count = table(folder.glob("*.h"), "layers", missing)
        if count > 0:
            parts += [f"### {LAYERS.get(folder.name, folder.name.capitalize())}", ""] + rows
            total += count
    lines += [f"## Layers ({total})", "", "In `cornu::keras::layers`, by the folders of their headers.", ""] + parts
    for folder, is_deep, namespace, title in FAMILIES:
        headers = (keras / folder).rglob("*.h") if is_deep else (keras / folder).glob("*.h")
        rows, count = table(headers, namespace, missing)
        lines += [f"## {title} ({count})", "", f"In `cornu::keras::{namespace}`.", ""] + rows
    activations = ACTIVATION.findall((keras / "activations/activations.cc").read_text())
    lines += [f"## Activations ({len(activations)})", "", "Names for `.activation`; most are also functions of `cornu::keras::activations`:",
              ", ".join(f"`{name}`" for name in sorted(activations)) + ".", ""]
    text = "\n".join(lines)
    for _, names, _ in NOT_THERE:
        missing += [f"{name} (NOT_THERE names it, and it is there)" for name in names.split() if f"| `{name}`" in text]
    return text + "\n" + not_there(), missing


def not_there():
    lines = ["## Missing classes", "", "Classes and functions of Keras 3.15 that Cornu does not have, and what to use in their place.", "", "| family | of Keras | in its place |", "| --- | --- | --- |"]
    for family, names, instead in NOT_THERE:
        lines.append(f"| {family} | {', '.join(f'`{name}`' for name in names.split())} | {instead} |")
    return "\n".join(lines + [""])


def main():
    root = pathlib.Path(sys.argv[1])
    text, missing = page(root)
    path = root / PAGE
    if "--check" not in sys.argv:
        path.write_text(text)
        return 0
    if missing:
        print("no sentence above the class in its header:", ", ".join(missing))
    if not path.exists() or path.read_text() != text:
        print(f"{PAGE} is not up to date: python3 tools/classes_page.py .")
        return 1
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
