/// Operations in graphs of layers: what they compute, and that files keep them.
#include <gtest/gtest.h>

#include <functional>

#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

Tensor sample() { return Tensor::of<float>({2, 3}, {0.5F, -1.0F, 0.25F, 0.75F, 1.5F, -0.125F}); }

struct OperationCase {
  std::function<KerasTensor(const KerasTensor&)> graph;
  std::function<Tensor(const Tensor&)> eager;
};

/// The graph computes what the function computes, and so does the model that is made again from its text.
void expect_same(const std::string& name, const OperationCase& tested) {
  const Input x({.shape = {3}});
  Model model({.inputs = x, .outputs = tested.graph(x)});
  Model again = model_from_json(model.to_json());
  const Tensor expected = ops::cast(tested.eager(sample()), DType::kF32);
  for (Model* each : {&model, &again}) {
    const Tensor got = ops::cast(each->predict_on_batch(sample()), DType::kF32);
    EXPECT_LT(relative_difference(got, expected), 1e-6) << name;
  }
  EXPECT_EQ(Config::parse(again.to_json()), Config::parse(model.to_json())) << name;
}

#define CORNU_CASE(expression)                                                              \
  expect_same(#expression, {[](const KerasTensor& x) -> KerasTensor { return expression; }, \
                            [](const Tensor& x) -> Tensor { return expression; }})

TEST(OperationsTest, FunctionsOfTensorsStandInGraphs) {
  CORNU_CASE(ops::exp(x));
  CORNU_CASE(ops::square(x));
  CORNU_CASE(ops::sigmoid(x));
  CORNU_CASE(ops::relu(x));
  CORNU_CASE(ops::absolute(x));
  CORNU_CASE(ops::floor(x));
  CORNU_CASE(ops::tanh(x));
  CORNU_CASE(ops::stop_gradient(x));
  CORNU_CASE(ops::maximum(x, 0.3F));
  CORNU_CASE(ops::power(ops::absolute(x), 2.0F));
  CORNU_CASE(ops::logical_not(ops::greater(x, 0.0F)));
  CORNU_CASE(x > 0.0F);
  CORNU_CASE(x <= 0.5F);
  CORNU_CASE(ops::not_equal(x, 0.5F));
}

TEST(OperationsTest, FunctionsTakeTheOptionsThatTheyTakeOfTensors) {
  CORNU_CASE(ops::sum(x, {.axis = 1, .keepdims = true}));
  CORNU_CASE(ops::max(x, {.axis = 1}));
  CORNU_CASE(ops::argmax(x, {.axis = 1}));
  CORNU_CASE(ops::cumsum(x, {.axis = 1}));
  CORNU_CASE(ops::prod(x, {.axis = 1}));
  CORNU_CASE(ops::logsumexp(x, {.axis = -1}));
  CORNU_CASE(ops::count_nonzero(x, {.axis = 1}));
  CORNU_CASE(ops::softmax(x));
  CORNU_CASE(ops::log_softmax(x, {.axis = 1}));
  CORNU_CASE(ops::gelu(x, {.approximate = false}));
  CORNU_CASE(ops::leaky_relu(x, {.negative_slope = 0.3}));
  CORNU_CASE(ops::normalize(x, {.axis = 1}));
  CORNU_CASE(ops::sort(x));
  CORNU_CASE(ops::round(x, {.decimals = 1}));
  CORNU_CASE(ops::clip(x, -0.5, 0.5));
  CORNU_CASE(ops::cast(x, DType::kI32));
  CORNU_CASE(ops::one_hot(ops::cast(x, DType::kI32), 3));
  CORNU_CASE(ops::reshape(x, {-1, 3, 1}));
  CORNU_CASE(ops::transpose(ops::expand_dims(x, 1), {.axes = {0, 2, 1}}));
  CORNU_CASE(ops::squeeze(ops::expand_dims(x, 1), {.axis = 1}));
  CORNU_CASE(ops::swapaxes(ops::expand_dims(x, 1), 1, 2));
  CORNU_CASE(ops::moveaxis(ops::expand_dims(x, 1), 1, 2));
  CORNU_CASE(ops::tile(x, {1, 2}));
  CORNU_CASE(ops::repeat(x, 2, {.axis = 1}));
  CORNU_CASE(ops::flip(x, {.axis = 1}));
  CORNU_CASE(ops::roll(x, 1, {.axis = 1}));
  CORNU_CASE(ops::pad(x, {{0, 0}, {1, 2}}, {.constant_values = 1.5}));
  CORNU_CASE(ops::zeros_like(x));
  CORNU_CASE(ops::concatenate({x, ops::exp(x)}, {.axis = 1}));
  CORNU_CASE(ops::stack({x, x}, {.axis = 1}));
  CORNU_CASE(ops::split(x, {1}, {.axis = 1})[1]);
  CORNU_CASE(ops::unstack(x, {.axis = 1})[2]);
  CORNU_CASE(ops::top_k(x, 2).values);
  CORNU_CASE(ops::moments(x, 1).variance);
  CORNU_CASE(ops::einsum("bi,bj->bij", {x, x}));
  CORNU_CASE(ops::where(ops::greater(x, 0.0F), x, 0.5F));
  CORNU_CASE(x - ops::mean(x));  // a scalar goes into another operation
  CORNU_CASE(ops::exp(ops::max(x)) + x);
  CORNU_CASE(ops::take(x, Tensor::of<std::int32_t>({2}, {2, 0}), {.axis = 1}));
  CORNU_CASE(ops::take(Tensor::of<float>({3}, {1, 2, 3}), ops::cast(ops::absolute(x), DType::kI32)));
}

