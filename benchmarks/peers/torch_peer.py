"""PyTorch: a plain training loop, convolutions channels-last as PyTorch advises; with --compile model and loss by torch.compile. On a GPU where
there is one (CUDA_VISIBLE_DEVICES= hides it), with the rows kept there and products in TF32, as JAX computes there by default. It has no steps
per execution; --spe is taken and changes nothing. --check compares instead a network of the family, with the weights and rows of formula.py,
with real Keras's loss in tests/goldens/workloads.json."""
import functools
import json
import pathlib
import sys
import time

started = time.perf_counter()
import torch
from torch import nn

import common
import formula
import torch_applications
import torch_family

imported = time.perf_counter()


class MeanOfSteps(nn.Module):
    def forward(self, x):
        return x.mean(1)


class LastState(nn.Module):
    """The last output of an LSTM layer, of both directions side by side."""

    def __init__(self, inputs, units, both):
        super().__init__()
        self.lstm = nn.LSTM(inputs, units, batch_first=True, bidirectional=both)

    def forward(self, x):
        _, (states, _) = self.lstm(x)
        return torch.cat(list(states), 1)


def make_layer(kind, arguments, shape, workload):
    """The modules of a layer, and the shape of a row after it (channels first for pictures)."""
    if kind == "dense":
        units, activation = arguments
        return [nn.Linear(shape[0], units)] + ([nn.ReLU()] if activation == "relu" else []), (units,)
    if kind == "conv":
        filters, padding = arguments
        edge = 1 if padding == "same" else 0
        size = [extent - 2 + 2 * edge for extent in shape[1:]]
        return [nn.Conv2d(shape[0], filters, 3, padding=edge), nn.ReLU()], (filters, *size)
    if kind == "pool":
        return [nn.MaxPool2d(2)], (shape[0], shape[1] // 2, shape[2] // 2)
    if kind == "flatten":
        return [nn.Flatten()], (shape[0] * shape[1] * shape[2],)
    if kind == "dropout":
        return [nn.Dropout(arguments[0])], shape
    if kind == "embedding":
        return [nn.Embedding(workload["inputs"][0][1], arguments[0])], (shape[0], arguments[0])
    if kind == "mean":
        return [MeanOfSteps()], (shape[1],)
    both = kind == "bilstm"
    return [LastState(shape[1], arguments[0], both)], (arguments[0] * (2 if both else 1),)


def make_model(name):
    workload = common.facts(name)
    if name in common.APPLICATIONS:
        return torch_applications.make(name)
    if workload["layers"] is None:
        return torch_family.make(name)
    shape, _ = workload["inputs"][0]
    shape = (shape[2], shape[0], shape[1]) if len(shape) == 3 else shape
    modules = []
    for kind, *arguments in workload["layers"]:
        layer, shape = make_layer(kind, arguments, shape, workload)
        modules += layer
    return nn.Sequential(*modules)


def log_cosh(logits, y):
    difference = torch.softmax(logits, -1) - y[:, None].float()
    return (difference + nn.functional.softplus(-2 * difference) - 0.6931471805599453).mean()


def class_loss(logits, y):
    """Of a class a row, a step or a pixel."""
    return nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten()) if logits.ndim == 3 else nn.functional.cross_entropy(logits, y)


def make_loss(workload, model):
    """Of what the model gives, and the labels."""
    if workload["loss"] == "log_cosh":
        return log_cosh
    if workload["classes"] == 0:
        return lambda logits, y: nn.functional.binary_cross_entropy_with_logits(logits, y)
    if workload["classes"] == 1:
        return lambda logits, y: nn.functional.binary_cross_entropy_with_logits(logits[:, 0], y)
    if not workload["l2"]:
        return class_loss
    kernels = [parameter for parameter in model.parameters() if parameter.ndim > 1]
    return lambda logits, y: class_loss(logits, y) + workload["l2"] * sum((kernel * kernel).sum() for kernel in kernels)


def with_added(loss):
    """The loss of outputs that may come with what is to be added to it."""
    return lambda outputs, y: loss(outputs[0], y) + outputs[1] if isinstance(outputs, tuple) else loss(outputs, y)


def make_tensors(xs, y):
    """As PyTorch wants them: pictures with their channels first, in memory last; ids as 64-bit integers."""
    def tensor(array):
        values = torch.from_numpy(array)
        if values.ndim == 4:
            return values.permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)
        return values if values.is_floating_point() else values.long()
    return [tensor(x) for x in xs], tensor(y)


def make_optimizer(workload, model):
    name, rate = workload["optimizer"]
    optimizers = {"adam": functools.partial(torch.optim.Adam, fused=True), "adamw": functools.partial(torch.optim.AdamW, fused=True, weight_decay=0.004),
                  "sgd": torch.optim.SGD,
                  "momentum": functools.partial(torch.optim.SGD, momentum=0.9, fused=True), "rmsprop": torch.optim.RMSprop,
                  "adadelta": torch.optim.Adadelta}
    return optimizers[name](model.parameters(), rate)


def check(name):
    """Ends with 1 where the loss is another than Keras's."""
    workload = common.facts(name)
    model = make_model(name).eval()
    setters = torch_family.keras_weights(model)
    with torch.no_grad():
        for (_, _, put), value in zip(setters, formula.weights([(weight, shape) for weight, shape, _ in setters])):
            put(torch.from_numpy(value))
        xs, y = make_tensors(*formula.data(workload))
        loss = with_added(make_loss(workload, model))(model(*xs), y).item()
    path = pathlib.Path(__file__).resolve().parents[2] / "tests" / "goldens" / "workloads.json"
    golden = next(case for case in json.loads(path.read_text())["cases"] if case["workload"] == name)
    difference = abs(loss - golden["loss"]) / abs(golden["loss"])
    print(f"{name}: loss {loss:.7g}, Keras's {golden['loss']:.7g}, relative difference {difference:.1e}")
    sys.exit(0 if difference < 1e-5 else 1)


def main():
    options = common.arguments(__doc__, common.NETWORKS, compile="by torch.compile", check="compare the loss with Keras's")
    if options.check:
        check(options.workload)
    workload = common.facts(options.workload)
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    xs, y = make_tensors(*common.make_data(workload))
    xs, y = [x.to(device) for x in xs], y.to(device)
    model = make_model(options.workload).train().to(device)
    if any(x.ndim == 4 for x in xs):
        model = model.to(memory_format=torch.channels_last)
    optimizer = make_optimizer(workload, model)
    loss_of_outputs = with_added(make_loss(workload, model))
    batches = common.index_batches(workload["rows"], workload["batch"])

    def loss(inputs, labels):
        return loss_of_outputs(model(*inputs), labels)

    if options.compile:
        loss = torch.compile(loss)

    def run_steps(count):
        for _ in range(count):
            rows = torch.from_numpy(next(batches)).long().to(device)
            optimizer.zero_grad(set_to_none=True)
            loss([x[rows] for x in xs], y[rows]).backward()
            optimizer.step()
        if device.type == "cuda":
            torch.cuda.synchronize()

    common.measure(run_steps, options, started, imported, peer="torch-compile" if options.compile else "torch", version=torch.__version__,
                   params=sum(parameter.numel() for parameter in model.parameters()))


if __name__ == "__main__":
    main()
