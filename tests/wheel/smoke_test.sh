#!/usr/bin/env bash
# smoke_test.sh PYTHON SOURCE PLUGIN FOLDER: runs JAX on the plug-in of the build, registered by the package of the wheel.
#
# FOLDER gets the package with links to the build's libraries. Ends with 77, shown as skipped, where PYTHON has no JAX of a known version.
set -euo pipefail
python=$1 source=$2 plugin=$3 folder=$4
if ! "$python" -c 'import jax, sys; sys.exit(not jax.__version__.startswith("0.10."))' 2>/dev/null; then
  echo "smoke_test.sh: $python has no jax 0.10: see tools/oracles/make_venv.sh" >&2
  exit 77
fi
rm -rf "$folder"
mkdir -p "$folder/cornu/lib" "$folder/cornu-0.dist-info"
cp "$source"/tools/wheel/package/cornu/*.py "$folder/cornu"
ln -s "$plugin" "$folder/cornu/lib/libcornu_pjrt.so"
# The same entry points as the wheel's.
printf 'Metadata-Version: 2.1\nName: cornu\nVersion: 0\n' > "$folder/cornu-0.dist-info/METADATA"
printf '[jax_plugins]\ncornu = cornu.jax_plugin\n' > "$folder/cornu-0.dist-info/entry_points.txt"
PYTHONPATH="$folder" "$python" "$source/tests/wheel/smoke.py"
PYTHONPATH="$folder" "$python" "$source/tests/wheel/callbacks.py"
# The plug-in's devices share the engine.
PYTHONPATH="$folder" CORNU_PJRT_DEVICES=4 "$python" "$source/tests/wheel/devices.py"
PYTHONPATH="$folder" CORNU_PJRT_DEVICES=4 "$python" "$source/tests/wheel/callbacks.py"
