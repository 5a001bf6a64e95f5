#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ir/parse.h"
#include "cornu/ir/text/op_parts.h"

namespace cornu::inline v0::ir::text {

/// Makes ops from their parts by their definitions; shared by the readers of text and of bytecode.
///
/// Errors: those of the definition's attributes and shape rule, at the op's position.
class OpMaker {
 public:
  OpMaker(const Source& source, FindOp find, ReadBudget& budget)
      : source_(source), find_op_(find), budget_(budget) {}

  /// Errors: Unimplemented for a name that Cornu does not have.
  const OpDef& find_op(std::string_view name, std::size_t position) const;

  /// Makes an op that is neither a call nor a composite.
  std::vector<Value> make(Builder& builder, OpParts& parts) const;
  /// Makes a composite; empty if Cornu does not have it, so that its decomposition takes its place.
  std::optional<std::vector<Value>> make_composite(Builder& builder, const OpParts& parts) const;
  std::vector<Value> create(Builder& builder, const OpDef& op, std::vector<Value> inputs,
                            Attributes attributes, std::vector<std::unique_ptr<Block>> blocks,
                            std::size_t position) const;

  /// An attribute of a kind. Errors: InvalidArgument if it is missing.
  const Syntax& field(const OpParts& parts, std::string_view name, SyntaxKind kind) const;
  /// Errors: InvalidArgument if the results do not have the types that the op declares.
  void check_results(const OpParts& parts, std::span<const Value> results) const;

 private:
  /// Throws an error that names the target.
  [[noreturn]] void fail_custom_call(const OpParts& parts) const;
  /// Runs the definition's expand; empty if it builds nothing.
  std::vector<Value> expand(Builder& builder, const OpDef& op, const OpParts& parts,
                            const Attributes& attributes) const;
  void add_result_dims(OpParts& parts) const;
  void count_lists(const OpParts& parts, std::size_t num_attributes) const;

  const Source& source_;
  FindOp find_op_;
  ReadBudget& budget_;
};

}  // namespace cornu::inline v0::ir::text
