#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/error_test_support.h"
#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/layer/traced_types.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace.h"

/// The number of traces of a model: each trace except those of its steps is discarded.
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

/// Transposes [batch, features] to [features, batch].
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
  expect_contains(
      error_of([&] { (void)layer->compute_output_types({&input, 1}); }), ErrorCode::kInvalidArgument,
      {"whatever the open extents", "(48, 3) float32", "(1, 96, 3) float32", "in layer \"growing\""});
}

Config golden_config(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("run the tests in the repository's root");
  std::stringstream text;
  text << file.rdbuf();
  return Config::parse(text.str());
}

/// Configurations of layers and models of every class in Keras.
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

/// Inputs of many ranks with open batches; each class of layers accepts at least one row.
std::vector<std::vector<TensorType>> inputs_to_try(const Layer& layer) {
  const auto f32 = [](const Dims& shape) { return TensorType{DType::kF32, shape}; };
  std::vector<std::vector<TensorType>> all;
  if (const Network* const network = layer.network_or_null()) {
    std::vector<TensorType>& of_graph = all.emplace_back();
    for (const KerasTensor& input : network->inputs()) of_graph.push_back(input.type());
    if (of_graph.empty()) all.clear();
  }
  const Dims shapes[] = {{kUnknown, 6}, {kUnknown, 5, 6}, {kUnknown, 8, 8, 4}, {kUnknown, 6, 6, 6, 4}};
  for (const Dims& shape : shapes) all.push_back({f32(shape)});
  for (const Dims& shape : {Dims{kUnknown, 5, 3}, {kUnknown, 8, 8, 3}, {kUnknown, 3, 6, 6, 6, 4}})
    all.push_back({f32(shape)});
  for (const Dims& shape : shapes) all.push_back({f32(shape), f32(shape)});
  for (const std::int64_t units : {2, 4, 7}) {  // of cells, which take one state or two
    const TensorType input = f32({kUnknown, 6}), state = f32({kUnknown, units});
    all.insert(all.end(), {{input, state}, {input, state, state}});
  }
  all.push_back({{DType::kI32, {kUnknown, 6}}});
  return all;
}

/// The number of traces needed for the types of the first inputs that the layer accepts; nullopt if it
/// accepts none.
std::optional<std::uint64_t> num_traces_for_types(const std::function<LayerHandle()>& make) {
  clear_session();
  for (const std::vector<TensorType>& inputs : inputs_to_try(*make())) {
    const LayerHandle layer = make();
    bool is_taken = true;
    const std::uint64_t traces = num_traces([&] {
      try {
        (void)layer->call_types(inputs);
      } catch (const Error&) {
        is_taken = false;
      }
    });
    if (is_taken) return traces;
  }
  return std::nullopt;
}

TEST(TypeRulesTest, EveryClassOfLayersHasARuleOrAReason) {
  const std::map<std::string, std::string> without = {
      {"Lambda", "runs a function of the user's"},
      {"Hashing", "is no part of programs: its call refuses tensors"},
      {"HashedCrossing", "is no part of programs: its call refuses tensors"},
      {"StringLookup", "is no part of programs: its call refuses tensors"},
      {"TextVectorization", "is no part of programs: its call refuses tensors"},
  };
  std::set<std::string> seen, follows_rule;
  const auto see = [&](const std::string& class_name, const std::function<LayerHandle()>& make) {
    seen.insert(class_name);
    if (without.contains(class_name)) {
      EXPECT_FALSE(make()->has_type_rule()) << class_name;
      return;
    }
    if (!make()->has_type_rule()) return;  // not with an activation that is a layer
    const std::optional<std::uint64_t> traces = num_traces_for_types(make);
    if (!traces.has_value()) return;
    EXPECT_EQ(*traces, 0U) << class_name << " " << make().get_config().json();
    follows_rule.insert(class_name);
  };
  see("Lambda", [] { return layers::Lambda({.function = [](const Tensor& x) { return x; }}); });
  see("DistributedEmbedding", [] {
    const layers::TableConfig table{.vocabulary_size = 3, .dim = 2, .name = "table"};
    return layers::DistributedEmbedding({.feature_configs = {{.table = table}}});
  });
  see("IntegerLookup", [] { return layers::IntegerLookup({.vocabulary = {1, 2, 3}}); });
  for (const Config& config : golden_layers())
    see(config.at("class_name").as_string(), [&] { return LayerHandle(saving::deserialize<Layer>(config)); });
  for (const auto& row : saving::class_rows<Layer>()) {
    const std::string name(row.class_name);
    EXPECT_TRUE(seen.contains(name)) << name << " is missing here";
    EXPECT_NE(follows_rule.contains(name), without.contains(name))
        << name << " has no rule, or takes none of inputs_to_try()";
  }
  for (const auto& [name, reason] : without) EXPECT_TRUE(seen.contains(name)) << name << " " << reason;
}

