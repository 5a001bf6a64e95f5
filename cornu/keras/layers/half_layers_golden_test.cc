// Layers in f16 and bf16, and in them on f32 weights, against numbers of real Keras
// (tools/goldens/half_layers.py).
#include "cornu/keras/base/names.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

using nlohmann::json;

LayerHandle half_layer_of(const std::string& kind, const json& c, const DTypePolicy& dtype) {
  if (kind == "Dense")
    return Dense(
        {.units = c.at("units"), .activation = c.at("activation").get<std::string>(), .dtype = dtype});
  if (kind == "Conv1D") {
    return Conv1D({.filters = c.at("filters"),
                   .kernel_size = c.at("kernel_size").get<std::int64_t>(),
                   .padding = c.at("padding").get<std::string>(),
                   .dtype = dtype});
  }
  if (kind == "Conv2D") {
    return Conv2D({.filters = c.at("filters"),
                   .kernel_size = c.at("kernel_size").get<std::int64_t>(),
                   .activation = c.at("activation").get<std::string>(),
                   .dtype = dtype});
  }
  if (kind == "Conv2DTranspose") {
    return Conv2DTranspose({.filters = c.at("filters"),
                            .kernel_size = c.at("kernel_size").get<std::int64_t>(),
                            .strides = c.at("strides").get<std::int64_t>(),
                            .dtype = dtype});
  }
  if (kind == "DepthwiseConv2D")
    return DepthwiseConv2D({.kernel_size = c.at("kernel_size").get<std::int64_t>(), .dtype = dtype});
  if (kind == "SeparableConv2D")
    return SeparableConv2D(
        {.filters = c.at("filters"), .kernel_size = c.at("kernel_size").get<std::int64_t>(), .dtype = dtype});
  if (kind == "Embedding")
    return Embedding({.input_dim = c.at("input_dim"), .output_dim = c.at("output_dim"), .dtype = dtype});
  if (kind == "BatchNormalization") return BatchNormalization({.dtype = dtype});
  if (kind == "LayerNormalization") return LayerNormalization({.dtype = dtype});
  if (kind == "GroupNormalization") return GroupNormalization({.groups = c.at("groups"), .dtype = dtype});
  if (kind == "LSTM") return LSTM({.units = c.at("units"), .dtype = dtype});
  if (kind == "GRU") return GRU({.units = c.at("units"), .dtype = dtype});
  return SimpleRNN({.units = c.at("units"), .dtype = dtype});
}

Tensor half_tensor(const json& array, DType dtype) {
  const Tensor wide = testing::golden_tensor(array);
  return wide.dtype() == dtype || ir::is_integer(wide.dtype()) ? wide : ops::cast(wide, dtype);
}

void check_half_layer(const json& row) {
  const DTypePolicy policy(row.at("dtype").get<std::string>());
  const DType dtype = policy.compute_dtype();
  const double tolerance = dtype == DType::kF16 ? 1e-2 : 4e-2;
  const LayerHandle layer = half_layer_of(row.at("layer"), row.at("config"), policy);
  const Tensor x = half_tensor(row.at("input"), dtype);
  layer->build_once(x.shape());  // by the initializers, in halves
  const std::vector<Variable> weights = layer->weights();
  ASSERT_EQ(weights.size(), row.at("weights").size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const json& wanted = row.at("weights")[i];
    EXPECT_EQ(weights[i].name(), wanted.at("name").get<std::string>());
    EXPECT_EQ(ir::numpy_name(weights[i].dtype()), wanted.at("dtype").get<std::string>()) << weights[i].name();
    weights[i].load(half_tensor(wanted.at("value"), weights[i].dtype()).literal());
  }
  const Tensor wanted_y = testing::golden_tensor(row.at("y"));
  const Tensor y = layer(x);
  EXPECT_EQ(ir::numpy_name(y.dtype()), row.at("output_dtype").get<std::string>());
  testing::expect_close(ops::cast(y, DType::kF32), wanted_y, tolerance, "y");

  const Tensor cotangent = half_tensor(row.at("cotangent"), dtype);
  std::vector<Variable> results;
  for (const Variable& weight : weights)
    results.emplace_back(ir::Literal(weight.type()), VariableOptions{.name = "gradient"});
  testing::TracedStep step([&](Trace&) -> std::vector<Tensor> {
    const std::vector<Tensor> gradients =
        gradient(ops::sum(ops::cast(layer(x) * cotangent, DType::kF32)), weights);
    for (std::size_t i = 0; i < gradients.size(); ++i)
      if (gradients[i].defined()) results[i].assign(gradients[i]);
    return {};
  });
  step.run();
  for (std::size_t i = 0; i < results.size(); ++i) {
    testing::expect_close(ops::cast(Tensor(results[i].read()), DType::kF32),
                          testing::golden_tensor(row.at("weight_gradients")[i]), 3 * tolerance,
                          "gradient of " + weights[i].name());
  }
}

class HalfLayersGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, HalfLayersGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(HalfLayersGoldenTest, F16AndBf16AreKerass) {
  const json golden = testing::load_golden("half_layers");
  for (const json& row : golden.at("cases")) {
    SCOPED_TRACE(row.at("layer").get<std::string>() + " " + row.at("dtype").get<std::string>());
    clear_session();
    check_half_layer(row);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras::layers
