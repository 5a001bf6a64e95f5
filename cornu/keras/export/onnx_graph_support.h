#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/ir/literal.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// A graph in ONNX's form, written as protobuf. Source: onnx.proto of ONNX 1.14 (IR version 8).
class OnnxGraph {
 public:
  static constexpr int kIrVersion = 8;

  explicit OnnxGraph(std::string name) : name_(std::move(name)) {}

  /// An extent: a number, or a name for an open one.
  struct Extent {
    std::int64_t value = 0;
    std::string name = {};
  };
  void add_input(const std::string& name, DType dtype, std::span<const Extent> shape);
  void add_output(const std::string& name, DType dtype, std::span<const Extent> shape);

  /// A constant; returns its name.
  std::string constant(const ir::Literal& literal, const std::string& name = {});
  std::string floats(const std::vector<float>& values, const Dims& shape);
  std::string integers(const std::vector<std::int64_t>& values);

  class Attributes {
   public:
    Attributes& number(const char* name, double value);
    Attributes& integer(const char* name, std::int64_t value);
    Attributes& integers(const char* name, std::span<const std::int64_t> values);
    Attributes& text(const char* name, const std::string& value);
    Attributes& texts(const char* name, const std::vector<std::string>& values);
    /// The body of a loop.
    Attributes& body(const char* name, const OnnxGraph& graph);
    const std::vector<std::string>& messages() const { return messages_; }

   private:
    std::vector<std::string> messages_;
  };
  /// Adds a node; an empty input is absent. Returns the name of the output that is in use, `output` of several.
  std::string node(const char* op, const std::vector<std::string>& inputs, const Attributes& attributes = {},
                   int output = 0, int num_outputs = 1);
  /// The same for a node all of whose outputs are in use.
  std::vector<std::string> outputs_of(const char* op, const std::vector<std::string>& inputs,
                                      const Attributes& attributes, int num_outputs);
  const std::string& name() const { return name_; }
  /// An empty graph for the body of a loop, whose nodes may also read the values of this graph.
  OnnxGraph body();
  /// Names that follow nodes begin with this.
  void set_scope(std::string scope) { scope_ = std::move(scope); }
  /// Gives `value` the name of an output.
  void rename(const std::string& value, const std::string& name);

  /// The file. Errors: ResourceExhausted beyond protobuf's 2 GiB.
  std::string model(int opset) const;

  /// ONNX's number of a dtype. Errors: Unimplemented for one that it lacks.
  static int element_type(DType dtype);

 private:
  std::string next_name(const char* what);
  void add_node(const char* op, const std::string& name, const std::vector<std::string>& inputs,
                const std::vector<std::string>& outputs, const Attributes& attributes);
  /// GraphProto.
  std::string message() const;

  std::string name_, scope_;
  std::string nodes_, initializers_, inputs_, outputs_;
  std::int64_t count_ = 0;
};

}  // namespace cornu::inline v0::keras
