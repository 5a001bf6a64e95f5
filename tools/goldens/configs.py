"""What Keras's get_config() writes: for every class that Cornu has, once as its required arguments leave it and once with every argument but
those LEFT_OUT set otherwise; for models of each kind. A case has the arguments, from which the tests make the same object, and the serialized
object."""

import inspect
import json
import re

import keras
import numpy as np
from keras import layers
from keras.saving import serialize_keras_object
from keras.src.applications import convnext, inception_resnet_v2

from golden import REPOSITORY, write


def initializer(name, **config):
    return {"module": "keras.initializers", "class_name": name, "config": config, "registered_name": None}


def regularizer(name, **config):
    return {"module": "keras.regularizers", "class_name": name, "config": config, "registered_name": None}


def constraint(name, **config):
    return {"module": "keras.constraints", "class_name": name, "config": config, "registered_name": None}


CONV = {"filters": 4, "kernel_size": 3}
PLAIN = {"rate": 0.25}
# What a class cannot be made without.
INNER_SGD = {"module": "keras.optimizers", "class_name": "SGD", "registered_name": None, "config": {"name": "inner", "learning_rate": 0.5}}
INNER_MAP = {"module": "keras.optimizers", "class_name": "OptimizerMap", "registered_name": None,
             "config": {"default_optimizer": INNER_SGD, "optimizer_map": {}}}
