#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/keras.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace.h"

/// How often a model is traced: each trace but those of its steps is thrown away.
namespace cornu::inline v0::keras {
namespace {

template <typename F>
std::uint64_t num_traces(F&& f) {
  const Trace before;
  f();
  const Trace after;
  return after.id() - before.id() - 1;
}

Tensor numbers(const Dims& shape) { return ops::ones(shape, DType::kF32) * 0.25; }

void compile_and_fit(Model& model, const Tensor& x, const Tensor& y) {
  model.compile({.optimizer = "sgd", .loss = "mse"});
  model.fit(x, y, {.batch_size = 4, .epochs = 1, .verbose = 0});
}

TEST(TypeRulesTest, ASequentialOfOurLayersIsTracedForItsStepOnly) {
  const auto traces = num_traces([] {
    Sequential model({layers::Dense({.units = 8, .activation = "relu"}), layers::BatchNormalization(),
                      layers::Dropout({.rate = 0.5}), layers::Dense({.units = 3, .activation = "softmax"})});
    compile_and_fit(model, numbers({8, 4}), numbers({8, 3}));
  });
  EXPECT_EQ(traces, 1U);
}

TEST(TypeRulesTest, AFunctionalModelOfOurLayersIsTracedForItsStepOnly) {
  const auto traces = num_traces([] {
    const Input x({.shape = {6, 6, 2}});
    const KerasTensor a =
        layers::Conv2D({.filters = 4, .kernel_size = 3, .padding = "same", .activation = "relu"})(x);
    const KerasTensor b = layers::Conv2D({.filters = 4, .kernel_size = 1})(x);
    const KerasTensor sum = layers::Add()({a, b});
    const KerasTensor joined = layers::Concatenate()({sum, a});
    const KerasTensor pooled = layers::GlobalAveragePooling2D()(joined);
    Model model({.inputs = x, .outputs = layers::Dense({.units = 3})(pooled)});
    compile_and_fit(model, numbers({8, 6, 6, 2}), numbers({8, 3}));
  });
  EXPECT_EQ(traces, 1U);
}

TEST(TypeRulesTest, ARecurrentModelOfIdsIsTracedForItsStepOnly) {
  const auto traces = num_traces([] {
    Sequential model({layers::Input({.shape = {5}, .dtype = DType::kI32}),
                      layers::Embedding({.input_dim = 10, .output_dim = 4}),
                      layers::Bidirectional(layers::LSTM({.units = 3})), layers::Dense({.units = 1})});
    compile_and_fit(model, ops::zeros({8, 5}, DType::kI32), numbers({8, 1}));
  });
  EXPECT_EQ(traces, 1U);
}

class TwoLayers : public Network {
 public:
  TwoLayers() : Network("TwoLayers", "") {}
  Tensor call(const Tensor& x, const CallContext&) override { return output_(hidden_(x)); }

 private:
  LayerHandle hidden_ = track(layers::Dense({.units = 8, .activation = "relu"}));
  LayerHandle output_ = track(layers::Dense({.units = 3}));
};

TEST(TypeRulesTest, AModelThatOverridesCallIsTracedToBuildItForItsTypesAndForItsStep) {
  const auto traces = num_traces([] {
    Model model(std::make_shared<TwoLayers>());
    compile_and_fit(model, numbers({8, 4}), numbers({8, 3}));
    compile_and_fit(model, numbers({8, 4}), numbers({8, 3}));  // a new step; the types are known
  });
  EXPECT_EQ(traces, 4U);
}

TEST(TypeRulesTest, TheTypesOfAModelThatOverridesCallAreNotTracedForPredictions) {
  const auto traces = num_traces([] {
    Model model(std::make_shared<TwoLayers>());
    (void)model.predict(numbers({8, 4}), {.verbose = 0});
  });
  EXPECT_EQ(traces, 2U);
}

TEST(TypeRulesTest, AModelThatOverridesCallInsideAGraphIsTracedTwice) {
  const auto network = std::make_shared<TwoLayers>();
  const Input x({.shape = {4}});
  const auto traces = num_traces([&] { EXPECT_EQ((*network)(KerasTensor(x)).shape(), (Dims{kUnknown, 3})); });
  EXPECT_EQ(traces, 2U);
  EXPECT_EQ(num_traces([&] { (void)(*network)(KerasTensor(x)); }), 0U) << "the second call";
}

/// [batch, features] as [features, batch].
class Transposing : public Network {
 public:
  Transposing() : Network("Transposing", "") {}
  Tensor call(const Tensor& x, const CallContext&) override { return ops::transpose(x); }
};

TEST(TypeRulesTest, AModelThatOverridesCallOpensTheExtentsThatFollowFromTheBatchAndNoOthers) {
  const auto network = std::make_shared<Transposing>();
  const TensorType input{DType::kF32, {kUnknown, 3}};
  EXPECT_EQ(network->compute_output_types({&input, 1})[0], (TensorType{DType::kF32, {3, kUnknown}}));
  const TensorType of_a_batch{DType::kF32, {5, 3}};
  EXPECT_EQ(network->compute_output_types({&of_a_batch, 1})[0], (TensorType{DType::kF32, {3, 5}}));
}

/// Twice as many features, and a row for each pair of rows.
class Folding : public Layer {
 public:
  Folding() : Layer("Folding", "") {}

