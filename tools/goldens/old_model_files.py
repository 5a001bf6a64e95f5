"""Files of models by older and newer versions of Keras: one model for each layer, optimizer, loss and form, and its predictions.

Usage: python tools/goldens/old_model_files.py KERAS [OUTPUT_FOLDER [NAME...]]

KERAS is the module: keras, tensorflow.keras or tf_keras. Run it once in an environment of each version:

    Python 3.7   keras==1.2.2 tensorflow-cpu==1.15.0 h5py==2.10.0 numpy==1.17.5 protobuf==3.20.3 (KERAS_BACKEND=tensorflow)   keras
    Python 3.6   keras==1.2.2 theano==1.0.5 h5py==2.10.0 numpy==1.16.6 (KERAS_BACKEND=theano THEANO_FLAGS=cxx=,optimizer=None)        keras
    Python 3.7   keras==2.2.4 tensorflow-cpu==1.15.0 h5py==2.10.0 numpy==1.17.5 protobuf==3.20.3      keras
    Python 3.8   tensorflow-cpu==2.4.4                                                                tensorflow.keras
    Python 3.11  tensorflow-cpu==2.15.1 tf_keras==2.15.1                                              tf_keras
    Python 3.11  keras==3.0.5 packaging jax==0.4.23 jaxlib==0.4.23 numpy<2 ml_dtypes<0.5 scipy<1.13   keras
    Python 3.11  keras==3.3.3 packaging jax==0.4.26 jaxlib==0.4.26 numpy<2 ml_dtypes<0.5 scipy<1.13   keras
    Python 3.11  keras==3.6.0 jax==0.4.33 jaxlib==0.4.33 numpy<2                                      keras
    Python 3.11  keras==3.15.1 jax                                                                    keras

It writes OUTPUT_FOLDER/keras_VERSION.zip.gz, on Theano keras_VERSION_theano.zip.gz (default: tests/data/keras_old), an archive of

    NAME.h5, NAME.keras   what the version saves after two steps of training: .h5 before 2.13, .keras from there on, both in some cases
    cases.json            {"keras": VERSION, "cases": {NAME: {"x", "y", "before", "losses"}}}: predictions of the saved model and
                          the losses of two further steps; "losses" only where training draws no random numbers

Each part of "x", "y" and "before" is a list of {"shape", "data"}. Times are fixed: the same versions give the same files.
"""

import gzip
import importlib
import io
import json
import os
import pathlib
import sys
import tempfile
import zipfile

