#include "cornu/keras/layers/merging/merging.h"

#include <algorithm>
#include <optional>
#include <string>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layer/layer_settings_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

std::string shapes_str(std::span<const Dims> shapes) {
  std::vector<std::string> texts;
  for (const Dims& shape : shapes) texts.push_back(shape_with_none_str(shape));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Inserts axes of extent 1 after the batch up to this rank.
Dims with_rank(Dims shape, std::size_t rank) {
  while (shape.size() < rank) shape.insert(shape.begin() + (shape.empty() ? 0 : 1), 1);
  return shape;
}

bool all_masked(std::span<const Tensor> inputs) {
  return std::all_of(inputs.begin(), inputs.end(),
                     [](const Tensor& input) { return input.mask() != nullptr; });
}

/// Converts a mask of steps to a mask of elements.
Tensor element_mask(const Tensor& input) {
  Tensor mask = *input.mask();
  while (mask.rank() < input.rank()) mask = ops::expand_dims(mask, -1);
  return ops::broadcast_to(mask, input.shape());
}

/// The batch extent of inputs with these shapes; kUnknown if none of them has one. Scalars have no batch.
/// Errors: InvalidArgument, naming `tag`, if two differ.
std::int64_t common_batch(std::span<const Dims> shapes, const std::string& tag) {
  std::int64_t batch = kUnknown;
  for (const Dims& shape : shapes) {
    if (shape.empty() || shape[0] == kUnknown) continue;
    if (batch != kUnknown && shape[0] != batch)
      invalid_argument("[{}] the inputs' batches must be equal; got {}", tag, shapes_str(shapes));
    batch = shape[0];
  }
  return batch;
}

/// The extent of elementwise-joined values; nullopt if the extents do not fit. As in Keras, an open extent
/// makes the result open, whatever the other extent.
std::optional<std::int64_t> joined_extent(std::int64_t a, std::int64_t b) {
  if (a == kUnknown || b == kUnknown) return kUnknown;
  if (a == b || b == 1) return a;
  return a == 1 ? std::optional(b) : std::nullopt;
}

/// The common base of all layers here: output types depend on several inputs.
class JoiningLayer : public Layer {
 public:
  explicit JoiningLayer(LayerSettings settings) : Layer(std::move(settings)) {
    set_supports_masking(true);
    set_type_rule(TypeRule::kOverridden);
  }

 protected:
  /// The dtype of all inputs as call() sees them; nullopt if they differ.
  std::optional<DType> common_dtype(std::span<const TensorType> inputs) const {
    const DType dtype = cast_type(inputs[0]).dtype;
    const bool are_alike = std::all_of(inputs.begin(), inputs.end(),
                                       [&](const auto& input) { return cast_type(input).dtype == dtype; });
    return are_alike ? std::optional(dtype) : std::nullopt;
  }
};

/// The common base of layers that join inputs elementwise.
class MergeLayer : public JoiningLayer {
 public:
  enum class Kind { kAdd, kSubtract, kMultiply, kAverage, kMaximum, kMinimum };

  MergeLayer(Kind kind, LayerSettings settings) : JoiningLayer(std::move(settings)), kind_(kind) {}

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    const Dims shape = joined_shape(shapes_of(inputs));
    const std::optional<DType> dtype = common_dtype(inputs);
    const bool is_kept =
        dtype.has_value() && (ir::is_float(*dtype) || (ir::is_integer(*dtype) && kind_ != Kind::kAverage));
    if (!is_kept) return Layer::compute_output_types(inputs);
    return {{*dtype, shape}};
  }

  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs, std::span<const Tensor>) const override {
    if (!all_masked(inputs)) return {};
    Tensor mask = *inputs[0].mask();
    for (const Tensor& input : inputs.subspan(1)) mask = ops::logical_or(mask, *input.mask());
    return {mask};
  }

 protected:
  void build_for(std::span<const Dims> input_shapes) override { (void)joined_shape(input_shapes); }

  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    const std::vector<Dims> shapes = shapes_of(inputs);
    const std::size_t rank = joined_shape(shapes).size();
    std::vector<Tensor> same_rank;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Tensor reshaped =
          shapes[i].size() == rank ? inputs[i] : ops::reshape(inputs[i], with_rank(shapes[i], rank));
      same_rank.push_back(inputs[i].mask() == nullptr ? reshaped : reshaped.with_mask(*inputs[i].mask()));
    }
    switch (kind_) {
      case Kind::kAdd: return {sum_of(same_rank)};
      case Kind::kSubtract: return {same_rank[0] - same_rank[1]};
      case Kind::kMultiply: return {product(same_rank)};
      case Kind::kAverage: return {sum_of(same_rank) / static_cast<double>(inputs.size())};
      case Kind::kMaximum: return {extreme(same_rank, ops::maximum)};
      case Kind::kMinimum: return {extreme(same_rank, ops::minimum)};
    }
    return {};
  }

 private:
  /// The output's shape. Errors: InvalidArgument if the shapes do not fit.
  Dims joined_shape(std::span<const Dims> shapes) const {
    const std::string tag = snake_case(class_name());
    if (shapes.empty()) invalid_argument("[{}] expected at least one input; got none", tag);
    if (kind_ == Kind::kSubtract && shapes.size() != 2)
      invalid_argument("[subtract] expected two inputs; got {}", shapes.size());
    std::size_t rank = 0;
    for (const Dims& shape : shapes) rank = std::max(rank, shape.size());
    const std::int64_t batch = common_batch(shapes, tag);
    Dims joined(rank, 1);
    if (rank > 0) joined[0] = batch;
    for (const Dims& shape : shapes) {
      const Dims same_rank = with_rank(shape, rank);
      for (std::size_t i = 1; i < rank; ++i) {
        const std::optional<std::int64_t> extent = joined_extent(joined[i], same_rank[i]);
        if (!extent.has_value())
          invalid_argument("[{}] the inputs' shapes must broadcast; got {}", tag, shapes_str(shapes));
        joined[i] = *extent;
      }
    }
    return joined;
  }

  static Tensor sum_of(std::span<const Tensor> inputs) {
    Tensor sum = inputs[0];
    for (const Tensor& input : inputs.subspan(1)) sum = sum + input;
    return sum;
  }

  static Tensor product(std::span<const Tensor> inputs) {
    Tensor result, any;
    for (const Tensor& input : inputs) {
      Tensor factor = input;
      if (input.mask() != nullptr) {
        const Tensor mask = element_mask(input);
        factor = ops::where(mask, input, ops::cast(1, input.dtype()));
        any = any.defined() ? ops::logical_or(any, mask) : mask;
      }
      result = result.defined() ? result * factor : factor;
    }
    return all_masked(inputs) ? ops::where(any, result, ops::cast(0, result.dtype())) : result;
  }

  static Tensor extreme(std::span<const Tensor> inputs, Tensor (*of)(const Tensor&, const Tensor&)) {
    Tensor result = inputs[0];
    Tensor counts = inputs[0].mask() == nullptr ? Tensor() : element_mask(inputs[0]);
    for (const Tensor& input : inputs.subspan(1)) {
      const Tensor mask = input.mask() == nullptr ? Tensor() : element_mask(input);
      const Tensor candidate = mask.defined() ? ops::where(mask, input, result) : input;
      if (counts.defined()) result = ops::where(counts, result, candidate);
      counts = mask.defined() && counts.defined() ? ops::logical_or(counts, mask) : Tensor();
      result = of(result, candidate);
    }
    return result;
  }

  Kind kind_;
};