REQUIRED = {
    "MultiOptimizer": {"optimizer_map": INNER_MAP}, "MaxNumBoundingBoxes": {"max_number": 5},
    "LossScaleOptimizer": {"inner_optimizer": INNER_SGD},
    "Dense": {"units": 3}, "Activation": {"activation": "relu"}, "Dropout": PLAIN, "Rescaling": {"scale": 2.0}, "Reshape": {"target_shape": [2, 3]},
    "Permute": {"dims": [2, 1]}, "RepeatVector": {"n": 3}, "Dot": {"axes": 1}, "Embedding": {"input_dim": 5, "output_dim": 3},
    "GaussianNoise": {"stddev": 0.1}, "GaussianDropout": PLAIN, "AlphaDropout": PLAIN, "SpatialDropout1D": PLAIN, "SpatialDropout2D": PLAIN,
    "SpatialDropout3D": PLAIN, "Conv1D": CONV, "Conv2D": CONV, "Conv3D": CONV, "Conv1DTranspose": CONV, "Conv2DTranspose": CONV,
    "Conv3DTranspose": CONV, "ConvLSTM1D": CONV, "ConvLSTM2D": CONV, "ConvLSTM3D": CONV, "SeparableConv1D": CONV, "SeparableConv2D": CONV, "DepthwiseConv1D": {"kernel_size": 3},
    "DepthwiseConv2D": {"kernel_size": 3}, "AveragePooling1D": {"pool_size": 2}, "AveragePooling2D": {"pool_size": 2},
    "AveragePooling3D": {"pool_size": 2}, "InputLayer": {"batch_shape": [None, 3]},
    **{name: {"units": 4} for name in ("LSTM", "GRU", "SimpleRNN", "LSTMCell", "GRUCell", "SimpleRNNCell")},
    "SensitivityAtSpecificity": {"specificity": 0.5}, "SpecificityAtSensitivity": {"sensitivity": 0.5}, "PrecisionAtRecall": {"recall": 0.5},
    "RecallAtPrecision": {"precision": 0.5},
    "Resizing": {"height": 3, "width": 4}, "CenterCrop": {"height": 3, "width": 4}, "RandomCrop": {"height": 3, "width": 4, "seed": 5},
    "RandomContrast": {"factor": 0.25}, "RandomBrightness": {"factor": 0.25}, "RandomRotation": {"factor": 0.25}, "RandomZoom": {"height_factor": 0.25},
    "RandomTranslation": {"height_factor": 0.25, "width_factor": [0.125, 0.25]}, "CategoryEncoding": {"num_tokens": 5},
    "Discretization": {"bin_boundaries": [0.0, 1.5]},
    "ExponentialDecay": {"initial_learning_rate": 0.1, "decay_steps": 10, "decay_rate": 0.5},
    "InverseTimeDecay": {"initial_learning_rate": 0.1, "decay_steps": 10, "decay_rate": 0.5},
    "PolynomialDecay": {"initial_learning_rate": 0.1, "decay_steps": 10}, "CosineDecay": {"initial_learning_rate": 0.1, "decay_steps": 10},
    "CosineDecayRestarts": {"initial_learning_rate": 0.1, "first_decay_steps": 10},
    "PiecewiseConstantDecay": {"boundaries": [1, 20], "values": [0.1, 0.2, 0.3]},
    "EinsumDense": {"equation": "ab,bc->ac", "output_shape": [3]}, "MultiHeadAttention": {"num_heads": 2, "key_dim": 3},
    **{f"Adaptive{kind}Pooling{n}D": {"output_size": 3} for kind in ("Max", "Average") for n in (1, 2, 3)},
    **{name: {"factor": 0.25} for name in ("RandomHue", "RandomSaturation", "RandomColorDegeneration", "RandomSharpness")},
    "RandomShear": {"x_factor": 0.25}, "RandomPosterization": {"factor": 3}, "BinaryIoU": {"dtype": "int32"},
    # Without a dtype Keras counts in int32 on JAX and in int64 on TensorFlow, as Cornu does.
    **{name: {"num_classes": 3, "dtype": "int32", **({} if "Mean" in name else {"target_class_ids": [0, 2]})}
       for name in ("IoU", "MeanIoU", "OneHotIoU", "OneHotMeanIoU")},
    "ReversibleEmbedding": {"input_dim": 5, "output_dim": 3},
    "GroupQueryAttention": {"head_dim": 3, "num_query_heads": 4, "num_key_value_heads": 2},
}
# Values that are no default, by the argument's name, and by class and name where a class wants others.
OTHER = {
    "use_bias": False, "center": False, "scale": False, "normalize": True, "mask_zero": True, "keepdims": True, "reset_after": False,
    "unit_forget_bias": False, "return_sequences": True, "return_state": True, "go_backwards": True, "stateful": True, "unroll": True,
    "zero_output_for_mask": True, "renorm": True, "renorm_clipping": {"rmax": 1.5, "dmax": 2.5}, "renorm_momentum": 0.9,
    "trainable": False, "name": "other", "dtype": "float16", "padding": "same", "data_format": "channels_first", "strides": 2, "pool_size": 3,
    "kernel_size": 2, "groups": 2, "filters": 6, "units": 7, "activation": "swish", "recurrent_activation": "hard_sigmoid", "dropout": 0.25,
    "recurrent_dropout": 0.125, "seed": 11, "rate": 0.125, "stddev": 0.5, "noise_shape": [None, 1, 3], "depth_multiplier": 2,
    "kernel_initializer": initializer("VarianceScaling", scale=2.0, mode="fan_out", distribution="uniform", seed=3),
    "recurrent_initializer": initializer("Orthogonal", gain=2.0, seed=4), "bias_initializer": initializer("Constant", value=0.5),
    "depthwise_initializer": initializer("TruncatedNormal", mean=0.5, stddev=2.0, seed=1), "pointwise_initializer": "he_normal",
    "embeddings_initializer": initializer("RandomNormal", mean=0.25, stddev=0.5, seed=None), "alpha_initializer": "ones",
    "beta_initializer": "ones", "gamma_initializer": "zeros", "moving_mean_initializer": "ones", "moving_variance_initializer": "zeros",
    "kernel_regularizer": regularizer("L1", l1=0.25), "recurrent_regularizer": "l1", "bias_regularizer": regularizer("L2", l2=0.1),
    "activity_regularizer": regularizer("L1L2", l1=0.1, l2=0.2), "depthwise_regularizer": "l2", "pointwise_regularizer": "l1",
    "embeddings_regularizer": regularizer("OrthogonalRegularizer", factor=0.1, mode="columns"), "alpha_regularizer": "l2",
    "beta_regularizer": "l1", "gamma_regularizer": "l2",
    "kernel_constraint": constraint("MaxNorm", max_value=3.0, axis=[0, 1]), "recurrent_constraint": "unit_norm", "bias_constraint": "non_neg",
    "depthwise_constraint": "max_norm", "pointwise_constraint": "non_neg", "alpha_constraint": "non_neg", "beta_constraint": "non_neg",
    "gamma_constraint": "unit_norm", "embeddings_constraint": constraint("MinMaxNorm", min_value=0.5, max_value=2.0, rate=0.5, axis=1),
    "lora_rank": None, "axis": 1, "epsilon": 0.01, "momentum": 0.75, "negative_slope": 0.5, "max_value": 6.0, "threshold": 0.25, "alpha": 0.5,
    "shared_axes": [1], "size": 3, "interpolation": "bilinear", "cropping": 2, "l1": 0.1, "l2": 0.2, "offset": 0.5, "mask_value": -1.0,
    "dims": [2, 3, 1], "n": 5, "target_shape": [-1, 2], "axes": [1, 2], "input_dim": 9, "output_dim": 2, "output_padding": 1, "dilation_rate": 1,
    # Preprocessing.
    "height": 5, "width": 6, "crop_to_aspect_ratio": True, "fill_mode": "wrap", "fill_value": 2.0, "antialias": True, "value_range": [0, 1],
    "height_factor": [-0.25, 0.5], "width_factor": 0.25, "num_tokens": 7, "output_mode": "count", "bin_boundaries": [0.0, 2.5],
    # Losses and metrics.
    "reduction": "sum", "delta": 2.0, "from_logits": True, "label_smoothing": 0.1, "ignore_class": 2, "gamma": 3.0, "apply_class_balancing": True,
    "q": 0.25, "k": 3, "thresholds": [0.25, 0.5], "top_k": 2, "class_id": 1, "num_thresholds": 50, "specificity": 0.25, "sensitivity": 0.25,
    "recall": 0.25, "precision": 0.25, "curve": "PR", "summation_method": "majoring", "multi_label": True, "num_labels": 3,
    "input_axes": [0, 1], "output_axes": [-1], "from_sorted_ids": True, "margin": 0.25, "remove_diagonal": False, "num_classes": 4, "target_class_ids": [1], "sparse_y_true": False, "sparse_y_pred": False,
    "beta_2_decay": -0.5, "epsilon_1": 1e-20, "epsilon_2": 0.01, "clip_threshold": 2.0, "relative_step": False,
    "adam_beta_1": 0.8, "adam_beta_2": 0.95, "adam_weight_decay": 0.1, "adam_lr_ratio": 0.5, "exclude_layers": ["head", "norm$"],
    "exclude_embeddings": False, "muon_a": 3.0, "muon_b": -4.0, "muon_c": 2.0, "ns_steps": 3, "rms_rate": 0.5,
    "x_factor": [0.25, 0.5], "y_factor": 0.5, "sigma": [0.25, 0.5], "brightness_factor": 0.25, "contrast_factor": [0.25, 0.5],
    "saturation_factor": 0.5, "hue_factor": [0.25, 0.5], "bins": 16, "clip_limit": 2.0, "tile_grid_size": [4, 2], "num_ops": 3, "num_chains": 2,
    "chain_depth": 4, "all_ops": False, "tie_weights": False, "reverse_dtype": "float32", "logit_soft_cap": 2.5, "output_size": 2, "addition_factor": 0.25, "threshold_factor": [0.25, 0.5],
    "average": "micro", "beta": 2.0, "class_aggregation": "variance_weighted_average", "num_regressors": 2,
    # Optimizers and schedules.
    "learning_rate": {"module": "keras.optimizers.schedules", "class_name": "CosineDecay", "registered_name": None,
                      "config": {"initial_learning_rate": 0.1, "decay_steps": 10}},
    "nesterov": True, "weight_decay": 0.02, "clipnorm": 2.0, "use_ema": True, "ema_momentum": 0.5, "ema_overwrite_frequency": 7,
    "loss_scale_factor": 4.0, "gradient_accumulation_steps": 3, "beta_1": 0.8, "beta_2": 0.95, "amsgrad": True, "rho": 0.5, "centered": True,
    "initial_accumulator_value": 0.5, "learning_rate_power": -0.25, "l1_regularization_strength": 0.1, "l2_regularization_strength": 0.2,
    "l2_shrinkage_regularization_strength": 0.3, "decay_steps": 20, "decay_rate": 0.25, "staircase": True, "end_learning_rate": 0.01,
    "power": 2.0, "cycle": True, "warmup_target": 0.5, "warmup_steps": 5, "t_mul": 3.0, "m_mul": 0.5, "initial_learning_rate": 0.2,
    "first_decay_steps": 30, "boundaries": [3], "values": [0.5, 0.25], "initial_scale": 1024.0, "dynamic_growth_steps": 7,
    "inner_optimizer": {**INNER_SGD, "config": {"name": "inner", "learning_rate": 0.25, "momentum": 0.5}},
    "optimizer_map": {**INNER_MAP, "config": {"default_optimizer": INNER_SGD, "optimizer_map": {"encoder/.*": INNER_SGD}}},
    # Spectrograms and boxes.
    "frame_length": 32, "frame_step": 8, "fft_length": 64, "window": "hamming", "periodic": True, "scaling": "spectrum", "expand_dims": True,
    "sequence_length": 32, "sequence_stride": 16, "sampling_rate": 8000, "num_mel_bins": 20, "min_freq": 50.0, "max_freq": 3000.0, "power_to_db": False,
    "top_db": 60.0, "mag_exp": 1.0, "min_power": 0.125, "ref_power": 2.0, "max_number": 7, "side": "imag",
    # Initializers, regularizers, constraints.
    "gain": 2.0, "minval": -1.0, "maxval": 2.0, "mean": 0.5, "mode": "fan_avg", "distribution": "uniform", "value": 0.5, "factor": 0.5,
    "min_value": 0.25, "batch_shape": [4, None, 2],
    # Attention.
    "equation": "abc,cd->abd", "output_shape": [None, 4], "bias_axes": "d", "num_heads": 3, "key_dim": 4, "value_dim": 5, "attention_axes": [1],
    "sliding_window": 2, "use_gate": True, "invert": True, "head_dim": 4, "num_query_heads": 6, "num_key_value_heads": 3, "use_scale": True, "score_mode": "concat",
}
OTHER_OF_CLASS = {
    ("UpSampling2D", "size"): [2, 3], ("UpSampling3D", "size"): [1, 2, 3], ("Cropping1D", "cropping"): [1, 2],
    ("Cropping2D", "cropping"): [[1, 2], [3, 4]], ("ZeroPadding1D", "padding"): [1, 2], ("ZeroPadding2D", "padding"): [1, 2],
    ("ZeroPadding3D", "padding"): [[1, 2], [3, 4], [5, 6]], ("Softmax", "axis"): [1, 2], ("LayerNormalization", "axis"): [1, 2],
    ("UnitNormalization", "axis"): [1, 2], ("Rescaling", "scale"): [1.0, 2.0], ("VarianceScaling", "scale"): 2.0,
    ("OrthogonalRegularizer", "mode"): "columns", ("MaxNorm", "max_value"): 3.0, ("MinMaxNorm", "max_value"): 3.0, ("MinMaxNorm", "rate"): 0.5,
    ("InputLayer", "dtype"): "int32", ("Ftrl", "beta"): 0.5, ("CosineDecay", "alpha"): 0.25,
    ("AveragePooling2D", "strides"): [1, 2], ("MaxPooling3D", "pool_size"): [1, 2, 3], ("Dense", "lora_rank"): 2, ("Embedding", "lora_rank"): 1,
    ("Conv2D", "lora_rank"): 2, ("DepthwiseConv1D", "strides"): 1, ("Conv1D", "padding"): "causal",
    ("Dense", "kernel_constraint"): None, ("Embedding", "embeddings_constraint"): None, ("Conv2D", "kernel_constraint"): None,
    ("RandomPosterization", "factor"): [2, 5], ("STFTSpectrogram", "mode"): "psd", ("RandomElasticTransform", "scale"): [0.25, 0.5], ("RandomErasing", "scale"): [0.25, 0.5], ("RandomErasing", "fill_value"): [1.0, 2.0, 3.0],
    ("RandomPerspective", "scale"): 0.5, ("RandomGaussianBlur", "kernel_size"): [3, 5], ("OneHotIoU", "sparse_y_pred"): True, ("OneHotMeanIoU", "sparse_y_pred"): True,
    ("Muon", "nesterov"): False, ("Resizing", "fill_mode"): None, ("RandomFlip", "mode"): "vertical", ("Discretization", "epsilon"): 0.125,
    ("RandomContrast", "factor"): [0.25, 0.5], ("RandomRotation", "factor"): [-0.25, 0.5], ("RandomBrightness", "factor"): [-0.25, 0.5],
    **{(name, "interpolation"): "nearest" for name in ("Resizing", "RandomTranslation", "RandomRotation", "RandomZoom")},
    ("Normalization", "axis"): [1, 2], ("Normalization", "mean"): [1.0, 2.0], ("Normalization", "variance"): [3.0, 4.0],
    ("Dense", "activation"): "hard_swish", ("MultiHeadAttention", "output_shape"): [2, 3], ("AdditiveAttention", "use_scale"): False,
}
# Arguments without a case here: Cornu does not have them, Keras never writes them, or they do not go with others. Those that Cornu has and
# writes have cases in cornu/keras/config/keras_form_test.cc.
LEFT_OUT = {
    "quantization_config", "implementation", "use_cudnn", "input_length", "weights", "sparse", "ragged", "optional", "input_tensor", "lora_alpha",
    "rms_scaling", "synchronized", "shape", "batch_size", "label_weights", "clipvalue", "global_clipnorm", "fn", "autocast",
    "pad_to_aspect_ratio", "num_bins", "bounding_box_format",
    "flash_attention", "gptq_unpacked_column_size",
}
LEFT_OUT_OF_CLASS = {
    ("AUC", "thresholds"), ("Precision", "thresholds"), ("Recall", "thresholds"), ("Conv1DTranspose", "output_padding"),
    # Keras's constructors take these, and get_config() forgets them: keras_form_test.cc has cases of them.
    ("Huber", "delta"), ("CosineSimilarity", "axis"), ("SparseCategoricalCrossentropy", "axis"), ("SimpleRNN", "seed"), ("Identity", "gain"),
    ("MaxNumBoundingBoxes", "fill_value"),
    # It writes the one of the cell, which has none.
    ("SimpleRNN", "activity_regularizer"), ("RandomGrayscale", "seed"),
}
# They need TensorFlow: text_layers.py makes their cases.
ON_TENSORFLOW = {"StringLookup", "IntegerLookup", "TextVectorization", "Hashing", "HashedCrossing"}
EVERY_LAYER = ("name", "trainable", "dtype", "activity_regularizer")


