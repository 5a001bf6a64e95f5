/// Graphs of every operation, as Keras writes them: their results, that they are written back as they were,
/// and that the same calls in C++ make the same graphs.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "cornu/keras/layers/operations/operation.h"
#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

const Config& golden() {
  static const Config* const kGolden = [] {
    std::ifstream file("tests/goldens/operation_graphs.json");
    std::ostringstream text;
    text << file.rdbuf();
    return new Config(Config::parse(text.str()));
  }();
  return *kGolden;
}

Dims shape_of(const Config& array) {
  Dims shape;
  for (const Config& extent : array.at("shape").as_list()) shape.push_back(extent.as_integer());
  return shape;
}

Tensor tensor_of(const Config& array) {
  std::vector<double> values;
  for (const Config& value : array.at("values").as_list()) values.push_back(value.as_number());
  return ops::cast(Tensor::adopt(shape_of(array), std::move(values)),
                   *ir::dtype_from_name(array.at("dtype").as_string()));
}

/// The names of the operations in a graph, for messages.
std::string names_of(const Config& model) {
  std::string names;
  for (const Config& layer : model.at("layers").as_list())
    if (layer.at("class_name") != Config("InputLayer")) names += layer.at("class_name").as_string() + " ";
  return names;
}

void expect_near(const Tensor& got, const Config& expected, const std::string& name) {
  EXPECT_EQ(got.shape(), shape_of(expected)) << name;
  EXPECT_EQ(ir::numpy_name(got.dtype()), expected.at("dtype").as_string()) << name;
  const std::vector<double> values = ops::cast(got, DType::kF64).to_vector<double>();
  const Config::List& numbers = expected.at("values").as_list();
  ASSERT_EQ(values.size(), numbers.size()) << name;
  const double gate = got.dtype() == DType::kF16 ? 1e-3 : 2e-5;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double number = numbers[i].as_number();
    if (std::isnan(number)) {
      EXPECT_TRUE(std::isnan(values[i])) << name << i;
    } else if (values[i] != number) {
      EXPECT_LE(std::abs(values[i] - number), gate * std::max(1.0, std::abs(number))) << name << i;
    }
  }
}

/// The layer's text as Keras writes it, which gives the complex result of Polar the dtype of its operands.
std::string text_as_keras(const Config& layer) {
  std::string text = layer.json();
  const std::string complex = "\"complex64\", \"keras_history\": [\"polar\"";
  if (const std::size_t at = text.find(complex); at != std::string::npos) text.replace(at, 11, "\"float32\"");
  return text;
}

/// Compares the results, where Keras's graph runs, and the text of the operations.
void expect_case(Model& model, const Config& golden_case, const std::string& name) {
  std::vector<Tensor> inputs;
  for (const Config& input : golden_case.at("inputs").as_list()) inputs.push_back(tensor_of(input));
  const std::vector<Tensor> outputs = model->call_many(inputs);
  const Config::List& expected = golden_case.at("outputs").as_list();
  ASSERT_TRUE(expected.empty() || outputs.size() == expected.size()) << name;
  for (std::size_t i = 0; i < expected.size(); ++i) expect_near(outputs[i], expected[i], name);
  const Config written = Config::parse(model.to_json()).at("config").at("layers");
  const Config& layers = golden_case.at("model").at("layers");
  ASSERT_EQ(written.size(), layers.size()) << name;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers.at(i).at("class_name") == Config("InputLayer")) continue;
    EXPECT_EQ(text_as_keras(written.at(i)), layers.at(i).json());
  }
}

void check(const Config& golden_case, const std::string& name) {
  const Config& config = golden_case.at("model");
  Model model = model_from_json(Config::dict({{"class_name", "Functional"}, {"config", config}}).json());
  expect_case(model, golden_case, name);
}

TEST(OperationGraphsTest, GraphsOfKerasGiveItsNumbersAndAreWrittenAsTheyWere) {
  for (const Config& each : golden().at("cases").as_list()) {
    const std::string name = names_of(each.at("model"));
    try {
      check(each, name);
    } catch (const Error& error) {
      ADD_FAILURE() << name << error.what();
    }
  }
}

TEST(OperationGraphsTest, EveryClassIsTried) {
  std::set<std::string> tried;
  for (const Config& name : golden().at("classes").as_list()) tried.insert(name.as_string());
  // These take no tensor with an open batch, or, as Nonzero, have no graph in Keras on JAX; their functions
  // have goldens of their own.
  for (const char* name : {"BroadcastTo", "Nonzero", "Vdot"}) tried.insert(name);
  for (const std::string& name : layers::Operation::class_names()) EXPECT_TRUE(tried.contains(name)) << name;
}