std::string open_type_str(TensorType type) {
  type.dims[0] = kUnknown;
  return std::string(ir::numpy_name(type.dtype)) + " " + shape_with_none_str(type.dims);
}

std::vector<std::string> open_type_strs(std::span<const TensorType> types) {
  std::vector<std::string> texts;
  for (const TensorType& type : types) texts.push_back(open_type_str(type));
  return texts;
}

/// The types of a call in a program.
std::vector<TensorType> types_of_call(const LayerHandle& layer, std::span<const TensorType> inputs) {
  Trace trace;
  const Trace::Scope scope(trace);
  std::vector<Tensor> symbolic;
  for (const TensorType& input : inputs) symbolic.push_back(trace.add_rows_argument(input));
  std::vector<TensorType> called;
  for (const Tensor& output : layer.call_many(symbolic)) called.push_back(output.type());
  return called;
}

/// An extent of an input.
struct ExtentOf {
  std::size_t input = 0;
  std::size_t axis = 0;
  std::vector<TensorType> with(std::vector<TensorType> types, std::int64_t extent) const {
    types[input].dims[axis] = extent;
    return types;
  }
};

/// The results of calls with two different numbers in place of an open extent.
struct TypesOfTwoCalls {
  std::vector<TensorType> common;
  bool are_exact = true;  // else there is one call, of which the rule may leave extents open
};

TypesOfTwoCalls types_of_two_calls(const std::function<LayerHandle()>& make, const ExtentOf& of,
                                   const std::vector<TensorType>& types) {
  const std::int64_t extent = types[of.input].dims[of.axis];
  const std::vector<TensorType> first = types_of_call(make(), types);
  std::vector<TensorType> second;
  try {
    second = types_of_call(make(), of.with(types, 2 * extent));
  } catch (const Error&) {  // only this number fits
    return {.common = first, .are_exact = false};
  }
  // Layers that number categories drop an axis of 1. An open extent counts as another number, as in Keras.
  if (extent == 1 && second[0].rank() != first[0].rank()) return {.common = second, .are_exact = false};
  return {.common = common_types({extent, first}, {2 * extent, second})};
}

/// Also accepts layers that refuse an open extent with an error.
void expect_rule_with_open(const ExtentOf& of, const Config& config, std::vector<TensorType> types) {
  SCOPED_TRACE(
      fmt::format("{}, axis {} of input {}", config.at("class_name").as_string(), of.axis, of.input));
  const auto make = [&] { return LayerHandle(saving::deserialize<Layer>(config)); };
  TypesOfTwoCalls called = types_of_two_calls(make, of, types);
  types = of.with(std::move(types), kUnknown);
  for (TensorType& type : types) type.dims[0] = kUnknown;
  std::vector<TensorType> ruled;
  try {
    EXPECT_EQ(num_traces([&] { ruled = make()->compute_output_types(types); }), 0U);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("must be known"), std::string::npos) << error.what();
    return;
  }
  ASSERT_EQ(ruled.size(), called.common.size());
  for (std::size_t k = 0; k < ruled.size(); ++k) {
    TensorType& expected = called.common[k];
    ASSERT_EQ(ruled[k].rank(), expected.rank()) << "output " << k;
    for (std::size_t i = 0; !called.are_exact && i < expected.dims.size(); ++i)
      if (ruled[k].dims[i] == kUnknown) expected.dims[i] = kUnknown;
    EXPECT_EQ(open_type_str(ruled[k]), open_type_str(expected)) << "output " << k;
  }
}

