"""Cases of noted calls: a new object of the configuration, weights moved from where they begin, and what Keras computes with them."""

import copy
import inspect
import json
import re
import time

import jax
import jax.numpy as jnp
import keras
import numpy as np
from keras.src import backend, tree
from keras.src.layers.preprocessing.image_preprocessing.base_image_preprocessing_layer import BaseImagePreprocessingLayer

from values import NotRecordable, array, forms, is_array, key_of, without_names

NUM_DRAWS = 200
NUM_STEPS = 6  # of optimizers, at least
NUM_TRAINING_STEPS = 4


def filled(structure, values):
    """The structure with other arrays, `values` by the identity of the present ones."""
    return tree.map_structure(lambda x: values[id(x)] if is_array(x) else x, structure)


def made(call):
    keras.backend.clear_session(free_memory=False)
    made_object = keras.saving.deserialize_keras_object(copy.deepcopy(call["object"]))  # some from_config() take keys out
    if "adapt" in call:
        made_object.adapt(call["adapt"])
    if "set_vocabulary" in call:
        made_object.set_vocabulary(**{name: each if each is None else each.tolist() for name, each in call["set_vocabulary"].items()})
    return made_object


def is_text(x):
    return is_array(x) and str(getattr(x.dtype, "name", x.dtype)).startswith(("str", "bytes", "object"))


def is_float(x):
    return not is_text(x) and keras.backend.is_float_dtype(keras.backend.standardize_dtype(x.dtype))


def results_of(structure):
    return [x for x in tree.flatten(structure) if x is not None]


def moments(draw):
    """Mean and variance over draws: of each element, of the mean, and of the mean square of the elements; a list for each result. Slow layers
    are drawn less often."""
    draw(0)
    start = time.monotonic()
    draw(1)
    count = NUM_DRAWS if time.monotonic() - start < 0.02 else NUM_DRAWS // 4
    rows = [[np.asarray(x, np.float64) for x in draw(i)] for i in range(count)]
    found = []
    for values in zip(*rows):
        stacked = np.stack(values).reshape(count, -1)
        by_draw = [stacked.mean(1), (stacked**2).mean(1)] if stacked.size else [np.zeros(count)] * 2
        found.append({
            "dtype": str(np.asarray(draw(0)[len(found)]).dtype), "shape": list(values[0].shape), "draws": count,
            "mean": array(stacked.mean(0).astype(np.float32)), "variance": array(stacked.var(0).astype(np.float32)),
            "mean_of_draws": [float(x.mean()) for x in by_draw], "variance_of_draws": [float(x.var()) for x in by_draw],
        })
    return found


# --- layers ---------------------------------------------------------------------------------------------------------------------------------------


def paths(value, prefix=""):
    """The paths of the leaves of nested dictionaries, in the order of their keys: "bounding_boxes/boxes"."""
    if not isinstance(value, dict):
        return [prefix]
    return [path for name in sorted(value) for path in paths(value[name], f"{prefix}/{name}" if prefix else name)]


def bound_inputs(layer, call):
    """(name, array) of the tensors of a call, in order, and its other arguments."""
    if not call["args"] and not call["kwargs"]:
        raise NotRecordable("no arguments")
    try:
        arguments = inspect.signature(layer.call).bind(*call["args"], **{k: v for k, v in call["kwargs"].items()}).arguments
    except TypeError as error:
        raise NotRecordable("arguments that call() does not name") from error
    inputs, other = [], {}
    for position, (name, value) in enumerate(arguments.items()):
        if value is None:
            continue
        leaves = tree.flatten(value)
        if leaves and all(is_array(x) for x in leaves):
            is_dict = isinstance(value, dict)
            names = paths(value) if is_dict else [None if position == 0 else name] * len(leaves)
            if is_dict and len(names) != len(leaves):
                raise NotRecordable("lists in dictionaries")
            inputs += list(zip(names, leaves))
        elif name in ("args", "kwargs") or not isinstance(value, (bool, int, float, str)):
            raise NotRecordable(f"the argument {name}")
        else:
            other[name] = value
    return inputs, other


