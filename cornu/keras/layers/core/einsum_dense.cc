#include "cornu/keras/layers/core/einsum_dense.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/core/axes_initializer_support.h"
#include "cornu/keras/layers/core/calibration_support.h"
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

/// `x`, whose axes are the letters `from`, with the axes `to`; those that only one has are of extent 1.
Tensor aligned(Tensor x, const std::string& from, const std::string& to) {
  std::vector<std::int64_t> removed, added, order;
  std::string kept;
  for (std::size_t d = 0; d < from.size(); ++d) {
    if (to.find(from[d]) == std::string::npos)
      removed.push_back(static_cast<std::int64_t>(d));
    else
      kept += from[d];
  }
  for (std::size_t d = 0; d < to.size(); ++d) {
    const std::size_t at = kept.find(to[d]);
    if (at == std::string::npos)
      added.push_back(static_cast<std::int64_t>(d));
    else
      order.push_back(static_cast<std::int64_t>(at));
  }
  if (!removed.empty()) x = ops::squeeze(x, {.axis = removed});
  if (!std::is_sorted(order.begin(), order.end())) x = ops::transpose(x, order);
  return added.empty() ? x : ops::expand_dims(x, added);
}

class EinsumDenseLayer : public WithCalibration<Layer> {
 public:
  explicit EinsumDenseLayer(EinsumDenseOptions options)
      : WithCalibration(layer_settings("EinsumDense", options)), options_(std::move(options)) {
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
    set_quantization_option(options_.quantization_config);
    set_type_rule(options_.activation.keeps_type() ? TypeRule::kComputed : TypeRule::kNone);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return shapes_for(input_shape).output; }
  std::string activation_name() const override { return options_.activation.name(); }

  void quantize(const std::shared_ptr<QuantizationConfig>& config) override {
    check_may_quantize(*config);
    if (config->mode() == QuantizationMode::kFloat8) {
      become_quantized(config);
      float8_ = add_float8_weights();
      return;
    }
    const Tensor kernel = weight_on_host(kernel_);
    kernel_shape_ = kernel_.shape();
    const QuantizedValues values = config->mode() == QuantizationMode::kInt8
                                       ? int8_kernel(kernel, config.get())
                                       : int4_kernel(kernel, config->block_size().value_or(0));
    remove_weight(kernel_);
    kernel_ = Variable();
    become_quantized(config);
    add_quantized_kernel(values);
    set_quantized_lora_weight(quantized_.values, kernel_shape_);
  }