/// Checks the rule's types for open batches, and with each other extent open too: they equal those of calls
/// in a program and need no trace.
void expect_rule(const LayerHandle& layer, const std::vector<Tensor>& inputs) {
  const Config config = saving::serialize(*layer);
  std::vector<TensorType> types, open, ruled;
  for (const Tensor& input : inputs) types.push_back(input.type());
  const std::vector<TensorType> called = types_of_call(layer, types);
  open = types;
  for (TensorType& type : open) type.dims[0] = kUnknown;
  ASSERT_TRUE(layer->has_type_rule()) << layer->class_name();
  EXPECT_EQ(num_traces([&] { ruled = layer->compute_output_types(open); }), 0U) << layer->class_name();
  EXPECT_EQ(open_type_strs(ruled), open_type_strs(called)) << layer->class_name();
  for (std::size_t input = 0; input < types.size(); ++input)
    for (std::size_t axis = 1; axis < types[input].dims.size(); ++axis)
      expect_rule_with_open({input, axis}, config, types);
}

TEST(TypeRulesTest, RulesKnowInputsOfOtherDTypes) {
  const Tensor ids = ops::cast(numbers({2, 6}) * 8.0, DType::kI32);
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
       {LayerHandle(layers::Add()), LayerHandle(layers::Subtract()), LayerHandle(layers::Multiply()),
        LayerHandle(layers::Maximum()), LayerHandle(layers::Minimum()), LayerHandle(layers::Concatenate())}) {
    expect_rule(layer, {ids, ids});
  }
}