def move_weights(layer, random):
    for weight in layer.weights:
        value = np.asarray(weight.value)
        if value.dtype.kind not in "f" and str(value.dtype) != "bfloat16" or "scale" in weight.name or not weight.shape and not weight.trainable:
            continue
        if "variance" in weight.name:
            moved = np.abs(value.astype(np.float64)) + 0.5 * random.uniform(size=value.shape)
        else:
            moved = value.astype(np.float64) + 0.25 * random.normal(size=value.shape)
        weight.assign(moved.astype(np.float32))
    for each in layer._flatten_layers():
        if each.weights and hasattr(each, "finalize_state"):  # without weights it would forget its boundaries or words
            each.finalize_state()


def seed_indices(layer):
    return [i for i, v in enumerate(layer.non_trainable_variables) if "seed_generator_state" in v.name]


class LayerRun:
    """A built layer as a function of its values, compiled as a whole if the call is marked so; masks of results are then lost."""

    def __init__(self, layer, call):
        self.layer, self.call = layer, call
        self.trainable = [v.value for v in layer.trainable_variables]
        self.other = [v.value for v in layer.non_trainable_variables]
        self.seeds = seed_indices(layer)
        self.run = jax.jit(self.results) if call.get("compiles") else self.results

    def __call__(self, args, kwargs, trainable=None, other=None):
        return self.run(args, kwargs, list(self.trainable if trainable is None else trainable), list(self.other if other is None else other))

    def results(self, args, kwargs, trainable, other):
        pairs = zip(self.layer.trainable_variables + self.layer.non_trainable_variables, trainable + other)
        scope = backend.StatelessScope(list(pairs), collect_losses=True)
        with scope:
            outputs = self.layer(*args, **kwargs)
            losses = list(self.layer.losses)
        state = [scope.get_current_value(v) for v in self.layer.non_trainable_variables]
        return outputs, losses, state

    def with_seed(self, i):
        other = list(self.other)
        for place in self.seeds:
            other[place] = jnp.asarray([1000 + 7 * i, i], "uint32")
        return other


def draws_of(run, args, kwargs):
    """The function from the number of a draw to the results with its seed: compiled, if that gives the same results. Layers inside of some layers
    have seeds of their own, which a compiled program would keep."""

    def results(other):
        return results_of(run(with_masks(args, run.call), kwargs, other=other)[0])

    compiled = jax.jit(results)
    try:
        pairs = [(compiled(run.with_seed(i)), results(run.with_seed(i))) for i in range(2)]
        is_same = all(np.allclose(x, y, rtol=1e-3, atol=1e-3, equal_nan=True) for one, other in pairs for x, y in zip(one, other, strict=True))
    except Exception:  # noqa: BLE001  (a layer that needs values)
        is_same = False
    draw = compiled if is_same else results
    return lambda i: draw(run.with_seed(i))


def with_masks(args, call):
    """Arguments whose first one carries the masks that it had."""
    flat = tree.flatten(args[:1]) if args else []
    for x, mask in zip(flat, call["masks"]):
        if mask is not None:
            backend.set_keras_mask(x, jnp.asarray(mask))
    return args


def in_total(x):
    """A summand of the number whose gradient is taken; in float64 if JAX has it."""
    return jnp.asarray(x, "float64" if jax.config.jax_enable_x64 else "float32")


def layer_gradients(run, inputs, values, random, outputs):
    """Cotangents of the float results; gradients of float arguments but masks, and of trainable weights."""
    cotangents = [jnp.asarray(random.normal(size=y.shape), y.dtype) if is_float(y) else None for y in outputs]
    places = [i for i, (name, x) in enumerate(inputs) if is_float(values[id(x)]) and not (name or "").endswith("mask")]

    def total(moved, trainable):
        given = {**values, **{id(inputs[i][1]): v for i, v in zip(places, moved)}}
        a, k = filled((run.call["args"], run.call["kwargs"]), given)
        results, losses, _ = run(with_masks(a, run.call), k, trainable=trainable)
        return sum([in_total(jnp.sum(y * c)) for y, c in zip(results_of(results), cotangents) if c is not None], in_total(0)) + sum(
            [in_total(v) for v in losses], in_total(0))

    by_input, by_weight = jax.jit(jax.grad(total, argnums=(0, 1)))([values[id(inputs[i][1])] for i in places], list(run.trainable))
    gradients = [None] * len(inputs)
    for i, g in zip(places, by_input):
        gradients[i] = g
    return cotangents, gradients, by_weight