class ConcatenateLayer : public JoiningLayer {
 public:
  explicit ConcatenateLayer(const ConcatenateOptions& options)
      : JoiningLayer(layer_settings("Concatenate", options)), axis_(options.axis) {}

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    const Dims shape = joined_shape(shapes_of(inputs));
    const std::optional<DType> dtype = common_dtype(inputs);
    if (!dtype.has_value()) return Layer::compute_output_types(inputs);
    return {{*dtype, shape}};
  }

  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs, std::span<const Tensor>) const override {
    if (std::none_of(inputs.begin(), inputs.end(),
                     [](const Tensor& input) { return input.mask() != nullptr; }))
      return {};
    std::vector<Tensor> masks;
    for (const Tensor& input : inputs)
      masks.push_back(input.mask() == nullptr ? ops::broadcast_to(Tensor(true), input.shape())
                                              : element_mask(input));
    return {ops::any(ops::concatenate(masks, axis_), {.axis = -1})};
  }

 protected:
  void build_for(std::span<const Dims> input_shapes) override { (void)joined_shape(input_shapes); }

  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    (void)joined_shape(shapes_of(inputs));
    return {ops::concatenate(inputs, axis_)};
  }

 private:
  /// The output's shape. Errors: InvalidArgument if the shapes do not fit.
  Dims joined_shape(std::span<const Dims> shapes) const {
    if (shapes.empty()) invalid_argument("[concatenate] expected at least one input; got none");
    const auto rank = static_cast<std::int64_t>(shapes[0].size());
    if (axis_ < -rank || axis_ >= rank)
      invalid_argument({.argument = "axis"}, "[concatenate] axis must be in [{}, {}); got axis = {} for {}",
                       -rank, rank, axis_, shapes_str(shapes));
    const std::int64_t joined = axis_ < 0 ? axis_ + rank : axis_;
    Dims known(static_cast<std::size_t>(rank), kUnknown);
    CheckedSize sum = 0;
    bool is_open = false;
    for (const Dims& shape : shapes) {
      bool fits = shape.size() == known.size();
      for (std::int64_t i = 0; fits && i < rank; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (i == joined || shape[at] == kUnknown) continue;
        if (known[at] == kUnknown) known[at] = shape[at];
        fits = known[at] == shape[at];
      }
      if (!fits)
        invalid_argument("[concatenate] the inputs' shapes must be equal except for axis {}; got {}", axis_,
                         shapes_str(shapes));
      const std::int64_t extent = shape[static_cast<std::size_t>(joined)];
      is_open = is_open || extent == kUnknown;
      if (extent != kUnknown) sum = sum + extent;
    }
    known[static_cast<std::size_t>(joined)] =
        is_open ? kUnknown : sum.value("[concatenate] the extent of the joined axis");
    return known;
  }

  std::int64_t axis_;
};

