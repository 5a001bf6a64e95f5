"""Registers Cornu's CPU engine with JAX as the platform "cornu" (entry point `jax_plugins`).

JAX does so when it looks for devices. Select the platform with JAX_PLATFORMS=cornu.
"""

import os
import re

import cornu

PLATFORM = "cornu"
# Versions of JAX with which the tests ran. The plug-in interface has a version of its own; what depends on the
# version of JAX are the lists and rules below.
KNOWN_JAX = ("0.10",)


def read_options():
    """The client's options from the environment."""
    options = {}
    num_devices = os.environ.get("CORNU_PJRT_DEVICES", "")
    if num_devices:
        if not re.fullmatch("[1-9][0-9]{0,2}", num_devices):
            raise ValueError(f'CORNU_PJRT_DEVICES must be a number of devices; got "{num_devices}"')
        options["num_devices"] = int(num_devices)
    precision = os.environ.get("CORNU_PJRT_PRECISION", "")
    if precision:
        options["precision"] = precision
    return options


def _refuse_to_compile():
    """In a forked child: jaxlib compiles in a thread that stayed in the parent, and would wait for it without an end."""
    from jax._src import compiler, xla_bridge

    def fail(*_, **__):
        raise RuntimeError("this process was forked from one that uses Cornu, whose threads stayed in the parent: start "
                           "processes by spawn (multiprocessing.set_start_method(\"spawn\")), or fork before the first "
                           "use of JAX")
    if PLATFORM in xla_bridge._backends:
        compiler.backend_compile_and_load = fail


def initialize():
    """Called by JAX."""
    import jax
    from jax._src import xla_bridge

    version = jax.__version__
    try:
        from jax._src.interpreters import mlir
        # Without these JAX ignores donate_argnums on the platform, and warns that it is experimental.
        if PLATFORM not in mlir._platforms_with_donation:
            mlir._platforms_with_donation.append(PLATFORM)
        xla_bridge._nonexperimental_plugins.add(PLATFORM)
        # Below the CPU: programs that select no platform run as before.
        xla_bridge.register_plugin(PLATFORM, priority=-1, library_path=cornu.plugin_path(), options=read_options())
        from cornu import jax_cpu, jax_rules
        jax_rules.register(PLATFORM)
        jax_cpu.register(PLATFORM)
        os.register_at_fork(after_in_child=_refuse_to_compile)
    except (ImportError, AttributeError) as error:
        raise RuntimeError(f"Cornu cannot register with JAX {version}: it knows JAX "
                           f"{', '.join(KNOWN_JAX)} ({error})") from error