def finite(values):
    return all(np.all(np.isfinite(np.asarray(v, np.float64))) for v in values if v is not None)


def layer_case(call, random):
    layer = made(call)
    inputs, other = bound_inputs(layer, call)
    values = {id(x): as_tensor(x) for _, x in inputs}
    args, kwargs = filled((call["args"], call["kwargs"]), values)
    if not call.get("compiles"):
        layer(*with_masks(args, call), **kwargs)
    if "adapt" not in call and "set_vocabulary" not in call:
        move_weights(layer, random)
    run = LayerRun(layer, call)
    outputs, losses, state = run(with_masks(args, call), kwargs)
    case = {"inputs": [{"name": n, **array(values[id(x)])} for n, x in inputs], "call": other}
    if "adapt" in call:
        case["adapt"] = array(call["adapt"])
    if "set_vocabulary" in call:
        case["set_vocabulary"] = {name: array(each) for name, each in call["set_vocabulary"].items() if each is not None}
    if any(m is not None for m in call["masks"]):
        case["masks"] = [None if m is None else array(m) for m in call["masks"]]
    case["weights"] = [{"path": v.path, **array(v.value)} for v in layer.weights]
    flat = results_of(outputs)
    if run.seeds:
        draw = draws_of(run, args, kwargs)
        again = [draw(i) for i in range(8)]
        if any(not np.array_equal(np.asarray(a), np.asarray(b), equal_nan=a.dtype != bool) for results in again for a, b in zip(again[0], results)):
            case["moments"] = moments(draw)
            return case
    case["outputs"] = [array(y) for y in flat]
    if flat and backend.get_keras_mask(flat[0]) is not None:
        case["outputs"][0]["mask"] = array(np.asarray(backend.get_keras_mask(flat[0])).astype(bool))
    case["losses"] = [float(v) for v in losses]
    is_weight = {id(w) for w in layer.weights}
    case["state"] = [array(s) for v, s in zip(layer.non_trainable_variables, state) if id(v) in is_weight]
    if any(not np.array_equal(np.asarray(a), np.asarray(b)) for a, b in zip(run.other, state)):
        case["next_outputs"] = [array(y) for y in results_of(run(with_masks(args, call), kwargs, other=state)[0])]
    if is_labeled(call):
        return case
    try:
        cotangents, gradients, by_weight = layer_gradients(run, inputs, values, random, flat)
    except Exception:  # noqa: BLE001  (layers without gradients)
        return case
    if any(c is not None for c in cotangents) and finite([*gradients, *by_weight]):
        case["cotangents"] = [None if c is None else array(c) for c in cotangents]
        case["input_gradients"] = [None if g is None else array(g) for g in gradients]
        case["weight_gradients"] = [array(g) for g in by_weight]
    return case


def is_labeled(call):
    """True for a call on images with boxes, masks or labels."""
    return bool(call["args"]) and isinstance(call["args"][0], dict) and "images" in call["args"][0]


def labeled(call):
    """The call of a layer of images on a dictionary of the same images with boxes and masks; None for other calls."""
    layer = getattr(keras.layers, call["object"]["class_name"], None) if call["kind"] == "layer" else None
    if layer is None or not issubclass(layer, BaseImagePreprocessingLayer):
        return None
    images = call["args"][0] if len(call["args"]) == 1 else None
    if not is_array(images) or images.ndim not in (3, 4):
        return None
    made, random = copy.deepcopy(call["object"]), np.random.RandomState(key(call))
    made["config"]["bounding_box_format"] = "xyxy"
    is_first = made["config"]["data_format"] == "channels_first"
    rows, columns = images.shape[-2:] if is_first else images.shape[-3:-1]
    batch = images.shape[:-3]
    corners = np.sort(random.uniform(size=(*batch, 3, 2, 2)), axis=-2) * [columns, rows]  # (x, y) of two corners
    boxes = {"boxes": corners.reshape(*batch, 3, 4).astype(np.float32), "labels": random.randint(5, size=(*batch, 3)).astype(np.int32)}
    masks = random.randint(4, size=(*batch, 1, rows, columns) if is_first else (*batch, rows, columns, 1)).astype(np.float32)
    return {**call, "object": made, "args": ({"images": images, "bounding_boxes": boxes, "segmentation_masks": masks},), "masks": []}


