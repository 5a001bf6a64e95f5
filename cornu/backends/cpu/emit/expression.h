#pragma once

#include <map>
#include <span>
#include <vector>

#include "cornu/backends/cpu/plan/walk.h"

/// The values of a fused loop as a graph of nodes, each emitted in the outermost loop that it depends on.
namespace cornu::inline v0::backends::cpu {

/// A position in elements, or an iota's value, as an affine function of a group's loops.
struct Affine {
  std::vector<std::int64_t> coefficients;
  std::int64_t constant = 0;
};

/// The address of an element: base pointer, affine position in elements, offsets by dynamic starts, and row
/// for row arguments.
struct Address {
  Affine position;
  std::vector<int> dynamic;  // kOffset nodes
};

struct Node {
  enum class Kind { kLoad, kRowLoad, kOp, kIota, kConstant, kOffset, kSelect, kAnd, kNot, kLarger };
  Kind kind = Kind::kOp;
  ir::Value value;  // kOp: the result of the op, which may be one of a body of scalars
  int buffer = -1;  // kLoad; for kRowLoad the row argument
  Address address;  // kLoad, kIota (position only)
  std::vector<int> operands;
  std::int64_t
      max = 0,
      stride = 0;  // kOffset: clamp(operand, 0, max) * stride, in elements; not clamped when max is negative

  int level = -1;          // deepest loop it depends on; -1: none
  bool is_vector = false;  // depends on the vector loop
};

/// A loop of a group, after merging; emitted from outermost to innermost.
struct Loop {
  std::int64_t extent = 1;
  std::vector<std::size_t> dimensions;  // of the group's extents, outermost first
};

/// The graph of a group's values at its loops.
class Expression {
 public:
  Expression(const Plan& plan, const Group& group) : plan_(plan), group_(group) {}

  /// The node of `value` at `map`; values that the group stores itself (at the identity) are computed, not
  /// loaded.
  int add(ir::Value value, const IndexMap& map, bool compute);
  /// The offset in elements that a start makes.
  int add_offset(ir::Value start, const IndexMap& map, std::int64_t max, std::int64_t stride);
  int add_row_load(ir::Value value, int row_argument, const IndexMap& map);

  std::vector<Node>& nodes() { return nodes_; }
  const std::vector<Node>& nodes() const { return nodes_; }

  /// For each node whether its value changes along any of these dimensions of the group.
  std::vector<bool> varies_along(std::span<const std::size_t> dimensions) const;

  /// The affine function of a buffer's position at `map`.
  Address address(const PlanBuffer& buffer, const IndexMap& map);

 private:
  bool is_made_here(ir::Value value, const IndexMap& map) const;
  int add_computed(ir::Value value, const IndexMap& map);
  int add_iota(ir::Value value, const IndexMap& map);
  int add_view(const ir::Op& view, const IndexMap& map);
  int add_elementwise(const ir::Op& op, const IndexMap& map);
  int add_load(ir::Value value, int buffer, Address address);
  int add_node(Node::Kind kind, ir::Value value, std::vector<int> operands);
  struct Windowed {
    ir::Value body;              // what combines two elements
    std::vector<IndexMap> maps;  // the window's places
    bool rises = false;          // an extremum of floats: what rises with its operand can wait
    bool hides_sign = false;     // max(.., c) follows, c >= 0: the sign of a zero does not matter
  };
  int add_reduce_window(const ir::Op& op, const IndexMap& map);
  int add_windowed(Windowed windowed, ir::Value value);
  int add_select_and_scatter(const ir::Op& op, const IndexMap& map);
  const std::vector<int>& add_choices(const ir::Op& op, const IndexMap& window);

  const Plan& plan_;
  const Group& group_;
  std::vector<Node> nodes_;
  using Key = std::pair<const void*, std::vector<std::int64_t>>;
  std::map<Key, int> known_;
  std::map<Key, std::vector<int>> choices_;  // of a window: for each place whether it was selected
};

}  // namespace cornu::inline v0::backends::cpu
