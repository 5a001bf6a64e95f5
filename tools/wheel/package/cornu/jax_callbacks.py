"""Python callbacks of JAX on the platform "cornu": pure_callback, io_callback, debug.callback, debug.print, checks.

JAX's lowering rules emit a callback by one function, which knows JAX's own platforms only. Here it also emits a custom
call of the engine, "cornu_host_call", with the number of a Python function. The plug-in has an extension for the
functions of the process; all Python functions share one C function, which finds them by their number.
"""

import atexit
import collections
import ctypes
import itertools
import random
import threading
import traceback
import weakref

import numpy as np

import cornu

TARGET = "cornu_host_call"
# Of the plug-in's extension, see cornu/plugin/host_functions.h.
EXTENSION_TYPE = 0x436F726E

HOST_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.POINTER(ctypes.c_void_p),
                                 ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, ctypes.c_size_t)


class _Extension(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("type", ctypes.c_int), ("next", ctypes.c_void_p),
                ("add", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, HOST_FUNCTION)),
                ("remove", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64)), ("close", ctypes.CFUNCTYPE(None))]


class _Api(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p)]


def _find_extension():
    plugin = ctypes.CDLL(cornu.plugin_path())
    plugin.GetPjrtApi.restype = ctypes.POINTER(_Api)
    address = plugin.GetPjrtApi().contents.extension_start
    while address:
        extension = _Extension.from_address(address)
        if extension.type == EXTENSION_TYPE:
            return extension
        address = extension.next
    raise RuntimeError(f"{cornu.plugin_path()} has no functions for callbacks: install the package again")


class _Tensor:
    """An operand or a result of a call: its type as NumPy has it, and as the engine's memory has it."""

    def __init__(self, aval, memory_dtype=None):
        self.dtype = np.dtype(bool) if aval.dtype == _float0() else np.dtype(aval.dtype)
        self.shape = tuple(aval.shape)
        self.memory_dtype = self.dtype if memory_dtype is None else memory_dtype
        self.size = int(np.prod(self.shape))
        self.bytes = ctypes.c_char * (self.size * self.memory_dtype.itemsize)

    def view(self, address):
        """The elements at an address."""
        if self.size == 0:
            return np.zeros(self.shape, self.memory_dtype)
        return np.frombuffer(self.bytes.from_address(address), self.memory_dtype).reshape(self.shape)

    def read(self, address):
        """A copy of the elements: the function may keep it, and the engine uses its memory again."""
        return self.view(address).astype(self.dtype)

    def write(self, address, value):
        if self.size:
            np.copyto(self.view(address), value.astype(self.memory_dtype, copy=False))


class _Function:
    """A Python function with the types of its operands and results."""

    def __init__(self, function, operands, results, name):
        self.function, self.operands, self.results, self.name = function, operands, results, name

    def __call__(self, operands, results):
        values = self.function(*[tensor.read(operands[i]) for i, tensor in enumerate(self.operands)])
        for i, (tensor, value) in enumerate(zip(self.results, values)):
            tensor.write(results[i], value)


class _Functions:
    """The Python functions that programs may call.

    A function lives as long as JAX keeps its program, and as long as executions of the program are on their way.
    """

    def __init__(self):
        self.extension = _find_extension()
        self.functions = {}
        self.unused = collections.deque()
        # A program that another process has serialized must not find a function of this one.
        self.numbers = itertools.count(random.SystemRandom().randrange(1 << 62))
        self.entry = HOST_FUNCTION(self._call)
        self.of_thread = threading.local()
        atexit.register(self._close)

    def add(self, function):
        """Adds a function; returns its number, and an object to keep as long as the program."""
        self._remove_unused()
        number = next(self.numbers)
        self.functions[number] = function
        if not self.extension.add(number, self.entry):
            raise RuntimeError(f"there is a function with the number {number}")
        owner = _Owner()
        weakref.finalize(owner, self._release, number).atexit = False
        return number, owner

    def _release(self, number):
        # May run inside any code of Python, also that of _remove_unused: it takes no lock.
        self.unused.append(number)

    def _remove_unused(self):
        in_use = []
        while self.unused:
            try:
                number = self.unused.popleft()
            except IndexError:  # another thread took the last one
                break
            if self.extension.remove(number):
                self.functions.pop(number, None)
            else:
                in_use.append(number)
        self.unused.extend(in_use)

    def _call(self, number, operands, results, message, capacity):
        """Called by the engine; an exception becomes the call's message."""
        if not hasattr(self.of_thread, "is_kept"):
            # Python would make its state of the engine's thread for each call, which takes a quarter of a short call.
            ctypes.pythonapi.PyGILState_Ensure()
            self.of_thread.is_kept = True
        function = None
        try:
            function = self.functions[number]
            function(operands, results)
            return 0
        except BaseException as error:  # none may reach the engine
            text = _describe(function, error).encode(errors="replace")[:capacity - 1]
            ctypes.memmove(message, text + b"\0", len(text) + 1)
            return 1

    def _close(self):
        """Python's functions cannot run once the interpreter ends."""
        from jax._src import dispatch
        try:
            dispatch.runtime_tokens.block_until_ready()
        except Exception:  # JAX waits, too, and reports it
            pass
        self.extension.close()


