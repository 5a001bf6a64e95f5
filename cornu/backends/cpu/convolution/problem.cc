#include "cornu/backends/cpu/convolution/problem.h"

#include <algorithm>

#include "cornu/ops/convolution/convolution.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Dims;

std::int64_t at(const Dims& dims, std::int64_t dimension) {
  return dims[static_cast<std::size_t>(dimension)];
}

/// One convolution with its extents and strides by role.
struct Roles {
  explicit Roles(const ir::Op& op)
      : d(ops::convolution_dimensions(op)),
        o(ops::convolution_options(op)),
        lhs(op.operand(0).dims()),
        rhs(op.operand(1).dims()),
        result(op.result().dims()),
        lhs_strides(ir::row_major_strides(lhs)),
        rhs_strides(ir::row_major_strides(rhs)),
        result_strides(ir::row_major_strides(result)) {}

  ops::ConvolutionDimensions d;
  ops::ConvolutionOptions o;
  Dims lhs, rhs, result, lhs_strides, rhs_strides, result_strides;

  std::size_t num_axes() const { return o.window_strides.size(); }
  static Dims strides(const Dims& from, std::int64_t first, std::int64_t second, const Dims& spatial) {
    Dims out = {at(from, first), at(from, second)};
    for (std::int64_t dimension : spatial) out.push_back(at(from, dimension));
    return out;
  }
};

/// Sets the padding after the last element so that the library computes the right number of outputs; elements
/// that no window reaches count as negative. A library rounds down, so fewer than a stride of them may be
/// ignored.
bool set_padding_high(ConvolutionAxis& axis) {
  const std::int64_t reach = (axis.kernel - 1) * axis.dilation + 1;
  const std::int64_t exact = (axis.output - 1) * axis.stride + reach - axis.input - axis.padding_low;
  axis.padding_high = std::max<std::int64_t>(exact, 0);
  return exact > -axis.stride && axis.padding_low >= 0;
}

std::optional<ConvolutionProblem> forward(const Roles& r) {
  ConvolutionProblem p;
  p.batch = at(r.lhs, r.d.input_batch_dimension);
  p.groups = r.o.feature_group_count;
  p.inputs = at(r.lhs, r.d.input_feature_dimension);
  p.outputs = at(r.rhs, r.d.kernel_output_feature_dimension);
  for (std::size_t i = 0; i < r.num_axes(); ++i) {
    ConvolutionAxis axis{at(r.lhs, r.d.input_spatial_dimensions[i]),
                         at(r.rhs, r.d.kernel_spatial_dimensions[i]),
                         at(r.result, r.d.output_spatial_dimensions[i]),
                         r.o.window_strides[i],
                         r.o.rhs_dilation[i],
                         r.o.padding_low[i]};
    axis.reversed = axis.kernel > 1 && r.o.window_reversal[i] != 0;
    if (!set_padding_high(axis)) return std::nullopt;
    p.axes.push_back(axis);
  }
  p.source_strides = Roles::strides(r.lhs_strides, r.d.input_batch_dimension, r.d.input_feature_dimension,
                                    r.d.input_spatial_dimensions);
  p.destination_strides = Roles::strides(r.result_strides, r.d.output_batch_dimension,
                                         r.d.output_feature_dimension, r.d.output_spatial_dimensions);
  p.weights_strides = Roles::strides(r.rhs_strides, r.d.kernel_output_feature_dimension,
                                     r.d.kernel_input_feature_dimension, r.d.kernel_spatial_dimensions);
  p.weights_strides.insert(p.weights_strides.begin(), p.outputs / p.groups * p.weights_strides[0]);
  return p;
}