using Function = std::function<KerasTensors(const KerasTensors&)>;

Tensor ramp() { return Tensor::of<float>({4}, {1, 2, 3, 4}); }
Tensor fours(float value) { return ops::full({4}, value); }
Tensor ones(const Dims& shape) { return ops::ones(shape); }

std::map<std::string, Function> elementwise_calls() {
  return {
      {"hard_shrink", [](const KerasTensors& x) { return ops::hard_shrink(x[0]); }},
      {"soft_shrink", [](const KerasTensors& x) { return ops::soft_shrink(x[0]); }},
      {"squareplus", [](const KerasTensors& x) { return ops::squareplus(x[0]); }},
      {"nan_to_num", [](const KerasTensors& x) { return ops::nan_to_num(x[0]); }},
      {"hard_shrink threshold",
       [](const KerasTensors& x) { return ops::hard_shrink(x[0], {.threshold = 0.25}); }},
      {"soft_shrink threshold",
       [](const KerasTensors& x) { return ops::soft_shrink(x[0], {.threshold = 0.25}); }},
      {"squareplus b", [](const KerasTensors& x) { return ops::squareplus(x[0], {.b = 2.5}); }},
      {"nan_to_num values",
       [](const KerasTensors& x) {
         return ops::nan_to_num(x[0], {.nan = 1.5, .posinf = 2.5, .neginf = -2.5});
       }},
      {"threshold", [](const KerasTensors& x) { return ops::threshold(x[0], 0.5, -1.0); }},
      {"isclose", [](const KerasTensors& x) { return ops::isclose(x[0], x[1]); }},
      {"isclose options",
       [](const KerasTensors& x) {
         return ops::isclose(x[0], 0.5, {.rtol = 0.25, .atol = 0.125, .equal_nan = true});
       }},
      {"saturate_cast", [](const KerasTensors& x) { return ops::saturate_cast(x[0], DType::kU8); }},
      {"convert_to_tensor dtype",
       [](const KerasTensors& x) { return ops::convert_to_tensor(x[0], {.dtype = DType::kI32}); }},
      {"select",
       [](const KerasTensors& x) {
         return ops::select({ops::greater(x[0], 0), ops::greater(x[1], 0)}, {x[0], x[1]});
       }},
      {"select default",
       [](const KerasTensors& x) {
         return ops::select({ops::greater(x[0], 0), ops::greater(x[1], 0)}, {x[0], x[1]}, {.fallback = 0.5});
       }},
      {"allclose", [](const KerasTensors& x) { return ops::allclose(x[0], x[1], {.rtol = 0.5}); }},
      {"maximum constant first", [](const KerasTensors& x) { return ops::maximum(0.5, x[0]); }},
      {"matmul constant first", [](const KerasTensors& x) { return ops::matmul(ones({2, 3}), x[0]); }},
  };
}

std::map<std::string, Function> reducing_calls() {
  return {
      {"average", [](const KerasTensors& x) { return ops::average(x[0], {.axis = 1}); }},
      {"average weights",
       [](const KerasTensors& x) { return ops::average(x[0], {.axis = 1, .weights = ramp()}); }},
      {"average tensor weights", [](const KerasTensors& x) { return ops::average(x[0], {.weights = x[1]}); }},
      {"norm", [](const KerasTensors& x) { return ops::norm(x[0]); }},
      {"norm ord",
       [](const KerasTensors& x) { return ops::norm(x[0], {.ord = 1, .axis = {1, 2}, .keepdims = true}); }},
      {"norm inf", [](const KerasTensors& x) { return ops::norm(x[0], {.ord = INFINITY}); }},
      {"norm fro", [](const KerasTensors& x) { return ops::norm(x[0], {.ord = "fro", .axis = {1, 2}}); }},
      {"quantile", [](const KerasTensors& x) { return ops::quantile(x[0], 0.25); }},
      {"quantile list",
       [](const KerasTensors& x) { return ops::quantile(x[0], {0.25, 0.5}, {.keepdims = true}); }},
      {"percentile", [](const KerasTensors& x) { return ops::percentile(x[0], 25.0, {.axis = -1}); }},
      {"percentile method",
       [](const KerasTensors& x) {
         return ops::percentile(x[0], {25.0, 50.0}, {.axis = 1, .method = "lower"});
       }},
      {"sort flattened", [](const KerasTensors& x) { return ops::sort(x[0], {.axis = std::nullopt}); }},
      {"argsort flattened", [](const KerasTensors& x) { return ops::argsort(x[0], {.axis = std::nullopt}); }},
      {"softmax flattened", [](const KerasTensors& x) { return ops::softmax(x[0], {.axis = {}}); }},
      {"log_softmax flattened", [](const KerasTensors& x) { return ops::log_softmax(x[0], {.axis = {}}); }},
      {"normalize flattened", [](const KerasTensors& x) { return ops::normalize(x[0], {.axis = {}}); }},
      {"rms_normalization flattened",
       [](const KerasTensors& x) { return ops::rms_normalization(x[0], {.axis = {}}); }},
      {"moments flattened",
       [](const KerasTensors& x) {
         const auto [mean, variance] = ops::moments(x[0], {});
         return KerasTensors{mean, variance};
       }},
  };
}