os.environ.setdefault("KERAS_BACKEND", "jax" if sys.version_info >= (3, 9) else "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "keras_old"
keras = importlib.import_module(sys.argv[1])
layers = keras.layers
VERSION = keras.__version__.replace("-tf", "")
NUMBER = tuple(int(part) for part in VERSION.split(".")[:2])
CASES = {}  # name: a function of nothing that makes (model, inputs, is_deterministic)
RANDOM = np.random.RandomState(5)


def case(name):
    def register(function):
        CASES[name] = function
        return function

    return register


def random_inputs(*shape):
    return RANDOM.normal(size=(3,) + shape).astype("float32")


def integers(limit, *shape):
    return RANDOM.randint(0, limit, size=(3,) + shape).astype("int32")


def named(*names):
    """The first of some classes of layers that this version has."""
    for name in names:
        found = getattr(layers, name, None) or getattr(getattr(getattr(layers, "experimental", None), "preprocessing", None), name, None)
        if found is not None:
            return found
    raise AttributeError(names[0])


def sgd():
    return keras.optimizers.SGD(0.05)


def compiled(model, optimizer=None, loss="mse", **arguments):
    model.compile(optimizer=optimizer or sgd(), loss=loss, **arguments)
    return model


def sequential(shape, *parts):
    """A Sequential whose first layer says the shape before Keras 3."""
    if NUMBER >= (3, 0):
        return compiled(keras.Sequential([keras.Input(shape)] + [make() for make in parts]))
    model = keras.models.Sequential()
    for i, make in enumerate(parts):
        model.add(make(**({"input_shape": shape} if i == 0 else {})))
    return compiled(model)


def functional(shape, call, dtype=None):
    x = keras.layers.Input(shape, **({} if dtype is None else {"dtype": dtype}))
    return compiled(keras.models.Model(x, call(x)))


def simple(name, shape, make, is_deterministic=True):
    """A layer alone: functional."""
    CASES[name] = lambda: (functional(shape, lambda x: make()(x)), random_inputs(*shape), is_deterministic)


def after_dense(name, shape, make, is_deterministic=True):
    """A layer without weights behind a Dense: sequential."""
    CASES[name] = lambda: (sequential(shape, lambda **k: layers.Dense(shape[-1], **k), lambda **k: make()), random_inputs(*shape), is_deterministic)


def before_dense(name, shape, make, is_deterministic=False):
    def build():
        model = functional(shape, lambda x: layers.Dense(2)(layers.Flatten()(make()(x))))
        return model, random_inputs(*shape), is_deterministic

    CASES[name] = build


# Activations
for activation in ("elu", "exponential", "gelu", "hard_sigmoid", "leaky_relu", "linear", "log_softmax", "mish", "relu", "relu6", "selu", "sigmoid", "silu",
                   "softmax", "softplus", "softsign", "swish", "tanh"):
    after_dense("activation_" + activation, (4,), lambda activation=activation: layers.Activation(activation))
simple("dense_hard_sigmoid", (4,), lambda: layers.Dense(3, activation="hard_sigmoid"))
after_dense("leaky_relu", (4,), lambda: layers.LeakyReLU(0.2))
simple("prelu", (3, 4), lambda: layers.PReLU(shared_axes=[1]))
after_dense("elu", (4,), lambda: layers.ELU(0.7))
after_dense("thresholded_relu", (4,), lambda: named("ThresholdedReLU")(0.3))
after_dense("softmax", (3, 4), lambda: layers.Softmax(axis=1))
after_dense("relu", (4,), lambda: layers.ReLU(max_value=0.9, negative_slope=0.1, threshold=0.1))

# Core
simple("dense", (4,), lambda: layers.Dense(3, activation="relu", kernel_regularizer=keras.regularizers.l2(0.01), bias_regularizer=keras.regularizers.l1(0.01),
                                           kernel_constraint=keras.constraints.MaxNorm(2.0), kernel_initializer="he_normal"))
simple("dense_l1_l2", (4,), lambda: layers.Dense(3, kernel_regularizer=keras.regularizers.l1_l2(0.01, 0.02), activity_regularizer=keras.regularizers.l2(0.01),
                                                 kernel_constraint=keras.constraints.UnitNorm(), bias_constraint=keras.constraints.NonNeg(),
                                                 kernel_initializer=keras.initializers.VarianceScaling(2.0, "fan_out", "uniform")))
for initializer in ("zeros", "ones", "random_normal", "random_uniform", "truncated_normal", "glorot_normal", "glorot_uniform", "he_uniform", "lecun_normal",
                    "lecun_uniform", "orthogonal", "identity", "variance_scaling"):
    def with_initializer(initializer=initializer):
        made = keras.initializers.get({"class_name": initializer, "config": {}}) if initializer == "variance_scaling" and NUMBER < (2, 3) else None
        return layers.Dense(4, kernel_initializer=made or ("VarianceScaling" if initializer == "variance_scaling" else initializer))

    simple("initializer_" + initializer, (4,), with_initializer)
simple("einsum_dense", (3, 4), lambda: named("EinsumDense")("abc,cd->abd", output_shape=(None, 2), bias_axes="d"))
after_dense("permute", (3, 4), lambda: layers.Permute((2, 1)))
after_dense("repeat_vector", (4,), lambda: layers.RepeatVector(2))
after_dense("reshape", (3, 4), lambda: layers.Reshape((2, 6)))
after_dense("flatten", (3, 4), lambda: layers.Flatten())
after_dense("activity_regularization", (4,), lambda: layers.ActivityRegularization(l1=0.01, l2=0.02))
after_dense("lambda", (4,), lambda: layers.Lambda(lambda x: x * 2))


@case("embedding")
def embedding():
    model = keras.models.Sequential()
    if NUMBER < (3, 0):
        model.add(layers.Embedding(7, 3, input_length=4))
    else:
        model.add(keras.Input((4,)))
        model.add(layers.Embedding(7, 3))
    model.add(layers.Flatten())
    model.add(layers.Dense(2))
    return compiled(model), integers(7, 4), True


@case("embedding_mask")
def embedding_mask():
    x = layers.Input((5,), dtype="int32")
    return compiled(keras.models.Model(x, layers.LSTM(2)(layers.Embedding(7, 3, mask_zero=True)(x)))), integers(3, 5), True


# Convolution
simple("conv1d", (6, 2), lambda: layers.Conv1D(3, 3, padding="causal", dilation_rate=2, activation="relu"))
simple("conv2d", (6, 5, 2), lambda: layers.Conv2D(3, 3, strides=(2, 1), padding="same", use_bias=False))
simple("conv2d_groups", (5, 5, 4), lambda: layers.Conv2D(4, 3, groups=2))
simple("conv3d", (4, 4, 4, 1), lambda: layers.Conv3D(2, 2))
simple("conv1d_transpose", (4, 2), lambda: layers.Conv1DTranspose(3, 3, strides=2))
simple("conv2d_transpose", (4, 4, 2), lambda: layers.Conv2DTranspose(3, 3, strides=2, padding="same", output_padding=1))
simple("conv3d_transpose", (3, 3, 3, 1), lambda: layers.Conv3DTranspose(2, 2, strides=2))
simple("depthwise_conv1d", (6, 2), lambda: layers.DepthwiseConv1D(3, depth_multiplier=2))
simple("depthwise_conv2d", (6, 6, 2), lambda: layers.DepthwiseConv2D(3, strides=2, depth_multiplier=2, padding="same", depthwise_regularizer="l2"))
simple("separable_conv1d", (6, 2), lambda: layers.SeparableConv1D(3, 3, depth_multiplier=2, activation="tanh"))
simple("separable_conv2d", (6, 6, 2), lambda: layers.SeparableConv2D(3, 3, depth_multiplier=2, pointwise_regularizer="l2"))
for rank, shape in ((1, (6, 2)), (2, (6, 4, 2)), (3, (4, 4, 4, 2))):
    dimensions = "%dD" % rank
    for kind in ("MaxPooling", "AveragePooling"):
        after_dense("%s%dd" % (kind.lower(), rank), shape, lambda kind=kind, d=dimensions: getattr(layers, kind + d)(2, padding="same"))
    for kind in ("GlobalMaxPooling", "GlobalAveragePooling"):
        after_dense("%s%dd" % (kind.lower(), rank), shape, lambda kind=kind, d=dimensions: getattr(layers, kind + d)())
    for kind in ("ZeroPadding", "Cropping"):
        after_dense("%s%dd" % (kind.lower(), rank), shape, lambda kind=kind, d=dimensions: getattr(layers, kind + d)(1))
    after_dense("upsampling%dd" % rank, shape, lambda d=dimensions: getattr(layers, "UpSampling" + d)(2))
    after_dense("spatial_dropout%dd" % rank, shape, lambda d=dimensions: getattr(layers, "SpatialDropout" + d)(0.2), False)
if NUMBER >= (2, 4):
    after_dense("upsampling2d_bilinear", (3, 3, 2), lambda: layers.UpSampling2D(2, interpolation="bilinear"))

# Normalization
simple("batch_normalization", (4,), lambda: layers.BatchNormalization(momentum=0.9, epsilon=0.01))
simple("batch_normalization_images", (3, 3, 2), lambda: layers.BatchNormalization(scale=False, gamma_regularizer="l2"))
simple("layer_normalization", (3, 4), lambda: layers.LayerNormalization(epsilon=0.01))
simple("layer_normalization_axes", (3, 4), lambda: layers.LayerNormalization(axis=[1, 2]))
simple("group_normalization", (3, 4), lambda: layers.GroupNormalization(2))
after_dense("unit_normalization", (3, 4), lambda: layers.UnitNormalization(axis=1))
simple("sync_batch_normalization", (4,), lambda: layers.experimental.SyncBatchNormalization())
simple("synchronized_batch_normalization", (4,), lambda: layers.BatchNormalization(synchronized=True) if NUMBER >= (2, 12) else named("None"))
if (2, 11) <= NUMBER < (3, 0):  # two classes there, one in Keras 3: their groups are counted apart
    def batch_normalizations(x):
        for kind in (layers.experimental.SyncBatchNormalization, layers.BatchNormalization, layers.experimental.SyncBatchNormalization):
            x = layers.Dense(4)(kind(gamma_initializer="random_normal", moving_mean_initializer="random_normal")(x))
        return x

    simple("batch_normalizations", (4,), lambda: batch_normalizations)
simple("spectral_normalization", (4,), lambda: layers.SpectralNormalization(layers.Dense(3)))
simple("rms_normalization", (4,), lambda: layers.RMSNormalization())

# Regularization
after_dense("dropout", (4,), lambda: layers.Dropout(0.3, seed=3), False)
after_dense("gaussian_dropout", (4,), lambda: layers.GaussianDropout(0.3), False)
after_dense("gaussian_noise", (4,), lambda: layers.GaussianNoise(0.3), False)
after_dense("alpha_dropout", (4,), lambda: layers.AlphaDropout(0.3), False)

# Recurrent
for name, make in (("simple_rnn", lambda **k: layers.SimpleRNN(3, **k)), ("gru", lambda **k: layers.GRU(3, **k)), ("lstm", lambda **k: layers.LSTM(3, **k))):
    simple(name, (4, 2), make)
    simple(name + "_sequences", (4, 2), lambda make=make: make(return_sequences=True, go_backwards=True, unroll=True, kernel_regularizer="l2"))
    simple(name + "_bidirectional", (4, 2), lambda make=make: layers.Bidirectional(make(return_sequences=True), merge_mode="concat"))
simple("lstm_hard_sigmoid", (4, 2), lambda: layers.LSTM(3, recurrent_activation="hard_sigmoid", activation="softsign", unit_forget_bias=False))
simple("gru_hard_sigmoid", (4, 2), lambda: layers.GRU(3, recurrent_activation="hard_sigmoid"))
simple("gru_reset_after", (4, 2), lambda: layers.GRU(3, reset_after=True))
simple("gru_reset_before", (4, 2), lambda: layers.GRU(3, reset_after=False))
simple("lstm_dropout", (4, 2), lambda: layers.LSTM(3, dropout=0.2, recurrent_dropout=0.1), False)
simple("rnn_cells", (4, 2), lambda: layers.RNN([layers.LSTMCell(3), layers.GRUCell(2), layers.SimpleRNNCell(2)]))
simple("rnn_cell", (4, 2), lambda: layers.RNN(layers.GRUCell(2), return_sequences=True))
simple("time_distributed", (4, 2), lambda: layers.TimeDistributed(layers.Dense(3, activation="relu")))
simple("conv_lstm1d", (3, 5, 1), lambda: layers.ConvLSTM1D(2, 3))
simple("conv_lstm2d", (3, 5, 5, 1), lambda: layers.ConvLSTM2D(2, 3, padding="same", return_sequences=True))
simple("conv_lstm3d", (2, 3, 3, 3, 1), lambda: layers.ConvLSTM3D(1, 2))


@case("lstm_masking")
def lstm_masking():
    model = sequential((5, 2), lambda **k: layers.Masking(0.0, **k), lambda **k: layers.LSTM(3, return_sequences=True), lambda **k: layers.GRU(2))
    x = random_inputs(5, 2)
    x[1, 3:] = 0
    return model, x, True


@case("lstm_states")
def lstm_states():
    x = layers.Input((4, 2))
    _, h, c = layers.LSTM(3, return_state=True)(x)
    return compiled(keras.models.Model(x, layers.LSTM(3)(x, initial_state=[h, c]))), random_inputs(4, 2), True


def cudnn(name, plain):
    """Made as it is; Keras itself converts its weights for the predictions, since there is no GPU."""
    def build():
        kind = getattr(layers, name, None) or getattr(keras.__internal__ if hasattr(keras, "__internal__") else layers, name, None)
        if kind is None:
            import tensorflow as tf
            kind = getattr(tf.compat.v1.keras.layers, name) if NUMBER == (2, 4) else named(name)
        layer = kind(3, bias_initializer="random_normal")
        if NUMBER < (2, 3):  # the session would place the kernel, which is for GPUs
            layer._process_batch = lambda inputs, state: (keras.backend.dot(inputs[:, 0], layer.kernel[:, :3]), [])
        x = layers.Input((4, 2))
        return compiled(keras.models.Model(x, layer(x))), random_inputs(4, 2), plain

    CASES[name.lower()] = build


if NUMBER < (2, 6):
    cudnn("CuDNNLSTM", lambda: layers.LSTM(3, recurrent_activation="sigmoid"))
    cudnn("CuDNNGRU", lambda: layers.GRU(3, reset_after=True, recurrent_activation="sigmoid"))


# Merging
for kind in ("Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum", "Concatenate", "Dot"):
    def merged(kind=kind):
        make = {"Dot": lambda: layers.Dot(axes=1, normalize=True), "Concatenate": lambda: layers.Concatenate(axis=-1)}.get(kind, getattr(layers, kind))
        return functional((4,), lambda x: make()([layers.Dense(3)(x), layers.Dense(3)(x)])), random_inputs(4), True

    CASES[kind.lower()] = merged

# Attention
CASES["attention"] = lambda: (functional((4, 3), lambda x: layers.Attention(use_scale=True)([layers.Dense(3)(x), x])), random_inputs(4, 3), True)
CASES["attention_causal"] = lambda: (functional((4, 3), lambda x: layers.Attention(causal=True)([x, layers.Dense(3)(x)]) if NUMBER < (2, 12) else
                                                layers.Attention()([x, layers.Dense(3)(x)], use_causal_mask=True)), random_inputs(4, 3), True)
CASES["additive_attention"] = lambda: (functional((4, 3), lambda x: layers.AdditiveAttention()([x, x])), random_inputs(4, 3), True)
CASES["multi_head_attention"] = lambda: (functional((4, 3), lambda x: layers.MultiHeadAttention(2, 2, value_dim=3)(x, x)), random_inputs(4, 3), True)
CASES["multi_head_attention_key"] = lambda: (functional((4, 3), lambda x: layers.MultiHeadAttention(1, 2, output_shape=(2,))(x, value=x, key=x)),
                                             random_inputs(4, 3), True)
CASES["group_query_attention"] = lambda: (functional((4, 3), lambda x: named("GroupQueryAttention", "GroupedQueryAttention")(2, 2, 1)(x, x)),
                                          random_inputs(4, 3), True)

# Preprocessing
before_dense("rescaling", (3, 3, 1), lambda: named("Rescaling")(0.5, offset=0.1), True)
before_dense("resizing", (4, 4, 1), lambda: named("Resizing")(3, 3), True)
before_dense("center_crop", (4, 4, 1), lambda: named("CenterCrop")(2, 2), True)
before_dense("random_flip", (4, 4, 1), lambda: named("RandomFlip")("horizontal"))
before_dense("random_rotation", (4, 4, 1), lambda: named("RandomRotation")(0.1))
before_dense("random_zoom", (4, 4, 1), lambda: named("RandomZoom")(0.1))
before_dense("random_translation", (4, 4, 1), lambda: named("RandomTranslation")(0.1, 0.1))
before_dense("random_contrast", (4, 4, 1), lambda: named("RandomContrast")(0.1))
before_dense("random_brightness", (4, 4, 3), lambda: named("RandomBrightness")(0.1))
before_dense("random_crop", (4, 4, 1), lambda: named("RandomCrop")(3, 3))
before_dense("random_height", (4, 4, 1), lambda: named("RandomHeight")(0.1))


@case("normalization")
def normalization():
    layer = named("Normalization")()
    layer.adapt(np.arange(24, dtype="float32").reshape(6, 4) ** 1.5)
    return functional((4,), lambda x: layers.Dense(2)(layer(x))), random_inputs(4), True


@case("normalization_constants")
def normalization_constants():
    layer = named("Normalization")(mean=[1.0, 2.0, 3.0, 4.0], variance=[0.5, 1.0, 2.0, 4.0])
    return functional((4,), lambda x: layers.Dense(2)(layer(x))), random_inputs(4), True


@case("discretization")
def discretization():
    if NUMBER < (2, 6):
        layer = named("Discretization")(bins=[-0.5, 0.0, 0.7])
    else:
        layer = named("Discretization")([-0.5, 0.0, 0.7])
    x = layers.Input((4,))
    return compiled(keras.models.Model(x, layers.Dense(2)(layers.Flatten()(layers.Embedding(5, 2)(layer(x)))))), random_inputs(4), True


@case("category_encoding")
def category_encoding():
    mode = {"max_tokens": 5, "output_mode": "binary"} if NUMBER < (2, 6) else {"num_tokens": 5, "output_mode": "multi_hot"}
    x = layers.Input((4,), dtype="int32")
    return compiled(keras.models.Model(x, layers.Dense(2)(named("CategoryEncoding")(**mode)(x)))), integers(5, 4), True


# Models
def inside():
    x = layers.Input((3,))
    return keras.models.Model(x, layers.Dense(3, activation="tanh")(layers.Dense(4)(x)), name="inside")


@case("nested_functional")
def nested_functional():
    return functional((3,), lambda x: layers.Dense(2)(inside()(x))), random_inputs(3), True


@case("nested_functional_twice")
def nested_functional_twice():
    model = inside()
    return functional((3,), lambda x: model(layers.Dense(3)(model(x)))), random_inputs(3), True


@case("nested_functional_deep")
def nested_functional_deep():
    x = layers.Input((3,))
    middle = keras.models.Model(x, layers.BatchNormalization()(inside()(x)), name="middle")
    model = keras.models.Sequential([middle, layers.Dense(2)]) if NUMBER < (3, 0) else keras.Sequential([keras.Input((3,)), middle, layers.Dense(2)])
    return compiled(model), random_inputs(3), True


@case("nested_sequential")
def nested_sequential():
    model = sequential((3,), lambda **k: layers.Dense(4, **k), lambda **k: layers.Dense(3))
    return functional((3,), lambda x: layers.Add()([model(x), model(layers.Dense(3)(x))])), random_inputs(3), True


@case("shared_layer")
def shared_layer():
    dense = layers.Dense(3)
    return functional((3,), lambda x: layers.Concatenate()([dense(x), dense(layers.Activation("relu")(dense(x)))])), random_inputs(3), True


@case("frozen")
def frozen():
    model = sequential((3,), lambda **k: layers.Dense(4, trainable=False, **k), lambda **k: layers.BatchNormalization(), lambda **k: layers.Dense(3))
    return model, random_inputs(3), True


@case("two_outputs")
def two_outputs():
    x, z = layers.Input((3,), name="left"), layers.Input((2,), name="right")
    a, b = layers.Dense(2, name="a")(layers.Concatenate()([x, z])), layers.Dense(1, name="b", activation="sigmoid")(x)
    model = keras.models.Model([x, z], [a, b])
    metrics = {"a": ["mae"], "b": ["accuracy"]}
    return compiled(model, loss={"a": "mse", "b": "binary_crossentropy"}, loss_weights={"a": 0.5, "b": 2.0}, metrics=metrics), [random_inputs(3), random_inputs(2)], True


@case("two_outputs_one_metric")
def two_outputs_one_metric():
    x = layers.Input((3,))
    model = keras.models.Model(x, [layers.Dense(2, name="a")(x), layers.Dense(1, name="b")(x)])
    return compiled(model, metrics=["mae"]), random_inputs(3), True


@case("deferred")
def deferred():
    model = keras.models.Sequential([layers.Dense(4, activation="elu"), layers.Dense(2)])
    return compiled(model), random_inputs(3), True


@case("operators")
def operators():
    if NUMBER < (2, 4):
        raise AttributeError("operators")
    return functional((3,), lambda x: layers.Dense(2)(x) * 2.0 + 1.0), random_inputs(3), True


@case("tf_functions")
def tf_functions():
    if not (2, 4) <= NUMBER < (3, 0):
        raise AttributeError("functions of TensorFlow in graphs")
    import tensorflow as tf

    def call(x):
        y = tf.nn.relu(1.0 - layers.Dense(4)(x)) / 2.0
        y = tf.reduce_mean(tf.concat([y, tf.square(x)], axis=-1), axis=1, keepdims=True)
        y = tf.transpose(tf.reshape(y, (-1, 4, 2)), (0, 2, 1))[:, :, 1:3]
        y = tf.matmul(y, tf.tanh(layers.Dense(3)(y)))[:, 0]
        return layers.Dense(2)(tf.squeeze(tf.expand_dims(tf.maximum(y, -y), 1), 1))

    return functional((3, 4), call), random_inputs(3, 4), True


@case("mixed_precision")
def mixed_precision():
    if NUMBER < (2, 4):
        raise AttributeError("mixed_precision")
    make = lambda x: layers.Dense(2, dtype="float32")(layers.Dense(4, dtype="mixed_bfloat16" if NUMBER >= (3, 0) else keras.mixed_precision.Policy("mixed_bfloat16"))(x))
    return functional((3,), make), random_inputs(3), False


# Optimizers, losses and metrics
def one_dense(optimizer, loss="mse", metrics=None, output=3, activation=None):
    x = layers.Input((4,))
    return compiled(keras.models.Model(x, layers.Dense(output, activation=activation)(x)), optimizer(), loss() if callable(loss) else loss, metrics=metrics() if metrics else None)


def optimizer_case(name, make):
    CASES["optimizer_" + name] = lambda: (one_dense(make), random_inputs(4), True)


opt = keras.optimizers
RATE = "lr" if NUMBER < (2, 3) else "learning_rate"


def at(rate, **more):
    return dict({RATE: rate}, **more)


optimizer_case("sgd", lambda: opt.SGD(**at(0.05, momentum=0.9, nesterov=True)))
optimizer_case("rmsprop", lambda: opt.RMSprop(**at(0.01)))
optimizer_case("adagrad", lambda: opt.Adagrad(**at(0.05)))
optimizer_case("adadelta", lambda: opt.Adadelta(**at(0.5)))
optimizer_case("adam", lambda: opt.Adam(**at(0.01)))
optimizer_case("adam_amsgrad", lambda: opt.Adam(**at(0.01, amsgrad=True, clipnorm=1.0)))
optimizer_case("adamax", lambda: opt.Adamax(**at(0.01)))
optimizer_case("nadam", lambda: opt.Nadam(**at(0.01)))
optimizer_case("ftrl", lambda: opt.Ftrl(**at(0.05)))
optimizer_case("adamw", lambda: opt.AdamW(**at(0.01)))
optimizer_case("lion", lambda: opt.Lion(**at(0.01)))
optimizer_case("adafactor", lambda: opt.Adafactor(**at(0.01)))
optimizer_case("lamb", lambda: opt.Lamb(**at(0.01)))
optimizer_case("muon", lambda: opt.Muon(**at(0.01)))
optimizer_case("loss_scale", lambda: (opt.LossScaleOptimizer(opt.Adam(**at(0.01)), initial_scale=64.0) if NUMBER >= (3, 0) else
                                      keras.mixed_precision.LossScaleOptimizer(opt.Adam(**at(0.01)))))
optimizer_case("ema", lambda: opt.SGD(**at(0.05, use_ema=True)))
if NUMBER < (2, 11):
    optimizer_case("sgd_decay", lambda: opt.SGD(**at(0.05, decay=0.1)))
    optimizer_case("adam_decay", lambda: opt.Adam(**at(0.05, decay=0.1, clipvalue=0.5)))
    optimizer_case("sgd_decay_zero", lambda: opt.SGD(**at(0.05, decay=0.0)))
elif NUMBER < (3, 0):
    # One weight: as many variables as an SGD without momentum has in Keras 3.
    CASES["optimizer_sgd_one_weight"] = lambda: (functional((4,), lambda x: layers.Dense(3, use_bias=False)(x)), random_inputs(4), True)
    optimizer_case("legacy_adam", lambda: opt.legacy.Adam(**at(0.01, decay=0.1)))
    optimizer_case("legacy_sgd", lambda: opt.legacy.SGD(**at(0.05, momentum=0.5)))
    optimizer_case("legacy_nadam", lambda: opt.legacy.Nadam(**at(0.05)))
if NUMBER >= (2, 4):
    schedules = opt.schedules
    optimizer_case("exponential_decay", lambda: opt.SGD(**at(schedules.ExponentialDecay(0.1, 2, 0.9))))
    optimizer_case("piecewise_constant", lambda: opt.SGD(**at(schedules.PiecewiseConstantDecay([1, 3], [0.1, 0.05, 0.01]))))
    optimizer_case("polynomial_decay", lambda: opt.SGD(**at(schedules.PolynomialDecay(0.1, 5))))
    optimizer_case("inverse_time_decay", lambda: opt.SGD(**at(schedules.InverseTimeDecay(0.1, 2, 0.5))))
    optimizer_case("cosine_decay", lambda: opt.SGD(**at(getattr(schedules, "CosineDecay", None)(0.1, 5) if hasattr(schedules, "CosineDecay") else
                                                         keras.experimental.CosineDecay(0.1, 5))))


def loss_case(name, make, activation=None, output=3):
    CASES["loss_" + name] = lambda: (one_dense(sgd, make, None, output, activation), random_inputs(4), True)


for name in ("mse", "mae", "mape", "msle", "logcosh", "huber", "hinge", "squared_hinge", "categorical_hinge", "kullback_leibler_divergence", "poisson",
             "cosine_similarity", "cosine_proximity", "mean_squared_error", "log_cosh", "kl_divergence"):
    loss_case(name, name, "sigmoid")
loss_case("binary_crossentropy", "binary_crossentropy", "sigmoid")
loss_case("categorical_crossentropy", "categorical_crossentropy", "softmax")
for name, make in (("huber_object", lambda: keras.losses.Huber(delta=0.5)), ("mse_object", lambda: keras.losses.MeanSquaredError(reduction="sum")),
                   ("binary_crossentropy_object", lambda: keras.losses.BinaryCrossentropy(from_logits=True, label_smoothing=0.1)),
                   ("categorical_crossentropy_object", lambda: keras.losses.CategoricalCrossentropy(from_logits=True)),
                   ("cosine_similarity_object", lambda: keras.losses.CosineSimilarity(axis=-1)), ("hinge_object", lambda: keras.losses.Hinge()),
                   ("focal_object", lambda: keras.losses.BinaryFocalCrossentropy(gamma=1.5, from_logits=True)),
                   ("reduction_none", lambda: keras.losses.Huber(reduction=None) if NUMBER >= (3, 0) else keras.losses.Huber(reduction="none"))):
    loss_case(name, make)


def metric_case(name, make, loss="binary_crossentropy"):
    CASES["metrics_" + name] = lambda: (one_dense(sgd, loss, make, 6, "sigmoid"), random_inputs(4), True)


metric_case("names", lambda: ["accuracy", "mae", "mse", "binary_accuracy", "categorical_accuracy", "top_k_categorical_accuracy", "cosine_similarity"]
            if NUMBER >= (2, 3) else ["accuracy", "mae", "mse", "binary_accuracy", "categorical_accuracy"])
metric_case("functions", lambda: [keras.metrics.mean_absolute_error, keras.metrics.binary_crossentropy])
metric_case("objects", lambda: [keras.metrics.AUC(num_thresholds=5), keras.metrics.Precision(), keras.metrics.Recall(thresholds=[0.3, 0.6]),
                                keras.metrics.BinaryAccuracy(threshold=0.4), keras.metrics.MeanAbsoluteError(), keras.metrics.TruePositives(),
                                keras.metrics.TopKCategoricalAccuracy(2), keras.metrics.BinaryCrossentropy(), keras.metrics.RootMeanSquaredError(),
                                keras.metrics.CosineSimilarity()])
metric_case("iou", lambda: [keras.metrics.MeanIoU(num_classes=2)])


@case("sparse_labels")
def sparse_labels():
    x = layers.Input((4,))
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True) if NUMBER >= (2, 4) else "sparse_categorical_crossentropy"
    model = compiled(keras.models.Model(x, layers.Dense(3, activation=None if NUMBER >= (2, 4) else "softmax")(x)), loss=loss, metrics=["accuracy"])
    return model, random_inputs(4), True