class DotLayer : public JoiningLayer {
 public:
  explicit DotLayer(const DotOptions& options)
      : JoiningLayer(layer_settings("Dot", options)), axes_(options.axes), normalize_(options.normalize) {
    if (axes_.first == 0 || axes_.second == 0)
      option_error(
          fmt::format("axes must not be 0, the batch; got axes = ({}, {})", axes_.first, axes_.second));
  }

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    const auto [first, second] = axes_for(shapes_of(inputs));
    const std::optional<DType> dtype = common_dtype(inputs);
    if (!dtype.has_value() || !ir::is_float(*dtype)) return Layer::compute_output_types(inputs);
    Dims shape = inputs[0].dims, others = inputs[1].dims;
    if (shape[0] == kUnknown) shape[0] = others[0];
    shape.erase(shape.begin() + first);
    others.erase(others.begin() + second);
    shape.insert(shape.end(), others.begin() + 1, others.end());
    if (shape.size() == 1) shape.push_back(1);
    return {{*dtype, shape}};
  }

  std::vector<Tensor> compute_mask(std::span<const Tensor>, std::span<const Tensor>) const override {
    return {};
  }

 protected:
  void build_for(std::span<const Dims> input_shapes) override { axes_for(input_shapes); }

  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    const auto [first, second] = axes_for(shapes_of(inputs));
    Tensor x = inputs[0], y = inputs[1];
    if (normalize_) {
      x = ops::normalize(x, {.axis = first});
      y = ops::normalize(y, {.axis = second});
    }
    // Axis i of x gets the letter 'b' + i, of y 'B' + i; both begin with the batch, 'a', and summed axes are
    // 'z'.
    std::string left = "a", right = "a", result = "a";
    const auto append = [&result](std::string& letters, const Tensor& input, std::int64_t summed,
                                  char letter) {
      for (std::int64_t axis = 1; axis < input.rank(); ++axis, ++letter) {
        letters += axis == summed ? 'z' : letter;
        if (axis != summed) result += letter;
      }
    };
    append(left, x, first, 'b');
    append(right, y, second, 'B');
    const Tensor dots = ops::einsum(left + "," + right + "->" + result, {x, y});
    return {dots.rank() == 1 ? ops::expand_dims(dots, -1) : dots};
  }

 private:
  /// The summed axes, as non-negative indices. Errors: InvalidArgument if the shapes do not fit.
  std::pair<std::int64_t, std::int64_t> axes_for(std::span<const Dims> shapes) const {
    if (shapes.size() != 2) invalid_argument("[dot] expected two inputs; got {}", shapes.size());
    const auto in_rank = [&](std::int64_t axis, const Dims& shape) {
      const auto rank = static_cast<std::int64_t>(shape.size());
      const std::int64_t at = axis < 0 ? axis + rank : axis;
      if (at < 1 || at >= rank)
        invalid_argument({.argument = "axes"},
                         "[dot] axes must name a dimension after the batch; got axes = ({}, {}) for {}",
                         axes_.first, axes_.second, shapes_str(shapes));
      return at;
    };
    const std::int64_t first = in_rank(axes_.first, shapes[0]), second = in_rank(axes_.second, shapes[1]);
    const std::int64_t x = shapes[0][static_cast<std::size_t>(first)],
                       y = shapes[1][static_cast<std::size_t>(second)];
    if (x != y && x != kUnknown && y != kUnknown)
      invalid_argument("[dot] the extents along axes = ({}, {}) must be equal; got {} and {} of {}",
                       axes_.first, axes_.second, x, y, shapes_str(shapes));
    (void)common_batch(shapes, "dot");
    return {first, second};
  }

  DotAxes axes_;
  bool normalize_;
};

