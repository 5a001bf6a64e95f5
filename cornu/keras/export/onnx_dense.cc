#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/export/onnx_export_support.h"
#include "cornu/keras/layers/operations/operation.h"
#include "cornu/keras/quantizers/quantizers_support.h"
#include "cornu/tensor/ops.h"

/// Dense layers, tables and masks in ONNX.
namespace cornu::inline v0::keras {
namespace {

using Attributes = OnnxGraph::Attributes;

std::string cast_to(OnnxGraph& graph, const std::string& x, DType dtype) {
  return graph.node("Cast", {x}, Attributes().integer("to", OnnxGraph::element_type(dtype)));
}

/// x . kernel of int8: each row of x becomes int8 by its largest absolute value, the products are sums of int32.
/// Source: keras.layers.Dense of the mode int8.
std::string int8_product(const OnnxCall& c, const std::string& x, const Variable& kernel) {
  OnnxGraph& graph = c.graph();
  constexpr double kLargest = 127, kLeast = 1e-7;
  const Tensor scale(onnx_weight(c.layer, "kernel_scale").read());
  const std::string largest = graph.node("ReduceMax", {graph.node("Abs", {x}), graph.integers({-1})});
  const std::string positive = graph.node("Add", {largest, onnx_scalar(graph, kLeast)});
  const std::string factor = graph.node("Div", {onnx_scalar(graph, kLargest), positive});
  const std::string rounded = graph.node("Round", {graph.node("Mul", {x, factor})});
  const std::string clipped =
      graph.node("Clip", {rounded, onnx_scalar(graph, -kLargest), onnx_scalar(graph, kLargest)});
  const std::string integers = cast_to(graph, clipped, DType::kI8);
  const std::string sums =
      graph.node("MatMulInteger", {integers, onnx_constant(graph, Tensor(kernel.read()))});
  const std::string divisor = graph.node("Mul", {factor, onnx_constant(graph, ops::ravel(scale))});
  return graph.node("Div", {cast_to(graph, sums, DType::kF32), divisor});
}

/// A kernel of four bits, or of GPTQ or AWQ, as floats.
Tensor dequantized_kernel(const OnnxCall& c) {
  const auto value = [&](const char* name) {
    const Variable variable = onnx_weight(c.layer, name);
    return variable.defined() ? Tensor(variable.read()) : Tensor();
  };
  const DTypePolicy policy = c.layer.dtype_policy();
  const std::int64_t columns = c.config.at("units").as_integer();
  const Tensor kernel = value("kernel"), scale = value("kernel_scale"), zero = value("kernel_zero");
  if (policy.quantization_mode() == QuantizationMode::kInt4) {
    const Tensor integers = quantizers::unpack_int4(kernel, columns, {.axis = -1});
    return zero.defined() ? quantizers::dequantize_by_groups(integers, scale, zero, value("g_idx"), 0)
                          : ops::cast(integers, DType::kF32) / scale;
  }
  const Tensor integers = policy.weight_bits() == 4
                              ? quantizers::unpack_int4(kernel, columns, {.axis = 0, .dtype = DType::kU8})
                              : kernel;
  Tensor floats = quantizers::dequantize_by_groups(integers, scale, zero, value("g_idx"), -1);
  if (policy.quantization_mode() == QuantizationMode::kAwq) floats = floats / value("awq_scales");
  return ops::transpose(floats);
}

std::vector<OnnxValue> dense(const OnnxCall& c) {
  const Variable kernel = onnx_weight(c.layer, "kernel");
  const std::string x = c.to.last(c.x());
  const QuantizationMode mode = c.layer.dtype_policy().quantization_mode();
  std::string y;
  if (mode == QuantizationMode::kInt8) {
    y = int8_product(c, x, kernel);
  } else if (mode != QuantizationMode::kNone && mode != QuantizationMode::kFloat8) {
    y = c.graph().node("MatMul", {x, onnx_constant(c.graph(), dequantized_kernel(c))});
  } else {
    y = c.graph().node("MatMul", {x, onnx_constant(c.graph(), c.weight("kernel"))});
  }
  if (const Tensor bias = c.weight("bias"); bias.defined())
    y = c.graph().node("Add", {y, onnx_constant(c.graph(), bias)});
  return {c.to.activated(c.to.made_last(c.rank(), y), c.config.at("activation"), c.layer)};
}

/// An equation without "...", whose axes get letters that it does not use. `rank`: that of the inputs.
std::string without_ellipsis(const std::string& equation, std::int64_t rank) {
  const auto arrow = equation.find("->"), comma = equation.find(',');
  const std::string inputs = equation.substr(0, comma);
  constexpr std::string_view kEllipsis = "...";
  if (inputs.find(kEllipsis) == std::string::npos) return equation;
  const auto num_axes = static_cast<std::size_t>(rank) - (inputs.size() - kEllipsis.size());
  std::string letters;
  for (char letter = 'a'; letters.size() < num_axes && letter <= 'z'; ++letter)
    if (equation.find(letter) == std::string::npos) letters += letter;
  const auto replaced = [&](std::string part) {
    const auto place = part.find(kEllipsis);
    return place == std::string::npos ? part : part.replace(place, kEllipsis.size(), letters);
  };
  return replaced(inputs) + equation.substr(comma, arrow - comma) + replaced(equation.substr(arrow));
}

std::vector<OnnxValue> einsum_dense(const OnnxCall& c) {
  const QuantizationMode mode = c.layer.dtype_policy().quantization_mode();
  c.require(mode == QuantizationMode::kNone || mode == QuantizationMode::kFloat8, "has a quantized kernel");
  const std::string equation = without_ellipsis(c.config.at("equation").as_string(), c.rank());
  std::string y = c.graph().node("Einsum", {c.to.last(c.x()), onnx_constant(c.graph(), c.weight("kernel"))},
                                 Attributes().text("equation", equation));
  if (const Tensor bias = c.weight("bias"); bias.defined())
    y = c.graph().node("Add", {y, onnx_constant(c.graph(), bias)});
  const auto rank = static_cast<std::int64_t>(equation.size() - equation.find("->") - 2);
  return {c.to.activated(c.to.made_last(rank, y), c.config.at("activation"), c.layer)};
}

std::vector<OnnxValue> embedding(const OnnxCall& c) {
  OnnxGraph& graph = c.graph();
  const std::string ids = cast_to(graph, c.to.last(c.x()), DType::kI64);
  const Variable table = onnx_weight(c.layer, "embeddings");
  const auto rows_of = [&](const Tensor& values) {
    return graph.node("Gather", {onnx_constant(graph, values), ids});
  };
  std::string y;
  if (table.dtype() == DType::kI8) {
    c.require(c.layer.dtype_policy().quantization_mode() == QuantizationMode::kInt8,
              "has weights of four bits");
    const Tensor scale(onnx_weight(c.layer, "embeddings_scale").read());
    const std::string divisor = graph.node("Unsqueeze", {rows_of(ops::ravel(scale)), graph.integers({-1})});
    y = graph.node("Div", {cast_to(graph, rows_of(Tensor(table.read())), DType::kF32), divisor});
  } else {
    y = rows_of(c.weight("embeddings"));
  }
  OnnxValue result = c.to.made_last(c.rank() + 1, y);
  if (c.config.at("mask_zero").as_bool())
    result.mask = graph.node("Not", {graph.node("Equal", {ids, onnx_integer(graph, 0)})});
  return {result};
}

/// Steps all of whose features are the mask value do not count.
std::vector<OnnxValue> masking(const OnnxCall& c) {
  OnnxGraph& graph = c.graph();
  const Config& value = c.config.at("mask_value");
  c.require(value.is_number(), "has a mask_value that is no number");
  const std::string x = c.to.last(c.x());
  const std::string same =
      cast_to(graph, graph.node("Equal", {x, onnx_scalar(graph, value.as_number())}), DType::kI32);
  const std::string all =
      graph.node("ReduceMin", {same, graph.integers({-1})}, Attributes().integer("keepdims", 1));
  const std::string is_masked = cast_to(graph, all, DType::kI1);
  OnnxValue result = c.to.made_last(c.rank(), graph.node("Where", {is_masked, onnx_scalar(graph, 0), x}));
  result.mask = graph.node("Not", {graph.node("Squeeze", {is_masked, graph.integers({-1})})});
  return {result};
}

// The operations by which Keras's files make masks.

/// x1 == x2 of two tensors, or of a tensor and a number.
std::string equal(const OnnxCall& c) {
  OnnxGraph& graph = c.graph();
  const std::string x = c.to.last(c.x());
  if (c.inputs.size() == 2) return graph.node("Equal", {x, c.to.last(c.inputs[1])});
  const auto& operation = dynamic_cast<const layers::Operation&>(c.layer);
  for (const Config& argument : operation.arguments().args.as_list())
    if (argument.is_number()) {
      const Tensor number = ops::cast(Tensor(argument.as_number()), c.node.inputs[0].dtype());
      return graph.node("Equal", {x, onnx_constant(graph, number)});
    }
  for (const Tensor& tensor : operation.arguments().tensors)
    if (tensor.defined() && tensor.num_elements() == 1)
      return graph.node("Equal", {x, onnx_constant(graph, ops::cast(tensor, c.node.inputs[0].dtype()))});
  c.refuse("compares with a constant that is no single number");
}

std::vector<OnnxValue> not_equal(const OnnxCall& c) {
  return {c.to.made_last(c.rank(), c.graph().node("Not", {equal(c)}))};
}

std::vector<OnnxValue> any(const OnnxCall& c) {
  const Config* axis = c.config.find("axis");
  c.require(axis != nullptr && axis->is_number() &&
                (axis->as_integer() == -1 || axis->as_integer() == c.rank() - 1),
            "is over other axes than the last");
  c.require(!c.config.at("keepdims").as_bool(), "keeps the axis");
  const std::string largest = c.graph().node(
      "ReduceMax", {cast_to(c.graph(), c.to.last(c.x()), DType::kI32), c.graph().integers({-1})},
      Attributes().integer("keepdims", 0));
  return {c.to.made_last(c.rank() - 1, cast_to(c.graph(), largest, DType::kI1))};
}

std::vector<OnnxValue> both_masks(const OnnxCall& c, const char* op) {
  c.require(c.inputs.size() == 2, "has a constant");
  return {c.to.made_last(c.rank(), c.graph().node(op, {c.to.last(c.inputs[0]), c.to.last(c.inputs[1])}))};
}
std::vector<OnnxValue> logical_and(const OnnxCall& c) { return both_masks(c, "And"); }
std::vector<OnnxValue> logical_or(const OnnxCall& c) { return both_masks(c, "Or"); }

/// A mask argument of a call, as an operation of the graph.
std::vector<OnnxValue> with_mask(const OnnxCall& c) {
  OnnxValue result = c.x();
  result.mask = cast_to(c.graph(), c.to.last(c.inputs[1]), DType::kI1);
  return {result};
}

constexpr OnnxTranslation kDenseLayers[] = {
    {"Any", any, true},
    {"Dense", dense},
    {"EinsumDense", einsum_dense},
    {"Embedding", embedding, true},
    {"LogicalAnd", logical_and, true},
    {"LogicalOr", logical_or, true},
    {"Masking", masking, true},
    {"NotEqual", not_equal, true},
    {"WithMask", with_mask, true},
};

}  // namespace

std::span<const OnnxTranslation> onnx_dense_layers() { return kDenseLayers; }

}  // namespace cornu::inline v0::keras