  bool is_merged(const Variable& variable) const override {
    return is_quantized() ? quantized_.contains(variable) : WithLora::is_merged(variable);
  }
  std::vector<std::pair<Variable, Tensor>> merged_values() const override {
    if (!is_quantized()) return WithLora::merged_values();
    const EagerScope outside_of_traces;
    const cornu::detail::HostScope on_host;
    const Tensor sum =
        lora_sum(float_kernel(quantized_kernel(), kernel_shape_, kernel_letters(), variable_dtype()),
                 Tensor(lora()->a), Tensor(lora()->b), lora()->factor);
    return merged_with(quantized_, is_int4() ? int4_kernel(sum, block_size()) : int8_kernel(sum, nullptr));
  }

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
    input_rank_ = input_shape.size();
    kernel_shape_ = shapes.kernel;
    if (is_float8()) float8_ = add_float8_weights();
    if (is_quantized())
      add_quantized_kernel({});
    else if (!is_calibrated())
      kernel_ = add_weight(
          {.name = "kernel",
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
    if (is_calibrated()) add_calibrated_kernel(kernel_shape_, {});
    if (is_quantized()) set_quantized_lora_weight(quantized_.values, kernel_shape_);
    set_lora_weight(is_quantized() ? quantized_.values : kernel_, options_.kernel_regularizer);
    set_input_spec({.ndim = static_cast<std::int64_t>(input_shape.size())});
  }

  void unbuild() override { set_input_spec({}); }

  Tensor call(const Tensor& input, const CallContext& context) override {
    observe(input);
    Tensor output = is_float8()       ? float8_product(input, context.training && !sees_types_only())
                    : is_quantized()  ? quantized_product(input)
                    : is_calibrated() ? calibrated_product(input)
                                      : ops::einsum(options_.equation, {input, lora_weight()});
    if (bias_.defined()) output = output + (is_float8() ? float8_bias(bias_) : Tensor(bias_));
    return options_.activation(output);
  }

  std::vector<Variable> weights_in_file_order() const override {
    if (is_float8()) return float8_.in_file_order(kernel_, bias_);
    if (is_calibrated()) return calibrated_in_file_order(bias_);
    return is_quantized() ? quantized_.in_file_order(bias_) : std::vector<Variable>();
  }

  const Variable& float_kernel() const override { return kernel_; }

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

  /// The letters of the axes of the input and the output, with digits for those in "...".
  std::string with_dots(const std::string& letters) const {
    std::string dots;
    for (std::size_t d = equation_.input.size(); d < input_rank_; ++d)
      dots += static_cast<char>('0' + (d - equation_.input.size()));
    return equation_.dots_left ? dots + letters : letters + dots;
  }
  struct Letters {
    std::string kernel, output;
  };
  Letters kernel_letters() const { return {equation_.kernel, with_dots(equation_.output)}; }

  /// The axes over which letters are summed: those that the output does not have.
  std::vector<std::int64_t> summed_axes(const std::string& letters) const {
    std::vector<std::int64_t> axes;
    for (std::size_t d = 0; d < letters.size(); ++d)
      if (with_dots(equation_.output).find(letters[d]) == std::string::npos)
        axes.push_back(static_cast<std::int64_t>(d));
    return axes;
  }

  QuantizedValues int8_kernel(const Tensor& kernel, const QuantizationConfig* config) const {
    QuantizedValues values = int8_values(kernel, config, summed_axes(equation_.kernel));
    values.scale = aligned(values.scale, equation_.kernel, with_dots(equation_.output));
    return values;
  }
  /// The kernel as a matrix: Keras takes the elements in their order, wherever the summed axes are.
  Dims matrix_shape() const {
    const std::vector<std::int64_t> summed = summed_axes(equation_.kernel);
    Dims shape = {1, 1};
    for (std::size_t d = 0; d < kernel_shape_.size(); ++d)
      shape[std::find(summed.begin(), summed.end(), static_cast<std::int64_t>(d)) == summed.end() ? 1 : 0] *=
          kernel_shape_[d];
    return shape;
  }
  /// Keras does not use the weight quantizer here.
  QuantizedValues int4_kernel(const Tensor& kernel, std::int64_t block_size) const {
    return int4_values(ops::reshape(kernel, matrix_shape()), nullptr, block_size);
  }

  void add_quantized_kernel(const QuantizedValues& values) {
    const Dims matrix = matrix_shape();
    if (is_int4()) {
      quantized_ = add_quantized_weights("kernel", int4_form(matrix[0], matrix[1], block_size()), values);
      return;
    }
    QuantizedForm form{.values = kernel_shape_};
    for (const char letter : with_dots(equation_.output)) {
      const std::size_t at = equation_.kernel.find(letter);
      form.scale.push_back(at == std::string::npos ? 1 : kernel_shape_[at]);
    }
    quantized_ = add_quantized_weights("kernel", form, values);
  }

  QuantizedTensors quantized_kernel() const { return {quantized_, is_int4() ? matrix_shape()[1] : 0}; }

  /// The kernel as floats. Static, as gradient functions may outlive the layer.
  static Tensor float_kernel(const QuantizedTensors& kernel, const Dims& shape, const Letters& letters,
                             DType dtype) {
    if (kernel.packed_columns > 0) return ops::reshape(kernel.floats(dtype), shape);
    const Tensor scale = aligned(kernel.scale, letters.output, letters.kernel);
    return ops::cast(kernel.values, dtype) / ops::cast(scale, dtype);
  }

  Tensor float8_product(const Tensor& input, bool training) const {
    const Tensor product = ops::einsum(
        options_.equation,
        {float8_operand(input, float8_.inputs, training), float8_operand(kernel_, float8_.kernel, training)});
    return with_float8_gradient(product, float8_.outputs_grad, training);
  }

  Tensor quantized_product(const Tensor& input) const {
    const DType dtype = compute_dtype();
    const QuantizedTensors kernel = quantized_kernel();
    const auto floats = [kernel, dtype, shape = kernel_shape_, letters = kernel_letters()] {
      return float_kernel(kernel, shape, letters, dtype);
    };
    const Tensor product = with_input_gradient(
        input, [&](const Tensor& x) { return product_of(x, kernel, floats); },
        [floats, equation = gradient_equation()](const Tensor& dy) {
          return ops::einsum(equation, {dy, floats()});
        });
    return with_lora_product(product,
                             [&](const Tensor& a) { return ops::einsum(options_.equation, {input, a}); });
  }
  Tensor calibrated_product(const Tensor& input) const {
    const auto floats = [kernel = calibrated_kernel(), shape = kernel_shape_, dtype = compute_dtype()] {
      return ops::reshape(ops::transpose(kernel.floats(dtype)), shape);
    };
    return with_input_gradient(
        input, [&](const Tensor& x) { return ops::einsum(options_.equation, {x, floats()}); },
        [floats, equation = gradient_equation()](const Tensor& dy) {
          return ops::einsum(equation, {dy, floats()});
        });
  }
  /// Keras multiplies integers for int8 only: kernels of int4 become floats first.
  template <typename Floats>
  Tensor product_of(const Tensor& x, const QuantizedTensors& kernel, const Floats& floats) const {
    const std::string& equation = options_.equation;
    const std::shared_ptr<Quantizer> quantizer = activation_quantizer(!is_int4());
    if (is_int4() && (quantizer == nullptr || kernel.zero_point.defined()))
      return is_matrix_product() ? matrix_product(x, kernel) : ops::einsum(equation, {x, floats()});
    if (quantizer == nullptr)
      return ops::einsum(equation, {x, ops::cast(kernel.values, x.dtype())}) / kernel.scale;
    const std::string letters = with_dots(equation_.input);
    const quantizers::QuantizedTensor rows = (*quantizer)(x, ops::Axes(summed_axes(letters)));
    const Tensor scale = aligned(rows.scale, letters, with_dots(equation_.output));
    if (is_int4()) return ops::einsum(equation, {ops::cast(rows.values, x.dtype()), floats()}) / scale;
    return ops::cast(ops::einsum(equation, {rows.values, kernel.values}), x.dtype()) / (scale * kernel.scale);
  }

  /// True if the last axes of the input are the first ones of the kernel, whose others are the last of the output.
  bool is_matrix_product() const {
    const std::size_t summed = summed_axes(equation_.kernel).size();
    const std::string free = equation_.kernel.substr(summed), contracted = equation_.kernel.substr(0, summed);
    return !equation_.dots_right && equation_.input.ends_with(contracted) &&
           equation_.output == equation_.input.substr(0, equation_.input.size() - contracted.size()) + free;
  }
  /// x . kernel of four bits.
  Tensor matrix_product(const Tensor& x, const QuantizedTensors& kernel) const {
    const Dims matrix = matrix_shape();
    const auto summed = static_cast<std::ptrdiff_t>(summed_axes(equation_.kernel).size());
    Dims dims(x.shape().begin(), x.shape().end() - summed), flat = dims;
    flat.push_back(matrix[0]);
    dims.insert(dims.end(), kernel_shape_.begin() + summed, kernel_shape_.end());
    return ops::reshape(quantized_matmul(ops::reshape(x, flat), kernel, matrix[1], nullptr), dims);
  }

  /// The gradient for the input from that of the output and the kernel.
  std::string gradient_equation() const {
    const char* const left = equation_.dots_left ? "..." : "";
    const char* const right = equation_.dots_right ? "..." : "";
    return left + equation_.output + right + "," + equation_.kernel + "->" + left + equation_.input + right;
  }

  EinsumDenseOptions options_;
  EinsumEquation equation_;
  Dims output_shape_;
  Dims kernel_shape_;
  std::size_t input_rank_ = 0;
  Variable kernel_;  // undefined if it is of integers
  QuantizedWeights quantized_;
  Float8State float8_;
  Variable bias_;
};

}  // namespace

EinsumDense::EinsumDense(EinsumDenseOptions options)
    : LoraHandle(std::make_shared<EinsumDenseLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
