#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/ir/attribute.h"
#include "cornu/ir/type.h"

/// The graph: a Module contains Functions, a Function a Block, a Block Ops in execution order, an Op
/// operands, attributes and regions (Blocks). Static single assignment; a region may use values of enclosing
/// blocks.
namespace cornu::inline v0::ir {

class Op;
class Block;
struct OpDef;

namespace detail {
struct ValueNode {
  TensorType type;
  Op* op = nullptr;        // the op that defines it; null for a block argument
  Block* block = nullptr;  // the block that contains it
  int index = 0;           // index of the result or argument
};
}  // namespace detail

/// A handle to an SSA value: an op's result or a block's argument. Cheap to copy; valid as long as its block.
/// A default-constructed Value is empty (false) and means "none", e.g. a gradient that is zero.
class Value {
 public:
  Value() = default;
  explicit Value(detail::ValueNode* node) : node_(node) {}

  const TensorType& type() const { return node_->type; }
  const Dims& dims() const { return node_->type.dims; }
  DType dtype() const { return node_->type.dtype; }
  std::int64_t rank() const { return node_->type.rank(); }
  Op* op() const { return node_->op; }
  Block* block() const { return node_->block; }
  int index() const { return node_->index; }

  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const Value&) const = default;
  const void* id() const { return node_; }

 private:
  detail::ValueNode* node_ = nullptr;
};

struct ValueHash {
  std::size_t operator()(const Value& v) const { return std::hash<const void*>()(v.id()); }
};

/// A straight list of ops with arguments and results; a function's body or an op's region.
class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block();

  Value add_argument(TensorType type);
  std::span<const Value> arguments() const { return arguments_; }

  std::span<const std::unique_ptr<Op>> ops() const { return ops_; }
  /// Appends an op; used by Builder, which checks it first.
  Op& append(std::unique_ptr<Op> op);

  /// The block's results (StableHLO's return). Set once, at the end of building.
  std::span<const Value> results() const { return results_; }
  void set_results(std::vector<Value> results) { results_ = std::move(results); }

  /// The op whose region this is; null for a function's body.
  Op* parent() const { return parent_; }

 private:
  friend class Op;
  std::deque<detail::ValueNode> argument_nodes_;
  std::vector<Value> arguments_;
  std::vector<std::unique_ptr<Op>> ops_;
  std::vector<Value> results_;
  Op* parent_ = nullptr;
};

/// One operation. Made by Builder::create, which has checked it against its definition.
class Op {
 public:
  Op(const OpDef& def, std::vector<Value> operands, Attributes attributes,
     std::vector<std::unique_ptr<Block>> regions, std::vector<TensorType> result_types);
  Op(const Op&) = delete;
  Op& operator=(const Op&) = delete;

  const OpDef& def() const { return *def_; }
  std::string_view name() const;
  std::span<const Value> operands() const { return operands_; }
  Value operand(std::size_t i) const { return operands_[i]; }
  std::span<const Value> results() const { return results_; }
  Value result(std::size_t i = 0) const { return results_[i]; }
  const Attributes& attributes() const { return attributes_; }
  std::span<const std::unique_ptr<Block>> regions() const { return regions_; }
  Block& region(std::size_t i) const { return *regions_[i]; }
  Block* block() const { return block_; }

  /// Origin of the op, for messages: a layer's name such as "dense_1"; may be empty.
  const std::string& location() const { return location_; }
  void set_location(std::string location) { location_ = std::move(location); }

 private:
  friend class Block;
  const OpDef* def_;
  std::vector<Value> operands_;
  Attributes attributes_;
  std::vector<std::unique_ptr<Block>> regions_;
  std::deque<detail::ValueNode> result_nodes_;
  std::vector<Value> results_;
  Block* block_ = nullptr;
  std::string location_;
};

/// A named function; its signature is its body's arguments and results.
struct Function {
  std::string name;
  Block body;
};

/// A group of functions. `main` is the entry; composites are ops, whose decompositions are made on demand.
struct Module {
  std::vector<std::unique_ptr<Function>> functions;

  Function& add_function(std::string name);
  /// Null when absent.
  Function* find(std::string_view name) const;
};

}  // namespace cornu::inline v0::ir