/// result[x] = sum of lhs[o] w[k] over x = o * stride - padding + k * dilation: lhs is the gradient of the
/// destination.
std::optional<ConvolutionProblem> backward_data(const Roles& r) {
  ConvolutionProblem p;
  p.direction = ConvolutionDirection::kBackwardData;
  p.batch = at(r.lhs, r.d.input_batch_dimension);
  p.groups = r.o.feature_group_count;
  p.outputs = at(r.lhs, r.d.input_feature_dimension);
  p.inputs = at(r.rhs, r.d.kernel_output_feature_dimension);
  for (std::size_t i = 0; i < r.num_axes(); ++i) {
    if (r.o.window_strides[i] != 1) return std::nullopt;
    const std::int64_t kernel = at(r.rhs, r.d.kernel_spatial_dimensions[i]);
    ConvolutionAxis axis{at(r.result, r.d.output_spatial_dimensions[i]),
                         kernel,
                         at(r.lhs, r.d.input_spatial_dimensions[i]),
                         r.o.lhs_dilation[i],
                         r.o.rhs_dilation[i],
                         (kernel - 1) * r.o.rhs_dilation[i] - r.o.padding_low[i]};
    axis.reversed = axis.kernel > 1 && r.o.window_reversal[i] == 0;
    if (!set_padding_high(axis)) return std::nullopt;
    p.axes.push_back(axis);
  }
  p.destination_strides = Roles::strides(r.lhs_strides, r.d.input_batch_dimension,
                                         r.d.input_feature_dimension, r.d.input_spatial_dimensions);
  p.source_strides = Roles::strides(r.result_strides, r.d.output_batch_dimension,
                                    r.d.output_feature_dimension, r.d.output_spatial_dimensions);
  p.weights_strides = Roles::strides(r.rhs_strides, r.d.kernel_input_feature_dimension,
                                     r.d.kernel_output_feature_dimension, r.d.kernel_spatial_dimensions);
  p.weights_strides.insert(p.weights_strides.begin(), p.inputs / p.groups * p.weights_strides[1]);
  return p;
}

/// result[k] = sum of lhs[o * stride + k * dilation - padding] rhs[o]: rhs is the gradient of the
/// destination, its input features and those of lhs are the batch, and the windows' stride is the dilation of
/// the kernel.
std::optional<ConvolutionProblem> backward_weights(const Roles& r) {
  ConvolutionProblem p;
  p.direction = ConvolutionDirection::kBackwardWeights;
  p.batch = at(r.lhs, r.d.input_feature_dimension);
  p.groups = r.o.batch_group_count;
  p.inputs = at(r.lhs, r.d.input_batch_dimension);
  p.outputs = at(r.rhs, r.d.kernel_output_feature_dimension);
  for (std::size_t i = 0; i < r.num_axes(); ++i) {
    ConvolutionAxis axis{at(r.lhs, r.d.input_spatial_dimensions[i]),
                         at(r.result, r.d.output_spatial_dimensions[i]),
                         at(r.rhs, r.d.kernel_spatial_dimensions[i]),
                         r.o.rhs_dilation[i],
                         r.o.window_strides[i],
                         r.o.padding_low[i]};
    if (axis.output > 1 && r.o.window_reversal[i] != 0) return std::nullopt;
    if (!set_padding_high(axis)) return std::nullopt;
    p.axes.push_back(axis);
  }
  p.source_strides = Roles::strides(r.lhs_strides, r.d.input_feature_dimension, r.d.input_batch_dimension,
                                    r.d.input_spatial_dimensions);
  p.destination_strides = Roles::strides(r.rhs_strides, r.d.kernel_input_feature_dimension,
                                         r.d.kernel_output_feature_dimension, r.d.kernel_spatial_dimensions);
  p.weights_strides = Roles::strides(r.result_strides, r.d.output_feature_dimension,
                                     r.d.output_batch_dimension, r.d.output_spatial_dimensions);
  p.weights_strides.insert(p.weights_strides.begin(), p.outputs / p.groups * p.weights_strides[0]);
  return p;
}

/// The mirrored sums: result[k] = sum of lhs[i] rhs[i * dilation of lhs - k * stride + padding]. So lhs is
/// the gradient of the destination, rhs the source, and the taps are reversed.
std::optional<ConvolutionProblem> mirrored_backward_weights(const Roles& r) {
  ConvolutionProblem p;
  p.direction = ConvolutionDirection::kBackwardWeights;
  p.is_mirrored = true;
  p.batch = at(r.lhs, r.d.input_feature_dimension);
  p.groups = r.o.batch_group_count;
  p.inputs = at(r.rhs, r.d.kernel_output_feature_dimension);
  p.outputs = at(r.lhs, r.d.input_batch_dimension);
  for (std::size_t i = 0; i < r.num_axes(); ++i) {
    const std::int64_t kernel = at(r.result, r.d.output_spatial_dimensions[i]);
    ConvolutionAxis axis{at(r.rhs, r.d.kernel_spatial_dimensions[i]),
                         kernel,
                         at(r.lhs, r.d.input_spatial_dimensions[i]),
                         r.o.lhs_dilation[i],
                         r.o.window_strides[i],
                         (kernel - 1) * r.o.window_strides[i] - r.o.padding_low[i]};
    axis.reversed = kernel > 1;
    if (axis.input > 1 && (r.o.rhs_dilation[i] != 1 || r.o.window_reversal[i] != 0)) return std::nullopt;
    if (!set_padding_high(axis)) return std::nullopt;
    p.axes.push_back(axis);
  }
  p.source_strides = Roles::strides(r.rhs_strides, r.d.kernel_input_feature_dimension,
                                    r.d.kernel_output_feature_dimension, r.d.kernel_spatial_dimensions);
  p.destination_strides = Roles::strides(r.lhs_strides, r.d.input_feature_dimension,
                                         r.d.input_batch_dimension, r.d.input_spatial_dimensions);
  p.weights_strides = Roles::strides(r.result_strides, r.d.output_batch_dimension,
                                     r.d.output_feature_dimension, r.d.output_spatial_dimensions);
  p.weights_strides.insert(p.weights_strides.begin(), p.inputs / p.groups * p.weights_strides[1]);
  return p;
}

