#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/convolution_bias_activation/convolution_bias_activation.h"

namespace cornu::inline v0::ops::convolution_bias_activation_folder {

std::vector<ConformanceCase> conformance_cases() {
  struct Row {
    const char* name;
    ir::Dims lhs, rhs, result;
    std::int64_t features;
    ConvolutionDimensions dimensions;
    ConvolutionOptions options;
  };
  const ConvolutionDimensions flat = channels_last(2);
  ConvolutionDimensions first = flat;  // channels first
  first.input_feature_dimension = first.output_feature_dimension = 1;
  first.input_spatial_dimensions = first.output_spatial_dimensions = {2, 3};
  const std::vector<Row> rows = {
      {"valid", {2, 5, 4, 3}, {3, 2, 3, 4}, {2, 3, 3, 4}, 4, flat, {}},
      {"same_strided",
       {1, 6, 5, 2},
       {3, 3, 2, 3},
       {1, 3, 3, 3},
       3,
       flat,
       {.window_strides = {2, 2}, .padding_low = {0, 1}, .padding_high = {1, 1}}},
      {"channels_first", {2, 3, 4, 5}, {2, 3, 3, 2}, {2, 2, 3, 3}, 2, first, {}},
      {"groups",
       {1, 4, 4, 4},
       {2, 2, 2, 6},
       {1, 3, 2, 6},
       6,
       flat,
       {.rhs_dilation = {1, 2}, .feature_group_count = 2}},
      {"depthwise", {2, 5, 4, 3}, {2, 3, 1, 6}, {2, 4, 2, 6}, 6, flat, {.feature_group_count = 3}},
      {"transposed",
       {1, 3, 2, 2},
       {3, 2, 2, 3},
       {1, 7, 4, 3},
       3,
       flat,
       {.padding_low = {2, 1}, .padding_high = {2, 1}, .lhs_dilation = {2, 2}, .window_reversal = {1, 1}}},
      {"causal",
       {2, 6, 2},
       {3, 2, 3},
       {2, 6, 3},
       3,
       channels_last(1),
       {.padding_low = {4}, .padding_high = {0}, .rhs_dilation = {2}}},
  };
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    for (const Row& row : rows) {
      for (const ConvolutionActivation activation :
           {ConvolutionActivation::kLinear, ConvolutionActivation::kRelu}) {
        const bool is_relu = activation == ConvolutionActivation::kRelu;
        const std::string what = std::string(row.name) + (is_relu ? "_relu" : "_linear");
        cases.push_back({.name = case_name("convolution_bias_activation_" + what, dtype),
                         .inputs = {{.type = {dtype, row.lhs}},
                                    {.type = {dtype, row.rhs}},
                                    {.type = {dtype, {row.features}}}},
                         .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                           return {convolution_bias_activation(b, x[0], x[1], x[2], row.dimensions,
                                                               row.options, activation)};
                         },
                         .differentiable = true});
        // y is as far from 0 as a relu's mask needs.
        cases.push_back({.name = case_name("convolution_bias_activation_gradient_" + what, dtype),
                         .inputs = {{.type = {dtype, row.lhs}},
                                    {.type = {dtype, row.rhs}},
                                    {.type = {dtype, row.result}},
                                    {.type = {dtype, row.result}, .away_from_whole = 0.05}},
                         .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                           return convolution_bias_activation_gradient(
                               b, x[0], x[1], x[2], x[3], row.dimensions, row.options, activation,
                               {.lhs = true, .rhs = true, .bias = true});
                         },
                         .differentiable = true,
                         .without_gradient = {3}});  // a relu's mask, unused without one
      }
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::convolution_bias_activation_folder
