#include "cornu/backends/cpu/convolution/problem.h"

#include <algorithm>

#include "cornu/ops/convolution/convolution.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Dims;

std::int64_t at(const Dims& dims, std::int64_t dimension) {
  return dims[static_cast<std::size_t>(dimension)];
}

/// A tensor of the op in a problem: its batch and channels, or a kernel's outputs and inputs.
struct Part {
  const Dims& dims;
  const Dims& strides;
  std::int64_t outer, inner;
  const Dims& spatial;
};

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
  Part lhs_by_batch() const {
    return {lhs, lhs_strides, d.input_batch_dimension, d.input_feature_dimension, d.input_spatial_dimensions};
  }
  Part lhs_by_features() const { return exchanged(lhs_by_batch()); }
  Part rhs_by_inputs() const {
    return {rhs, rhs_strides, d.kernel_input_feature_dimension, d.kernel_output_feature_dimension,
            d.kernel_spatial_dimensions};
  }
  Part rhs_by_outputs() const { return exchanged(rhs_by_inputs()); }
  Part result_by_batch() const {
    return {result, result_strides, d.output_batch_dimension, d.output_feature_dimension,
            d.output_spatial_dimensions};
  }
  Part result_by_features() const { return exchanged(result_by_batch()); }

 private:
  static Part exchanged(const Part& part) {
    return {part.dims, part.strides, part.inner, part.outer, part.spatial};
  }
};

bool is_one(std::int64_t x) { return x == 1; }
bool is_dilated(const Dims& dilation) { return !std::all_of(dilation.begin(), dilation.end(), is_one); }

/// Sets the padding after the last element so that the library computes the right number of outputs; elements
/// that no window reaches count as negative. A library rounds down, so fewer than a stride of them may be
/// ignored.
bool set_padding_high(ConvolutionAxis& axis) {
  const std::int64_t reach = (axis.kernel - 1) * axis.dilation + 1;
  const std::int64_t exact = (axis.output - 1) * axis.stride + reach - axis.input - axis.padding_low;
  axis.padding_high = std::max<std::int64_t>(exact, 0);
  return exact > -axis.stride && axis.padding_low >= 0;
}

/// The parts that an op's tensors and windows have in a problem.
struct Assignment {
  Part source, destination, weights;
  std::int64_t groups;
  const Dims& strides;
  const Dims& dilations;
  bool from_last_tap = false;  // lhs is the destination, and its padding is counted from the last tap
  Dims reversed;
};

std::optional<ConvolutionProblem> make_problem(const Roles& r, const Assignment& a,
                                               ConvolutionProblem p = {}) {
  const auto strides = [](const Part& part) {
    Dims all = {at(part.strides, part.outer), at(part.strides, part.inner)};
    for (const std::int64_t dimension : part.spatial) all.push_back(at(part.strides, dimension));
    return all;
  };
  const Part& lhs = a.from_last_tap ? a.destination : a.source;
  p.batch = at(lhs.dims, lhs.outer);
  p.groups = a.groups;
  p.inputs = at(a.source.dims, a.source.inner);
  p.outputs = at(a.destination.dims, a.destination.inner);
  for (std::size_t i = 0; i < r.num_axes(); ++i) {
    const std::int64_t kernel = at(a.weights.dims, a.weights.spatial[i]), dilation = a.dilations[i],
                       low = r.o.padding_low[i];
    ConvolutionAxis axis{.input = at(a.source.dims, a.source.spatial[i]),
                         .kernel = kernel,
                         .output = at(a.destination.dims, a.destination.spatial[i]),
                         .stride = a.strides[i],
                         .dilation = dilation,
                         .padding_low = a.from_last_tap ? (kernel - 1) * dilation - low : low,
                         .reversed = kernel > 1 && a.reversed[i] != 0};
    if (!set_padding_high(axis)) return std::nullopt;
    p.axes.push_back(axis);
  }
  p.source_strides = strides(a.source);
  p.destination_strides = strides(a.destination);
  p.weights_strides = strides(a.weights);
  const std::int64_t group = a.from_last_tap ? p.inputs / p.groups * p.weights_strides[1]
                                             : p.outputs / p.groups * p.weights_strides[0];
  p.weights_strides.insert(p.weights_strides.begin(), group);
  return p;
}