TEST(TypeRulesTest, RulesOfLayersOfImagesKnowBytes) {
  const Tensor image = ops::cast(numbers({2, 4, 4, 3}), DType::kU8);
  for (const LayerHandle& layer :
       {LayerHandle(layers::Rescaling({.scale = Tensor::of<float>({3}, {1, 2, 3})})),
        LayerHandle(layers::Resizing({.height = 3, .width = 5})),
        LayerHandle(layers::Resizing({.height = 3, .width = 5, .interpolation = "nearest"})),
        LayerHandle(layers::CenterCrop({.height = 2, .width = 3})),
        LayerHandle(layers::RandomBrightness({.factor = 0.5, .seed = 1})),
        LayerHandle(layers::RandomContrast({.factor = 0.5, .seed = 1})),
        LayerHandle(layers::RandomCrop({.height = 3, .width = 2, .seed = 1})),
        LayerHandle(layers::RandomFlip({.seed = 1})),
        LayerHandle(layers::RandomRotation({.factor = 0.5, .seed = 1})),
        LayerHandle(layers::RandomTranslation({.height_factor = 0.5, .width_factor = 0.25, .seed = 1})),
        LayerHandle(layers::RandomZoom({.height_factor = 0.5, .seed = 1}))}) {
    expect_rule(layer, {image});
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
  const LayerHandle counts = layers::CategoryEncoding({.num_tokens = 5, .output_mode = "count"});
  expect_rule(counts, {rows, rows});
  expect_rule(counts, {rows.slice({{}, {0, 1}}), rows.slice({{}, {0, 1}})});
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
  const Input state({.shape = {5}});
  EXPECT_EQ(num_traces([&] {
              expect_error_text({"[gru_cell] state 0 must have the shape (None, 4); got (None, 5)"}, [&] {
                (void)LayerHandle(layers::GRUCell({.units = 4}))
                    .call_many({KerasTensor(state), KerasTensor(state)});
              });
            }),
            0U);
  expect_refused(layers::Discretization({.num_bins = 3}), "[discretization] there are no boundaries");
  const LayerHandle built = layers::LayerNormalization();
  built(numbers({2, 4, 5}));
  expect_refused(built, "expected axis -1 of the input to be 5");
}

TEST(TypeRulesTest, RulesRefuseInputsOfDifferentBatchesAsCallsDo) {
  for (const auto& [first, second] : {std::pair<std::int64_t, std::int64_t>{2, 3}, {1, 5}, {5, 1}}) {
    for (const LayerHandle& layer : {LayerHandle(layers::Dot({.axes = 1})), LayerHandle(layers::Add()),
                                     LayerHandle(layers::Concatenate())}) {
      const Input x({.shape = {4}, .batch_size = first}), y({.shape = {4}, .batch_size = second});
      EXPECT_EQ(num_traces([&] { expect_error_text({"must be equal"}, [&] { (void)layer({x, y}); }); }), 0U);
      expect_error_text({"must be equal"},
                        [&] { (void)layer(Tensors{numbers({first, 4}), numbers({second, 4})}); });
    }
  }
}

/// The expected shapes are those of Keras's Merge.
TEST(TypeRulesTest, MergesLeaveExtentsOpenBesideWhateverIsBesideThem) {
  const auto merged = [](const Dims& a, const Dims& b) {
    const TensorType types[] = {{DType::kF32, a}, {DType::kF32, b}};
    return layers::Add()->compute_output_types(types)[0].dims;
  };
  EXPECT_EQ(merged({kUnknown, kUnknown, 4}, {kUnknown, 7, 4}), (Dims{kUnknown, kUnknown, 4}));
  EXPECT_EQ(merged({kUnknown, 1, 4}, {kUnknown, kUnknown, 4}), (Dims{kUnknown, kUnknown, 4}));
  EXPECT_EQ(merged({kUnknown, 4}, {8, 4}), (Dims{8, 4}));
  EXPECT_EQ(merged({1, 4}, {kUnknown, 4}), (Dims{1, 4}));
  EXPECT_EQ(merged({kUnknown, 4}, {kUnknown, 7, 1}), (Dims{kUnknown, 7, 4}));
  EXPECT_EQ(merged({kUnknown}, {kUnknown}), (Dims{kUnknown}));
}

/// Declares the types of rank-2 inputs, and leaves other ranks to calls.
class Doubling : public Layer {
 public:
  explicit Doubling(TypeRule rule) : Layer("Doubling", "doubling") { set_type_rule(rule); }
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    if (inputs[0].rank() != 2) return Layer::compute_output_types(inputs);
    return {{inputs[0].dtype, {inputs[0].dims[0], 2 * inputs[0].dims[1]}}};
  }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return ops::concatenate({x, x}, -1); }
};

TEST(TypeRulesTest, ALayerThatOverridesItsTypesMayLeaveSomeToATrace) {
  const LayerHandle layer(std::make_shared<Doubling>(TypeRule::kOverridden));
  const TensorType rows{DType::kF32, {kUnknown, 3}}, steps{DType::kF32, {kUnknown, 4, 3}};
  EXPECT_EQ(num_traces([&] {
              EXPECT_EQ(layer->compute_output_types({&rows, 1})[0], (TensorType{DType::kF32, {kUnknown, 6}}));
            }),
            0U);
  EXPECT_EQ(num_traces([&] {
              EXPECT_EQ(layer->compute_output_types({&steps, 1})[0],
                        (TensorType{DType::kF32, {kUnknown, 4, 6}}));
            }),
            2U);
}

/// A layer whose types follow only from call(). build() makes an inner layer, a generator and a weight.
class WithInnerDense : public Layer {
 public:
  WithInnerDense() : Layer("WithInnerDense", "with_inner_dense") {}

