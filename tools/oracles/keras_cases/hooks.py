"""Hooks in Keras that note the outermost calls which a test makes with concrete values."""

import functools
import importlib
import inspect

import keras
import numpy as np
from keras.src import tree

from values import NotRecordable, check_own_classes, numpy_structure, serialized, to_numpy

OPS_MODULES = ["core", "numpy", "math", "nn", "linalg", "image", "einops"]


class Recorder:
    """The calls of the present test, and the depth of hooked calls, so that calls inside others are not noted."""

    def __init__(self):
        self.depth = 0
        self.is_on = False
        self.calls = []
        self.sequences = {}
        self.refused = {}
        self.adapted = {}

    def begin(self, test):
        self.calls, self.sequences, self.is_on, self.depth, self.test = [], {}, True, 0, test
        self.adapted = {}

    def end(self):
        self.is_on = False
        return self.calls + [s for s in self.sequences.values() if not s.get("broken")]

    def refuse(self, kind, error):
        key = (kind, str(error))
        self.refused[key] = self.refused.get(key, 0) + 1

    def hook(self, owner, name, note, home=""):
        """Of tests below the folder `home`. Replaces a function or method. `note` sees the arguments before the call and returns what to add to the calls, or None."""
        original = getattr(owner, name)

        @functools.wraps(original)
        def called(*args, **kwargs):
            if not self.is_on or self.depth > 0 or not self.test.startswith(home):
                return original(*args, **kwargs)
            self.depth += 1
            noted = None
            args = tuple(list(each) if isinstance(each, zip) else each for each in args)  # gradients and variables, which are read twice
            try:
                try:
                    noted = note(*args, **kwargs)
                except NotRecordable as error:
                    self.refuse(name, error)
                except Exception as error:  # noqa: BLE001  (a call that Keras itself may refuse)
                    self.refuse(name, f"{type(error).__name__}: {error}"[:100])
                result = original(*args, **kwargs)
            finally:
                self.depth -= 1
            if noted is not None:
                self.calls.append({**noted, "settings": settings()})
            return result

        setattr(owner, name, called)


def settings():
    return {"floatx": keras.config.floatx(), "image_data_format": keras.config.image_data_format()}


def as_array(value):
    """Lists of numbers or texts, which Keras's layers take for a tensor, as an array."""
    leaves = tree.flatten(value)
    if isinstance(value, (list, tuple)) and leaves and all(isinstance(x, (str, bytes, int, float)) for x in leaves):
        return np.array(value)
    return value


def note_layer(recorder):
    from keras.src import backend

    def note(layer, *args, **kwargs):
        made, (_, learned) = serialized(layer), recorder.adapted.get(id(layer), (None, {}))
        if made["config"].get("vocabulary"):  # the constructor set it
            learned = {}
        if isinstance(learned, Exception):
            raise learned
        masks = [backend.get_keras_mask(x) for x in tree.flatten(args[:1])] if args else []
        return {"kind": "layer", "object": made, "args": numpy_structure(tuple(map(as_array, args))), "kwargs": numpy_structure(kwargs),
                "masks": [None if m is None else to_numpy(m) for m in masks], **learned}

    return note


def note_adapt(recorder):
    """Keeps the data of adapt(), one array, with the layer until the test ends."""

    def note(layer, data, *_, **__):
        try:
            batches = [data] if not hasattr(data, "as_numpy_iterator") else list(data.as_numpy_iterator())
            learned = {"adapt": np.concatenate([np.asarray(to_numpy(as_array(batch))) for batch in batches])}
        except Exception as error:  # noqa: BLE001  (ragged rows, batches of other shapes)
            learned = NotRecordable(f"adapt: {type(error).__name__}")
        recorder.adapted[id(layer)] = (layer, learned)

    return note


def note_set(recorder):
    """Keeps a vocabulary that is set by a call, which no configuration has, with the layer until the test ends."""

    def note(layer, vocabulary, idf_weights=None):
        given = {"vocabulary": to_numpy(as_array(vocabulary)), "idf_weights": to_numpy(as_array(idf_weights))}
        is_array = all(isinstance(each, np.ndarray) for each in given.values() if each is not None)
        learned = {"set_vocabulary": given} if is_array else NotRecordable("a vocabulary in a file")
        recorder.adapted[id(layer)] = (layer, learned)

    return note


def first_rows(data, rows):
    """An array, or a list or dictionary of arrays, of the first rows."""
    if isinstance(data, dict):
        return {name: first_rows(each, rows) for name, each in data.items()}
    if isinstance(data, (list, tuple)) and all(isinstance(each, np.ndarray) for each in data):
        return [first_rows(each, rows) for each in data]
    if not isinstance(data, np.ndarray):
        raise NotRecordable("data that are no arrays")
    return np.array(data[:rows])


def first_batch(x, y, sample_weight):
    """The first batch of a data set; arrays as they are."""
    if y is not None:
        return x, y, sample_weight
    if hasattr(x, "as_numpy_iterator"):
        batch = next(iter(x.as_numpy_iterator()))
    elif isinstance(x, keras.utils.PyDataset):
        batch = x[0]
    else:
        raise NotRecordable("a generator, or a model without labels")
    if not isinstance(batch, (list, tuple)) or not 2 <= len(batch) <= 3:
        raise NotRecordable("a data set without labels")
    return (*batch, None)[:3]