std::shared_ptr<Layer> merge(MergeLayer::Kind kind, const char* class_name, const MergeOptions& options) {
  return std::make_shared<MergeLayer>(kind, layer_settings(class_name, options));
}

}  // namespace

Add::Add(MergeOptions options) : LayerHandle(merge(MergeLayer::Kind::kAdd, "Add", options)) {}
Subtract::Subtract(MergeOptions options)
    : LayerHandle(merge(MergeLayer::Kind::kSubtract, "Subtract", options)) {}
Multiply::Multiply(MergeOptions options)
    : LayerHandle(merge(MergeLayer::Kind::kMultiply, "Multiply", options)) {}
Average::Average(MergeOptions options) : LayerHandle(merge(MergeLayer::Kind::kAverage, "Average", options)) {}
Maximum::Maximum(MergeOptions options) : LayerHandle(merge(MergeLayer::Kind::kMaximum, "Maximum", options)) {}
Minimum::Minimum(MergeOptions options) : LayerHandle(merge(MergeLayer::Kind::kMinimum, "Minimum", options)) {}
Concatenate::Concatenate(ConcatenateOptions options)
    : LayerHandle(std::make_shared<ConcatenateLayer>(options)) {}
Dot::Dot(DotOptions options) : LayerHandle(std::make_shared<DotLayer>(options)) {}

KerasTensor add(const KerasTensors& inputs, MergeOptions options) { return Add(std::move(options))(inputs); }
Tensor add(const Tensors& inputs, MergeOptions options) { return Add(std::move(options))(inputs); }
KerasTensor subtract(const KerasTensors& inputs, MergeOptions options) {
  return Subtract(std::move(options))(inputs);
}
Tensor subtract(const Tensors& inputs, MergeOptions options) { return Subtract(std::move(options))(inputs); }
KerasTensor multiply(const KerasTensors& inputs, MergeOptions options) {
  return Multiply(std::move(options))(inputs);
}
Tensor multiply(const Tensors& inputs, MergeOptions options) { return Multiply(std::move(options))(inputs); }
KerasTensor average(const KerasTensors& inputs, MergeOptions options) {
  return Average(std::move(options))(inputs);
}
Tensor average(const Tensors& inputs, MergeOptions options) { return Average(std::move(options))(inputs); }
KerasTensor maximum(const KerasTensors& inputs, MergeOptions options) {
  return Maximum(std::move(options))(inputs);
}
Tensor maximum(const Tensors& inputs, MergeOptions options) { return Maximum(std::move(options))(inputs); }
KerasTensor minimum(const KerasTensors& inputs, MergeOptions options) {
  return Minimum(std::move(options))(inputs);
}
Tensor minimum(const Tensors& inputs, MergeOptions options) { return Minimum(std::move(options))(inputs); }
KerasTensor concatenate(const KerasTensors& inputs, ConcatenateOptions options) {
  return Concatenate(std::move(options))(inputs);
}
Tensor concatenate(const Tensors& inputs, ConcatenateOptions options) {
  return Concatenate(std::move(options))(inputs);
}
KerasTensor dot(const KerasTensors& inputs, DotOptions options) { return Dot(std::move(options))(inputs); }
Tensor dot(const Tensors& inputs, DotOptions options) { return Dot(std::move(options))(inputs); }

}  // namespace cornu::inline v0::keras::layers
