#include "cornu/keras/layers/core/einsum_dense.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/core/axes_initializer_support.h"
#include "cornu/keras/layers/core/lora_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The letters of an equation.
struct EinsumEquation {
  std::string input, kernel, output;
  bool dots_left = false, dots_right = false;
};

bool is_letters(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
  });
}

/// nullopt for an invalid equation.
std::optional<EinsumEquation> parse_equation(std::string_view text) {
  constexpr std::string_view kDots = "...";
  const std::size_t comma = text.find(','), arrow = text.find("->");
  if (comma == std::string_view::npos || arrow == std::string_view::npos || arrow < comma)
    return std::nullopt;
  std::string_view input = text.substr(0, comma), output = text.substr(arrow + 2);
  EinsumEquation equation{.kernel = std::string(text.substr(comma + 1, arrow - comma - 1))};
  if (input.starts_with(kDots) && output.starts_with(kDots)) {
    equation.dots_left = true;
    input.remove_prefix(kDots.size());
    output.remove_prefix(kDots.size());
  } else if (input.ends_with(kDots) && output.ends_with(kDots)) {
    equation.dots_right = true;
    input.remove_suffix(kDots.size());
    output.remove_suffix(kDots.size());
  }
  equation.input = input;
  equation.output = output;
  if (!is_letters(equation.input) || !is_letters(equation.kernel) || !is_letters(equation.output))
    return std::nullopt;
  return equation;
}

/// The shapes that follow from an equation and one input.
struct EinsumShapes {
  Dims output, kernel, bias;
  std::vector<std::size_t> input_axes, output_axes;  // of the kernel
};

class EinsumDenseLayer : public WithLora<Layer> {
 public:
  explicit EinsumDenseLayer(EinsumDenseOptions options)
      : WithLora(layer_settings("EinsumDense", options)), options_(std::move(options)) {
    const std::optional<EinsumEquation> equation = parse_equation(options_.equation);
    if (!equation.has_value())
      option_error("equation",
                   "must be of the form \"ab,bc->ac\", \"...ab,bc->...ac\" or \"ab...,bc->ac...\"",
                   fmt::format("\"{}\"", options_.equation));
    equation_ = *equation;
    if (!options_.output_shape.has_value()) option_error("output_shape is missing");
    output_shape_ = *options_.output_shape;
    for (const char axis : options_.bias_axes)
      if (equation_.output.find(axis) == std::string::npos)
        option_error("bias_axes", fmt::format("must be letters of the output \"{}\"", equation_.output),
                     fmt::format("\"{}\"", options_.bias_axes));
    check_letters();
    check_activation(options_.activation);
    check_initializer("kernel_initializer", options_.kernel_initializer);
    check_initializer("bias_initializer", options_.bias_initializer);
    check_regularizer("kernel_regularizer", options_.kernel_regularizer);
    check_regularizer("bias_regularizer", options_.bias_regularizer);
    check_constraint("kernel_constraint", options_.kernel_constraint);
    check_constraint("bias_constraint", options_.bias_constraint);
    set_lora_options(options_.lora_rank, options_.lora_alpha, options_.kernel_constraint.get() != nullptr);
    set_type_rule(options_.activation.keeps_type() ? TypeRule::kComputed : TypeRule::kNone);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return shapes_for(input_shape).output; }
  std::string activation_name() const override { return options_.activation.name(); }

 protected:
  void build(const Dims& input_shape) override {
    EinsumShapes shapes = shapes_for(input_shape);
    for (const Dims* shape : {&shapes.kernel, &shapes.bias})
      for (const std::int64_t extent : *shape)
        if (extent == kUnknown)
          invalid_argument(
              "[einsum_dense] an extent of the weights follows neither from the input's shape {} nor from "
              "output_shape = {}",
              shape_with_none_str(input_shape), shape_with_none_str(output_shape_));
    kernel_ =
        add_weight({.name = "kernel",
                    .shape = shapes.kernel,
                    .initializer = for_kernel_axes(options_.kernel_initializer, std::move(shapes.input_axes),
                                                   std::move(shapes.output_axes)),
                    .regularizer = options_.kernel_regularizer,
                    .constraint = options_.kernel_constraint});
    if (!options_.bias_axes.empty())
      bias_ = add_weight({.name = "bias",
                          .shape = shapes.bias,
                          .initializer = options_.bias_initializer,
                          .regularizer = options_.bias_regularizer,
                          .constraint = options_.bias_constraint});
    set_lora_weight(kernel_, options_.kernel_regularizer);
    set_input_spec({.ndim = static_cast<std::int64_t>(input_shape.size())});
  }

  void unbuild() override { set_input_spec({}); }

