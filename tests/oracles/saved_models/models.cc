#include "tests/oracles/saved_models/models.h"

#include <utility>

#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using namespace layers;  // NOLINT: the file is a list of layers

Tensor normal(const Dims& shape, std::uint64_t seed) { return random::normal(shape, {.seed = seed}); }
Tensor ids(const Dims& shape, std::int64_t end, std::uint64_t seed) {
  return random::randint(shape, 0, end, {.dtype = DType::kI32, .seed = seed});
}

CheckedModel regression(Model model, const Tensors& x, const CompileOptions& options, const Dims& labels) {
  model.compile(options);
  return {std::move(model), x, normal(labels, 2)};
}

CheckedModel with_optimizer(const OptimizerSpec& optimizer) {
  Sequential model({Input({.shape = {5}}), Dense({.units = 4, .activation = "tanh"}), Dense({.units = 2})},
                   {.name = "small"});
  return regression(model, normal({8, 5}, 1), {.optimizer = optimizer, .loss = "mse"}, {8, 2});
}

CheckedModel images() {
  const Input image({.shape = {12, 12, 3}});
  KerasTensor x =
      Conv2D({.filters = 6,
              .kernel_size = 3,
              .strides = {2, 1},
              .padding = "same",
              .use_bias = false,
              .kernel_regularizer = regularizers::L2({.l2 = 0.01})})(ZeroPadding2D({.padding = 1})(image));
  x = ReLU({.max_value = 6})(BatchNormalization({.momentum = 0.9})(x));
  x = MaxPooling2D({.pool_size = 2})(x);
  x = concatenate(
      {DepthwiseConv2D({.kernel_size = 3, .padding = "same", .depth_multiplier = 2})(x),
       SeparableConv2D({.filters = 4, .kernel_size = 3, .padding = "same", .activation = "silu"})(x)});
  x = UpSampling2D({.size = 2})(GroupNormalization({.groups = 4})(x));
  x = Conv2DTranspose({.filters = 4, .kernel_size = 3, .padding = "same", .kernel_initializer = "he_normal"})(
      x);
  x = SpatialDropout2D({.rate = 0})(Cropping2D({.cropping = 1})(x));
  x = PReLU({.shared_axes = {1, 2}})(AveragePooling2D({.pool_size = 2, .padding = "same"})(x));
  x = Dense({.units = 3, .kernel_constraint = constraints::MaxNorm({.max_value = 2})})(
      GlobalAveragePooling2D()(x));
  const Model model({.inputs = image, .outputs = x, .name = "images"});
  return regression(model, normal({6, 12, 12, 3}, 1),
                    {.optimizer = optimizers::RMSprop({.momentum = 0.5, .centered = true}), .loss = "huber"},
                    {6, 3});
}

CheckedModel lines_and_volumes() {
  const Input line({.shape = {10, 3}, .name = "line"}), volume({.shape = {4, 4, 4, 2}, .name = "volume"});
  KerasTensor x = Conv1D({.filters = 4, .kernel_size = 3, .padding = "causal", .dilation_rate = 2})(line);
  x = GlobalMaxPooling1D()(
      UpSampling1D({.size = 2})(LeakyReLU({.negative_slope = 0.1})(MaxPooling1D({.pool_size = 2})(x))));
  KerasTensor y = Conv3D({.filters = 3, .kernel_size = 2, .activation = "elu"})(volume);
  y = Flatten()(Conv3DTranspose({.filters = 2, .kernel_size = 2})(AveragePooling3D({.pool_size = 2})(y)));
  const Model model(
      {.inputs = {line, volume}, .outputs = Dense({.units = 1})(concatenate({x, y})), .name = "dimensions"});
  return regression(model, {{"line", normal({5, 10, 3}, 1)}, {"volume", normal({5, 4, 4, 4, 2}, 3)}},
                    {.optimizer = optimizers::SGD({.learning_rate = 0.01, .momentum = 0.9, .nesterov = true}),
                     .loss = "mae"},
                    {5, 1});
}

