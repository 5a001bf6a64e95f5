"""The models of old_model_files.py for Keras 1, whose arguments have other names."""


def cases(keras, random_inputs, integers):
    layers, models = keras.layers, keras.models
    made = {}

    def compiled(model, optimizer=None, loss="mse", **arguments):
        model.compile(optimizer or keras.optimizers.SGD(0.05), loss, **arguments)
        return model

    def sequential(name, shape, *parts, inputs=None, deterministic=True):
        def build():
            model = models.Sequential()
            for i, part in enumerate(parts):
                model.add(part(**({"input_shape": shape} if i == 0 else {})))
            return compiled(model), random_inputs(*shape) if inputs is None else inputs(), deterministic

        made[name] = build

    sequential("dense", (4,), lambda **k: layers.Dense(3, init="he_normal", W_regularizer="l2", b_constraint="nonneg", activation="relu", **k))
    sequential("dense_hard_sigmoid", (4,), lambda **k: layers.Dense(3, activation="hard_sigmoid", bias=False, **k))
    sequential("activation_hard_sigmoid", (4,), lambda **k: layers.Dense(4, **k), lambda: layers.Activation("hard_sigmoid"))
    sequential("dropout", (4,), lambda **k: layers.Dense(4, **k), lambda: layers.Dropout(0.5), deterministic=False)
    sequential("gaussian_noise", (4,), lambda **k: layers.Dense(4, **k), lambda: layers.GaussianNoise(0.5), deterministic=False)
    sequential("leaky_relu", (4,), lambda **k: layers.Dense(4, **k), lambda: layers.LeakyReLU(0.2))
    sequential("reshape", (4,), lambda **k: layers.Dense(4, **k), lambda: layers.Reshape((2, 2)), lambda: layers.Permute((2, 1)), lambda: layers.Flatten())
    sequential("repeat_vector", (4,), lambda **k: layers.Dense(4, **k), lambda: layers.RepeatVector(2))
    sequential("batch_normalization", (4,), lambda **k: layers.BatchNormalization(epsilon=0.01, **k), lambda: layers.Dense(2))
    sequential("convolution1d", (6, 2), lambda **k: layers.Convolution1D(3, 3, border_mode="same", subsample_length=2, activation="relu", **k),
               lambda: layers.GlobalMaxPooling1D())
    sequential("convolution2d", (6, 5, 2), lambda **k: layers.Convolution2D(3, 3, 2, border_mode="valid", subsample=(2, 1), dim_ordering="tf", **k),
               lambda: layers.AveragePooling2D((2, 2), dim_ordering="tf"), lambda: layers.Flatten())
    sequential("max_pooling", (6, 6, 2), lambda **k: layers.ZeroPadding2D((1, 1), dim_ordering="tf", **k), lambda: layers.Convolution2D(2, 3, 3, dim_ordering="tf"),
               lambda: layers.MaxPooling2D((2, 2), strides=(2, 2), border_mode="valid", dim_ordering="tf"), lambda: layers.UpSampling2D((2, 2), dim_ordering="tf"))
    for name in ("SimpleRNN", "GRU", "LSTM"):
        kind = getattr(layers, name)
        sequential(name.lower(), (4, 2), lambda kind=kind, **k: kind(3, return_sequences=True, **k), lambda kind=kind: kind(2, dropout_W=0.0, consume_less="gpu"))
    sequential("time_distributed", (4, 2), lambda **k: layers.TimeDistributed(layers.Dense(3), **k))
    sequential("bidirectional", (4, 2), lambda **k: layers.Bidirectional(layers.LSTM(3), merge_mode="sum", **k))

    # Kernels whose axes or directions were others. On Theano only these are written.
    of_kernels = len(made)
    if keras.backend.backend() == "theano":
        import theano.ifelse  # noqa: F401  Keras uses it without importing it
    for order, images, volume in (("tf", (6, 5, 2), (4, 4, 4, 2)), ("th", (2, 6, 5), (2, 4, 4, 4))):
        larger = (None, 13, 11, 2) if order == "tf" else (None, 2, 13, 11)
        sequential("convolution2d_" + order, images, lambda order=order, **k: layers.Convolution2D(2, 3, 2, subsample=(2, 1), dim_ordering=order, **k),
                   lambda: layers.Flatten(), lambda: layers.Dense(2))
        sequential("deconvolution2d_" + order, images,
                   lambda order=order, larger=larger, **k: layers.Deconvolution2D(2, 3, 3, output_shape=larger, subsample=(2, 2), dim_ordering=order, **k))
        sequential("convolution3d_" + order, volume, lambda order=order, **k: layers.Convolution3D(2, 2, 3, 2, dim_ordering=order, **k))
        sequential("time_distributed_" + order, (3,) + images,
                   lambda order=order, **k: layers.TimeDistributed(layers.Convolution2D(2, 3, 2, dim_ordering=order), **k))

        def nested(order=order, images=images):
            inner = models.Sequential([layers.Convolution2D(2, 3, 2, dim_ordering=order, input_shape=images),
                                       layers.BatchNormalization(axis=-1 if order == "tf" else 1), layers.Reshape((4, 8)), layers.Bidirectional(layers.GRU(3)),
                                       layers.Dense(2, trainable=False)])
            x = layers.Input(images)
            return compiled(models.Model(input=x, output=layers.Dense(2)(inner(x)))), random_inputs(*images), True

        made["nested_" + order] = nested
    if keras.backend.backend() == "tensorflow":
        sequential("separable_convolution2d_th", (2, 6, 5), lambda **k: layers.SeparableConvolution2D(2, 3, 2, depth_multiplier=2, dim_ordering="th", **k))
    sequential("convolution1d_sequences", (6, 2), lambda **k: layers.Convolution1D(2, 3, **k))
    if keras.backend.backend() == "theano":
        return dict(list(made.items())[of_kernels:])

    def embedding():
        model = models.Sequential([layers.Embedding(7, 3, input_length=4), layers.Flatten(), layers.Dense(2)])
        return compiled(model), integers(7, 4), True

    def functional():
        x = layers.Input((3,))
        y = layers.Dense(3)(x)
        return compiled(models.Model(input=x, output=layers.merge([y, layers.Dense(3)(y)], mode="concat"))), random_inputs(3), True

    made.update(embedding=embedding, functional=functional)
    for name, make in (("sgd", lambda: keras.optimizers.SGD(lr=0.05, momentum=0.9, decay=0.1)), ("rmsprop", lambda: keras.optimizers.RMSprop(lr=0.01)),
                       ("adagrad", lambda: keras.optimizers.Adagrad(lr=0.05)), ("adadelta", lambda: keras.optimizers.Adadelta()),
                       ("adam", lambda: keras.optimizers.Adam(lr=0.01)), ("adamax", lambda: keras.optimizers.Adamax()),
                       ("nadam", lambda: keras.optimizers.Nadam())):
        def optimizer_case(make=make):
            return compiled(models.Sequential([layers.Dense(3, input_dim=4)]), make(), metrics=["accuracy", "mae"]), random_inputs(4), True

        made["optimizer_" + name] = optimizer_case
    return made
