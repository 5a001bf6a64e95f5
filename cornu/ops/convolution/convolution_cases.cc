#include "cornu/ops/conformance.h"
#include "cornu/ops/convolution/convolution.h"

namespace cornu::inline v0::ops::convolution_folder {

std::vector<ConformanceCase> conformance_cases() {
  struct Row {
    const char* name;
    ir::Dims lhs, rhs;
    ConvolutionDimensions dimensions;
    ConvolutionOptions options;
  };
  const ConvolutionDimensions flat = channels_last(2);
  // Every dimension somewhere else.
  const ConvolutionDimensions mixed = {.input_batch_dimension = 3,
                                       .input_feature_dimension = 1,
                                       .input_spatial_dimensions = {2, 0},
                                       .kernel_input_feature_dimension = 0,
                                       .kernel_output_feature_dimension = 2,
                                       .kernel_spatial_dimensions = {3, 1},
                                       .output_batch_dimension = 1,
                                       .output_feature_dimension = 0,
                                       .output_spatial_dimensions = {3, 2}};
  const std::vector<Row> rows = {
      {"plain", {2, 5, 4, 3}, {3, 2, 3, 4}, flat, {}},
      {"strided", {2, 6, 5, 2}, {3, 2, 2, 3}, flat, {.window_strides = {2, 3}, .padding_low = {1, 0}, .padding_high = {1, 1}}},
      {"unused_rows", {1, 8, 2}, {2, 2, 3}, channels_last(1), {.window_strides = {5}}},
      {"rhs_dilation", {1, 7, 6, 2}, {2, 3, 2, 2}, flat, {.padding_low = {0, 1}, .padding_high = {2, 0}, .rhs_dilation = {3, 2}}},
      {"lhs_dilation", {1, 3, 4, 2}, {2, 3, 2, 2}, flat, {.padding_low = {1, 2}, .padding_high = {2, 1}, .lhs_dilation = {2, 3}}},
      {"all_dilations",
       {1, 4, 4, 2},
       {3, 2, 2, 2},
       flat,
       {.window_strides = {2, 3}, .padding_low = {2, 1}, .padding_high = {1, 3}, .lhs_dilation = {3, 2}, .rhs_dilation = {2, 3}}},
      {"cut", {1, 7, 6, 1}, {2, 2, 1, 2}, flat, {.padding_low = {-1, 0}, .padding_high = {0, -2}}},
      {"reversed", {1, 5, 5, 2}, {3, 2, 2, 2}, flat, {.window_strides = {1, 2}, .window_reversal = {1, 0}}},
      {"depthwise",
       {2, 5, 4, 3},
       {2, 3, 1, 6},
       flat,
       {.window_strides = {2, 1}, .padding_low = {1, 1}, .padding_high = {0, 1}, .feature_group_count = 3}},
      {"feature_groups", {2, 4, 4, 4}, {2, 2, 2, 6}, flat, {.rhs_dilation = {1, 2}, .feature_group_count = 2}},
      {"batch_groups", {6, 4, 3, 2}, {2, 2, 2, 4}, flat, {.padding_low = {1, 0}, .batch_group_count = 2}},
      {"mixed_dimensions", {4, 3, 5, 2}, {3, 2, 4, 3}, mixed, {.window_strides = {2, 1}, .padding_low = {1, 1}, .padding_high = {1, 0}}},
      {"mixed_groups", {4, 4, 5, 2}, {2, 2, 4, 3}, mixed, {.padding_low = {0, 1}, .lhs_dilation = {1, 2}, .feature_group_count = 2}},
      {"mixed_batch_groups", {4, 2, 5, 6}, {2, 2, 6, 3}, mixed, {.window_reversal = {0, 1}, .batch_group_count = 3}},
      {"three_dimensions", {1, 3, 4, 3, 2}, {2, 2, 2, 2, 2}, channels_last(3), {.window_strides = {1, 2, 1}}},
      {"no_dimensions", {3, 2}, {2, 4}, channels_last(0), {}},
  };
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber)) {
    const double low = ir::is_unsigned_integer(dtype) ? 0 : -2;
    for (const Row& row : rows)
      cases.push_back({.name = case_name(std::string("convolution_") + row.name, dtype),
                       .inputs = {{.type = {dtype, row.lhs}, .low = low}, {.type = {dtype, row.rhs}, .low = low}},
                       .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         return {convolution(b, x[0], x[1], row.dimensions, row.options)};
                       },
                       .differentiable = ir::is_float(dtype)});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::convolution_folder