std::map<std::string, Function> shaping_calls() {
  return {
      {"append", [](const KerasTensors& x) { return ops::append(x[0], x[1]); }},
      {"append axis", [](const KerasTensors& x) { return ops::append(x[0], x[1], {.axis = 1}); }},
      {"array_split",
       [](const KerasTensors& x) { return KerasTensors(ops::array_split(x[0], 3, {.axis = 1})); }},
      {"diag", [](const KerasTensors& x) { return ops::diag(x[0]); }},
      {"diagflat", [](const KerasTensors& x) { return ops::diagflat(x[0], {.k = 1}); }},
      {"diff", [](const KerasTensors& x) { return ops::diff(x[0]); }},
      {"diff n", [](const KerasTensors& x) { return ops::diff(x[0], {.n = 2, .axis = 1}); }},
      {"rot90", [](const KerasTensors& x) { return ops::rot90(x[0], {.k = 1, .axes = {1, 2}}); }},
      {"full_like", [](const KerasTensors& x) { return ops::full_like(x[0], 3); }},
      {"full_like dtype",
       [](const KerasTensors& x) { return ops::full_like(x[0], 2.5, {.dtype = DType::kF16}); }},
      {"empty_like", [](const KerasTensors& x) { return ops::empty_like(x[0]); }},
      {"full", [](const KerasTensors& x) { return ops::full({2, 3}, x[0], {.dtype = DType::kF32}); }},
      {"size", [](const KerasTensors& x) { return ops::cast(ops::size(x[0]), DType::kF32); }},
      {"ndim", [](const KerasTensors& x) { return ops::ndim(x[0]); }},
      {"linspace", [](const KerasTensors& x) { return ops::linspace(x[0], x[1], {.num = 3}); }},
      {"linspace constant",
       [](const KerasTensors& x) {
         return ops::linspace(0.0, x[0], {.num = 4, .endpoint = false, .axis = -1});
       }},
      {"rearrange",
       [](const KerasTensors& x) {
         return ops::rearrange(x[0], "b (h p) c -> b h (p c)", {.axes_lengths = {{"p", 2}}});
       }},
      {"meshgrid",
       [](const KerasTensors& x) { return KerasTensors(ops::meshgrid({x[0], x[1]}, {.indexing = "ij"})); }},
  };
}

std::map<std::string, Function> indexing_calls() {
  const Tensor bins = Tensor::of<float>({2}, {0, 1}), sorted = Tensor::of<float>({3}, {0, 1, 2});
  return {
      {"bincount", [](const KerasTensors& x) { return ops::bincount(x[0], {.minlength = 5}); }},
      {"bincount weights",
       [](const KerasTensors& x) {
         return ops::bincount(x[0], {.weights = Tensor::of<float>({3}, {1, 2, 4}), .minlength = 5});
       }},
      {"digitize", [=](const KerasTensors& x) { return ops::digitize(x[0], bins); }},
      {"extract_sequences", [](const KerasTensors& x) { return ops::extract_sequences(x[0], 3, 2); }},
      {"in_top_k", [](const KerasTensors& x) { return ops::in_top_k(x[0], x[1], 2); }},
      {"scatter", [](const KerasTensors& x) { return ops::scatter(x[0], x[1], {6}); }},
      {"scatter_update",
       [](const KerasTensors& x) {
         return ops::scatter_update(x[0], Tensor::of<std::int32_t>({3, 2}, {0, 1, 2, 2, 1, 0}), x[1]);
       }},
      {"scatter_update reduction",
       [](const KerasTensors& x) {
         return ops::scatter_update(x[0], Tensor::of<std::int32_t>({2, 2}, {0, 1, 2, 2}),
                                    Tensor::of<float>({2}, {3, 4}), {.reduction = "add"});
       }},
      {"searchsorted", [=](const KerasTensors& x) { return ops::searchsorted(sorted, x[0]); }},
      {"searchsorted side",
       [=](const KerasTensors& x) { return ops::searchsorted(sorted, x[0], {.side = "right"}); }},
      {"segment_sum",
       [](const KerasTensors& x) { return ops::segment_sum(x[0], x[1], {.num_segments = 4}); }},
      {"segment_max",
       [](const KerasTensors& x) { return ops::segment_max(x[0], x[1], {.num_segments = 4}); }},
      {"segment_min",
       [](const KerasTensors& x) { return ops::segment_min(x[0], x[1], {.num_segments = 4}); }},
      {"segment_prod",
       [](const KerasTensors& x) { return ops::segment_prod(x[0], x[1], {.num_segments = 4}); }},
      {"segment_sum sorted",
       [](const KerasTensors& x) {
         return ops::segment_sum(x[0], Tensor::of<std::int32_t>({3}, {0, 0, 2}),
                                 {.num_segments = 3, .sorted = true});
       }},
      {"slice", [](const KerasTensors& x) { return ops::slice(x[0], {0, 1, 0}, {3, 2, 2}); }},
      {"slice tensor start", [](const KerasTensors& x) { return ops::slice(x[0], x[1], {2, 2}); }},
      {"slice_update", [](const KerasTensors& x) { return ops::slice_update(x[0], {0, 1}, x[1]); }},
  };
}