CheckedModel sequences() {
  const Input words({.shape = {7}, .dtype = DType::kI32});
  KerasTensor x = Embedding({.input_dim = 11, .output_dim = 5, .mask_zero = true})(words);
  x = Bidirectional(LSTM({.units = 3, .return_sequences = true}), {.merge_mode = "concat"})(x);
  x = GRU({.units = 4, .return_sequences = true, .reset_after = false})(x);
  x = TimeDistributed(Dense({.units = 3, .activation = "relu"}))(x);
  x = RNN({LSTMCell({.units = 3}), SimpleRNNCell({.units = 2})}, {.return_sequences = true})(x);
  x = SimpleRNN({.units = 3, .go_backwards = true})(x);
  const Model model({.inputs = words, .outputs = Dense({.units = 2})(x), .name = "sequences"});
  return regression(model, ids({6, 7}, 11, 1),
                    {.optimizer = optimizers::Adam({.learning_rate = 0.01, .amsgrad = true, .clipnorm = 1.0}),
                     .loss = "mse"},
                    {6, 2});
}

CheckedModel attention() {
  const Input tokens({.shape = {6, 8}});
  KerasTensor x = tokens;
  x = LayerNormalization()(
      add({x, MultiHeadAttention({.num_heads = 2, .key_dim = 4})({x, x}, {.use_causal_mask = true})}));
  x = add({x, GroupQueryAttention({.head_dim = 4, .num_query_heads = 4, .num_key_value_heads = 2})({x, x})});
  x = EinsumDense(
      {.equation = "abc,cd->abd", .output_shape = {kUnknown, 8}, .activation = "gelu", .bias_axes = "d"})(x);
  x = concatenate(
      {Attention({.use_scale = true})({x, x}), AdditiveAttention()({x, x, x}), RMSNormalization()(x)});
  const Model model(
      {.inputs = tokens, .outputs = Dense({.units = 2})(GlobalAveragePooling1D()(x)), .name = "attention"});
  return regression(model, normal({5, 6, 8}, 1), {.optimizer = "adamw", .loss = "mse"}, {5, 2});
}

CheckedModel many_ends() {
  const Input a({.shape = {4}, .name = "a"}), b({.shape = {4}, .name = "b"});
  const Dense shared({.units = 3, .activation = "selu", .name = "shared"});
  const KerasTensor left = shared(a), right = shared(b);
  KerasTensor x =
      concatenate({maximum({left, right}), subtract({left, right}), dot({left, right}, {.axes = 1})}) * 2.0 +
      1.0;
  x = operation("Reshape", {x}, Config::dict({{"newshape", Config::list({-1, 7, 1})}}));
  x = operation("Mean", {x}, Config::dict({{"axis", 2}, {"keepdims", false}}));
  const Model model(
      {.inputs = {a, b},
       .outputs = {Dense({.units = 1, .name = "number"})(x),
                   Dense({.units = 3, .activation = "softmax", .name = "kind"})(Dropout({.rate = 0})(x))},
       .name = "many_ends"});
  Model compiled = model;
  compiled.compile({.optimizer = optimizers::Nadam({.learning_rate = 0.01}),
                    .loss = {"mse", losses::CategoricalCrossentropy({.label_smoothing = 0.1})},
                    .loss_weights = {0.5, 1.0},
                    .metrics = {{"mae"}, {"accuracy"}}});
  return {compiled,
          {{"a", normal({6, 4}, 1)}, {"b", normal({6, 4}, 2)}},
          {normal({6, 1}, 3), ops::one_hot(ids({6}, 3, 4), 3)}};
}

CheckedModel nested() {
  Sequential inside({Input({.shape = {4}}), Dense({.units = 3}), BatchNormalization()}, {.name = "inside"});
  const Input x({.shape = {4}});
  const KerasTensor once = inside(x);
  const Model model({.inputs = x,
                     .outputs = Dense({.units = 2})(add({once, inside(Dense({.units = 4})(once))})),
                     .name = "nested"});
  return regression(model, normal({7, 4}, 1),
                    {.optimizer = optimizers::SGD({.learning_rate = optimizers::schedules::CosineDecay(
                                                       {.initial_learning_rate = 0.1, .decay_steps = 10})}),
                     .loss = losses::LogCosh()},
                    {7, 2});
}