std::int64_t product(const Dims& dims, const Dims& which) {
  std::int64_t n = 1;
  for (std::int64_t d : which) n *= at(dims, d);
  return n;
}

/// True if features are outside and the batch inside in memory, as for an lhs with exchanged batch and
/// features. A kernel is small, so a result with many more positions than the other has taps is not a kernel.
bool looks_like_backward_weights(const Roles& r) {
  constexpr std::int64_t kMuchLarger = 16;
  const bool swapped =
      at(r.lhs_strides, r.d.input_batch_dimension) < at(r.lhs_strides, r.d.input_feature_dimension);
  return swapped && product(r.result, r.d.output_spatial_dimensions) <=
                        kMuchLarger * product(r.rhs, r.d.kernel_spatial_dimensions);
}

bool is_one(std::int64_t x) { return x == 1; }

void add_axis_of_one(ConvolutionProblem& p) {
  p.axes.emplace_back();
  for (Dims* strides : {&p.source_strides, &p.destination_strides, &p.weights_strides}) strides->push_back(1);
}

bool is_dilated(const Dims& dilation) { return !std::all_of(dilation.begin(), dilation.end(), is_one); }

/// Libraries have kernels for sources of few channels, such as images, but not for destinations of few.
bool wants_mirror(const ConvolutionProblem& p) {
  constexpr std::int64_t kFewChannels = 16;
  return p.groups == 1 && p.outputs < std::min(p.inputs, kFewChannels);
}

std::optional<ConvolutionProblem> any_backward_weights(const Roles& r) {
  std::optional<ConvolutionProblem> p = is_dilated(r.o.lhs_dilation) ? std::nullopt : backward_weights(r);
  if (p && !wants_mirror(*p)) return p;
  std::optional<ConvolutionProblem> mirrored = mirrored_backward_weights(r);
  return mirrored ? mirrored : p;
}

std::optional<ConvolutionProblem> choose(const Roles& r) {
  const ops::ConvolutionOptions& o = r.o;
  if (o.batch_group_count > 1) return any_backward_weights(r);
  if (o.feature_group_count == 1 && looks_like_backward_weights(r))
    if (auto p = any_backward_weights(r)) return p;
  if (is_dilated(o.lhs_dilation)) return backward_data(r);
  if (!is_dilated(o.window_strides)) {
    const bool backwards = std::any_of(o.window_reversal.begin(), o.window_reversal.end(),
                                       [](std::int64_t v) { return v != 0; });
    if (auto p = backwards ? backward_data(r) : std::nullopt; p && !p->has_reversed_axes()) return p;
  }
  return forward(r);
}

}  // namespace

bool ConvolutionProblem::has_reversed_axes() const {
  return std::any_of(axes.begin(), axes.end(), [](const ConvolutionAxis& axis) { return axis.reversed; });
}

std::int64_t ConvolutionProblem::num_weights() const {
  std::int64_t n = outputs * (inputs / groups);
  for (const ConvolutionAxis& axis : axes) n *= axis.kernel;
  return n;
}

double ConvolutionProblem::flops() const {
  double n = 2.0 * static_cast<double>(batch) * static_cast<double>(num_weights());
  for (const ConvolutionAxis& axis : axes) n *= static_cast<double>(axis.output);
  return n;
}

std::optional<ConvolutionProblem> convolution_problem(const ir::Op& convolution) {
  if (convolution.operand(0).type().num_elements() == 0 ||
      convolution.operand(1).type().num_elements() == 0 || convolution.result().type().num_elements() == 0)
    return std::nullopt;
  const Roles roles(convolution);
  if (roles.num_axes() > 3) return std::nullopt;
  std::optional<ConvolutionProblem> p = choose(roles);
  if (p && p->axes.empty()) add_axis_of_one(*p);
  if (p) p->is_bf16 = convolution.result().dtype() == ir::DType::kBF16;
  return p;
}

}  // namespace cornu::inline v0::backends::cpu