if NUMBER < (2, 0):
    import keras_1_cases
    CASES = keras_1_cases.cases(keras, random_inputs, integers)


def array(value):
    value = np.asarray(value)
    if value.dtype.kind in "iu":
        return {"shape": list(value.shape), "data": [int(v) for v in value.ravel()], "dtype": "int32"}
    return {"shape": list(value.shape), "data": [float("%.8g" % v) for v in value.astype("float32").ravel()]}


def arrays(value):
    return [array(each) for each in (value if isinstance(value, (list, tuple)) else [value])]


def fixed_times(content):
    """The same archive with the times of its making fixed, stored."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as archive, zipfile.ZipFile(result, "w") as fixed:
        for name in archive.namelist():
            member = archive.read(name)
            if name == "metadata.json":
                member = json.dumps(dict(json.loads(member.decode()), date_saved="2026-01-01@00:00:00")).encode()
            fixed.writestr(zipfile.ZipInfo(name), member)
    return result.getvalue()


def labels_for(model, name, predictions):
    if name == "sparse_labels":
        return integers(3)
    made = [RANDOM.uniform(size=each.shape).astype("float32") for each in predictions]
    if "crossentropy" in name or name.startswith("metrics") or name == "loss_focal_object":
        made = [(each > 0.5).astype("float32") for each in made]
    return made if len(made) > 1 else made[0]


def loss_of(result):
    return float(np.ravel(result[0] if isinstance(result, (list, tuple)) else result)[0])


# What is also saved in the other form.
BOTH = ("dense", "lstm", "lstm_bidirectional", "gru", "conv2d", "batch_normalization", "multi_head_attention", "nested_functional_twice", "nested_sequential",
        "two_outputs", "optimizer_adam", "metrics_objects", "loss_huber_object", "rnn_cells", "activation_hard_sigmoid", "separable_conv2d", "leaky_relu",
        "discretization", "random_flip", "spatial_dropout2d", "thresholded_relu", "optimizer_loss_scale", "normalization")


def endings(name):
    if NUMBER < (2, 12):
        return [".h5"]
    return [".keras", ".h5"] if name in BOTH else [".keras"]


def predict(model, x):
    result = model.predict(x, verbose=0)
    return list(result) if isinstance(result, (list, tuple)) else [result]


def save(model, name):
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        for end in endings(name):
            path = os.path.join(folder, name + end)
            try:
                model.save(path)
            except ValueError as error:  # some versions cannot write every model as .h5
                print("%s%s: %s" % (name, end, str(error)[:100]))
                continue
            with open(path, "rb") as file:
                content = file.read()
            files[name + end] = fixed_times(content) if end == ".keras" else content
    return files


def make_cudnn(name):
    """A file of a layer that runs on GPUs only, and the predictions of what Keras makes of its weights on a CPU."""
    model, x, plain = CASES[name]()
    files = save(model, name)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name + ".h5")
        model.save_weights(path)
        inputs = layers.Input(x.shape[1:])
        other = compiled(keras.models.Model(inputs, plain()(inputs)))
        other.load_weights(path)
    before = predict(other, x)
    y = labels_for(other, name, before)
    losses = [loss_of(other.train_on_batch(x, y)) for _ in range(2)]
    return files, {"x": arrays(x), "y": arrays(y), "before": arrays(before), "losses": losses}


def make(name):
    if name.startswith("cudnn"):
        return make_cudnn(name)
    model, x, is_deterministic = CASES[name]()
    predictions = predict(model, x)
    y = labels_for(model, name, predictions)
    trains = NUMBER < (3, 0) or name not in ("loss_reduction_none", "two_outputs_one_metric")  # Keras 3 saves these, and cannot train them
    for _ in range(2 if trains else 0):
        model.train_on_batch(x, y)
    files = save(model, name)
    values = {"x": arrays(x), "y": arrays(y), "before": arrays(predict(model, x))}
    if is_deterministic and trains:
        values["losses"] = []
        for _ in range(2):
            model.reset_metrics() if hasattr(model, "reset_metrics") else None
            values["losses"].append(loss_of(model.train_on_batch(x, y)))
    return files, values


def main(folder, names):
    members, cases = {}, {}
    for name in names:
        getattr(keras.backend, "clear_session", lambda: None)()
        RANDOM.seed(7)
        getattr(keras.utils, "set_random_seed", np.random.seed)(7)
        try:
            files, cases[name] = make(name)
        except Exception as error:  # what a version does not have, or cannot save: said, and left out
            print("%s: %s: %s" % (name, type(error).__name__, str(error).split("\n")[0][:150]))
            continue
        members.update(files)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:  # stored: gzip finds what the files have in common
        for name, content in sorted(members.items()):
            archive.writestr(zipfile.ZipInfo(name), content)
        archive.writestr(zipfile.ZipInfo("cases.json"), json.dumps({"keras": VERSION, "cases": cases}, sort_keys=True))
    folder.mkdir(parents=True, exist_ok=True)
    backend = "_theano" if keras.backend.backend() == "theano" else ""
    path = folder / ("keras_%s%s.zip.gz" % (VERSION, backend))
    with open(str(path), "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as compressed:
        compressed.write(packed.getvalue())
    print("%s: %d files, %d bytes" % (path.name, len(members), path.stat().st_size))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else FOLDER, sys.argv[3:] or sorted(CASES))