 protected:
  void build(const Dims&) override {}
  Tensor call(const Tensor& x, const CallContext&) override {
    return ops::reshape(x, {x.shape()[0] / 2, 2 * x.shape()[1]});
  }
};

TEST(TypeRulesTest, ALayerWithoutARuleIsTracedTwiceForItsOpenExtents) {
  std::vector<TensorType> types;
  const auto traces = num_traces([&] {
    const auto layer = std::make_shared<Folding>();
    const TensorType input{DType::kF32, {kUnknown, 3}};
    types = layer->compute_output_types({&input, 1});
  });
  EXPECT_EQ(traces, 2U);
  ASSERT_EQ(types.size(), 1U);
  EXPECT_EQ(types[0], (TensorType{DType::kF32, {kUnknown, 6}}));
}

/// Its output has another rank for large batches.
class Growing : public Layer {
 public:
  Growing() : Layer("Growing", "growing") {}

 protected:
  void build(const Dims&) override {}
  Tensor call(const Tensor& x, const CallContext&) override {
    return x.shape()[0] > 64 ? ops::expand_dims(x, 0) : x;
  }
};

TEST(TypeRulesTest, ARankThatFollowsFromTheBatchIsRefused) {
  const auto layer = std::make_shared<Growing>();
  const TensorType input{DType::kF32, {kUnknown, 3}};
  expect_says(error_of([&] { (void)layer->compute_output_types({&input, 1}); }), ErrorCode::kInvalidArgument,
              {"whatever the open extents", "(48, 3) float32", "(1, 96, 3) float32", "in layer \"growing\""});
}

Config golden_config(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("run the tests in the repository's root");
  std::stringstream text;
  text << file.rdbuf();
  return Config::parse(text.str());
}

/// Configurations of layers and models of all classes there are in Keras.
std::vector<Config> golden_layers() {
  std::vector<Config> all;
  const Config configs = golden_config("tests/goldens/configs.json"),
               texts = golden_config("tests/goldens/text_layers.json");
  for (const Config* of : {&configs, &texts})
    for (const Config& row : of->at("classes").as_list())
      if (row.at("family").as_string() == "layers") all.push_back(row.at("object"));
  for (const char* kind : {"composites", "models"})
    for (const Config& config : configs.at(kind).as_list()) all.push_back(config);
  return all;
}

TEST(TypeRulesTest, EveryClassOfLayersHasARuleOrAReason) {
  const std::map<std::string, std::string> without = {
      {"Lambda", "runs a function of the user's"},
      {"Hashing", "is no part of programs: its call refuses tensors"},
      {"HashedCrossing", "is no part of programs: its call refuses tensors"},
      {"StringLookup", "is no part of programs: its call refuses tensors"},
      {"TextVectorization", "is no part of programs: its call refuses tensors"},
  };
  std::map<std::string, bool> has_rule;
  const auto see = [&](const std::string& class_name, const Layer& layer) {
    has_rule[class_name] = layer.has_type_rule();
  };
  see("Lambda", *layers::Lambda({.function = [](const Tensor& x) { return x; }}));
  const layers::TableConfig table{.vocabulary_size = 3, .dim = 2, .name = "table"};
  see("DistributedEmbedding", *layers::DistributedEmbedding({.feature_configs = {{.table = table}}}));
  for (const Config& config : golden_layers()) {
    clear_session();
    see(config.at("class_name").as_string(), *saving::deserialize<Layer>(config));
  }
  for (const auto& row : saving::class_rows<Layer>()) {
    const std::string name(row.class_name);
    ASSERT_TRUE(has_rule.contains(name)) << name << " is missing here";
    EXPECT_NE(has_rule.at(name), without.contains(name)) << name;
  }
  for (const auto& [name, reason] : without) EXPECT_TRUE(has_rule.contains(name)) << name << " " << reason;
}

std::vector<std::string> open_type_strs(std::span<const TensorType> types) {
  std::vector<std::string> texts;
  for (TensorType type : types) {
    type.dims[0] = kUnknown;
    texts.push_back(std::string(ir::numpy_name(type.dtype)) + " " + shape_with_none_str(type.dims));
  }
  return texts;
}

/// The types that the rule says for open batches are those of a call in a program, and need no trace.
void expect_rule(const LayerHandle& layer, const std::vector<Tensor>& inputs) {
  std::vector<TensorType> open, called, ruled;
  {
    Trace trace;
    const Trace::Scope scope(trace);
    std::vector<Tensor> symbolic;
    for (const Tensor& input : inputs) symbolic.push_back(trace.add_rows_argument(input.type()));
    for (const Tensor& output : layer.call_many(symbolic)) called.push_back(output.type());
  }
  for (const Tensor& input : inputs) {
    open.push_back(input.type());
    open.back().dims[0] = kUnknown;
  }
  ASSERT_TRUE(layer->has_type_rule()) << layer->class_name();
  EXPECT_EQ(num_traces([&] { ruled = layer->compute_output_types(open); }), 0U) << layer->class_name();
  EXPECT_EQ(open_type_strs(ruled), open_type_strs(called)) << layer->class_name();
}

TEST(TypeRulesTest, RulesKnowInputsOfOtherDTypes) {
  const Tensor ids = ops::cast(numbers({2, 6}) * 8.0, DType::kI32),
               image = ops::cast(numbers({2, 4, 4, 3}), DType::kU8);
  for (const LayerHandle& layer :
       {LayerHandle(layers::Flatten()), LayerHandle(layers::Reshape({.target_shape = {3, 2}})),
        LayerHandle(layers::Permute({.dims = {1}})), LayerHandle(layers::RepeatVector({.n = 2})),
        LayerHandle(layers::Identity()), LayerHandle(layers::Masking()),
        LayerHandle(layers::LayerNormalization()), LayerHandle(layers::BatchNormalization()),
        LayerHandle(layers::GroupNormalization({.groups = 2})), LayerHandle(layers::Normalization()),
        LayerHandle(layers::Rescaling({.scale = 0.5}))}) {
    expect_rule(layer, {ids});
  }
  for (const LayerHandle& layer :
       {LayerHandle(layers::Rescaling({.scale = Tensor::of<float>({3}, {1, 2, 3})})),
        LayerHandle(layers::Resizing({.height = 3, .width = 5})),
        LayerHandle(layers::Resizing({.height = 3, .width = 5, .interpolation = "nearest"})),
        LayerHandle(layers::CenterCrop({.height = 2, .width = 3})),
        LayerHandle(layers::RandomFlip({.seed = 1}))}) {
    expect_rule(layer, {image});
  }
  for (const LayerHandle& layer :
       {LayerHandle(layers::Add()), LayerHandle(layers::Subtract()), LayerHandle(layers::Multiply()),
        LayerHandle(layers::Maximum()), LayerHandle(layers::Minimum()), LayerHandle(layers::Concatenate())}) {
    expect_rule(layer, {ids, ids});
  }
}

TEST(TypeRulesTest, RulesOfLayersOfSeveralInputsSayWhatCallsGive) {
  const Tensor rows = numbers({2, 6}), steps = numbers({2, 5, 6}), others = numbers({2, 3, 6});
  expect_rule(layers::Add(), {rows, numbers({2, 1})});
  expect_rule(layers::Multiply(), {rows, steps});
  expect_rule(layers::Average(), {numbers({2, 5, 1}), steps, rows});
  expect_rule(layers::Concatenate({.axis = 1}), {steps, others});
  expect_rule(layers::Dot({.axes = 1}), {rows, rows});
  expect_rule(layers::Dot({.axes = 2}), {steps, others});
  expect_rule(layers::Dot({.axes = {2, 1}, .normalize = true}), {steps, numbers({2, 6, 4, 7})});
  expect_rule(layers::Attention({.use_scale = true}), {steps, others});
  expect_rule(layers::AdditiveAttention(), {steps, others, others});
  expect_rule(layers::MultiHeadAttention({.num_heads = 2, .key_dim = 3}), {steps, others});
  expect_rule(layers::GroupQueryAttention({.head_dim = 3, .num_query_heads = 4, .num_key_value_heads = 2}),
              {steps, others});
  expect_rule(layers::LSTMCell({.units = 4}), {rows, numbers({2, 4}), numbers({2, 4})});
  expect_rule(layers::CategoryEncoding({.num_tokens = 5, .output_mode = "count"}), {rows, rows});
}

TEST(TypeRulesTest, RulesOfLayersThatNumberCategoriesSayWhatCallsGive) {
  const Tensor ids = ops::cast(numbers({2, 6}) * 8.0, DType::kI32), column = ids.slice({{}, {0, 1}});
  for (const char* mode : {"one_hot", "multi_hot", "count"}) {
    const LayerHandle encodings[] = {
        layers::CategoryEncoding({.num_tokens = 5, .output_mode = mode}),
        layers::Discretization({.bin_boundaries = {{0.0, 1.0}}, .output_mode = mode}),
        layers::IntegerLookup({.vocabulary = {1, 2, 3}, .output_mode = mode})};
    for (const LayerHandle& layer : encodings)
      for (const Tensor& input : {ids, column}) expect_rule(layer, {input});
  }
  expect_rule(layers::Discretization({.bin_boundaries = {{0.0, 1.0}}}), {numbers({2, 6})});
  expect_rule(layers::IntegerLookup({.vocabulary = {1, 2, 3}}), {ids});
  expect_rule(layers::IntegerLookup({.vocabulary = {1, 2, 3}, .invert = true}), {ids});
}

TEST(TypeRulesTest, RulesRefuseWhatCallsRefuse) {
  const Input x({.shape = {4, 6}});
  const auto expect_refused = [&](const LayerHandle& layer, const std::string& message) {
    std::string said;
    EXPECT_EQ(num_traces([&] { said = error_of([&] { (void)layer(KerasTensor(x)); }).what(); }), 0U)
        << layer->class_name();
    EXPECT_NE(said.find(message), std::string::npos) << said;
  };
  expect_refused(layers::Softmax({.axis = 3}), "[softmax] axis");
  expect_refused(layers::UnitNormalization({.axis = 3}), "[unit_normalization] axis");
  expect_refused(layers::Rescaling({.scale = numbers({5})}), "[rescaling] scale and offset must broadcast");
  expect_refused(layers::Masking({.mask_value = numbers({5})}), "[masking] an input of shape (None, 4, 6)");
  expect_refused(layers::Dropout({.rate = 0.5, .noise_shape = Dims{kUnknown, 2, 6}}),
                 "[dropout] noise_shape must have the input's extents");
  expect_refused(layers::AlphaDropout({.rate = 0.5, .noise_shape = Dims{kUnknown, 2, 6}}),
                 "[alpha_dropout] noise_shape must have the input's extents");
  expect_refused(layers::IntegerLookup({.num_oov_indices = 0, .vocabulary = {1, 2}}),
                 "a program could not report unknown terms");
  expect_refused(layers::Discretization({.num_bins = 3}), "[discretization] there are no boundaries");
  const LayerHandle built = layers::LayerNormalization();
  built(numbers({2, 4, 5}));
  expect_refused(built, "expected axis -1 of the input to be 5");
}

TEST(TypeRulesTest, ANoiseShapeMayHaveTheBatchOfAnOpenInput) {
  const Input x({.shape = {4}});
  EXPECT_EQ(layers::Dropout({.rate = 0.5, .noise_shape = Dims{32, 1}})(x).shape(), (Dims{kUnknown, 4}));
}

TEST(TypeRulesTest, AGraphCalledWithOtherExtentsGivesTheOutputsThatItsCallsAskFor) {
  const Input x({.shape = {kUnknown, 6}});
  const auto outputs = LayerHandle(layers::MultiHeadAttention({.num_heads = 2, .key_dim = 3}))
                           .call_many({KerasTensor(x), KerasTensor(x)}, {.return_attention_scores = true});
  const Model inside({.inputs = x, .outputs = outputs});
  const Input known({.shape = {5, 6}});
  const std::vector<KerasTensor> results = inside.call_many({KerasTensor(known)});
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].shape(), (Dims{kUnknown, 5, 6}));
  EXPECT_EQ(results[1].shape(), (Dims{kUnknown, 2, 5, 5}));
}