CheckedModel prepared() {
  Normalization scaled;
  scaled.adapt(normal({20, 6}, 9) * 3.0 + 1.0);
  Sequential model({Input({.shape = {6}}), scaled, Rescaling({.scale = 0.5, .offset = 0.1}),
                    Reshape({.target_shape = {2, 3}}), Permute({.dims = {2, 1}}),
                    GaussianNoise({.stddev = 0}), UnitNormalization(), Flatten(), RepeatVector({.n = 2}),
                    Masking(), Flatten(), Activation("softsign"), ELU(), Softmax(), Dense({.units = 2})},
                   {.name = "prepared"});
  return regression(model, normal({8, 6}, 1),
                    {.optimizer = optimizers::Lion({.learning_rate = 0.001}), .loss = "mse"}, {8, 2});
}

CheckedModel mixed(const char* policy) {
  const DTypePolicyScope scope{DTypePolicy(policy)};
  Sequential model({Input({.shape = {8}}), Dense({.units = 8, .activation = "relu"}), LayerNormalization(),
                    Dense({.units = 2, .dtype = "float32"})},
                   {.name = "mixed"});
  return regression(model, normal({8, 8}, 1),
                    {.optimizer = optimizers::Adam({.learning_rate = 0.01}), .loss = "mse"}, {8, 2});
}

/// A model of Keras's that trained there (tools/goldens/model_files.py).
CheckedModelCase sample(const std::string& name, bool has_old_form = true) {
  return {"sample_" + name,
          [name] {
            const ModelGolden golden(name);
            return CheckedModel{
                load_model("tests/data/keras/" + name + ".keras", {.custom_objects = demo_objects()}),
                golden.x, golden.y};
          },
          has_old_form};
}

/// `make`: an optimizer belongs to the variables that it was built for.
template <typename Make>
CheckedModelCase of_optimizer(const std::string& name, const Make& make, bool has_old_form = true) {
  return {name, [make] { return with_optimizer(make()); }, has_old_form};
}

}  // namespace

const std::vector<CheckedModelCase>& checked_models() {
  static const std::vector<CheckedModelCase> all = {
      sample("dense"),
      sample("multi"),
      sample("convolution"),
      sample("nested"),
      sample("masked"),
      sample("masking"),
      sample("deferred"),
      sample("custom", false),
      sample("attention"),
      sample("mixed", false),
      {"images", &images},
      {"dimensions", &lines_and_volumes},
      {"sequences", &sequences},
      {"attention_layers", &attention},
      {"many_ends", &many_ends},
      {"nested_twice", &nested},
      {"prepared", &prepared},
      {"mixed_float16", [] { return mixed("mixed_float16"); }},
      {"mixed_bfloat16", [] { return mixed("mixed_bfloat16"); }},
      of_optimizer("sgd", [] { return optimizers::SGD({.learning_rate = 0.1}); }),
      of_optimizer("momentum", [] { return optimizers::SGD({.learning_rate = 0.1, .momentum = 0.9}); }),
      of_optimizer("adam", [] { return optimizers::Adam({.use_ema = true, .ema_momentum = 0.9}); }),
      of_optimizer("adamw", [] { return optimizers::AdamW({.learning_rate = 0.01}); }),
      of_optimizer(
          "rmsprop",
          [] { return optimizers::RMSprop({.learning_rate = 0.01, .momentum = 0.5, .centered = true}); }),
      of_optimizer("adagrad", [] { return optimizers::Adagrad({.learning_rate = 0.01}); }),
      of_optimizer("adadelta", [] { return optimizers::Adadelta({.learning_rate = 0.5}); }),
      of_optimizer("adamax", [] { return optimizers::Adamax({.learning_rate = 0.01}); }),
      of_optimizer("nadam", [] { return optimizers::Nadam({.learning_rate = 0.01}); }),
      of_optimizer("ftrl", [] { return optimizers::Ftrl({.learning_rate = 0.01}); }),
      of_optimizer("lion", [] { return optimizers::Lion({.learning_rate = 0.01}); }),
      // Keras 3.15.1 finds no Lamb in a file of the older form.
      of_optimizer(
          "lamb", [] { return optimizers::Lamb({.learning_rate = 0.01}); }, false),
      of_optimizer(
          "accumulating",
          [] { return optimizers::Adam({.learning_rate = 0.01, .gradient_accumulation_steps = 2}); }),
      of_optimizer("loss_scale",
                   [] {
                     return optimizers::LossScaleOptimizer(
                         {.inner_optimizer = optimizers::Adam(), .initial_scale = 1024});
                   }),
  };
  return all;
}

}  // namespace cornu::inline v0::keras
