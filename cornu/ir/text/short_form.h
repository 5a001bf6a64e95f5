#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/ir/parse.h"
#include "cornu/ir/text/op_parts.h"

namespace cornu::inline v0::ir {

/// An op in MLIR's short form, which its read_short_form parses, beginning after the op's name. Only ops
/// whose short form has regions need one: the parser itself reads lists of operands, attributes and types.
class ShortForm : public text::OpParts {
 public:
  struct Argument {
    std::string_view name;  // "%arg0"
    TensorType type;
  };

  virtual ~ShortForm() = default;
  virtual text::Lexer& lexer() = 0;
  /// Reads "%x".
  virtual Value read_value() = 0;
  /// Reads "name = value" into `fields`.
  virtual void read_field() = 0;
  /// Reads "{a = 1}" into `fields` if present.
  virtual void read_fields() = 0;
  /// Reads ": types" into `result_types`, and checks the operands' if they are given.
  virtual void read_types() = 0;
  /// Reads "{ ops }" as the next region.
  virtual void read_region(std::span<const Argument> arguments) = 0;
  /// Reads an op's name.
  virtual const OpDef& read_op_name() = 0;
  /// Makes an op without attributes in a block; if its rule rejects it, the error is at this position of the
  /// text.
  virtual std::vector<Value> create(Block& block, const OpDef& op, std::vector<Value> inputs) = 0;
};

}  // namespace cornu::inline v0::ir