def public_classes(module, folder):
    """The classes of Keras that have a handle of the same name in our headers."""
    ours = set()
    for header in (REPOSITORY / "cornu" / "keras" / folder).rglob("*.h"):
        if not header.name.endswith("_support.h"):
            found = re.findall(r"^  explicit (\w+)\((?:const )?\w+Options&? options|^  ([A-Z]\w+)\(\);", header.read_text(encoding="utf-8"), re.MULTILINE)
            ours |= {with_options or without for with_options, without in found}
    classes = {name: getattr(module, name) for name in sorted(ours) if inspect.isclass(getattr(module, name, None))}
    return {name: cls for name, cls in classes.items() if cls.__name__ == name or name == "GroupQueryAttention"}


def other_arguments(name, cls, family):
    arguments = dict(REQUIRED.get(name, {}))
    known = {p.name for p in inspect.signature(cls.__init__).parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)} - {"self"}
    if family == "layers" and name != "InputLayer":
        known |= set(EVERY_LAYER)
        if name.endswith("Cell") or name in ("ActivityRegularization",) or name.startswith("SpatialDropout"):
            known.discard("activity_regularizer")
        if "/preprocessing/" in inspect.getfile(cls) and name != "Rescaling":
            known.discard("activity_regularizer")
        if name.startswith("SpatialDropout") or name == "Discretization":
            known.discard("trainable")
    if family == "losses":
        known.discard("dtype")
    if family == "metrics":
        if name in ("CosineSimilarity", "BinaryCrossentropy"):
            known.discard("axis")
    for argument in sorted(known):
        if argument in LEFT_OUT or (name, argument) in LEFT_OUT_OF_CLASS:
            continue
        value = OTHER_OF_CLASS.get((name, argument), OTHER.get(argument, KeyError))
        if value is KeyError:
            raise KeyError(f"{name} has the argument {argument}, for which this script knows no other value")
        if value is not None:
            arguments[argument] = value
    return arguments