// The logarithm of a negative number is NaN.
TEST(OperationsTest, FunctionsThatLeaveNanOutStandInGraphs) {
  CORNU_CASE(ops::nansum(ops::log(x), {.axis = 1}));
  CORNU_CASE(ops::nanprod(ops::log(x), {.axis = 1, .keepdims = true}));
  CORNU_CASE(ops::nanmax(ops::log(x), {.axis = -1}));
  CORNU_CASE(ops::nanmin(ops::log(x), {.axis = -1}));
  CORNU_CASE(ops::nanmean(ops::log(x), {.axis = 1}));
  CORNU_CASE(ops::nanvar(ops::log(x), {.axis = 1}));
  CORNU_CASE(ops::nanstd(ops::log(x), {.axis = 1}));
  CORNU_CASE(ops::nancumsum(ops::log(x), {.axis = 1}));
  CORNU_CASE(ops::nancumprod(ops::log(x), {.axis = 1}));
}

TEST(OperationsTest, AttentionTakesABiasAMaskAndAScale) {
  const auto heads = [](const auto& x) { return ops::reshape(x, {-1, 3, 1, 1}); };
  const Tensor seen = Tensor::of<bool>({1, 1, 1, 3}, {true, false, true});
  expect_same("attention", {[&](const KerasTensor& x) {
                              return ops::dot_product_attention(heads(x), heads(x), heads(x),
                                                                {.mask = seen, .scale = 0.5});
                            },
                            [&](const Tensor& x) {
                              return ops::dot_product_attention(heads(x), heads(x), heads(x),
                                                                {.mask = seen, .scale = 0.5});
                            }});
}

TEST(OperationsTest, AnIndexIsThatOfPython) {
  const auto same = [](const std::vector<Index>& key, const std::function<Tensor(const Tensor&)>& expected) {
    expect_same("get_item", {[&](const KerasTensor& x) { return ops::get_item(x, key); }, expected});
  };
  same({Slice(), 1}, [](const Tensor& x) { return ops::take(x, 1, {.axis = 1}); });
  same({Slice(), -1}, [](const Tensor& x) { return ops::take(x, 2, {.axis = 1}); });
  same({kEllipsis, Slice{.begin = 1}}, [](const Tensor& x) { return x.slice({{}, {.begin = 1}}); });
  same({Slice(), kNewAxis, Slice{.step = -1}},
       [](const Tensor& x) { return ops::expand_dims(x.slice({{}, {.step = -1}}), 1); });
  const Input x({.shape = {3}});
  EXPECT_NE(error_text_of([&] { ops::get_item(x, {Slice(), 3}); }).find("position 3 is outside axis 1"),
            std::string::npos);
  EXPECT_NE(error_text_of([&] { ops::get_item(x, {Slice(), 0, 0}); }).find("at most 2 positions"),
            std::string::npos);
  EXPECT_NE(error_text_of([&] { ops::get_item(x, {kEllipsis, kEllipsis}); }).find("one ellipsis"),
            std::string::npos);
}

TEST(OperationsTest, ADtypeIsTheOperationsOwn) {
  const Input x({.shape = {3}});
  const Model model({.inputs = x, .outputs = ops::cast(x, DType::kI32)});
  Model again = model_from_json(model.to_json());
  EXPECT_EQ(again.outputs()[0].dtype(), DType::kI32);
}

TEST(OperationsTest, WholeNumbersKeepAllTheirDigits) {
  constexpr std::int64_t kBeyondF32 = (std::int64_t{1} << 40) + 1;
  const Input x({.shape = {2}, .dtype = DType::kI64});
  const Tensor constant = Tensor::of<std::int64_t>({2}, {kBeyondF32, -kBeyondF32});
  const Model model({.inputs = x, .outputs = operation("Add", {x, constant})});
  std::string json = model.to_json();
  Model again = model_from_json(json);
  EXPECT_EQ(again(Tensor::of<std::int64_t>({1, 2}, {1, 2})).data<std::int64_t>()[0], kBeyondF32 + 1);
  EXPECT_EQ(again(Tensor::of<std::int64_t>({1, 2}, {1, 2})).data<std::int64_t>()[1], 2 - kBeyondF32);

  // The constant's type, behind its value.
  const std::size_t type = json.find("\"int64\"", json.find(std::to_string(kBeyondF32)));
  ASSERT_NE(type, std::string::npos);
  json.replace(type, 7, "\"int8\"");
  EXPECT_NE(error_text_of([&] { model_from_json(json); }).find("within the range of their dtype"),
            std::string::npos);
}

