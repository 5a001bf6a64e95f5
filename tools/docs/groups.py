"""The reference's groups: (folder of its pages, title, sentence, beginnings of its headers' paths); the first that fits has a header. Below them
the members of large classes by subject."""

GROUPS = (
    ("models", "Models and training", "Build, compile, train, evaluate and predict.",
     ("cornu/keras/models/", "cornu/keras/distillation/", "cornu/keras/trainer/", "cornu/keras/network/", "cornu/keras/layer/", "cornu/keras/base/")),
    ("layers-core", "Core layers", "Dense layers, embeddings, inputs, activations.",
     ("cornu/keras/layers/core/", "cornu/keras/layers/activation/", "cornu/keras/layers/embedding/")),
    ("layers-convolutional", "Convolutions and pooling", "Convolutions in one to three dimensions, and windows over them.",
     ("cornu/keras/layers/convolutional/", "cornu/keras/layers/pooling/")),
    ("layers-recurrent", "Recurrent layers", "LSTM, GRU, cells of your own, both directions.", ("cornu/keras/layers/rnn/",)),
    ("layers-attention", "Attention", "Layers in which positions attend to each other.", ("cornu/keras/layers/attention/",)),
    ("layers-normalization", "Normalization and regularization", "Normalization, dropout and noise.",
     ("cornu/keras/layers/normalization/", "cornu/keras/layers/regularization/", "cornu/keras/layers/spatial/")),
    ("layers-shapes", "Reshaping and merging", "Layers that change shapes, and layers of several inputs.",
     ("cornu/keras/layers/reshaping/", "cornu/keras/layers/merging/", "cornu/keras/layers/operations/")),
    ("layers-preprocessing", "Preprocessing layers", "Text, categories, images, and ready-made networks.",
     ("cornu/keras/layers/preprocessing/", "cornu/keras/feature_space/", "cornu/keras/layers/applications/", "cornu/keras/applications/")),
    ("losses", "Losses", "Losses as classes and as functions.", ("cornu/keras/losses/",)),
    ("metrics", "Metrics", "Metrics for compile() and for loops of your own.", ("cornu/keras/metrics/",)),
    ("optimizers", "Optimizers and schedules", "Optimizers, and learning rates that change.", ("cornu/keras/optimizers/",)),
    ("callbacks", "Callbacks", "Code that runs during training.", ("cornu/keras/callbacks/",)),
    ("weights", "Initializers, regularizers, constraints", "How weights begin and where they stay; activations; quantizers.",
     ("cornu/keras/quantizers/", "cornu/keras/initializers/", "cornu/keras/regularizers/", "cornu/keras/constraints/", "cornu/keras/activations/")),
    ("files", "Files and configurations", "Save, load, clone, export; checkpoints; configurations as JSON.",
     ("cornu/keras/files/", "cornu/keras/saving/", "cornu/keras/config/", "cornu/keras/export/")),
    ("data", "Data sets", "Pipelines with tf.data's names, readers of files, ready-made data.",
     ("cornu/data/", "cornu/keras/datasets/", "cornu/keras/utils/", "cornu/keras/visualization/")),
    ("tensors", "Tensors and functions", "Tensors, variables, compiled functions, tapes, random numbers, control flow.",
     ("cornu/tensor/ops/types.h", "cornu/tensor/ops/index.h")),
    ("ops", "Operations", "The functions of keras.ops.", ("cornu/tensor/ops/", "cornu/tensor/ops.h")),
    ("tensors", "Tensors and functions", "", ("cornu/tensor/",)),
    ("distribute", "Several devices and processes", "Strategies, replicas, cluster resolvers.", ("cornu/distribute/", "cornu/keras/distribution/")),
    ("io", "File formats", "Readers and writers of arrays, records, tables, images and events.", ("cornu/io/",)),
    ("runtime", "Runtime and errors", "Devices, profiles, errors, messages.", ("cornu/runtime/", "cornu/ir/", "cornu/base/")),
)

MEMBERS = {
    "Model": (
        ("Construction", ("Model", "build", "inputs", "outputs", "layers", "get_layer")),
        ("Training", ("compile", "fit", "train_on_batch", "optimizer", "compiled", "set_stop_training", "stop_training", "training_state")),
        ("Evaluation", ("evaluate", "test_on_batch", "metrics", "metrics_names", "get_metrics_result", "reset_metrics")),
        ("Prediction", ("predict", "predict_many", "predict_into", "predict_on_batch")),
        ("Files", ("save", "to_json", "get_compile_config", "compile_from_config")),
        ("Weights", ("save_weights", "load_weights")),
        ("Inspection", ("summary", "train_program", "train_executable", "predict_executable", "num_compiles", "compile_seconds"))),
    "Layer": (
        ("Calls", ("operator()", "call_many", "call", "compute_mask", "compute_output_shape", "compute_output_types")),
        ("Construction", ("Layer", "build", "build_once", "build_once_for", "built", "build_types")),
        ("Weights", ("weights", "trainable_weights", "non_trainable_weights", "variables", "trainable_variables", "non_trainable_variables",
                     "get_weights", "set_weights", "count_params", "add_weight", "trainable", "set_trainable")),
        ("Names and types", ("name", "class_name", "path", "dtype", "dtype_policy", "compute_dtype", "variable_dtype", "get_config"))),
    "Dataset": (
        ("Sources", ("Dataset", "from_tensors", "from_tensor_slices", "from_generator", "range", "counter", "random", "list_files", "zip",
                     "sample_from_datasets", "choose_from_datasets", "load")),
        ("Order and batches", ("shuffle", "repeat", "take", "skip", "shard", "batch", "unbatch", "rebatch", "padded_batch", "ragged_batch",
                               "bucket_by_sequence_length", "window", "group_by_window", "concatenate")),
        ("Functions", ("map", "filter", "flat_map", "interleave", "scan", "take_while", "reduce", "apply", "unique", "enumerate")),
        ("Speed", ("cache", "prefetch", "with_options", "save"))),
}


def group_of(header):
    """The folder of a header's group; None outside of all."""
    for folder, _, _, beginnings in GROUPS:
        if header.startswith(beginnings):
            return folder
    return None