class _Owner:
    pass


def _describe(function, error):
    name = "" if function is None else f" \"{function.name}\""
    lines = traceback.format_exception(error)
    return f"the callback{name} raised {traceback.format_exception_only(error)[-1].strip()}\n{''.join(lines)}"


def _float0():
    from jax._src import dtypes
    return dtypes.float0


def _name_of(callback):
    """The name of the function that the user gave, which JAX wraps several times."""
    seen = 0
    while seen < 10:
        seen += 1
        inner = getattr(callback, "callback_func", None) or getattr(callback, "func", None)
        if inner is None and getattr(callback, "__closure__", None):
            cells = dict(zip(callback.__code__.co_freevars, callback.__closure__))
            cell = cells.get("callback")
            inner = cell.cell_contents if cell is not None else None
        if inner is None:
            break
        callback = inner
    return getattr(callback, "__qualname__", None) or type(callback).__name__


def _checked(callback, result_avals):
    """The callback with its results as arrays of the declared types. It has the program's types of 64 bits, whatever the
    thread has that runs it."""
    from jax._src import config, dtypes
    enable_x64 = config.enable_x64.value

    def call(*arguments):
        with config.enable_x64(enable_x64):
            return check(callback(*arguments))

    def check(values):
        if len(values) != len(result_avals):
            raise RuntimeError(f"Mismatched number of outputs from callback. Expected: {len(result_avals)}, "
                               f"Actual: {len(values)}")
        values = tuple(dtypes.canonicalize_value(np.asarray(value)) for value in values)
        for i, (value, aval) in enumerate(zip(values, result_avals)):
            for what in ("shape", "dtype"):
                expected, actual = getattr(aval, what), getattr(value, what)
                if expected != actual:
                    raise RuntimeError(f"Incorrect output {what} for return value #{i}: Expected: {expected}, "
                                       f"Actual: {actual}")
        return values
    return call


class Emitter:
    """Emits the calls of one platform; replaces JAX's function, which it calls for other platforms."""

    def __init__(self, platform, of_jax):
        self.platform, self.of_jax = platform, of_jax
        self.functions = None

    def __call__(self, ctx, callback, token, operands, operand_avals, result_avals, *, has_side_effect,
                 returns_token=True, partitioned=False, sharding=None):
        if tuple(ctx.module_context.platforms) != (self.platform,):
            return self.of_jax(ctx, callback, token, operands, operand_avals, result_avals,
                               has_side_effect=has_side_effect, returns_token=returns_token, partitioned=partitioned,
                               sharding=sharding)
        # Inside shard_map each device calls for its part in any case.
        if partitioned and getattr(ctx.module_context.axis_context, "num_devices", 1) > 1:
            raise NotImplementedError(f"callbacks on the parts of arrays (partitioned=True) do not exist on the "
                                      f"platform \"{self.platform}\"")
        return self.emit(ctx, callback, operands, operand_avals, result_avals, has_side_effect), token, None

    def emit(self, ctx, callback, operands, operand_avals, result_avals, has_side_effect, name=None):
        """The results of a call of `callback`, as a custom call of the platform."""
        from jax._src import core
        from jax._src.interpreters import mlir

        if self.functions is None:
            self.functions = _Functions()
        operand_avals = [core.physical_aval(aval) for aval in operand_avals]
        result_avals = [core.physical_aval(aval) for aval in result_avals]
        call = _checked(callback, result_avals)
        name = name or _name_of(callback)
        operands, operand_tensors, call = _split_operands(operands, operand_avals, call)
        result_types, result_tensors, call, join = _split_results(result_avals, call)
        number, owner = self.functions.add(_Function(call, operand_tensors, result_tensors, name))
        ctx.module_context.add_keepalive(owner)
        op = mlir.custom_call(TARGET, result_types=result_types, operands=operands,
                              backend_config=f"{number} {name}", has_side_effect=has_side_effect)
        return join(list(op.results))