def note_fit(model, x=None, y=None, batch_size=None, sample_weight=None, class_weight=None, **kwargs):
    """The first batch of fit() or train_on_batch() of a Sequential or functional model."""
    if not isinstance(model, (keras.Sequential, keras.src.models.functional.Functional)):
        raise NotRecordable("a model without configuration")
    rows = batch_size if isinstance(batch_size, int) else 32
    x, y, sample_weight = first_batch(x, y, sample_weight)
    data = {"x": first_rows(x, rows), "y": first_rows(y, rows)}
    if sample_weight is not None:
        data["sample_weight"] = first_rows(sample_weight, rows)
    if class_weight is not None:
        data["class_weight"] = {int(label): float(weight) for label, weight in class_weight.items()}
    compiled = model.get_compile_config()
    check_own_classes(compiled)
    return {"kind": "training", "object": serialized(model), "compile": compiled, "args": tuple(), "kwargs": data}


def note_call(kind):
    def note(instance, *args, **kwargs):
        return {"kind": kind, "object": serialized(instance), "args": numpy_structure(args), "kwargs": numpy_structure(kwargs)}

    return note


def note_event(recorder, kind, event, start=None):
    """One event of an object with a history: a metric, an optimizer."""

    def note(instance, *args, **kwargs):
        sequence = recorder.sequences.get(id(instance))
        if sequence is None:
            sequence = {"kind": kind, "instance": instance, "events": [], "settings": settings(), "broken": True}
            recorder.sequences[id(instance)] = sequence
            sequence["object"] = serialized(instance)
            if start is not None:
                sequence.update(start(instance, *args, **kwargs))
            sequence["broken"] = False
        try:
            sequence["events"].append([event, numpy_structure(args) if event == "update" or kind == "optimizer" else [], numpy_structure(kwargs)])
        except NotRecordable:
            sequence["broken"] = True
            raise

    return note


def variable_start(optimizer, grads, variables=None, **kwargs):
    """The variables of an optimizer before its first step; `grads` may be pairs."""
    if variables is None and grads and isinstance(grads, (list, tuple)) and isinstance(grads[0], (list, tuple)):
        variables = [v for _, v in grads]
    if variables is None and optimizer.built:
        variables = optimizer._trainable_variables
    if variables is None:
        raise NotRecordable("a step without variables")
    if optimizer.built and int(optimizer.iterations) != 0:
        raise NotRecordable("an optimizer with a past")
    return {"variables": [{"value": to_numpy(v), "name": v.name, "constraint": None if v.constraint is None else serialized(v.constraint)} for v in variables]}


def subclasses(base):
    found = [base]
    for each in found:
        found.extend(c for c in each.__subclasses__() if c not in found)
    return [c for c in found if c.__module__.startswith("keras.")]


def hook_methods(recorder, base, name, note, home=""):
    for each in subclasses(base):
        if name in each.__dict__:
            recorder.hook(each, name, note, home)


def hook_ops(recorder):
    spaces = [keras.ops, keras.ops.image, keras.ops.linalg, keras.ops.nn, keras.ops.numpy, importlib.import_module("keras.src.ops")]
    for module_name in OPS_MODULES:
        module = importlib.import_module(f"keras.src.ops.{module_name}")
        for name, function in list(vars(module).items()):
            if name.startswith("_") or not inspect.isfunction(function) or function.__module__ != module.__name__:
                continue
            if not any(getattr(space, name, None) is function for space in spaces):
                continue

            def note(*args, function=function, name=name, module_name=module_name, **kwargs):
                return {"kind": "op", "function": f"{module_name}.{name}", "original": function, "args": numpy_structure(args),
                        "kwargs": numpy_structure(kwargs)}

            recorder.hook(module, name, note, "ops/")
            for space in spaces:
                if getattr(space, name, None) is function:
                    setattr(space, name, getattr(module, name))


def hook_activations(recorder):
    """Activations without other arguments, as layers."""
    module = importlib.import_module("keras.src.activations")
    for name, function in list(vars(module).items()):
        if name.startswith("_") or name in ("serialize", "deserialize", "get") or not inspect.isfunction(function):
            continue

        def note(x, name=name):
            layer = keras.layers.Activation(name)
            return {"kind": "layer", "object": serialized(layer), "args": numpy_structure((x,)), "kwargs": {}, "masks": []}

        recorder.hook(module, name, note, "activations/")


def install(recorder):
    from keras.src.optimizers.base_optimizer import BaseOptimizer

    recorder.hook(keras.layers.Layer, "__call__", note_layer(recorder))
    hook_methods(recorder, keras.layers.Layer, "adapt", note_adapt(recorder))
    hook_methods(recorder, keras.layers.Layer, "set_vocabulary", note_set(recorder))
    for name in ("fit", "train_on_batch"):
        recorder.hook(keras.Model, name, note_fit)
    hook_methods(recorder, keras.losses.Loss, "__call__", note_call("loss"))
    hook_methods(recorder, keras.initializers.Initializer, "__call__", note_call("initializer"), "initializers/")
    hook_methods(recorder, keras.regularizers.Regularizer, "__call__", note_call("regularizer"))
    hook_methods(recorder, keras.constraints.Constraint, "__call__", note_call("constraint"))
    hook_methods(recorder, keras.optimizers.schedules.LearningRateSchedule, "__call__", note_call("schedule"))
    hook_methods(recorder, keras.metrics.Metric, "update_state", note_event(recorder, "metric", "update"))
    hook_methods(recorder, keras.metrics.Metric, "reset_state", note_event(recorder, "metric", "reset"))
    for name in ("apply", "apply_gradients"):
        hook_methods(recorder, BaseOptimizer, name, note_event(recorder, "optimizer", name, variable_start))
    hook_ops(recorder)
    hook_activations(recorder)
