#include "cornu/ops/convolution/convolution.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "cornu/base/check.h"
#include "cornu/ops/convolution/convolution_rules.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce_window/window_rules.h"

namespace cornu::inline v0::ops {
namespace convolution_folder {
namespace {

ConvolutionDimensions read_dimensions(const ir::Attributes& a) {
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

ConvolutionOptions read_options(const ir::Attributes& a) {
  return {.window_strides = a.get<ir::Dims>("window_strides"),
          .padding_low = a.get<ir::Dims>("padding_low"),
          .padding_high = a.get<ir::Dims>("padding_high"),
          .lhs_dilation = a.get<ir::Dims>("lhs_dilation"),
          .rhs_dilation = a.get<ir::Dims>("rhs_dilation"),
          .window_reversal = a.get<ir::Dims>("window_reversal"),
          .feature_group_count = a.get<std::int64_t>("feature_group_count"),
          .batch_group_count = a.get<std::int64_t>("batch_group_count")};
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2);
  return {convolution_type(context.type(0), context.type(1), read_dimensions(context.attributes),
                           read_options(context.attributes))};
}

/// The loops of one convolution: for each element of the result, its window.
class Loops {
 public:
  explicit Loops(const ir::Op& op)
      : d_(convolution_dimensions(op)),
        o_(convolution_options(op)),
        lhs_dims_(op.operand(0).dims()),
        rhs_dims_(op.operand(1).dims()),
        lhs_strides_(ir::row_major_strides(lhs_dims_)),
        rhs_strides_(ir::row_major_strides(rhs_dims_)),
        kernel_(extents(rhs_dims_, d_.kernel_spatial_dimensions)) {}

  /// Calls f(position in lhs, position in rhs) for each product that is summed into result[index].
  template <typename F>
  void for_each_product(const ir::Dims& index, F&& f) const {
    const std::int64_t outputs = extent(rhs_dims_, d_.kernel_output_feature_dimension);
    const std::int64_t batch = extent(lhs_dims_, d_.input_batch_dimension),
                       group_batch = batch / o_.batch_group_count;
    const std::int64_t output = extent(index, d_.output_feature_dimension);
    const std::int64_t feature_group = output / (outputs / o_.feature_group_count);
    const std::int64_t batch_group = output / (outputs / o_.batch_group_count);
    const std::int64_t inputs = extent(rhs_dims_, d_.kernel_input_feature_dimension);
    const std::int64_t lhs_first = (extent(index, d_.output_batch_dimension) + batch_group * group_batch) *
                                       extent(lhs_strides_, d_.input_batch_dimension) +
                                   feature_group * inputs * extent(lhs_strides_, d_.input_feature_dimension);
    const std::int64_t rhs_first = output * extent(rhs_strides_, d_.kernel_output_feature_dimension);
    for_each_index(kernel_, [&](const ir::Dims& tap, std::int64_t) {
      std::int64_t lhs = lhs_first, rhs = rhs_first;
      if (!add_spatial(index, tap, lhs, rhs)) return;
      for (std::int64_t c = 0; c < inputs; ++c)
        f(lhs + c * extent(lhs_strides_, d_.input_feature_dimension),
          rhs + c * extent(rhs_strides_, d_.kernel_input_feature_dimension));
    });
  }

 private:
  static std::int64_t extent(const ir::Dims& dims, std::int64_t dimension) {
    return dims[static_cast<std::size_t>(dimension)];
  }

  /// False when the tap is on padding or between dilated elements.
  bool add_spatial(const ir::Dims& index, const ir::Dims& tap, std::int64_t& lhs, std::int64_t& rhs) const {
    for (std::size_t i = 0; i < kernel_.size(); ++i) {
      const std::int64_t place = extent(index, d_.output_spatial_dimensions[i]) * o_.window_strides[i] +
                                 tap[i] * o_.rhs_dilation[i] - o_.padding_low[i];
      if (place < 0 || place % o_.lhs_dilation[i] != 0) return false;
      const std::int64_t at = place / o_.lhs_dilation[i];
      if (at >= extent(lhs_dims_, d_.input_spatial_dimensions[i])) return false;
      lhs += at * extent(lhs_strides_, d_.input_spatial_dimensions[i]);
      const std::int64_t row = o_.window_reversal[i] != 0 ? kernel_[i] - 1 - tap[i] : tap[i];
      rhs += row * extent(rhs_strides_, d_.kernel_spatial_dimensions[i]);
    }
    return true;
  }

