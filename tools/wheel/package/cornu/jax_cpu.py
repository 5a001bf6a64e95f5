"""JAX's own CPU device beside the platform "cornu": callbacks get their arguments on it, and arrays of both exchange
their memory by DLPack."""

import functools

import numpy as np


def _make_with(platform):
    """Makes the CPU device together with the platform's, also where JAX_PLATFORMS leaves it out."""
    from jax._src import config, xla_bridge
    of_jax = xla_bridge._init_backend

    @functools.wraps(of_jax)
    def init_backend(name):
        backend = of_jax(name)
        if name == platform and "cpu" not in xla_bridge._backends and \
                "cpu" not in (config.jax_platforms.value or "cpu").split(","):
            xla_bridge._backends["cpu"] = of_jax("cpu")
        return backend
    xla_bridge._init_backend = init_backend


def _exchange_arrays(platform):
    """Gives arrays of the platform to other libraries, and takes theirs, without a copy: jaxlib does so for its own
    devices only, so arrays pass through NumPy to JAX's CPU device and back."""
    from jax._src import api, array, dlpack, xla_bridge
    to_dlpack, place, device_of = dlpack._to_dlpack, dlpack._place_array, array.ArrayImpl.__dlpack_device__

    @functools.wraps(to_dlpack)
    def export(x, stream, src_device=None, device=None, copy=None):
        if src_device is None:
            src_device, = x.devices()
        if src_device.platform == platform and (device is None or device.platform == "cpu"):
            src_device = xla_bridge.local_devices(backend="cpu")[0]
            x = api.device_put(np.asarray(x), src_device)
        return to_dlpack(x, stream, src_device, device, copy)

    @functools.wraps(place)
    def take(x, device, source, copy):
        if device is None and source.platform == "cpu" and xla_bridge.default_backend() == platform:
            x = api.device_put(np.asarray(x))  # where a program that names no device computes
        return place(x, device, source, copy)

    @functools.wraps(device_of)
    def dlpack_device(x):
        if x.platform() == platform and len(x.devices()) == 1:
            return dlpack.DLDeviceType.kDLCPU, 0
        return device_of(x)
    dlpack._to_dlpack, dlpack._place_array, array.ArrayImpl.__dlpack_device__ = export, take, dlpack_device


def register(platform):
    """Called once for each process."""
    _make_with(platform)
    _exchange_arrays(platform)
