"""Adam for gradients of few rows: a table and its slots after twelve steps of PyTorch's SparseAdam.

Needs PyTorch besides: pip install torch.
"""

import numpy as np

ROWS, WIDTH, STEPS = 9, 3, 12
CASES = [
    {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-8},
    {"learning_rate": 0.05, "beta_1": 0.8, "beta_2": 0.95, "epsilon": 1e-3},
]


def trained(config, start, steps):
    import torch

    table = torch.nn.Parameter(torch.tensor(start))
    adam = torch.optim.SparseAdam([table], lr=config["learning_rate"], betas=(config["beta_1"], config["beta_2"]), eps=config["epsilon"])
    for ids, rows in steps:
        table.grad = torch.sparse_coo_tensor(torch.tensor(ids)[None], torch.tensor(rows), (ROWS, WIDTH))  # equal ids add up
        adam.step()
    state = adam.state[table]
    return {"table": table.detach().numpy(), "momentum": state["exp_avg"].numpy(), "velocity": state["exp_avg_sq"].numpy()}


def whole(ids, rows):
    gradient = np.zeros((ROWS, WIDTH), np.float32)
    np.add.at(gradient, ids, rows)
    return gradient


def main():
    import torch

    from golden import array, write

    random = np.random.default_rng(11)
    start = random.normal(size=(ROWS, WIDTH)).astype(np.float32)
    steps = [(random.integers(ROWS - 1, size=4), random.normal(size=(4, WIDTH)).astype(np.float32)) for _ in range(STEPS)]
    cases = [{**config, **{name: array(value) for name, value in trained(config, start, steps).items()}} for config in CASES]
    write("sparse_optimizers", {"peer": f"torch {torch.__version__}", "start": array(start),
                                "gradients": [array(whole(ids, rows)) for ids, rows in steps], "cases": cases})
