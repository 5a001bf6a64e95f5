#include "cornu/ops/convolution/attributes.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reduce_window/window_rules.h"

namespace cornu::inline v0::ops {
namespace convolution_folder {
namespace {

void check_entries(const ir::Dims& values, std::size_t count, std::string_view name, std::string_view label) {
  if (values.size() != count)
    invalid_argument("({}) {} {} must have {} entries, one a spatial dimension", label, name, values, count);
}

void check_at_least_one(const ir::Dims& values, std::string_view name, std::string_view label) {
  if (std::any_of(values.begin(), values.end(), [](std::int64_t value) { return value < 1; }))
    invalid_argument("({}) {} must be positive; got {}", label, name, values);
}

void check_permutation(const ir::Dims& values, std::int64_t rank, std::string_view name,
                       std::string_view label) {
  if (!is_unique(values) || !all_in_range(values, rank))
    invalid_argument("({}) {} dimensions {} must be all of [0, {})", label, name, values, rank);
}

void check_window(const ConvolutionOptions& o, std::size_t spatial) {
  check_entries(o.window_strides, spatial, "window_strides", "C2");
  check_at_least_one(o.window_strides, "window_strides", "C3");
  check_entries(o.padding_low, spatial, "padding_low", "C4");
  check_entries(o.padding_high, spatial, "padding_high", "C4");
  check_entries(o.lhs_dilation, spatial, "lhs_dilation", "C5");
  check_at_least_one(o.lhs_dilation, "lhs_dilation", "C6");
  check_entries(o.rhs_dilation, spatial, "rhs_dilation", "C7");
  check_at_least_one(o.rhs_dilation, "rhs_dilation", "C8");
  check_entries(o.window_reversal, spatial, "window_reversal", "C9");
}

void check_dimensions(const ConvolutionDimensions& d, std::int64_t rank) {
  const auto spatial = static_cast<std::size_t>(rank - 2);
  check_entries(d.input_spatial_dimensions, spatial, "input_spatial_dimensions", "C12");
  check_permutation(input_dimensions(d), rank, "input", "C13");
  check_entries(d.kernel_spatial_dimensions, spatial, "kernel_spatial_dimensions", "C17");
  check_permutation(kernel_dimensions(d), rank, "kernel", "C18");
  check_entries(d.output_spatial_dimensions, spatial, "output_spatial_dimensions", "C19");
  check_permutation(output_dimensions(d), rank, "output", "C20");
}

struct Counts {
  std::int64_t batch, features, kernel_input, kernel_output;
};

void check_groups(const ConvolutionOptions& o, const Counts& n) {
  if (o.feature_group_count < 1)
    invalid_argument("(C21) feature_group_count must be positive; got {}", o.feature_group_count);
  if (o.batch_group_count < 1)
    invalid_argument("(C22) batch_group_count must be positive; got {}", o.batch_group_count);
  if (o.feature_group_count > 1 && o.batch_group_count > 1)
    invalid_argument("(C23) one of feature_group_count and batch_group_count must be 1; got {} and {}",
                     o.feature_group_count, o.batch_group_count);
  if (n.batch % o.batch_group_count != 0)
    invalid_argument("(C10) the batch {} must be a multiple of batch_group_count {}", n.batch,
                     o.batch_group_count);
  if (n.features % o.feature_group_count != 0)
    invalid_argument("(C11) the {} input features must be a multiple of feature_group_count {}", n.features,
                     o.feature_group_count);
  if (n.kernel_input != n.features / o.feature_group_count)
    invalid_argument(
        "(C14) the kernel must take {} input features (input features / feature_group_count); got {}",
        n.features / o.feature_group_count, n.kernel_input);
  if (n.kernel_output % o.batch_group_count != 0)
    invalid_argument("(C15) the {} output features must be a multiple of batch_group_count {}",
                     n.kernel_output, o.batch_group_count);
  if (n.kernel_output % o.feature_group_count != 0)
    invalid_argument("(C16) the {} output features must be a multiple of feature_group_count {}",
                     n.kernel_output, o.feature_group_count);
}

}  // namespace
}  // namespace convolution_folder

ir::Dims input_dimensions(const ConvolutionDimensions& d) {
  return concatenated(concatenated({d.input_batch_dimension}, d.input_spatial_dimensions),
                      {d.input_feature_dimension});
}
ir::Dims kernel_dimensions(const ConvolutionDimensions& d) {
  return concatenated(concatenated({d.kernel_input_feature_dimension}, d.kernel_spatial_dimensions),
                      {d.kernel_output_feature_dimension});
}
ir::Dims output_dimensions(const ConvolutionDimensions& d) {
  return concatenated(concatenated({d.output_batch_dimension}, d.output_spatial_dimensions),
                      {d.output_feature_dimension});
}

ir::TensorType convolution_type(const ir::TensorType& lhs, const ir::TensorType& rhs,
                                const ConvolutionDimensions& d, const ConvolutionOptions& o) {
  if (lhs.rank() != rhs.rank() || lhs.rank() < 2)
    invalid_argument("(C1) lhs and rhs must have one rank, at least 2; got {} and {}", lhs.str(), rhs.str());
  if (lhs.dtype != rhs.dtype)
    invalid_argument("(C27) lhs and rhs must share a dtype; got {} and {}", lhs.str(), rhs.str());
  if (!contains(kNumber | kComplex, lhs.dtype))
    invalid_argument("(I1) lhs must be of {}; got {}", dtype_set_str(kNumber | kComplex), lhs.str());
  const std::int64_t rank = lhs.rank();
  convolution_folder::check_window(o, static_cast<std::size_t>(rank - 2));
  convolution_folder::check_dimensions(d, rank);
  const auto extent = [](const ir::TensorType& type, std::int64_t dimension) {
    return type.dims[static_cast<std::size_t>(dimension)];
  };
  const convolution_folder::Counts counts = {
      extent(lhs, d.input_batch_dimension), extent(lhs, d.input_feature_dimension),
      extent(rhs, d.kernel_input_feature_dimension), extent(rhs, d.kernel_output_feature_dimension)};
  convolution_folder::check_groups(o, counts);
  ir::Dims result(lhs.dims.size());
  result[static_cast<std::size_t>(d.output_batch_dimension)] = counts.batch / o.batch_group_count;
  result[static_cast<std::size_t>(d.output_feature_dimension)] = counts.kernel_output;
  const ir::Dims padded = padded_extents(extents(lhs.dims, d.input_spatial_dimensions), o.lhs_dilation,
                                         o.padding_low, o.padding_high);
  for (std::size_t i = 0; i < padded.size(); ++i) {
    const std::int64_t window =
        dilated_extent(extent(rhs, d.kernel_spatial_dimensions[i]), o.rhs_dilation[i]);
    result[static_cast<std::size_t>(d.output_spatial_dimensions[i])] =
        count_windows(padded[i], window, o.window_strides[i]);
  }
  return {lhs.dtype, result};
}

ir::Attributes convolution_attributes(const ConvolutionDimensions& d, const ConvolutionOptions& o) {
  return {{"input_batch_dimension", d.input_batch_dimension},
          {"input_feature_dimension", d.input_feature_dimension},
          {"input_spatial_dimensions", d.input_spatial_dimensions},
          {"kernel_input_feature_dimension", d.kernel_input_feature_dimension},
          {"kernel_output_feature_dimension", d.kernel_output_feature_dimension},
          {"kernel_spatial_dimensions", d.kernel_spatial_dimensions},
          {"output_batch_dimension", d.output_batch_dimension},
          {"output_feature_dimension", d.output_feature_dimension},
          {"output_spatial_dimensions", d.output_spatial_dimensions},
          {"window_strides", o.window_strides},
          {"padding_low", o.padding_low},
          {"padding_high", o.padding_high},
          {"lhs_dilation", o.lhs_dilation},
          {"rhs_dilation", o.rhs_dilation},
          {"window_reversal", o.window_reversal},
          {"feature_group_count", o.feature_group_count},
          {"batch_group_count", o.batch_group_count}};
}

ir::Attributes convolution_attributes(ir::Value lhs, const ConvolutionDimensions& d,
                                      const ConvolutionOptions& o) {
  const auto spatial = static_cast<std::size_t>(std::max<std::int64_t>(lhs.rank() - 2, 0));
  const auto filled = [spatial](const ir::Dims& values, std::int64_t value) {
    return values.empty() ? ir::Dims(spatial, value) : values;
  };
  return convolution_attributes(d, {.window_strides = filled(o.window_strides, 1),
                                    .padding_low = filled(o.padding_low, 0),
                                    .padding_high = filled(o.padding_high, 0),
                                    .lhs_dilation = filled(o.lhs_dilation, 1),
                                    .rhs_dilation = filled(o.rhs_dilation, 1),
                                    .window_reversal = filled(o.window_reversal, 0),
                                    .feature_group_count = o.feature_group_count,
                                    .batch_group_count = o.batch_group_count});
}

ConvolutionDimensions convolution_dimensions(const ir::Attributes& a) {
  return {.input_batch_dimension = a.get<std::int64_t>("input_batch_dimension"),
          .input_feature_dimension = a.get<std::int64_t>("input_feature_dimension"),
          .input_spatial_dimensions = a.get<ir::Dims>("input_spatial_dimensions"),
          .kernel_input_feature_dimension = a.get<std::int64_t>("kernel_input_feature_dimension"),
          .kernel_output_feature_dimension = a.get<std::int64_t>("kernel_output_feature_dimension"),
          .kernel_spatial_dimensions = a.get<ir::Dims>("kernel_spatial_dimensions"),
          .output_batch_dimension = a.get<std::int64_t>("output_batch_dimension"),
          .output_feature_dimension = a.get<std::int64_t>("output_feature_dimension"),
          .output_spatial_dimensions = a.get<ir::Dims>("output_spatial_dimensions")};
}

ConvolutionOptions convolution_options(const ir::Attributes& a) {
  return {.window_strides = a.get<ir::Dims>("window_strides"),
          .padding_low = a.get<ir::Dims>("padding_low"),
          .padding_high = a.get<ir::Dims>("padding_high"),
          .lhs_dilation = a.get<ir::Dims>("lhs_dilation"),
          .rhs_dilation = a.get<ir::Dims>("rhs_dilation"),
          .window_reversal = a.get<ir::Dims>("window_reversal"),
          .feature_group_count = a.get<std::int64_t>("feature_group_count"),
          .batch_group_count = a.get<std::int64_t>("batch_group_count")};
}

ConvolutionDimensions convolution_dimensions(const ir::Op& convolution) {
  return convolution_dimensions(convolution.attributes());
}
ConvolutionOptions convolution_options(const ir::Op& convolution) {
  return convolution_options(convolution.attributes());
}

}  // namespace cornu::inline v0::ops
