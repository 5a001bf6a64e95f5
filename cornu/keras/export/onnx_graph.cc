#include <bit>

#include "cornu/base/check.h"
#include "cornu/io/proto_writer.h"
#include "cornu/keras/export/onnx_graph_support.h"
#include "cornu/version.h"

namespace cornu::inline v0::keras {
namespace {

using io::append_bytes_field;
using io::append_varint_field;

/// Kinds of values of AttributeProto.
enum AttributeType : std::uint8_t { kFloat = 1, kInt = 2, kString = 3, kGraph = 5, kInts = 7, kStrings = 8 };

std::string attribute(const char* name, AttributeType type, const std::string& value) {
  std::string message;
  append_bytes_field(message, 1, name);
  message += value;
  append_varint_field(message, 20, type);
  return message;
}

std::string value_info(const std::string& name, DType dtype, std::span<const OnnxGraph::Extent> shape) {
  std::string dims, tensor, type, message;
  for (const OnnxGraph::Extent& extent : shape) {
    std::string dim;
    if (extent.name.empty()) {
      append_varint_field(dim, 1, static_cast<std::uint64_t>(extent.value));
    } else {
      append_bytes_field(dim, 2, extent.name);
    }
    append_bytes_field(dims, 1, dim);
  }
  append_varint_field(tensor, 1, static_cast<std::uint64_t>(OnnxGraph::element_type(dtype)));
  append_bytes_field(tensor, 2, dims);
  append_bytes_field(type, 1, tensor);
  append_bytes_field(message, 1, name);
  append_bytes_field(message, 2, type);
  return message;
}

}  // namespace

int OnnxGraph::element_type(DType dtype) {
  switch (dtype) {
    case DType::kF32: return 1;
    case DType::kI8: return 3;
    case DType::kI32: return 6;
    case DType::kI64: return 7;
    case DType::kI1: return 9;
    default:
      fail(ErrorCode::kUnimplemented,
           "[export_model] ONNX files have tensors of float32, int8, int32, int64 and bool; got {}",
           ir::numpy_name(dtype));
  }
}

std::string OnnxGraph::next_name(const char* what) {
  return fmt::format("{}/{}_{}", scope_.empty() ? name_ : scope_, what, count_++);
}

void OnnxGraph::add_input(const std::string& name, DType dtype, std::span<const Extent> shape) {
  append_bytes_field(inputs_, 11, value_info(name, dtype, shape));
}

void OnnxGraph::add_output(const std::string& name, DType dtype, std::span<const Extent> shape) {
  append_bytes_field(outputs_, 12, value_info(name, dtype, shape));
}

std::string OnnxGraph::constant(const ir::Literal& literal, const std::string& name) {
  const std::string unique = name.empty() ? next_name("constant") : name;
  std::string message;
  for (const std::int64_t extent : literal.type().dims)
    append_varint_field(message, 1, static_cast<std::uint64_t>(extent));
  append_varint_field(message, 2, static_cast<std::uint64_t>(element_type(literal.type().dtype)));
  append_bytes_field(message, 8, unique);
  const std::span<const std::byte> bytes = literal.bytes();
  append_bytes_field(message, 9, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  append_bytes_field(initializers_, 5, message);
  return unique;
}

std::string OnnxGraph::floats(const std::vector<float>& values, const Dims& shape) {
  return constant(ir::Literal::of<float>(shape, std::span(values)));
}

std::string OnnxGraph::integers(const std::vector<std::int64_t>& values) {
  return constant(
      ir::Literal::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, std::span(values)));
}

OnnxGraph::Attributes& OnnxGraph::Attributes::number(const char* name, double value) {
  std::string field;
  io::append_varint(field, 2U << 3 | 5U);
  io::append_little_endian(field, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  messages_.push_back(attribute(name, kFloat, field));
  return *this;
}

OnnxGraph::Attributes& OnnxGraph::Attributes::integer(const char* name, std::int64_t value) {
  std::string field;
  append_varint_field(field, 3, static_cast<std::uint64_t>(value));
  messages_.push_back(attribute(name, kInt, field));
  return *this;
}

OnnxGraph::Attributes& OnnxGraph::Attributes::integers(const char* name,
                                                       std::span<const std::int64_t> values) {
  std::string fields;
  for (const std::int64_t value : values) append_varint_field(fields, 8, static_cast<std::uint64_t>(value));
  messages_.push_back(attribute(name, kInts, fields));
  return *this;
}

OnnxGraph::Attributes& OnnxGraph::Attributes::text(const char* name, const std::string& value) {
  std::string field;
  append_bytes_field(field, 4, value);
  messages_.push_back(attribute(name, kString, field));
  return *this;
}

OnnxGraph::Attributes& OnnxGraph::Attributes::texts(const char* name,
                                                    const std::vector<std::string>& values) {
  std::string fields;
  for (const std::string& value : values) append_bytes_field(fields, 9, value);
  messages_.push_back(attribute(name, kStrings, fields));
  return *this;
}

OnnxGraph::Attributes& OnnxGraph::Attributes::body(const char* name, const OnnxGraph& graph) {
  std::string field;
  append_bytes_field(field, 6, graph.message());
  messages_.push_back(attribute(name, kGraph, field));
  return *this;
}

OnnxGraph OnnxGraph::body() {
  OnnxGraph made(next_name("body"));
  return made;
}

void OnnxGraph::add_node(const char* op, const std::string& name, const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs, const Attributes& attributes) {
  std::string message;
  for (const std::string& input : inputs) append_bytes_field(message, 1, input);
  for (const std::string& output : outputs) append_bytes_field(message, 2, output);
  append_bytes_field(message, 3, name);
  append_bytes_field(message, 4, op);
  for (const std::string& each : attributes.messages()) append_bytes_field(message, 5, each);
  append_bytes_field(nodes_, 1, message);
}

std::string OnnxGraph::node(const char* op, const std::vector<std::string>& inputs,
                            const Attributes& attributes, int output, int num_outputs) {
  const std::string name = next_name(op);
  std::vector<std::string> outputs(static_cast<std::size_t>(num_outputs));
  outputs[static_cast<std::size_t>(output)] = name;
  add_node(op, name, inputs, outputs, attributes);
  return name;
}

std::vector<std::string> OnnxGraph::outputs_of(const char* op, const std::vector<std::string>& inputs,
                                               const Attributes& attributes, int num_outputs) {
  std::vector<std::string> outputs;
  for (int i = 0; i < num_outputs; ++i) outputs.push_back(next_name(op));
  add_node(op, outputs[0], inputs, outputs, attributes);
  return outputs;
}

void OnnxGraph::rename(const std::string& value, const std::string& name) {
  add_node("Identity", name, {value}, {name}, {});
}

std::string OnnxGraph::message() const {
  std::string graph = nodes_;
  append_bytes_field(graph, 2, name_);
  return graph + initializers_ + inputs_ + outputs_;
}

std::string OnnxGraph::model(int opset) const {
  std::string file, operators;
  const std::string graph = message();
  append_varint_field(file, 1, kIrVersion);
  append_bytes_field(file, 2, "cornu");
  append_bytes_field(file, 3, CORNU_VERSION_STRING);
  append_bytes_field(file, 7, graph);
  append_bytes_field(operators, 1, "");
  append_varint_field(operators, 2, static_cast<std::uint64_t>(opset));
  append_bytes_field(file, 8, operators);
  constexpr std::size_t kLargest = (std::size_t{1} << 31) - 1;
  if (file.size() > kLargest)
    fail(ErrorCode::kResourceExhausted,
         "[export_model] the model has {} bytes; an ONNX file holds at most {}: export it as StableHLO",
         file.size(), kLargest);
  return file;
}

}  // namespace cornu::inline v0::keras