def make(cls, arguments):
    keras.utils.clear_session()
    arguments = json.loads(json.dumps(arguments))
    # An optimizer's constructor takes a schedule as an object only.
    return cls.from_config(arguments) if issubclass(cls, keras.optimizers.Optimizer) else cls(**arguments)


def case(family, name, cls, arguments):
    return {"family": family, "class_name": name, "arguments": arguments, "object": serialize_keras_object(make(cls, arguments))}


def class_cases():
    cases = []
    families = {
        "layers": layers, "losses": keras.losses, "metrics": keras.metrics, "optimizers": keras.optimizers,
        "optimizers/schedules": keras.optimizers.schedules, "initializers": keras.initializers, "regularizers": keras.regularizers,
        "constraints": keras.constraints,
    }
    held = ON_TENSORFLOW | {"RNN", "StackedRNNCells", "TimeDistributed", "Bidirectional", "Lambda", "MeanMetricWrapper"}
    for family, module in families.items():
        for name, cls in public_classes(module, family).items():
            if name in held:
                continue
            cases.append(case(family, name, cls, REQUIRED.get(name, {})))
            other = other_arguments(name, cls, family)
            if other != REQUIRED.get(name, {}):
                cases.append(case(family, name, cls, other))
    return cases


def composite_cases():
    """Layers that hold others, built layers, layers that Keras keeps to its applications."""
    keras.utils.clear_session()
    made = [
        layers.RNN(layers.LSTMCell(3), return_sequences=True, name="r"),
        layers.RNN([layers.LSTMCell(3), layers.GRUCell(2, name="g")], go_backwards=True),
        layers.StackedRNNCells([layers.SimpleRNNCell(2)], name="s"),
        layers.Dense(3, activation=layers.LeakyReLU(negative_slope=0.25)), layers.TimeDistributed(layers.Dense(3)),
        convnext.LayerScale(0.25, 4), convnext.StochasticDepth(0.5), inception_resnet_v2.CustomScaleLayer(0.17),
        layers.Bidirectional(layers.LSTM(3, return_sequences=True)),
        layers.SpectralNormalization(layers.Dense(3), power_iterations=2, name="sn"), layers.Pipeline([layers.Rescaling(2.0), layers.AutoContrast()], name="p"),
        layers.Bidirectional(layers.GRU(3), backward_layer=layers.GRU(3, go_backwards=True, activation="relu"), merge_mode=None),
    ]
    keras.utils.clear_session()
    for layer, shape in [(layers.Dense(3), (None, 4)), (layers.LSTM(3), (None, 5, 4)), (layers.BatchNormalization(), (None, 4)),
                         (layers.Embedding(5, 2), (None, 3)), (layers.TimeDistributed(layers.Dense(2)), (None, 5, 4)),
                         (layers.PReLU(), (None, 4)), (layers.Conv2D(2, 3), (None, 5, 5, 3))]:
        layer.build(shape)
        made.append(layer)
    return [serialize_keras_object(layer) for layer in made]