def _memory_dtype(dtype):
    """The type in which the engine passes elements; None for complex numbers, which are passed in two parts."""
    dtype = np.dtype(bool) if dtype == _float0() else np.dtype(dtype)
    if dtype.kind == "c":
        return None
    if dtype.kind in "biuf" and dtype.itemsize in (1, 2, 4, 8):
        return dtype
    if dtype.name == "bfloat16":
        return dtype
    if dtype.name in ("int2", "int4"):
        return np.dtype(np.int8)
    if dtype.name in ("uint2", "uint4"):
        return np.dtype(np.uint8)
    return np.dtype(np.float32)  # of 8 bits and fewer: a f32 has all their values


class _Part:
    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, dtype


def _ir_type(dtype, shape):
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir
    return ir.RankedTensorType.get(shape, mlir.dtype_to_ir_type(np.dtype(dtype)))


def _complex(real, imag):
    value = np.empty(real.shape, np.result_type(real.dtype, np.complex64))
    value.real, value.imag = real, imag
    return value


def _split_operands(operands, avals, call):
    """The operands in types of the engine, and the function of them."""
    from jax._src.lib.mlir.dialects import hlo

    parts, tensors, pairs = [], [], []
    for operand, aval in zip(operands, avals):
        memory = _memory_dtype(aval.dtype)
        pairs.append(memory is None)
        if memory is None:
            real = np.dtype(f"f{np.dtype(aval.dtype).itemsize // 2}")
            parts += [hlo.real(operand), hlo.imag(operand)]
            tensors += [_Tensor(_Part(aval.shape, real))] * 2
            continue
        tensor = _Tensor(aval, memory)
        if memory != tensor.dtype:
            operand = hlo.convert(_ir_type(memory, aval.shape), operand)
        parts.append(operand)
        tensors.append(tensor)
    if not any(pairs):
        return parts, tensors, call

    def joined(*values):
        values = iter(values)
        return call(*[_complex(next(values), next(values)) if is_pair else next(values) for is_pair in pairs])
    return parts, tensors, joined


def _split_results(avals, call):
    """The types of the results in types of the engine, the function that makes them, and the function that gives
    the results of the call their own types."""
    from jax._src.lib.mlir.dialects import hlo

    types, tensors, pairs = [], [], []
    for aval in avals:
        memory = _memory_dtype(aval.dtype)
        pairs.append(memory is None)
        if memory is None:
            real = np.dtype(f"f{np.dtype(aval.dtype).itemsize // 2}")
            types += [_ir_type(real, aval.shape)] * 2
            tensors += [_Tensor(_Part(aval.shape, real))] * 2
        else:
            types.append(_ir_type(memory, aval.shape))
            tensors.append(_Tensor(aval, memory))

    def split(*arguments):
        values = []
        for value, is_pair in zip(call(*arguments), pairs):
            values += [value.real, value.imag] if is_pair else [value]
        return values

    def join(results):
        results, joined = iter(results), []
        for aval, is_pair in zip(avals, pairs):
            result = next(results)
            if is_pair:
                result = hlo.complex(result, next(results))
            elif _memory_dtype(aval.dtype) != np.dtype(aval.dtype):
                result = hlo.convert(_ir_type(aval.dtype, aval.shape), result)
            joined.append(result)
        return joined
    return types, tensors, split, join


def register(platform):
    """Makes callbacks work on the platform; returns the emitter."""
    from jax._src import callback, checkify, debugging
    from jax._src.interpreters import mlir

    if not isinstance(callback.emit_python_callback, Emitter):
        callback.emit_python_callback = Emitter(platform, callback.emit_python_callback)
    for primitive in (debugging.debug_callback_p, debugging.debug_print_p, checkify.check_p):
        mlir.register_lowering(primitive, mlir._platform_specific_lowerings["cpu"][primitive].rule, platform=platform)
    return callback.emit_python_callback