# --- functions and objects of one call ------------------------------------------------------------------------------------------------------------


def gradients_of(function, values, random):
    """The value of a function of arrays, and its gradient by each float one for a random cotangent."""
    outputs = [y if is_array(y) else jnp.asarray(y) for y in results_of(function(values))]
    cotangents = [jnp.asarray(random.normal(size=y.shape), y.dtype) if is_array(y) and is_float(y) else None for y in outputs]
    places = [i for i, x in enumerate(values) if is_float(x)]
    case = {"outputs": [array(y) for y in outputs]}
    if not places or all(c is None for c in cotangents):
        return case

    def total(moved):
        given = list(values)
        for i, v in zip(places, moved):
            given[i] = v
        return sum(in_total(jnp.sum(y * c)) for y, c in zip(results_of(function(given)), cotangents) if c is not None)

    try:
        found = jax.grad(total)([values[i] for i in places])
    except Exception:  # noqa: BLE001  (functions without gradients)
        return case
    if finite(found):
        case["cotangents"] = [None if c is None else array(c) for c in cotangents]
        gradients = [None] * len(values)
        for i, g in zip(places, found):
            gradients[i] = array(g)
        case["input_gradients"] = gradients
    return case


def op_case(call, random):
    """The function as a graph of one operation, with all arrays as inputs."""
    structure = (tuple(call["args"]), call["kwargs"])
    if "quantile" in call["function"] or "percentile" in call["function"]:  # whose graphs hold q as a number or a list
        given = named(call["original"], call)
        structure = ((given["x"],), {**{name: x for name, x in given.items() if name != "x"}, "q": np.asarray(given["q"]).tolist()})
    leaves = [x for x in tree.flatten(structure) if is_array(x)]
    if not leaves:
        raise NotRecordable("no arrays")
    values = [keras.ops.convert_to_tensor(x if x.ndim else x[None]) for x in leaves]  # a model's input has a batch

    def function(given):
        order = iter(given)
        args, kwargs = tree.map_structure(lambda x: next(order) if is_array(x) else x, structure)
        return call["original"](*args, **kwargs)

    keras.backend.clear_session(free_memory=False)
    symbols = [keras.Input(batch_shape=x.shape, dtype=keras.backend.standardize_dtype(x.dtype), name=f"x{i}") for i, x in enumerate(values)]
    try:
        declared = function(symbols)
        outputs = tree.flatten(declared)
        if not outputs or not all(isinstance(y, keras.KerasTensor) for y in outputs):
            raise NotRecordable("a result that is no tensor")
        model = keras.Model(symbols, outputs)
        config = keras.saving.serialize_keras_object(model)
    except NotRecordable:
        raise
    except Exception as error:  # noqa: BLE001  (operations without a graph)
        raise NotRecordable(f"no graph: {type(error).__name__}") from error
    for key in ("build_config", "compile_config"):
        config.pop(key, None)
    if re.search('"class_name": "(builtin_)?function', json.dumps(config, default=str)):
        raise NotRecordable("a function of the test")
    return {"object": config, "function": call["function"], "inputs": [{"name": None, **array(x)} for x in values],
            **gradients_of(function, values, random)}


def named(function, call):
    """The arguments of a call by name."""
    try:
        return dict(inspect.signature(function).bind(*call["args"], **call["kwargs"]).arguments)
    except TypeError as error:
        raise NotRecordable("arguments that the call does not name") from error


def as_tensor(x):
    return x if x is None or is_text(x) else keras.ops.convert_to_tensor(x)


def loss_case(call, random):
    loss = made(call)
    arguments = {name: as_tensor(x) for name, x in named(loss.__call__, call).items() if x is not None}
    y_pred = arguments.pop("y_pred")
    case = gradients_of(lambda values: loss(y_pred=values[0], **arguments), [y_pred], random)
    return {"y_pred": array(y_pred), **{name: array(x) for name, x in arguments.items()}, **case}


