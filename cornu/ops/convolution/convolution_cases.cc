#include "cornu/ops/complex/complex.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/convolution/convolution.h"

namespace cornu::inline v0::ops::convolution_folder {

std::vector<ConformanceCase> conformance_cases() {
  struct Row {
    const char* name;
    ir::Dims lhs, rhs;
    ConvolutionDimensions dimensions;
    ConvolutionOptions options;
    bool has_no_products = false;  // so that no gradient flows
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
      {"strided",
       {2, 6, 5, 2},
       {3, 2, 2, 3},
       flat,
       {.window_strides = {2, 3}, .padding_low = {1, 0}, .padding_high = {1, 1}}},
      {"unused_rows", {1, 8, 2}, {2, 2, 3}, channels_last(1), {.window_strides = {5}}},
      {"rhs_dilation",
       {1, 7, 6, 2},
       {2, 3, 2, 2},
       flat,
       {.padding_low = {0, 1}, .padding_high = {2, 0}, .rhs_dilation = {3, 2}}},
      {"lhs_dilation",
       {1, 3, 4, 2},
       {2, 3, 2, 2},
       flat,
       {.padding_low = {1, 2}, .padding_high = {2, 1}, .lhs_dilation = {2, 3}}},
      {"all_dilations",
       {1, 4, 4, 2},
       {3, 2, 2, 2},
       flat,
       {.window_strides = {2, 3},
        .padding_low = {2, 1},
        .padding_high = {1, 3},
        .lhs_dilation = {3, 2},
        .rhs_dilation = {2, 3}}},
      {"cut", {1, 7, 6, 1}, {2, 2, 1, 2}, flat, {.padding_low = {-1, 0}, .padding_high = {0, -2}}},
      {"reversed", {1, 5, 5, 2}, {3, 2, 2, 2}, flat, {.window_strides = {1, 2}, .window_reversal = {1, 0}}},
      {"reversed_dilated",
       {1, 5, 4, 2},
       {3, 2, 2, 2},
       flat,
       {.padding_low = {1, 0},
        .padding_high = {0, 2},
        .lhs_dilation = {2, 1},
        .rhs_dilation = {1, 2},
        .window_reversal = {1, 0}}},
      {"mixed_reversed",
       {4, 3, 5, 2},
       {3, 2, 4, 3},
       mixed,
       {.padding_low = {1, 1}, .padding_high = {1, 0}, .window_reversal = {1, 1}}},
      {"depthwise",
       {2, 5, 4, 3},
       {2, 3, 1, 6},
       flat,
       {.window_strides = {2, 1}, .padding_low = {1, 1}, .padding_high = {0, 1}, .feature_group_count = 3}},
      {"feature_groups",
       {2, 4, 4, 4},
       {2, 2, 2, 6},
       flat,
       {.rhs_dilation = {1, 2}, .feature_group_count = 2}},
      {"batch_groups", {6, 4, 3, 2}, {2, 2, 2, 4}, flat, {.padding_low = {1, 0}, .batch_group_count = 2}},
      {"mixed_dimensions",
       {4, 3, 5, 2},
       {3, 2, 4, 3},
       mixed,
       {.window_strides = {2, 1}, .padding_low = {1, 1}, .padding_high = {1, 0}}},
      {"mixed_groups",
       {4, 4, 5, 2},
       {2, 2, 4, 3},
       mixed,
       {.padding_low = {0, 1}, .lhs_dilation = {1, 2}, .feature_group_count = 2}},
      {"mixed_batch_groups",
       {4, 2, 5, 6},
       {2, 2, 6, 3},
       mixed,
       {.window_reversal = {0, 1}, .batch_group_count = 3}},
      {"three_dimensions", {1, 3, 4, 3, 2}, {2, 2, 2, 2, 2}, channels_last(3), {.window_strides = {1, 2, 1}}},
      {"no_dimensions", {3, 2}, {2, 4}, channels_last(0), {}},
      {"no_taps", {1, 20, 3, 1}, {19, 0, 1, 1}, flat, {}, true},
      {"no_taps_first", {2, 3, 8, 2}, {0, 7, 2, 3}, flat, {}, true},
      {"no_channels", {2, 5, 4, 0}, {3, 2, 0, 4}, flat, {}, true},
      {"no_features", {2, 5, 4, 3}, {3, 2, 3, 0}, flat, {}, true},
      {"no_batch", {0, 5, 4, 3}, {3, 2, 3, 4}, flat, {}, true},
  };
  // Keras's layers in one floating-point type: kernels are [spatial..., input, output], images channels last
  // or first.
  const ConvolutionDimensions first = {.input_batch_dimension = 0,
                                       .input_feature_dimension = 1,
                                       .input_spatial_dimensions = {2, 3},
                                       .kernel_input_feature_dimension = 2,
                                       .kernel_output_feature_dimension = 3,
                                       .kernel_spatial_dimensions = {0, 1},
                                       .output_batch_dimension = 0,
                                       .output_feature_dimension = 1,
                                       .output_spatial_dimensions = {2, 3}};
  const ConvolutionDimensions line = channels_last(1);
  const auto transposed = [](std::int64_t num_spatial_dimensions) {
    ConvolutionDimensions d = channels_last(num_spatial_dimensions);
    std::swap(d.kernel_input_feature_dimension, d.kernel_output_feature_dimension);
    return d;
  };
  const std::vector<Row> keras_rows = {
      {"keras_valid", {3, 9, 8, 3}, {3, 3, 3, 8}, flat, {}},
      {"keras_same", {2, 7, 9, 16}, {3, 3, 16, 16}, flat, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"keras_same_even_kernel",
       {2, 8, 7, 5},
       {4, 2, 5, 6},
       flat,
       {.padding_low = {1, 0}, .padding_high = {2, 1}}},
      {"keras_strided_same",
       {5, 8, 9, 16},
       {3, 3, 16, 32},
       flat,
       {.window_strides = {2, 2}, .padding_low = {0, 1}, .padding_high = {1, 1}}},
      {"keras_strided_valid_rest", {2, 10, 11, 4}, {3, 2, 4, 8}, flat, {.window_strides = {3, 4}}},
      {"keras_dilated",
       {2, 11, 12, 8},
       {3, 3, 8, 8},
       flat,
       {.padding_low = {2, 3}, .padding_high = {2, 3}, .rhs_dilation = {2, 3}}},
      {"keras_pointwise", {3, 5, 6, 16}, {1, 1, 16, 24}, flat, {}},
      {"keras_whole_image", {4, 5, 5, 8}, {5, 5, 8, 16}, flat, {}},
      {"keras_one_image", {1, 12, 12, 3}, {5, 5, 3, 4}, flat, {}},
      {"keras_groups",
       {2, 6, 7, 16},
       {3, 3, 4, 24},
       flat,
       {.padding_low = {1, 1}, .padding_high = {1, 1}, .feature_group_count = 4}},
      {"keras_depthwise",
       {2, 8, 8, 16},
       {3, 3, 1, 16},
       flat,
       {.padding_low = {1, 1}, .padding_high = {1, 1}, .feature_group_count = 16}},
      {"keras_depthwise_multiplier",
       {2, 7, 8, 6},
       {3, 2, 1, 12},
       flat,
       {.window_strides = {2, 2}, .padding_low = {1, 0}, .padding_high = {1, 0}, .feature_group_count = 6}},
      {"keras_transposed",
       {2, 5, 6, 8},
       {3, 3, 8, 4},
       flat,
       {.padding_low = {2, 2}, .padding_high = {1, 2}, .lhs_dilation = {2, 2}, .window_reversal = {1, 1}}},
      {"keras_transposed_unreversed",
       {2, 5, 6, 8},
       {4, 3, 8, 4},
       flat,
       {.padding_low = {3, 2}, .padding_high = {3, 2}, .lhs_dilation = {3, 2}}},
      {"keras_transposed_dilated",
       {2, 5, 4, 8},
       {3, 2, 16, 8},
       transposed(2),
       {.padding_low = {3, 1},
        .padding_high = {4, 1},
        .lhs_dilation = {2, 3},
        .rhs_dilation = {2, 1},
        .window_reversal = {1, 1}}},
      {"keras_transposed_output_padding",
       {2, 5, 6, 4},
       {2, 3, 8, 4},
       transposed(2),
       {.padding_low = {1, 2}, .padding_high = {3, 3}, .lhs_dilation = {3, 2}, .window_reversal = {1, 1}}},
      {"keras_transposed_to_one",
       {3, 7, 6, 16},
       {3, 3, 1, 16},
       transposed(2),
       {.padding_low = {2, 2}, .padding_high = {1, 1}, .lhs_dilation = {2, 2}, .window_reversal = {1, 1}}},
      {"keras_transposed_line",
       {3, 7, 8},
       {4, 3, 8},
       transposed(1),
       {.padding_low = {3}, .padding_high = {3}, .lhs_dilation = {3}, .window_reversal = {1}}},
      {"keras_transposed_volume",
       {2, 3, 2, 4, 8},
       {2, 3, 2, 4, 8},
       transposed(3),
       {.padding_low = {1, 2, 1},
        .padding_high = {1, 1, 1},
        .lhs_dilation = {2, 2, 1},
        .window_reversal = {1, 1, 1}}},
      {"keras_to_one", {3, 9, 13, 16}, {3, 3, 16, 1}, flat, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"keras_to_three_strided",
       {2, 9, 10, 8},
       {3, 2, 8, 3},
       flat,
       {.window_strides = {2, 3}, .padding_low = {1, 0}}},
      {"keras_to_six_dilated",
       {2, 21, 18},
       {4, 18, 6},
       line,
       {.padding_low = {3}, .padding_high = {3}, .rhs_dilation = {2}}},
      {"keras_to_four_volume",
       {1, 5, 4, 6, 12},
       {2, 3, 2, 12, 4},
       channels_last(3),
       {.padding_low = {1, 1, 0}}},
      {"keras_channels_first",
       {3, 16, 9, 8},
       {3, 3, 16, 8},
       first,
       {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"keras_channels_first_strided",
       {2, 3, 9, 10},
       {3, 2, 3, 16},
       first,
       {.window_strides = {2, 3}, .padding_low = {0, 1}}},
      {"keras_channels_first_groups", {2, 8, 6, 6}, {3, 3, 2, 16}, first, {.feature_group_count = 4}},
      {"keras_line_same", {3, 13, 8}, {5, 8, 16}, line, {.padding_low = {2}, .padding_high = {2}}},
      {"keras_line_causal", {2, 12, 6}, {3, 6, 8}, line, {.padding_low = {4}, .rhs_dilation = {2}}},
      {"keras_line_strided", {2, 17, 4}, {4, 4, 16}, line, {.window_strides = {3}}},
      {"keras_volume",
       {2, 5, 6, 5, 4},
       {3, 2, 3, 4, 8},
       channels_last(3),
       {.window_strides = {1, 2, 2}, .padding_low = {1, 0, 1}, .padding_high = {1, 0, 1}}},
  };
  std::vector<ConformanceCase> cases;
  cases.reserve(keras_rows.size());
  for (const Row& row : keras_rows)
    cases.push_back({.name = case_name(std::string("convolution_") + row.name, ir::DType::kF32),
                     .inputs = {{.type = {ir::DType::kF32, row.lhs}}, {.type = {ir::DType::kF32, row.rhs}}},
                     .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {convolution(b, x[0], x[1], row.dimensions, row.options)};
                     },
                     .differentiable = true});
  for (const ir::DType dtype : {ir::DType::kF32, ir::DType::kF64})
    for (const Row& row : rows) {
      const ConformanceInput lhs{.type = {dtype, row.lhs}}, rhs{.type = {dtype, row.rhs}};
      cases.push_back({.name = case_name(std::string("convolution_complex_") + row.name, dtype),
                       .inputs = {lhs, lhs, rhs, rhs},
                       .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         const ir::Value y = convolution(b, complex(b, x[0], x[1]), complex(b, x[2], x[3]),
                                                         row.dimensions, row.options);
                         return {real(b, y), imag(b, y)};
                       },
                       .differentiable = !row.has_no_products});
    }
  for (ir::DType dtype : case_dtypes(kNumber)) {
    const double low = ir::is_unsigned_integer(dtype) ? 0 : -2;
    for (const Row& row : rows)
      cases.push_back(
          {.name = case_name(std::string("convolution_") + row.name, dtype),
           .inputs = {{.type = {dtype, row.lhs}, .low = low}, {.type = {dtype, row.rhs}, .low = low}},
           .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             return {convolution(b, x[0], x[1], row.dimensions, row.options)};
           },
           .differentiable = ir::is_float(dtype),
           .without_gradient = row.has_no_products ? ConformancePositions{0, 1} : ConformancePositions{}});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::convolution_folder