std::optional<ConvolutionProblem> forward(const Roles& r) {
  return make_problem(r, {.source = r.lhs_by_batch(),
                          .destination = r.result_by_batch(),
                          .weights = r.rhs_by_outputs(),
                          .groups = r.o.feature_group_count,
                          .strides = r.o.window_strides,
                          .dilations = r.o.rhs_dilation,
                          .reversed = r.o.window_reversal});
}

/// result[x] = sum of lhs[o] w[k] over x = o * stride - padding + k * dilation: lhs is the gradient of the
/// destination.
std::optional<ConvolutionProblem> backward_data(const Roles& r) {
  if (is_dilated(r.o.window_strides)) return std::nullopt;
  Dims reversed = r.o.window_reversal;
  for (std::int64_t& flag : reversed) flag = flag == 0 ? 1 : 0;
  return make_problem(r,
                      {.source = r.result_by_batch(),
                       .destination = r.lhs_by_batch(),
                       .weights = r.rhs_by_inputs(),
                       .groups = r.o.feature_group_count,
                       .strides = r.o.lhs_dilation,
                       .dilations = r.o.rhs_dilation,
                       .from_last_tap = true,
                       .reversed = reversed},
                      {.direction = ConvolutionDirection::kBackwardData});
}

/// result[k] = sum of lhs[o * stride + k * dilation - padding] rhs[o]: rhs is the gradient of the
/// destination, its input features and those of lhs are the batch, and the windows' stride is the dilation of
/// the kernel.
std::optional<ConvolutionProblem> backward_weights(const Roles& r) {
  for (std::size_t i = 0; i < r.num_axes(); ++i)
    if (at(r.rhs, r.d.kernel_spatial_dimensions[i]) > 1 && r.o.window_reversal[i] != 0) return std::nullopt;
  return make_problem(r,
                      {.source = r.lhs_by_features(),
                       .destination = r.rhs_by_inputs(),
                       .weights = r.result_by_features(),
                       .groups = r.o.batch_group_count,
                       .strides = r.o.rhs_dilation,
                       .dilations = r.o.window_strides,
                       .reversed = Dims(r.num_axes(), 0)},
                      {.direction = ConvolutionDirection::kBackwardWeights});
}

/// The mirrored sums: result[k] = sum of lhs[i] rhs[i * dilation of lhs - k * stride + padding]. So lhs is
/// the gradient of the destination, rhs the source, and the taps are reversed.
std::optional<ConvolutionProblem> mirrored_backward_weights(const Roles& r) {
  for (std::size_t i = 0; i < r.num_axes(); ++i)
    if (at(r.rhs, r.d.kernel_spatial_dimensions[i]) > 1 &&
        (r.o.rhs_dilation[i] != 1 || r.o.window_reversal[i] != 0))
      return std::nullopt;
  return make_problem(r,
                      {.source = r.rhs_by_inputs(),
                       .destination = r.lhs_by_features(),
                       .weights = r.result_by_batch(),
                       .groups = r.o.batch_group_count,
                       .strides = r.o.lhs_dilation,
                       .dilations = r.o.window_strides,
                       .from_last_tap = true,
                       .reversed = Dims(r.num_axes(), 1)},
                      {.direction = ConvolutionDirection::kBackwardWeights, .is_mirrored = true});
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

void add_axis_of_one(ConvolutionProblem& p) {
  p.axes.emplace_back();
  for (Dims* strides : {&p.source_strides, &p.destination_strides, &p.weights_strides}) strides->push_back(1);
}

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