std::map<std::string, Function> network_calls() {
  return {
      {"cross", [](const KerasTensors& x) { return ops::cross(x[0], x[1]); }},
      {"cross axis",
       [](const KerasTensors& x) {
         return ops::cross(x[0], Tensor::of<float>({3}, {1, 2, 3}), {.axis = -1});
       }},
      {"tensordot", [](const KerasTensors& x) { return ops::tensordot(x[0], ones({4, 2}), {.axes = 1}); }},
      {"tensordot lists",
       [](const KerasTensors& x) { return ops::tensordot(x[0], ones({4, 2}), {.axes = {1, 0}}); }},
      {"max_pool", [](const KerasTensors& x) { return ops::max_pool(x[0], {2}, {.strides = {2}}); }},
      {"max_pool default strides", [](const KerasTensors& x) { return ops::max_pool(x[0], {2}); }},
      {"average_pool",
       [](const KerasTensors& x) { return ops::average_pool(x[0], 2, {.strides = 1, .padding = "same"}); }},
      {"conv", [](const KerasTensors& x) { return ops::conv(x[0], ones({3, 2, 2}), {.padding = "same"}); }},
      {"conv strides",
       [](const KerasTensors& x) { return ops::conv(x[0], ones({2, 2, 1, 2}), {.strides = {2, 1}}); }},
      {"depthwise_conv", [](const KerasTensors& x) { return ops::depthwise_conv(x[0], ones({3, 2, 2})); }},
      {"separable_conv",
       [](const KerasTensors& x) { return ops::separable_conv(x[0], ones({3, 2, 1}), ones({1, 2, 3})); }},
      {"conv_transpose",
       [](const KerasTensors& x) {
         return ops::conv_transpose(x[0], ones({3, 2, 2}),
                                    {.strides = 2, .padding = "same", .output_padding = 1});
       }},
      {"binary_crossentropy", [](const KerasTensors& x) { return ops::binary_crossentropy(x[0], x[1]); }},
      {"categorical_crossentropy",
       [](const KerasTensors& x) {
         return ops::categorical_crossentropy(x[0], x[1], {.from_logits = true});
       }},
      {"sparse_categorical_crossentropy",
       [](const KerasTensors& x) {
         return ops::sparse_categorical_crossentropy(x[0], x[1], {.from_logits = true});
       }},
      {"batch_normalization",
       [](const KerasTensors& x) { return ops::batch_normalization(x[0], fours(0.5F), fours(2)); }},
      {"batch_normalization scale",
       [](const KerasTensors& x) {
         return ops::batch_normalization(x[0], fours(0.5F), fours(2),
                                         {.offset = fours(0.25F), .scale = fours(1.5F), .epsilon = 0.01});
       }},
      {"layer_normalization", [](const KerasTensors& x) { return ops::layer_normalization(x[0]); }},
      {"layer_normalization gamma",
       [](const KerasTensors& x) {
         return ops::layer_normalization(x[0], {.gamma = ramp(), .beta = ramp(), .epsilon = 0.01});
       }},
      {"rms_normalization", [](const KerasTensors& x) { return ops::rms_normalization(x[0]); }},
      {"rms_normalization scale",
       [](const KerasTensors& x) { return ops::rms_normalization(x[0], {.scale = x[1], .epsilon = 0.01}); }},
  };
}