  ConvolutionDimensions d_;
  ConvolutionOptions o_;
  const ir::Dims& lhs_dims_;
  const ir::Dims& rhs_dims_;
  ir::Dims lhs_strides_, rhs_strides_, kernel_;
};

/// The number of the `count` positions start, start + stride, ... that hold an element of a line of `extent`
/// elements, `dilation` apart.
std::int64_t count_hits(std::int64_t start, std::int64_t stride, std::int64_t count, std::int64_t extent,
                        std::int64_t dilation) {
  const std::int64_t period = dilation / std::gcd(stride, dilation);  // a hit repeats after as many positions
  std::int64_t first = 0;
  while (first < std::min(period, count) && (start + first * stride) % dilation != 0) ++first;
  if (first >= std::min(period, count)) return 0;
  const std::int64_t at = start + first * stride, step = period * stride, end = (extent - 1) * dilation;
  const std::int64_t hits = (count - 1 - first) / period + 1;
  const std::int64_t before = at >= 0 ? 0 : (-at + step - 1) / step,
                     until = at > end ? 0 : (end - at) / step + 1;
  return std::max<std::int64_t>(0, std::min(hits, until) - before);
}

/// f32 sums in f64, so that the oracle is more exact than the code under test; integers wrap.
std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const Loops loops(context.op);
  ir::visit_dtype(result.type().dtype, [&]<typename T>() {
    using Wide = std::conditional_t<std::is_same_v<T, float>, double,
                                    std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>>;
    const std::span<const T> x = context.operands[0].data<T>(), kernel = context.operands[1].data<T>();
    const std::span<T> out = result.mutable_data<T>();
    for_each_index(result.type().dims, [&](const ir::Dims& index, std::int64_t at) {
      Wide sum = 0;
      loops.for_each_product(index, [&](std::int64_t i, std::int64_t j) {
        sum += static_cast<Wide>(x[static_cast<std::size_t>(i)]) *
               static_cast<Wide>(kernel[static_cast<std::size_t>(j)]);
      });
      out[static_cast<std::size_t>(at)] = static_cast<T>(sum);
    });
  });
  return {result};
}

/// "[b, 0, 1, f]": what each dimension is.
std::string print_order(std::size_t rank, std::int64_t first, char first_name, std::int64_t second,
                        char second_name, const ir::Dims& spatial) {
  std::vector<std::string> names(rank);
  names[static_cast<std::size_t>(first)] = first_name;
  names[static_cast<std::size_t>(second)] = second_name;
  for (std::size_t i = 0; i < spatial.size(); ++i)
    names[static_cast<std::size_t>(spatial[i])] = std::to_string(i);
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string print_attributes(const ir::Op& op) {
  const ConvolutionDimensions d = convolution_dimensions(op);
  const ConvolutionOptions o = convolution_options(op);
  const std::size_t rank = op.result().dims().size();
  const auto list = [](const ir::Dims& values) {
    return fmt::format("array<i64{}{}>", values.empty() ? "" : ": ", fmt::join(values, ", "));
  };
  std::string reversal;
  for (std::int64_t flag : o.window_reversal)
    reversal += fmt::format("{}{}", reversal.empty() ? ": " : ", ", flag != 0);
  return fmt::format(
      "batch_group_count = {} : i64, dimension_numbers = #stablehlo.conv<{}x{}->{}>, feature_group_count = "
      "{} : i64, lhs_dilation = {}, padding = {}, rhs_dilation = {}, window_reversal = array<i1{}>, "
      "window_strides = {}",
      o.batch_group_count,
      print_order(rank, d.input_batch_dimension, 'b', d.input_feature_dimension, 'f',
                  d.input_spatial_dimensions),
      print_order(rank, d.kernel_input_feature_dimension, 'i', d.kernel_output_feature_dimension, 'o',
                  d.kernel_spatial_dimensions),
      print_order(rank, d.output_batch_dimension, 'b', d.output_feature_dimension, 'f',
                  d.output_spatial_dimensions),
      o.feature_group_count, list(o.lhs_dilation), print_padding(o.padding_low, o.padding_high),
      list(o.rhs_dilation), reversal, list(o.window_strides));
}

const ir::OpDef kConvolution = {.name = "convolution",
                                .infer = infer,
                                .gradient = convolution_gradient,
                                .reference = reference,
                                .reference_by_f32 = true,
                                .print_attributes = print_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() {
  static const ir::OpDef* const defs[] = {&kConvolution};
  return defs;
}

}  // namespace convolution_folder

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

ir::Value convolution(ir::Builder& builder, ir::Value lhs, ir::Value rhs, const ConvolutionDimensions& d,
                      const ConvolutionOptions& o) {
  return builder.create(convolution_folder::kConvolution, {lhs, rhs}, convolution_attributes(lhs, d, o))
      .result();
}

ConvolutionDimensions channels_last(std::int64_t num_spatial_dimensions) {
  ir::Dims inner = counting(num_spatial_dimensions);
  for (std::int64_t& dimension : inner) dimension += 1;
  return {.input_batch_dimension = 0,
          .input_feature_dimension = num_spatial_dimensions + 1,
          .input_spatial_dimensions = inner,
          .kernel_input_feature_dimension = num_spatial_dimensions,
          .kernel_output_feature_dimension = num_spatial_dimensions + 1,
          .kernel_spatial_dimensions = counting(num_spatial_dimensions),
          .output_batch_dimension = 0,
          .output_feature_dimension = num_spatial_dimensions + 1,
          .output_spatial_dimensions = inner};
}

ConvolutionDimensions convolution_dimensions(const ir::Attributes& attributes) {
  return convolution_folder::read_dimensions(attributes);
}
ConvolutionOptions convolution_options(const ir::Attributes& attributes) {
  return convolution_folder::read_options(attributes);
}
ConvolutionDimensions convolution_dimensions(const ir::Op& convolution) {
  return convolution_folder::read_dimensions(convolution.attributes());
}
ConvolutionOptions convolution_options(const ir::Op& convolution) {
  return convolution_folder::read_options(convolution.attributes());
}

double convolution_multiply_adds(const ir::Op& convolution) {
  const ConvolutionDimensions d = convolution_dimensions(convolution);
  const ConvolutionOptions o = convolution_options(convolution);
  const auto extent = [](const ir::Dims& dims, std::int64_t dimension) {
    return dims[static_cast<std::size_t>(dimension)];
  };
  const ir::Dims &lhs = convolution.operand(0).dims(), &rhs = convolution.operand(1).dims(),
                 &result = convolution.result().dims();
  auto products = static_cast<double>(extent(result, d.output_batch_dimension)) *
                  static_cast<double>(extent(result, d.output_feature_dimension)) *
                  static_cast<double>(extent(rhs, d.kernel_input_feature_dimension));
  for (std::size_t i = 0; i < o.window_strides.size(); ++i) {
    double hits = 0;
    for (std::int64_t tap = 0; tap < extent(rhs, d.kernel_spatial_dimensions[i]); ++tap)
      hits += static_cast<double>(
          convolution_folder::count_hits(tap * o.rhs_dilation[i] - o.padding_low[i], o.window_strides[i],
                                         extent(result, d.output_spatial_dimensions[i]),
                                         extent(lhs, d.input_spatial_dimensions[i]), o.lhs_dilation[i]));
    products *= hits;
  }
  return products;
}

}  // namespace cornu::inline v0::ops
