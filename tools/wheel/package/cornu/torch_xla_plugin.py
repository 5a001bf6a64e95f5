"""Registers Cornu's CPU engine with PyTorch/XLA as the device "CORNU" (entry point `torch_xla.plugins`).

Select it with PJRT_DEVICE=CORNU.
"""

import os

from torch_xla.experimental import plugins

import cornu


class Plugin(plugins.DevicePlugin):
    """One device: the CPU of this process."""

    def __init__(self):
        super().__init__()
        if os.environ.get("PJRT_DEVICE", "").upper() == "CORNU":
            # PyTorch/XLA compiles HLO unless this is set; the engine reads StableHLO.
            os.environ.setdefault("XLA_STABLEHLO_COMPILE", "1")

    def library_path(self):
        return cornu.plugin_path()