  Tensor call(const Tensor& input, const CallContext&) override {
    Tensor output = ops::einsum(options_.equation, {input, lora_weight()});
    if (bias_.defined()) output = output + bias_;
    return options_.activation(output);
  }

 private:
  void check_letters() const {
    const auto is_in = [](char letter, const std::string& letters) {
      return letters.find(letter) != std::string::npos;
    };
    for (const char letter : equation_.output)
      if (!is_in(letter, equation_.input) && !is_in(letter, equation_.kernel))
        option_error("equation",
                     fmt::format("must have its output's axis '{}' in the input or the kernel", letter),
                     fmt::format("\"{}\"", options_.equation));
    for (const char letter : equation_.kernel)
      if (!is_in(letter, equation_.input) && !is_in(letter, equation_.output))
        option_error("equation",
                     fmt::format("must have its kernel's axis '{}' in the input or the output", letter),
                     fmt::format("\"{}\"", options_.equation));
  }

  EinsumShapes shapes_for(const Dims& input) const {
    const bool has_dots = equation_.dots_left || equation_.dots_right;
    if (input.size() < equation_.input.size() || (!has_dots && input.size() != equation_.input.size()) ||
        input.empty())
      invalid_argument("[einsum_dense] the equation \"{}\" does not fit an input of shape {}",
                       options_.equation, shape_with_none_str(input));
    const std::size_t elided = input.size() - equation_.input.size();
    EinsumShapes shapes;
    shapes.output = full_output_shape(input, elided);
    const std::size_t named_from = equation_.dots_left ? elided : 0;
    if (shapes.output.size() != equation_.output.size() + elided)
      invalid_argument(
          "[einsum_dense] output_shape = {} does not have the axes of the output of \"{}\" but the batch",
          shape_with_none_str(output_shape_), options_.equation);
    const auto input_extent = [&](char letter) { return input[equation_.input.find(letter) + named_from]; };
    for (std::size_t i = 0; i < equation_.output.size(); ++i) {
      const char letter = equation_.output[i];
      if (equation_.input.find(letter) == std::string::npos) continue;
      std::int64_t& extent = shapes.output[i + named_from];
      const std::int64_t given = input_extent(letter);
      if (extent == kUnknown)
        extent = given;
      else if (given != kUnknown && given != extent)
        invalid_argument(
            "[einsum_dense] axis '{}' of \"{}\" is {} in the input's shape {} and {} in output_shape = {}",
            letter, options_.equation, given, shape_with_none_str(input), extent,
            shape_with_none_str(output_shape_));
    }
    const auto output_extent = [&](std::size_t at) { return shapes.output[at + named_from]; };
    for (std::size_t i = 0; i < equation_.kernel.size(); ++i) {
      const std::size_t at = equation_.output.find(equation_.kernel[i]);
      const bool is_output = at != std::string::npos;
      (is_output ? shapes.output_axes : shapes.input_axes).push_back(i);
      shapes.kernel.push_back(is_output ? output_extent(at) : input_extent(equation_.kernel[i]));
    }
    shapes.bias = bias_shape(output_extent, elided);
    return shapes;
  }

  /// The batch, output_shape, and the extents of the axes in "...".
  Dims full_output_shape(const Dims& input, std::size_t elided) const {
    Dims shape = {input[0]};
    const auto count = static_cast<std::ptrdiff_t>(elided);
    if (equation_.dots_left && elided > 0)
      shape.insert(shape.end(), input.begin() + 1, input.begin() + count);
    shape.insert(shape.end(), output_shape_.begin(), output_shape_.end());
    if (equation_.dots_right) shape.insert(shape.end(), input.end() - count, input.end());
    return shape;
  }

  /// The bias's extents from the first axis with a bias to the last; 1 for axes without.
  template <typename OutputExtent>
  Dims bias_shape(const OutputExtent& output_extent, std::size_t elided) const {
    Dims shape;
    if (options_.bias_axes.empty()) return shape;
    const auto has_bias = [&](char letter) { return options_.bias_axes.find(letter) != std::string::npos; };
    for (std::size_t i = 0; i < equation_.output.size(); ++i) {
      if (has_bias(equation_.output[i]))
        shape.push_back(output_extent(i));
      else if (!shape.empty())
        shape.push_back(1);
    }
    if (equation_.dots_right) shape.insert(shape.end(), elided, 1);
    return shape;
  }

  EinsumDenseOptions options_;
  EinsumEquation equation_;
  Dims output_shape_;
  Variable kernel_;
  Variable bias_;
};

}  // namespace

EinsumDense::EinsumDense(EinsumDenseOptions options)
    : LoraHandle(std::make_shared<EinsumDenseLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