TEST(OperationsTest, OptionsAreThoseOfKeras) {
  expect_same("Mean", {[](const KerasTensor& x) {
                         return operation("Mean", {x}, Config::dict({{"axis", 1}, {"keepdims", true}}));
                       },
                       [](const Tensor& x) { return ops::mean(x, {.axis = 1, .keepdims = true}); }});
  expect_same("Reshape", {[](const KerasTensor& x) {
                            return operation("Reshape", {x},
                                             Config::dict({{"newshape", Config::list({-1, 3, 1})}}));
                          },
                          [](const Tensor& x) { return ops::reshape(x, {-1, 3, 1}); }});
  expect_same("Concatenate", {[](const KerasTensor& x) {
                                return operation("Concatenate", {x, ops::exp(x)},
                                                 Config::dict({{"axis", 1}}));
                              },
                              [](const Tensor& x) { return ops::concatenate({x, ops::exp(x)}, 1); }});
  expect_same("Softmax",
              {[](const KerasTensor& x) { return operation("Softmax", {x}, Config::dict({{"axis", -1}})); },
               [](const Tensor& x) { return ops::softmax(x); }});
}

TEST(OperationsTest, ANullAxisOfALayerIsAllAxes) {
  const Input x({.shape = {2, 2}});
  const Config config = Config::parse(
      Model({.inputs = x, .outputs = layers::Softmax({.axis = {}, .name = "all"})(x)}).to_json());
  EXPECT_TRUE(config.at("config").at("layers").at(1).at("config").at("axis").is_null());
  Model again = model_from_json(config.json());
  EXPECT_NEAR(ops::sum(again(Tensor::of<float>({1, 2, 2}, {1, 2, 3, 4}))).item<float>(), 1, 1e-6);
}

TEST(OperationsTest, DigitizeComparesIntegersWithBinsBetweenThem) {
  const Input x({.shape = {3}, .dtype = DType::kI32});
  const Tensor bins = Tensor::of<float>({3}, {0.5F, 1.5F, 2.5F});
  Model model({.inputs = x, .outputs = operation("Digitize", {x, bins})});
  EXPECT_EQ(model(Tensor::of<std::int32_t>({1, 3}, {0, 1, 2})).to_vector<int>(), (std::vector<int>{0, 1, 2}));
}

TEST(OperationsTest, RmsScalingOfLayerNormDividesByTheDeviation) {
  const Input x({.shape = {2}});
  const Config options = Config::dict({{"axis", -1}, {"epsilon", 1e-3}, {"rms_scaling", true}});
  Model model({.inputs = x, .outputs = operation("LayerNorm", {x}, options)});
  const Tensor y = model(Tensor::of<float>({1, 2}, {1, 3}));
  EXPECT_NEAR(y.at(0), 0.9995, 1e-4);
  EXPECT_NEAR(y.at(1), 2.9985, 1e-4);
}

TEST(OperationsTest, AnUnknownOneNamesWhatThereIs) {
  const Input x({.shape = {3}});
  EXPECT_NE(error_text_of([&] { operation("Exxp", {x}); }).find("did you mean \"Exp\""), std::string::npos);
  EXPECT_NE(error_text_of([&] { operation("Add", {x}); }).find("takes 2 arguments"), std::string::npos);
  const std::string text =
      error_text_of([&] { operation("Average", {x}, Config::dict(), {{"weight", 1.0F}}); });
  EXPECT_NE(text.find("did you mean \"weights\""), std::string::npos) << text;
}

TEST(OperationsTest, AMaskThatACallIsGivenStaysItsArgument) {
  Model model = load_model("tests/data/keras/masked.keras");
  const Config config = Config::parse(model.to_json());
  int masked_calls = 0;
  for (const Config& layer : config.at("config").at("layers").as_list()) {
    EXPECT_NE(layer.at("class_name"), Config("WithMask"));
    for (const Config& call : layer.at("inbound_nodes").as_list())
      masked_calls += call.at("kwargs").contains("mask") && !call.at("kwargs").at("mask").is_null() ? 1 : 0;
  }
  EXPECT_GE(masked_calls, 2);
  EXPECT_EQ(Config::parse(model_from_json(model.to_json()).to_json()), config);
}

}  // namespace
}  // namespace cornu::inline v0::keras