def unary_case(call, random):
    instance = made(call)
    x = as_tensor(call["args"][0] if call["args"] else next(iter(call["kwargs"].values())))
    return {"inputs": [array(x)], **gradients_of(lambda values: instance(values[0]), [x], random)}


def schedule_case(call, random):
    schedule = made(call)
    step = np.asarray(call["args"][0])
    steps = sorted({0, 1, 2, 5, 10, 11, 49, 100, 101, 1000, int(step)})
    return {"steps": steps, "outputs": [array(schedule(jnp.asarray(s, "int32"))) for s in steps]}


def initializer_case(call, random):
    arguments = named(made(call).__call__, call)
    shape, dtype = tuple(int(d) for d in arguments["shape"]), arguments.get("dtype") or keras.config.floatx()
    case = {"shape": list(shape), "dtype": keras.backend.standardize_dtype(dtype)}
    if "seed" not in call["object"]["config"]:
        return {**case, "outputs": [array(made(call)(shape, dtype))]}

    def draw(i):
        call["object"]["config"]["seed"] = i
        return [made(call)(shape, dtype)]

    return {**case, "moments": moments(draw)}


# --- training ---------------------------------------------------------------------------------------------------------------------------------------


def arrays_in(data):
    """Arrays of a batch in the form of files."""
    if isinstance(data, dict):
        return {"named": {name: array(each) for name, each in data.items()}}
    return {"listed": [array(each) for each in data]} if isinstance(data, list) else array(data)


def has_random_results(model, x):
    """True if two calls in training differ. Some layers have seeds and use none."""
    if not any("seed_generator_state" in v.name for v in model.non_trainable_variables):
        return False
    before = [v.value for v in model.non_trainable_variables]
    first, second = (results_of(model(x, training=True)) for _ in range(2))
    for v, value in zip(model.non_trainable_variables, before):
        v.assign(value)
    return any(not np.array_equal(np.asarray(a), np.asarray(b)) for a, b in zip(first, second))


class Trained:
    """A compiled model with moved weights, and what its case says of the weights and the data."""

    def __init__(self, call, random):
        self.model, self.data = made(call), dict(call["kwargs"])
        self.model.compile_from_config(copy.deepcopy(call["compile"]))
        if not self.model.built:
            self.model.build(self.data["x"].shape)
        if has_random_results(self.model, self.data["x"]):
            raise NotRecordable("random layers in training")
        move_weights(self.model, random)
        written = {name: arrays_in(value) for name, value in self.data.items() if name != "class_weight"}
        if self.data.get("class_weight") is not None:
            written["class_weight"] = [[label, weight] for label, weight in self.data["class_weight"].items()]
        self.case = {"compile": call["compile"], "weights": [{"path": v.path, **array(v.value)} for v in self.model.weights], "data": written}

    def after(self, logs):
        """The case with these logs and the weights of now."""
        if not finite([np.asarray(list(each.values())) for each in logs]):
            raise NotRecordable("a loss that is no number")
        return {**self.case, "logs": logs, "values": [array(v.value) for v in self.model.weights]}


def logs_of(given):
    return {name: float(value) for name, value in given.items()}


def training_case(call, random):
    """Steps on one batch: logs, and the weights after the last step."""
    trained = Trained(call, random)
    return trained.after([logs_of(trained.model.train_on_batch(**trained.data, return_dict=True)) for _ in range(NUM_TRAINING_STEPS)])


def fit_case(call, random):
    """Epochs over several batches: logs by epoch, the weights after them, then what evaluate and predict return."""
    trained = Trained(call, random)
    model, fit = trained.model, dict(call["fit"])
    model.steps_per_execution = fit.pop("steps_per_execution")
    made_callbacks = [getattr(keras.callbacks, each["class_name"])(**each["config"]) for each in fit.pop("callbacks")]
    history = model.fit(**trained.data, **fit, callbacks=made_callbacks, shuffle=False, verbose=0).history
    case = trained.after([logs_of(dict(zip(history, values))) for values in zip(*history.values(), strict=True)])
    data = {name: value for name, value in trained.data.items() if name != "class_weight"}
    evaluated = model.evaluate(**data, batch_size=fit["batch_size"], verbose=0, return_dict=True)
    predicted = model.predict(data["x"], batch_size=fit["batch_size"], verbose=0)
    return {"fit": call["fit"], **case, "evaluated": logs_of(evaluated), "predicted": [array(y) for y in results_of(predicted)]}


