"""Programs with Shardy's ops, as JAX sends them to a plug-in.

Usage: make_sharded_program.py tests/programs   (jax==0.10.2)
bytecode/sharded-1.13.0.mlirbc is for a mesh of one device; sharded.mlir beside it is the program without these ops.
partitions/*-1.13.0.mlirbc are for a mesh of 2 x 2 devices.
"""
import os
import pathlib
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
from jax.sharding import AxisType, NamedSharding, PartitionSpec
from jaxlib.mlir.dialects import stablehlo

jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")  # no folder of this machine
folder = pathlib.Path(sys.argv[1])


def write(path, program, x):
    module = jax.jit(program).lower(x).compiler_ir("stablehlo")
    text = str(module)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(stablehlo.serialize_portable_artifact(module, "1.13.0", True))
    print(text)
    return text


mesh = jax.make_mesh((1,), ("x",), axis_types=(AxisType.Auto,))
sharding = NamedSharding(mesh, PartitionSpec("x"))
halve = jax.shard_map(lambda x: x - x * x, mesh=mesh, in_specs=PartitionSpec("x"), out_specs=PartitionSpec("x"))
text = write(folder / "bytecode" / "sharded-1.13.0.mlirbc",
             lambda x: halve(jax.lax.with_sharding_constraint(x + x, sharding)),
             jax.ShapeDtypeStruct((4, 3), "float32", sharding=sharding))
for op in ("sdy.mesh", "sdy.sharding_constraint"):
    assert op in text, text
(folder / "bytecode" / "sharded.mlir").write_text("""func.func public @main(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.add %x, %x : tensor<4x3xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4x3xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}
""")

grid = jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
spec = PartitionSpec("x", "y")
sharding = NamedSharding(grid, spec)
manual = jax.shard_map(lambda x: x + jax.lax.psum(x, "y") + jax.lax.axis_index("x"), mesh=grid, in_specs=spec,
                       out_specs=PartitionSpec("x", "y"))
transposed = NamedSharding(grid, PartitionSpec(("y", "x")))
text = write(folder / "partitions" / "manual-1.13.0.mlirbc",
             lambda x: jax.lax.with_sharding_constraint(manual(2 * x).T, transposed),
             jax.ShapeDtypeStruct((4, 4), "float32", sharding=sharding))
for op in ("sdy.mesh", "sdy.sharding_constraint", "sdy.manual_computation", "partition_id"):
    assert op in text, text
