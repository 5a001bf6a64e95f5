#include "cornu/ops/convolution/convolution.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/convolution/attributes.h"
#include "cornu/ops/convolution/convolution_gradient.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/product_dtype.h"
#include "cornu/ops/reduce_window/window_rules.h"

namespace cornu::inline v0::ops {
namespace convolution_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2);
  return {convolution_type(context.type(0), context.type(1), convolution_dimensions(context.attributes),
                           convolution_options(context.attributes))};
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
  const auto run = [&]<typename T>() {
    using Real = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
    using Wide = std::conditional_t<std::is_arithmetic_v<T>, Real, std::complex<double>>;
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
  };
  if (!ir::visit_dtype(result.type().dtype, run)) ir::visit_complex_dtype(result.type().dtype, run);
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

/// The position of each name of "[b, 0, 1, f]": the two letters, then the spatial dimensions in order.
struct DimensionOrder {
  std::int64_t first = -1, second = -1;
  ir::Dims spatial;
};

DimensionOrder read_order(const ir::OpAttributes& text, const ir::text::Syntax& list, std::string_view first,
                          std::string_view second) {
  using Kind = ir::text::SyntaxKind;
  DimensionOrder order;
  // A list of numbers only has neither letter.
  const std::size_t rank = list.items.size();
  if (rank < 2) text.fail(list.begin, "dimensions are given as [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]");
  order.spatial.assign(rank - 2, -1);
  for (std::size_t at = 0; at < rank; ++at) {
    const ir::text::Syntax& name = list.items[at];
    std::int64_t* slot = nullptr;
    if (name.is(Kind::kWord) && name.text == first)
      slot = &order.first;
    else if (name.is(Kind::kWord) && name.text == second)
      slot = &order.second;
    else if (name.is(Kind::kInteger) && std::cmp_less(name.integer, rank - 2) && name.integer >= 0)
      slot = &order.spatial[static_cast<std::size_t>(name.integer)];
    if (slot == nullptr || *slot != -1)
      text.fail(list.begin,
                fmt::format("dimensions are {}, {} and 0 to {}, each once", first, second, rank - 2));
    *slot = static_cast<std::int64_t>(at);
  }
  return order;
}

/// Dimensions as bytecode has them: one by one.
ConvolutionDimensions read_named_dimensions(ir::OpAttributes& text) {
  ir::OpAttributes numbers = text.inside({"dimension_numbers"});
  return {.input_batch_dimension = numbers.integer({"input_batch_dimension"}),
          .input_feature_dimension = numbers.integer({"input_feature_dimension"}),
          .input_spatial_dimensions = numbers.integers({"input_spatial_dimensions"}),
          .kernel_input_feature_dimension = numbers.integer({"kernel_input_feature_dimension"}),
          .kernel_output_feature_dimension = numbers.integer({"kernel_output_feature_dimension"}),
          .kernel_spatial_dimensions = numbers.integers({"kernel_spatial_dimensions"}),
          .output_batch_dimension = numbers.integer({"output_batch_dimension"}),
          .output_feature_dimension = numbers.integer({"output_feature_dimension"}),
          .output_spatial_dimensions = numbers.integers({"output_spatial_dimensions"})};
}

ConvolutionDimensions read_dimensions(ir::OpAttributes& text) {
  const ir::text::Syntax& numbers = text.get({"dimension_numbers", "dim_numbers"});
  if (numbers.is(ir::text::SyntaxKind::kFields)) return read_named_dimensions(text);
  if (!numbers.is(ir::text::SyntaxKind::kProduct) || numbers.items.size() != 3)
    text.fail(numbers.begin, "dimensions are given as [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]");
  const DimensionOrder input = read_order(text, numbers.items[0], "b", "f"),
                       kernel = read_order(text, numbers.items[1], "i", "o"),
                       output = read_order(text, numbers.items[2], "b", "f");
  return {.input_batch_dimension = input.first,
          .input_feature_dimension = input.second,
          .input_spatial_dimensions = input.spatial,
          .kernel_input_feature_dimension = kernel.first,
          .kernel_output_feature_dimension = kernel.second,
          .kernel_spatial_dimensions = kernel.spatial,
          .output_batch_dimension = output.first,
          .output_feature_dimension = output.second,
          .output_spatial_dimensions = output.spatial};
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  text.ignore({"precision_config"});  // every product is exact in its dtype
  const ConvolutionDimensions d = read_dimensions(text);
  // The short form has the window's attributes in window = {stride = .., pad = ..}.
  ir::OpAttributes window = text.inside({"window"});
  const std::size_t spatial = d.input_spatial_dimensions.size();
  const auto list = [&](std::string_view name, std::string_view in_window, std::int64_t otherwise) {
    return text.integers({name}, window.integers({in_window}, ir::Dims(spatial, otherwise)));
  };
  const ir::OpAttributes::Pairs padding =
      text.find({"padding"}) != nullptr ? text.pairs({"padding"}, spatial) : window.pairs({"pad"}, spatial);
  const ConvolutionOptions options = {.window_strides = list("window_strides", "stride", 1),
                                      .padding_low = padding.first,
                                      .padding_high = padding.second,
                                      .lhs_dilation = list("lhs_dilation", "lhs_dilate", 1),
                                      .rhs_dilation = list("rhs_dilation", "rhs_dilate", 1),
                                      .window_reversal = list("window_reversal", "reverse", 0),
                                      .feature_group_count = text.integer({"feature_group_count"}, 1),
                                      .batch_group_count = text.integer({"batch_group_count"}, 1)};
  return convolution_attributes(d, options);
}

/// A convolution of other dtypes than one: in a common dtype, with conversions around it.
std::vector<ir::Value> expand(const ir::ExpandContext& context) {
  if (context.operands.size() != 2 || context.result_types.empty()) return {};
  const ir::Value lhs = context.operands[0], rhs = context.operands[1];
  const ir::DType result = context.result_types.back().dtype;
  const std::optional<ir::DType> common = common_product_dtype({lhs.dtype(), rhs.dtype(), result});
  if (!common) return {};
  const auto converted = [&](ir::Value value, ir::DType dtype) {
    return value.dtype() == dtype ? value : convert(context.builder, value, dtype);
  };
  const ir::Value product =
      convolution(context.builder, converted(lhs, *common), converted(rhs, *common),
                  convolution_dimensions(context.attributes), convolution_options(context.attributes));
  return {converted(product, result)};
}

const ir::OpDef kConvolution = {.name = "convolution",
                                .infer = infer,
                                .gradient = convolution_gradient,
                                .reference = reference,
                                .reference_by_f32 = true,
                                .print_attributes = print_attributes,
                                .read_attributes = read_attributes,
                                .expand = expand};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kConvolution>(); }

}  // namespace convolution_folder

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
