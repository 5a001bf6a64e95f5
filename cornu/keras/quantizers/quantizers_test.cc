#include "cornu/keras/quantizers/quantizers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/gradient_tape.h"

namespace cornu::inline v0::keras::quantizers {
namespace {

using testing::golden_tensor;
using testing::load_golden;

void expect_equal_integers(const Tensor& actual, const nlohmann::json& expected, const std::string& what) {
  const Tensor wanted = golden_tensor(expected);
  ASSERT_EQ(actual.shape(), wanted.shape()) << what;
  for (std::int64_t i = 0; i < wanted.num_elements(); ++i)
    EXPECT_EQ(actual.at(i), wanted.at(i)) << what << " " << i;
}

ops::Axes axes_of(const nlohmann::json& axis) {
  if (axis.is_number()) return axis.get<std::int64_t>();
  return axis.get<std::vector<std::int64_t>>();
}

class QuantizersGolden : public testing::OnEachPlatform {};

TEST_P(QuantizersGolden, AbsMaxQuantize) {
  const nlohmann::json golden = load_golden("quantizers").at("abs_max");
  const Tensor x = golden_tensor(golden.at("x"));
  for (const nlohmann::json& row : golden.at("cases")) {
    const nlohmann::json& given = row.at("options");
    AbsMaxQuantizeOptions options{.axis = axes_of(given.at("axis")), .epsilon = given.value("epsilon", 1e-7)};
    if (given.contains("value_range"))
      options.value_range = {given.at("value_range").at(0).get<std::int64_t>(),
                             given.at("value_range").at(1).get<std::int64_t>()};
    if (given.contains("dtype")) options.dtype = *ir::dtype_from_name(given.at("dtype").get<std::string>());
    const QuantizedTensor quantized = abs_max_quantize(x, options);
    EXPECT_EQ(quantized.values.dtype(), options.dtype);
    expect_equal_integers(quantized.values, row.at("values"), given.dump());
    testing::expect_close(quantized.scale, golden_tensor(row.at("scale")), 1e-6, given.dump());
    EXPECT_EQ(quantized.scale.shape(), golden_tensor(row.at("scale")).shape());
  }
}

TEST_P(QuantizersGolden, AbsMaxQuantizeGroupedWithZeroPoint) {
  const nlohmann::json golden = load_golden("quantizers").at("grouped");
  const Tensor x = golden_tensor(golden.at("x"));
  for (const nlohmann::json& row : golden.at("cases")) {
    const auto block_size = row.at("block_size").get<std::int64_t>();
    const GroupedQuantizedTensor quantized = abs_max_quantize_grouped_with_zero_point(
        x, {.block_size = block_size, .to_numpy = row.at("to_numpy").get<bool>()});
    const std::string what = fmt::format("block_size {}", block_size);
    expect_equal_integers(quantized.values, row.at("values"), what);
    expect_equal_integers(quantized.zero_point, row.at("zero_point"), what);
    testing::expect_close(quantized.scale, golden_tensor(row.at("scale")), 1e-6, what);
    EXPECT_EQ(quantized.zero_point.dtype(), DType::kI8);
  }
}

TEST_P(QuantizersGolden, FakeQuantWithMinMaxVars) {
  const nlohmann::json golden = load_golden("quantizers").at("fake_quant");
  const Tensor x = golden_tensor(golden.at("x")), dy = golden_tensor(golden.at("dy"));
  for (const nlohmann::json& row : golden.at("cases")) {
    const nlohmann::json& given = row.at("options");
    FakeQuantOptions options{.num_bits = given.value("num_bits", 8),
                             .narrow_range = given.value("narrow_range", false)};
    if (given.contains("axis")) options.axis = given.at("axis").get<std::int64_t>();
    const Tensor low = golden_tensor(row.at("min")), high = golden_tensor(row.at("max"));
    GradientTape tape;
    for (const Tensor& each : {x, low, high}) tape.watch(each);
    const Tensor y = fake_quant_with_min_max_vars(x, low, high, options);
    const Tensor total = ops::sum(y * dy);
    const std::vector<Tensor> gradients = tape.gradient(total, std::vector<Tensor>{x, low, high});
    testing::expect_close(y, golden_tensor(row.at("y")), 1e-6, given.dump());
    for (std::size_t i = 0; i < 3; ++i)
      testing::expect_close(gradients[i], golden_tensor(row.at("gradients").at(i)), 1e-5,
                            fmt::format("gradient {} of {}", i, given.dump()));
  }
}

TEST_P(QuantizersGolden, Float8) {
  const nlohmann::json golden = load_golden("quantizers").at("float8");
  const Tensor x = golden_tensor(golden.at("x"));
  for (const nlohmann::json& row : golden.at("rounded")) {
    const DType dtype = *ir::dtype_from_name(row.at("dtype").get<std::string>());
    const Tensor y = quantize_and_dequantize(x, Tensor(row.at("scale").get<float>()), dtype, DType::kF32);
    testing::expect_close(y, golden_tensor(row.at("y")), 1e-6, row.at("dtype").get<std::string>());
  }
  for (const nlohmann::json& row : golden.at("scales")) {
    const float amax =
        row.at("amax").is_string() ? std::numeric_limits<float>::infinity() : row.at("amax").get<float>();
    const Tensor scale = compute_float8_scale(Tensor(amax), Tensor(row.at("scale").get<float>()),
                                              Tensor(448.0F), row.at("margin").get<int>());
    EXPECT_FLOAT_EQ(scale.item<float>(), row.at("new_scale").get<float>()) << row.dump();
  }
  testing::expect_close(compute_float8_amax_history(x, golden_tensor(golden.at("history"))),
                        golden_tensor(golden.at("new_history")), 1e-7, "history");
}

TEST_P(QuantizersGolden, Packing) {
  for (const nlohmann::json& row : load_golden("quantizers").at("packing")) {
    const DType dtype = *ir::dtype_from_name(row.at("dtype").get<std::string>());
    const Int4PackingOptions options{.axis = row.at("axis").get<std::int64_t>(), .dtype = dtype};
    const Tensor x = ops::cast(golden_tensor(row.at("x")), dtype);
    const PackedInt4 packed = pack_int4(x, options);
    expect_equal_integers(packed.packed, row.at("packed"), row.dump());
    EXPECT_EQ(packed.packed_shape, row.at("shape").get<Dims>());
    EXPECT_EQ(packed.orig_len, row.at("length").get<std::int64_t>());
    expect_equal_integers(unpack_int4(packed.packed, packed.orig_len, options), row.at("x"), row.dump());
  }
}

INSTANTIATE_TEST_SUITE_P(Platforms, QuantizersGolden, testing::platforms(), testing::PlatformName());

TEST(QuantizersTest, RefuseArgumentsThatDoNotFit) {
  const Tensor x = Tensor::zeros({2, 3}, DType::kF32);
  EXPECT_EQ(error_text_of([&] { abs_max_quantize(ops::cast(x, DType::kI32)); }),
            "[abs_max_quantize] inputs must be floating-point; got (2, 3) int32");
  EXPECT_EQ(error_text_of([&] { abs_max_quantize(x, {.value_range = {-200, 127}}); }),
            "[abs_max_quantize] value_range must rise and be within [-128, 127], the values of int8; got "
            "value_range = {-200, 127}");
  EXPECT_EQ(error_text_of([&] { abs_max_quantize_grouped_with_zero_point(x, {.block_size = 0}); }),
            "[abs_max_quantize_grouped_with_zero_point] block_size must be positive; got block_size = 0");
  EXPECT_EQ(error_text_of([&] { pack_int4(x); }),
            "[pack_int4] the tensor must be int8, the dtype of the options; got (2, 3) float32");
  const Tensor packed = Tensor::zeros({2, 3}, DType::kI8);
  EXPECT_EQ(error_text_of([&] { unpack_int4(packed, 5); }),
            "[unpack_int4] orig_len must be 3 or 4, the number of packed integers; got orig_len = 5");
  EXPECT_EQ(error_text_of([&] { fake_quant_with_min_max_vars(x, 0.0F, 1.0F, {.num_bits = 1}); }),
            "[fake_quant_with_min_max_vars] num_bits must be in [2, 16]; got num_bits = 1");
}

TEST(QuantizationConfigTest, RefusesOptionsThatContradict) {
  EXPECT_EQ(error_text_of([] { Int4QuantizationConfig({.block_size = 0}); }),
            "[int4_quantization_config] block_size must be positive or -1; got block_size = 0");
  EXPECT_EQ(error_text_of([] { Int4QuantizationConfig({.activation_quantizer = AbsMaxQuantizer()}); }),
            "[int4_quantization_config] quantizers need block_size = -1, one scale for each column; got "
            "block_size = 128");
  EXPECT_EQ(
      error_text_of(
          [] { Int4QuantizationConfig({.weight_quantizer = AbsMaxQuantizer(), .block_size = -1}); }),
      "[int4_quantization_config] the value_range of weight_quantizer must be {-8, 7}; got {-127, 127}");
  EXPECT_EQ(error_text_of([] { QuantizationConfig::from_name("gptq"); }),
            "[quantize] \"gptq\" needs calibration data: pass quantizers::GPTQConfig with a dataset and a "
            "quantization_layer_structure");
  EXPECT_NE(error_text_of([] { QuantizationConfig::from_name("int9"); }).find("int8"), std::string::npos);
}

TEST(QuantizationConfigTest, IsWrittenAsByKeras) {
  EXPECT_EQ(saving::serialize(*Int8QuantizationConfig()).json(),
            R"({"module": "keras.quantizers", "class_name": "Int8QuantizationConfig", "config": )"
            R"({"weight_quantizer": null, "activation_quantizer": {"module": "keras.quantizers", )"
            R"("class_name": "AbsMaxQuantizer", "config": {"value_range": [-127, 127], "epsilon": 1e-07, )"
            R"("output_dtype": "int8"}, "registered_name": null}}, "registered_name": null})");
  // Files from before there were blocks.
  const auto old = saving::from_config<QuantizationConfig>("Int4QuantizationConfig", Config::dict());
  EXPECT_FALSE(old->block_size().has_value());
  EXPECT_EQ(Int4QuantizationConfig()->block_size(), 128);
}

}  // namespace
}  // namespace cornu::inline v0::keras::quantizers
