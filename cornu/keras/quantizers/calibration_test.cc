#include "cornu/keras/quantizers/calibration.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/quantizers/calibration_support.h"

namespace cornu::inline v0::keras::quantizers {
namespace {

std::vector<std::int32_t> windows(const CalibrationDataset& dataset, std::int64_t samples,
                                  std::int64_t length) {
  return calibration_windows(dataset, {}, samples, length).to_vector<std::int32_t>();
}

TEST(CalibrationTest, WindowsBeginAtEqualDistances) {
  const CalibrationDataset nine(Tensor(std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(windows(nine, 3, 2), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));  // 8 starts, stride 2
  EXPECT_EQ(windows(nine, 3, 4), (std::vector<std::int32_t>{0, 1, 2, 3, 5, 6, 7, 8, 1, 2, 3, 4}));
  const CalibrationDataset two(std::vector<Tensor>{Tensor(std::vector<std::int32_t>{5}), Tensor(6)});
  EXPECT_EQ(windows(two, 2, 3), (std::vector<std::int32_t>{5, 6, 5, 5, 6, 5}));
}

TEST(CalibrationTest, GridsHoldTheirBounds) {
  const IntegerGrid grid = IntegerGrid::of(-1, 2, 4, false);
  EXPECT_EQ(grid.zero, 5);
  EXPECT_FLOAT_EQ(grid.dequantize(grid.quantize(-1)), -1);
  EXPECT_FLOAT_EQ(grid.dequantize(grid.quantize(2)), 2);
  EXPECT_EQ(IntegerGrid::of(-1, 2, 8, true).zero, 128);
  EXPECT_EQ(IntegerGrid::of(3, 5, 4, false).zero, 0);           // -23 does not fit into a byte
  EXPECT_EQ(IntegerGrid::of(2, 2, 4, false).scale, 2.0F / 15);  // equal weights
}

TEST(CalibrationTest, ConfigurationsAreWrittenWithoutTheirData) {
  const GPTQConfig config({.dataset = {"a"}, .weight_bits = 2, .group_size = -1});
  EXPECT_EQ(saving::serialize(*config).json(),
            R"({"module": "keras.quantizers", "class_name": "GPTQConfig", "config": {"dataset": null, )"
            R"("tokenizer": null, "weight_bits": 2, "num_samples": 128, "per_channel": true, )"
            R"("sequence_length": 512, "hessian_damping": 0.01, "group_size": -1, "symmetric": false, )"
            R"("activation_order": false, "quantization_layer_structure": null}, "registered_name": null})");
  const std::string awq = saving::serialize(*AWQConfig({.num_grid_points = 3})).json();
  EXPECT_EQ(saving::serialize(*saving::deserialize<QuantizationConfig>(Config::parse(awq))).json(), awq);
}

TEST(CalibrationTest, NumbersOutsideTheirRangeAreRefused) {
  const auto gptq = [](const GPTQConfigOptions& options) {
    return error_text_of([&] { const GPTQConfig config(options); });
  };
  EXPECT_EQ(gptq({.weight_bits = 5}), "[gptq_config] weight_bits must be 2, 3, 4 or 8; got weight_bits = 5");
  EXPECT_EQ(gptq({.num_samples = 0}), "[gptq_config] num_samples must be positive; got num_samples = 0");
  EXPECT_EQ(gptq({.num_samples = std::int64_t{1} << 40, .sequence_length = std::int64_t{1} << 40}),
            "[gptq_config] num_samples x sequence_length must be at most 2147483647; got num_samples = "
            "1099511627776, sequence_length = 1099511627776");
  EXPECT_EQ(gptq({.hessian_damping = 1.5}),
            "[gptq_config] hessian_damping must be in [0, 1]; got hessian_damping = 1.5");
  EXPECT_EQ(gptq({.group_size = 0}), "[gptq_config] group_size must be positive; got group_size = 0");
  EXPECT_EQ(error_text_of([] { const AWQConfig config({.weight_bits = 8}); }),
            "[awq_config] weight_bits must be 4; got weight_bits = 8");
}

}  // namespace
}  // namespace cornu::inline v0::keras::quantizers
