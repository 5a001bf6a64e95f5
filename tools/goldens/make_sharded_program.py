"""A program with Shardy's ops, as JAX sends it to a plug-in: tests/programs/bytecode/sharded-1.13.0.mlirbc.

Usage: make_sharded_program.py FOLDER   (jax==0.10.2)
The mesh has one device. sharded.mlir beside it is the program without these ops.
"""
import pathlib
import sys

import jax
from jax.sharding import AxisType, NamedSharding, PartitionSpec
from jaxlib.mlir.dialects import stablehlo

mesh = jax.make_mesh((1,), ("x",), axis_types=(AxisType.Auto,))
sharding = NamedSharding(mesh, PartitionSpec("x"))
halve = jax.shard_map(lambda x: x - x * x, mesh=mesh, in_specs=PartitionSpec("x"), out_specs=PartitionSpec("x"))


def program(x):
    return halve(jax.lax.with_sharding_constraint(x + x, sharding))


x = jax.ShapeDtypeStruct((4, 3), "float32", sharding=sharding)
module = jax.jit(program).lower(x).compiler_ir("stablehlo")
text = str(module)
for op in ("sdy.mesh", "sdy.sharding_constraint"):
    assert op in text, text
folder = pathlib.Path(sys.argv[1])
(folder / "sharded-1.13.0.mlirbc").write_bytes(stablehlo.serialize_portable_artifact(module, "1.13.0", True))
(folder / "sharded.mlir").write_text("""func.func public @main(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.add %x, %x : tensor<4x3xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4x3xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}
""")
print(text)