/// The model of a call on inputs like those of the golden's.
Model model_of_call(const Function& function, const Config& golden_case) {
  clear_session();
  KerasTensors inputs;
  for (const Config& layer : golden_case.at("model").at("layers").as_list()) {
    if (layer.at("class_name") != Config("InputLayer")) continue;
    const Config& config = layer.at("config");
    const Config::List& extents = config.at("batch_shape").as_list();
    InputOptions options{.dtype = *ir::dtype_from_name(config.at("dtype").as_string()),
                         .name = config.at("name").as_string()};
    for (std::size_t i = 1; i < extents.size(); ++i) options.shape.push_back(extents[i].as_integer());
    if (!extents[0].is_null()) options.batch_size = extents[0].as_integer();
    inputs.push_back(Input(options));
  }
  return Model({.inputs = inputs, .outputs = function(inputs)});
}

TEST(OperationGraphsTest, CallsInCppMakeTheGraphsOfKeras) {
  std::map<std::string, Function> calls = elementwise_calls();
  for (auto part : {reducing_calls(), shaping_calls(), indexing_calls(), network_calls()}) calls.merge(part);
  for (const Config& each : golden().at("cases").as_list()) {
    if (!each.contains("call")) continue;
    const std::string& name = each.at("call").as_string();
    const auto call = calls.find(name);
    ASSERT_NE(call, calls.end()) << name;
    try {
      Model model = model_of_call(call->second, each);
      expect_case(model, each, name);
    } catch (const Error& error) {
      ADD_FAILURE() << name << ": " << error.what();
    }
    calls.erase(call);
  }
  for (const auto& [name, function] : calls) ADD_FAILURE() << name << " has no golden case";
}

TEST(OperationGraphsTest, GraphsWithoutNumbersOfKerasGiveThoseOfTheFunctions) {
  const Tensor x = Tensor::of<float>({1, 4, 1}, {1, 4, 2, 3});
  const auto result_of = [&](const Function& function) {
    const Input input({.shape = {4, 1}});
    return Model({.inputs = input, .outputs = function(input)})(x);
  };
  const auto transposed = [](const auto& y) {
    return ops::conv_transpose(y, ones({2, 1, 1}), {.strides = 2, .padding = "same", .output_padding = 1});
  };
  EXPECT_TRUE(result_of([&](const auto& y) { return transposed(y[0]); }).literal() ==
              transposed(x).literal());
  EXPECT_EQ(result_of([](const auto& y) { return ops::max_pool(y[0], {2}); }).to_vector<float>(),
            (std::vector<float>{4, 3}));
  EXPECT_EQ(result_of([](const auto& y) { return ops::ndim(y[0]); }).item<int>(), 3);
  EXPECT_EQ(ops::shape(Input({.shape = {4, 1}})), (Dims{kUnknown, 4, 1}));
  const Input labels({.shape = {}, .batch_size = 3, .dtype = DType::kI32});
  const Tensor weights = Tensor::of<float>({3}, {1, 2, 4});
  Model counts({.inputs = labels, .outputs = ops::bincount(labels, {.weights = weights, .minlength = 3})});
  EXPECT_EQ(counts(Tensor::of<std::int32_t>({3}, {0, 0, 2})).to_vector<float>(),
            (std::vector<float>{3, 0, 4}));
}

TEST(OperationGraphsTest, AConvolutionRefusesOptionsThatKerasHasNot) {
  const Input x({.shape = {4, 1}});
  const std::string text =
      error_text_of([&] { ops::conv(x, ones({2, 1, 1}), {.bias = Tensor::of<float>({1}, {1})}); });
  EXPECT_NE(text.find("takes no bias"), std::string::npos) << text;
}

/// An argument that is null where Keras's constructor takes none.
TEST(OperationGraphsTest, NullIsRefusedWhereItHasNoMeaning) {
  const Input x({.shape = {4}});
  const auto text_of = [&](const char* class_name, const char* option) {
    return error_text_of([&] { operation(class_name, {x}, Config::dict({{option, nullptr}})); });
  };
  EXPECT_NE(text_of("ExpandDims", "axis").find("got null"), std::string::npos);
  EXPECT_NE(text_of("Reshape", "newshape").find("got null"), std::string::npos);
  EXPECT_NE(text_of("Glu", "axis").find("axis of Glu must be an integer; got null"), std::string::npos);
  EXPECT_NE(text_of("Round", "decimals").find("decimals of Round"), std::string::npos);
  EXPECT_NE(text_of("Clip", "x_min").find("needs its argument x_max"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::keras
