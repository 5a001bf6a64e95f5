"""PyTorch on the CPU: a plain training loop, convolutions channels-last as PyTorch advises for CPUs. It has no steps per execution; --spe is
taken and changes nothing."""
import functools
import time

started = time.perf_counter()
import torch
from torch import nn

import common

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
        return [nn.Embedding(workload["ids"], arguments[0])], (shape[0], arguments[0])
    if kind == "mean":
        return [MeanOfSteps()], (shape[1],)
    both = kind == "bilstm"
    return [LastState(shape[1], arguments[0], both)], (arguments[0] * (2 if both else 1),)


def make_model(workload):
    shape = workload["shape"]
    shape = (shape[2], shape[0], shape[1]) if len(shape) == 3 else shape
    modules = []
    for kind, *arguments in workload["layers"]:
        layer, shape = make_layer(kind, arguments, shape, workload)
        modules += layer
    return nn.Sequential(*modules)


def log_cosh(logits, y):
    difference = torch.softmax(logits, -1) - y[:, None].float()
    return (difference + nn.functional.softplus(-2 * difference) - 0.6931471805599453).mean()


def make_loss(workload, model):
    if workload["loss"] == "log_cosh":
        return log_cosh
    if workload["classes"] == 1:
        return lambda logits, y: nn.functional.binary_cross_entropy_with_logits(logits[:, 0], y)
    if not workload["l2"]:
        return nn.functional.cross_entropy
    kernels = [parameter for parameter in model.parameters() if parameter.ndim > 1]
    return lambda logits, y: nn.functional.cross_entropy(logits, y) + workload["l2"] * sum((kernel * kernel).sum() for kernel in kernels)


def main():
    options = common.arguments(__doc__)
    workload = common.WORKLOADS[options.workload]
    torch.manual_seed(0)
    x, y = (torch.from_numpy(array) for array in common.make_data(workload))
    model = make_model(workload).train()
    if x.ndim == 4:
        x = x.permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)
        model = model.to(memory_format=torch.channels_last)
    x, y = x.long() if workload["ids"] else x, y if workload["classes"] == 1 else y.long()
    name, rate = workload["optimizer"]
    optimizers = {"adam": functools.partial(torch.optim.Adam, fused=True), "rmsprop": torch.optim.RMSprop, "adadelta": torch.optim.Adadelta}
    optimizer = optimizers[name](model.parameters(), rate)
    loss = make_loss(workload, model)
    batches = common.index_batches(workload["rows"], workload["batch"])

    def run_steps(count):
        for _ in range(count):
            rows = torch.from_numpy(next(batches)).long()
            optimizer.zero_grad(set_to_none=True)
            loss(model(x[rows]), y[rows]).backward()
            optimizer.step()

    common.measure(run_steps, options, started, imported, peer="torch", version=torch.__version__,
                   params=sum(parameter.numel() for parameter in model.parameters()))


main()
