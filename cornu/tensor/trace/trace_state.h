#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cornu/ir/clone.h"
#include "cornu/tensor/trace/trace.h"

/// Shared by trace.cc and trace_region.cc.
namespace cornu::inline v0::detail {

struct TracedVariable {
  Variable variable;
  ir::Value initial;
  ir::Value now;
  bool assigned = false;
  /// True if it has been read in its frame.
  bool is_read = false;
  /// True if `now` is exactly the assigned value: others may use the same value in another role.
  bool is_as_assigned = false;

  /// Makes `now` a value of its own, whose gradient goes to `initial` instead of the operands that computed
  /// it: gradients with respect to a variable are those of the values that were read from it.
  void begin_anew(ir::Builder& builder);
};

/// The whole value of a variable that has parts, in the function's body.
struct JoinedVariable {
  TracedVariable whole;
  std::vector<ir::Value> parts;  // of which `whole` was joined, or into which it was cut
};

/// A block under construction: the function's body or a region.
struct TraceFrame {
  explicit TraceFrame(ir::Block& block) : builder(block) {}

  const ir::Block* block() const { return &builder.block(); }
  /// Null if the block has not used the variable.
  const TracedVariable* find(const Variable& variable) const {
    const auto found = index_of.find(variable.id());
    return found == index_of.end() ? nullptr : &variables[found->second];
  }

  ir::Builder builder;
  std::vector<TracedVariable> variables;
  std::unordered_map<const void*, std::size_t> index_of;
  // Tensors by identity; kept so that no other tensor reuses the identity.
  std::unordered_map<const void*, std::pair<Tensor, ir::Value>> captured;
  std::vector<std::shared_ptr<Trace::ReadObserver>> observers;
  std::string what;
  LoopBounds bounds;              // bounds of a loop's body
  std::int64_t num_replicas = 1;  // of which it is the step of one (Trace::begin_replica)
  std::unordered_map<const void*, JoinedVariable> joined;  // of the function's body only
};

}  // namespace cornu::inline v0::detail

namespace cornu::inline v0 {

struct Trace::Region::State {
  std::unique_ptr<ir::Block> block = std::make_unique<ir::Block>();
  detail::TraceFrame frame{*block};
  std::vector<ir::Value> arguments;  // without the placeholders of variables
  std::size_t first_count_note = 0;  // in the trace's notes: the first that may concern the region
  std::size_t first_shape_note = 0;
};

struct Trace::State {
  static constexpr std::size_t kNoVariable = std::numeric_limits<std::size_t>::max();
  /// One argument of the step, in the order of the function's signature.
  struct Argument {
    runtime::ArgumentKind kind = runtime::ArgumentKind::kFixed;
    std::size_t variable_index = kNoVariable;  // for kFixed and kState; none: a parameter
  };

  /// Throws FailedPrecondition if the trace is finished.
  void check_open() const;
  detail::TraceFrame& top() { return *frames.back(); }
  /// The variable's entry in the frame at `level`; made there and in the enclosing frames on first use.
  detail::TracedVariable& touch(const Variable& variable, std::size_t level);
  detail::TracedVariable& touch(const Variable& variable) { return touch(variable, frames.size() - 1); }
  detail::TracedVariable& read(const Variable& variable, std::size_t level);
  /// The number of replicas whose step the frame at `level` belongs to.
  std::int64_t num_replicas_at(std::size_t level) const;
  /// Uses a variable with parts, on its first use in the frame, in the enclosing frame.
  void touch_outside(const Variable& variable, std::size_t level);
  /// See Trace::set_device.
  void set_device(int device);
  /// Makes the program run on the group of devices that holds the variable's parts, if there is one. Errors:
  /// FailedPrecondition outside of the scope of its strategy.
  void require_group(const Variable& variable);
  /// The whole value of a variable with parts in the function's body, up to date with its parts.
  detail::TracedVariable& join(const Variable& variable);
  /// The part of a variable that a replica holds, in the top frame.
  ir::Value part_of_replica(const Variable& variable, std::size_t replica, std::size_t num_replicas);
  /// Gives the parts the values that the replicas assigned in a region; `maps`: its values for each replica.
  void assign_parts(const detail::TracedVariable& traced, std::span<const ir::ValueMap> maps);
  /// Assigns a whole value to the parts, in the function's body.
  void cut(const Variable& variable, ir::Value whole);
  /// Adds the variables with parts of a region, and the work of its lookups in them.
  void add_sharded(const detail::TraceFrame& frame, const ir::Block& block, std::int64_t num_replicas);
  /// `value` belongs to the top frame.
  void set(const Variable& variable, ir::Value value);

  std::unique_ptr<ir::Function> function = std::make_unique<ir::Function>();
  detail::TraceFrame root{function->body};
  std::vector<detail::TraceFrame*> frames{&root};
  // Closed regions: kept so that tensors made in them still have types, and are rejected.
  std::vector<std::unique_ptr<Region::State>> closed;
  std::uint64_t id = 0;
  std::vector<Argument> arguments;
  std::size_t num_parameters = 0;
  detail::TraceInfeeds infeeds;
  runtime::ReplicaWork replica_work;
  std::vector<ShardedTable> sharded;
  std::optional<int> device;
  std::vector<CountNote> count_notes;
  struct ShapeNote {
    ir::Value value;
    ir::Value like;
    bool is_uniform;
  };
  std::vector<ShapeNote> shape_notes;
  /// Copies the notes on values of the region to the values' copies.
  void copy_notes(const Region::State& region, const ir::ValueMap& copies);
  bool has_valid_rows = false;
  bool finished = false;
};

}  // namespace cornu::inline v0