# --- sequences ------------------------------------------------------------------------------------------------------------------------------------


def metric_case(call, random):
    metric = made(call)
    steps = []
    for event, args, kwargs in call["events"][:12]:
        if event == "reset":
            metric.reset_state()
            steps.append({"event": "reset"})
            continue
        given = named(metric.update_state, {"args": args, "kwargs": kwargs})
        given = {name: as_tensor(x) for name, x in given.items() if x is not None}
        metric.update_state(**given)
        steps.append({"event": "update", "arguments": {name: array(x) for name, x in given.items()},
                      "result": [array(r) for r in tree.flatten(metric.result())]})
    if all(step["event"] == "reset" for step in steps):
        raise NotRecordable("a metric without updates")
    return {"steps": steps, "variables": [array(v.value) for v in metric.variables]}


def optimizer_case(call, random):
    optimizer = made(call)
    variables = []
    for given in call["variables"]:
        constraint = None if given["constraint"] is None else keras.saving.deserialize_keras_object(given["constraint"])
        variables.append(keras.Variable(given["value"], name=given["name"]))
        variables[-1].constraint = constraint
    steps = []
    for step in range(max(NUM_STEPS, min(12, len(call["events"])))):
        if step < len(call["events"]):
            _, args, kwargs = call["events"][step]
            gradients = args[0] if args else kwargs.get("grads", kwargs.get("grads_and_vars"))
            gradients = [g[0] if isinstance(g, (tuple, list)) else g for g in gradients]
            if len(gradients) != len(variables):
                raise NotRecordable("steps with other variables")
        else:
            gradients = [np.asarray(random.normal(size=v.shape), np.float32) for v in variables]
        optimizer.apply([as_tensor(g) for g in gradients], variables if not optimizer.built or step == 0 else None)
        steps.append({"gradients": [None if g is None else array(as_tensor(g)) for g in gradients], "values": [array(v.value) for v in variables]})
    return {"variables": [{"name": g["name"], "constraint": g["constraint"], **array(as_tensor(g["value"]))} for g in call["variables"]],
            "steps": steps, "state": [array(v.value) for v in optimizer.variables]}


CASES = {"layer": layer_case, "op": op_case, "loss": loss_case, "initializer": initializer_case, "regularizer": unary_case, "constraint": unary_case,
         "schedule": schedule_case, "metric": metric_case, "optimizer": optimizer_case, "training": training_case, "fit": fit_case}


def key(call):
    """Equal for calls of the same object on arrays of the same forms."""
    if call["kind"] == "op":
        return key_of(call["function"], forms((tuple(call["args"]), call["kwargs"])))
    parts = [call["kind"], without_names(call["object"])]
    if call["kind"] in ("metric", "optimizer"):
        return key_of(parts, [[event, forms((args, kwargs))] for event, args, kwargs in call["events"][:12]])
    if "compile" in call:
        parts.append(without_names(call["compile"]))
    if "fit" in call:
        parts.append(call["fit"])
    return key_of(parts, forms((call["args"], call["kwargs"], call.get("adapt"), call.get("set_vocabulary"))), call["settings"])


def case_of(call):
    """The case of a call, whose numbers depend on nothing but the call."""
    before = keras.config.floatx(), keras.config.image_data_format()
    keras.config.set_floatx(call["settings"]["floatx"])
    keras.config.set_image_data_format(call["settings"]["image_data_format"])
    try:
        case = CASES[call["kind"]](call, np.random.RandomState(key(call)))
    finally:
        keras.config.set_floatx(before[0])
        keras.config.set_image_data_format(before[1])
    return {"kind": call["kind"], **({"object": call["object"]} if "object" in call else {}), "settings": call["settings"], **case}
