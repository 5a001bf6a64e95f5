"""PyTorch on the CPU: a plain training loop. It has no steps per execution; --spe is taken and changes nothing."""
import time

started = time.perf_counter()
import torch

import common

imported = time.perf_counter()


def make_model(workload):
    modules, inputs = [], workload["features"]
    for units, activation, rate in workload["layers"]:
        modules.append(torch.nn.Linear(inputs, units))
        if activation == "relu":
            modules.append(torch.nn.ReLU())
        if rate > 0:
            modules.append(torch.nn.Dropout(rate))
        inputs = units
    return torch.nn.Sequential(*modules)


def log_cosh(logits, y):
    difference = torch.softmax(logits, -1) - y[:, None].float()
    return (difference + torch.nn.functional.softplus(-2 * difference) - 0.6931471805599453).mean()


def main():
    options = common.arguments(__doc__)
    workload = common.WORKLOADS[options.workload]
    torch.manual_seed(0)
    x, y = (torch.from_numpy(array) for array in common.make_data(workload))
    y = y.long()
    model = make_model(workload).train()
    name, rate = workload["optimizer"]
    optimizer = {"adam": torch.optim.Adam, "rmsprop": torch.optim.RMSprop}[name](model.parameters(), rate)
    loss = log_cosh if workload["loss"] == "log_cosh" else torch.nn.functional.cross_entropy
    batches = common.index_batches(workload["rows"], workload["batch"])

    def run_steps(count):
        for _ in range(count):
            rows = torch.from_numpy(next(batches)).long()
            optimizer.zero_grad(set_to_none=True)
            loss(model(x[rows]), y[rows]).backward()
            optimizer.step()

    common.measure(run_steps, options, started, imported, peer="torch", version=torch.__version__)


main()
