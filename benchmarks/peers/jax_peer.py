"""JAX with optax, and flax for the family: the whole step under jit, the steps of an execution in one lax.scan, data on the device, buffers
donated."""
import functools
import time

started = time.perf_counter()
import jax
import numpy as np

import common
import jax_steps

imported = time.perf_counter()


def main():
    options = common.arguments(__doc__, common.FAMILY)
    workload = common.facts(options.workload)
    xs, y = jax.device_put(common.make_data(workload))
    first_state, step = jax_steps.make(options.workload)
    state = [jax.device_put(first_state)]

    # Data are arguments: what a jitted function closes over would be copied into the program.
    if options.spe == 1:
        execute = jax.jit(lambda state, xs, y, rows: step(xs, y, state, rows[0]), donate_argnums=0)
    else:
        execute = jax.jit(lambda state, xs, y, rows: jax.lax.scan(functools.partial(step, xs, y), state, rows), donate_argnums=0)
    batches = common.index_batches(workload["rows"], workload["batch"])

    def run_steps(count):
        for _ in range(count // options.spe):
            state[0], _ = execute(state[0], xs, y, np.stack([next(batches) for _ in range(options.spe)]))
        jax.block_until_ready(state[0])

    common.measure(run_steps, options, started, imported, peer="jax", version=jax.__version__,
                   params=sum(leaf.size for leaf in jax.tree.leaves(first_state[0])))


main()