 protected:
  void build(const Dims& input_shape) override {
    dense_ = track(layers::Dense({.units = 3, .kernel_initializer = "he_normal"}));
    generator_ = add_seed_generator(std::nullopt);
    scale_ = add_weight({.name = "scale", .shape = {input_shape.back()}});
  }
  Tensor call(const Tensor& x, const CallContext&) override { return dense_(x * scale_.value()); }

 private:
  LayerHandle dense_;
  std::optional<SeedGenerator> generator_;
  Variable scale_;
};

TEST(TypeRulesTest, TypesOfALayerThatIsNotBuiltMakeNoWeights) {
  const TensorType input{DType::kF32, {kUnknown, 4}};
  const TensorType output{DType::kF32, {kUnknown, 3}};
  const Sequential sequence({layers::Dense({.units = 5}), layers::Dense({.units = 3})});
  const LayerHandle unbuilt[] = {layers::Dense({.units = 3}),
                                 layers::Dense({.units = 3, .activation = [](const Tensor& x) { return x; }}),
                                 LayerHandle(std::make_shared<WithInnerDense>()), sequence};
  for (const LayerHandle& layer : unbuilt) {
    EXPECT_EQ(layer->compute_output_types({&input, 1})[0], output) << layer->class_name();
    EXPECT_EQ(layer->compute_output_shape(input.dims), output.dims) << layer->class_name();
    EXPECT_FALSE(layer->built()) << layer->class_name();
    EXPECT_TRUE(layer->variables().empty()) << layer->class_name();
    (void)layer(Tensor::zeros({2, 4}));
    EXPECT_TRUE(layer->built());
  }
  EXPECT_EQ(unbuilt[2]->sublayers().size(), 1U);
  EXPECT_EQ(unbuilt[2]->variables().size(), 4U);
  const Tensor kernel = unbuilt[2]->weights()[1].value();
  EXPECT_NE(kernel.at(0), 0) << "the initializer ran for the weights that stay";
}

TEST(TypeRulesTest, TypesOfAttentionThatIsNotBuiltMakeNoWeights) {
  const LayerHandle heads = layers::MultiHeadAttention({.num_heads = 2, .key_dim = 3}),
                    attention = layers::Attention({.use_scale = true});
  const std::vector<TensorType> inputs = {{DType::kF32, {kUnknown, 5, 4}}, {DType::kF32, {kUnknown, 7, 4}}};
  for (const LayerHandle& layer : {heads, attention}) {
    EXPECT_EQ(layer->compute_output_types(inputs)[0], (TensorType{DType::kF32, {kUnknown, 5, 4}}));
    EXPECT_FALSE(layer->built()) << layer->class_name();
    EXPECT_TRUE(layer->weights().empty()) << layer->class_name();
  }
  EXPECT_EQ(std::as_const(*heads).compute_call_types(inputs, {.return_attention_scores = true})[1],
            (TensorType{DType::kF32, {kUnknown, 2, 5, 7}}));
}

TEST(TypeRulesTest, AConstLayerWithoutARuleRefusesToTellTypes) {
  const auto layer = std::make_shared<const WithInnerDense>();
  const TensorType input{DType::kF32, {kUnknown, 4}};
  expect_contains(error_of([&] { (void)layer->compute_output_types({&input, 1}); }),
                  ErrorCode::kUnimplemented, {"class WithInnerDense has no type rule"});
}

TEST(TypeRulesTest, ARuleOfShapesWithoutComputeOutputShapeIsRefused) {
  const auto layer = std::make_shared<Doubling>(TypeRule::kComputed);
  const TensorType steps{DType::kF32, {kUnknown, 4, 3}};
  expect_contains(error_of([&] { (void)layer->compute_output_types({&steps, 1}); }),
                  ErrorCode::kUnimplemented,
                  {"class Doubling does not override compute_output_shape()", "TypeRule::kOverridden",
                   "in layer \"doubling\""});
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