TEST(TypeRulesTest, RulesSayWhatCallsGive) {
  const Tensor rows = numbers({2, 6}), images = numbers({2, 4, 4, 2});
  expect_rule(layers::Dense({.units = 3, .activation = "gelu"}), {rows});
  expect_rule(layers::Dense({.units = 3}), {images});
  expect_rule(layers::Activation({.activation = "softmax"}), {rows});
  expect_rule(layers::ReLU(), {rows});
  expect_rule(layers::LeakyReLU(), {rows});
  expect_rule(layers::PReLU(), {rows});
  expect_rule(layers::ELU(), {rows});
  expect_rule(layers::Flatten(), {images});
  expect_rule(layers::Reshape({.target_shape = {3, 2}}), {rows});
  expect_rule(layers::Permute({.dims = {3, 1, 2}}), {images});
  expect_rule(layers::RepeatVector({.n = 4}), {rows});
  expect_rule(layers::Dropout({.rate = 0.5}), {rows});
  expect_rule(layers::SpatialDropout2D({.rate = 0.5}), {images});
  expect_rule(layers::GaussianNoise({.stddev = 0.5}), {rows});
  expect_rule(layers::BatchNormalization(), {images});
  expect_rule(layers::GroupNormalization({.groups = 2}), {images});
  expect_rule(layers::MaxPooling2D(), {images});
  expect_rule(layers::UpSampling2D(), {images});
  expect_rule(layers::Softmax({.axis = {1, 2}}), {images});
  expect_rule(layers::UnitNormalization({.axis = {1, 2}}), {images});
  expect_rule(layers::Masking({.mask_value = numbers({6})}), {rows});
  expect_rule(layers::LayerNormalization({.axis = {1, -1}}), {images});
  expect_rule(layers::RMSNormalization(), {images});
  expect_rule(layers::Rescaling({.scale = numbers({4, 2})}), {images});
  expect_rule(layers::Dropout({.rate = 0.5, .noise_shape = Dims{kUnknown, 1}}), {rows});
  expect_rule(layers::AlphaDropout({.rate = 0.5, .noise_shape = Dims{kUnknown, 1}}), {rows});
  expect_rule(layers::RandomCrop({.height = 3, .width = 2}), {images});
  expect_rule(layers::RandomZoom({.height_factor = 0.5}), {images});
}

TEST(TypeRulesTest, AnActivationThatChangesTheShapeHasNoRule) {
  EXPECT_FALSE(LayerHandle(layers::Dense({.units = 4, .activation = "glu"}))->has_type_rule());
  const Input x({.shape = {6}});
  EXPECT_EQ(layers::Dense({.units = 4, .activation = "glu"})(x).shape(), (Dims{kUnknown, 2}));
  const auto half = [](const Tensor& t) { return ops::split(t, 2, -1)[0]; };
  EXPECT_EQ(layers::Activation({.activation = half})(x).shape(), (Dims{kUnknown, 3}));
}

}  // namespace
}  // namespace cornu::inline v0::keras