def models():
    def sequential():
        yield keras.Sequential([keras.Input((3,)), layers.Dense(4, activation="relu"), layers.Dropout(0.5), layers.Dense(2)], name="with_input")
        yield keras.Sequential([layers.Dense(4), layers.Dense(2)], name="not_built")
        built = keras.Sequential([layers.Flatten(), layers.Dense(2, kernel_regularizer="l2")], name="built")
        built.build((None, 2, 3))
        yield built
        yield keras.Sequential([keras.Input((4,)), keras.Sequential([layers.Dense(3), layers.Activation("tanh")], name="inner"), layers.Dense(1)],
                               name="nested")
        frozen = keras.Sequential([keras.Input((3,)), layers.Dense(4)], name="frozen")
        frozen.trainable = False
        yield frozen

    def functional():
        a, b = keras.Input((3,), name="a"), keras.Input((3,), name="b")
        shared = layers.Dense(2)
        yield keras.Model([a, b], [layers.Add()([shared(a), shared(b)]), shared(a) * 2.0 - 1.0], name="shared")
        a = keras.Input((3,), name="a")
        inner_in = keras.Input((3,), name="x")
        inner = keras.Model(inner_in, layers.Dense(3)(inner_in), name="inner")
        yield keras.Model(a, inner(inner(a)), name="called_twice")
        a = keras.Input((3,), name="a")
        yield keras.Model(a, -(a + 1.0) / (2.0 * a), name="arithmetic")
        a = keras.Input((3,), name="a")
        yield keras.Model(a, a + np.array([1.0, 2.0, 3.0], "float32"), name="array")
        a = keras.Input((3,), name="a")
        yield keras.Model(a, layers.Dropout(0.3)(a, training=True), name="training")
        a = keras.Input((5, 4), name="a")
        y, h, c = layers.LSTM(3, return_state=True)(a)
        yield keras.Model(a, layers.LSTM(3)(layers.RepeatVector(2)(y), initial_state=[h, c]), name="states")
        a = keras.Input((8, 8, 3), name="image")
        x = layers.Conv2D(4, 3, padding="same", use_bias=False)(a)
        x = layers.BatchNormalization()(x)
        x = layers.ReLU(6.0)(x)
        x = layers.Concatenate()([x, a])
        x = layers.MaxPooling2D()(x)
        yield keras.Model(a, [layers.GlobalAveragePooling2D(name="mean")(x), layers.Flatten(name="flat")(x)], name="image_model")
        a = keras.Input((3,), name="a")
        yield keras.Model(a, keras.Sequential([layers.Dense(2)], name="part")(a), name="holds_sequential")

    configs = []
    for generator in (sequential, functional):
        keras.utils.clear_session()
        for model in generator():
            configs.append(serialize_keras_object(model))
            keras.utils.clear_session()
    return configs


def main():
    activations = {name: keras.activations.serialize(keras.activations.get(name)) for name in (
        "celu elu exponential gelu glu hard_shrink hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu linear log_sigmoid log_softmax mish relu "
        "relu6 selu sigmoid silu soft_shrink softmax softplus softsign sparse_plus sparse_sigmoid sparsemax squareplus swish tanh "
        "tanh_shrink").split()}
    write("configs", {"activations": activations, "classes": class_cases(), "composites": composite_cases(), "models": models()})
