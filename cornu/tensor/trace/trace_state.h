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

/// What trace.cc and trace_region.cc share.
namespace cornu::inline v0::detail {

struct TracedVariable {
  Variable variable;
  ir::Value initial;
  ir::Value now;
  bool assigned = false;
  /// It has been read in its frame.
  bool is_read = false;
  /// `now` is as it was assigned: others may have the same value, and know it as something else.
  bool is_as_assigned = false;

  /// Makes `now` a value of its own. Its gradient is one of `initial`, not of what computed it: gradients with
  /// respect to a variable are those of the values that it was read as.
  void begin_anew(ir::Builder& builder);
};

/// A block under construction: the function's body or a region.
struct TraceFrame {
  explicit TraceFrame(ir::Block& block) : builder(block) {}

  const ir::Block* block() const { return &builder.block(); }
  /// Null when the block has not used the variable.
  const TracedVariable* find(const Variable& variable) const {
    const auto found = index_of.find(variable.id());
    return found == index_of.end() ? nullptr : &variables[found->second];
  }

  ir::Builder builder;
  std::vector<TracedVariable> variables;
  std::unordered_map<const void*, std::size_t> index_of;
  // Tensors by identity; they are kept so that no other tensor takes their identity over.
  std::unordered_map<const void*, std::pair<Tensor, ir::Value>> captured;
  std::vector<std::shared_ptr<Trace::ReadObserver>> observers;
  std::string what;
  LoopBounds bounds;  // of a loop's body
};

}  // namespace cornu::inline v0::detail

namespace cornu::inline v0 {

struct Trace::Region::State {
  std::unique_ptr<ir::Block> block = std::make_unique<ir::Block>();
  detail::TraceFrame frame{*block};
  std::vector<ir::Value> arguments;  // without the placeholders of variables
  std::size_t first_count_note = 0;  // of the trace's, of those that may be about the region's values
  std::size_t first_shape_note = 0;
};

struct Trace::State {
  static constexpr std::size_t kNoVariable = std::numeric_limits<std::size_t>::max();
  /// One argument of the step, in the order of the function's signature.
  struct Argument {
    runtime::ArgumentKind kind = runtime::ArgumentKind::kFixed;
    std::size_t variable_index = kNoVariable;  // for kFixed and kState; none: a parameter
  };

  /// Throws FailedPrecondition when it is finished.
  void check_open() const;
  detail::TraceFrame& top() { return *frames.back(); }
  /// The variable's place in the frame at `level`, made there and in those around it on first use.
  detail::TracedVariable& touch(const Variable& variable, std::size_t level);
  detail::TracedVariable& touch(const Variable& variable) { return touch(variable, frames.size() - 1); }
  detail::TracedVariable& read(const Variable& variable, std::size_t level);
  /// `value` lies in the top frame.
  void set(const Variable& variable, ir::Value value);

  std::unique_ptr<ir::Function> function = std::make_unique<ir::Function>();
  detail::TraceFrame root{function->body};
  std::vector<detail::TraceFrame*> frames{&root};
  // Closed regions: tensors that were made in them still know their types, and are refused.
  std::vector<std::unique_ptr<Region::State>> closed;
  std::uint64_t id = 0;
  std::vector<Argument> arguments;
  std::size_t num_parameters = 0;
  detail::TraceInfeeds infeeds;
  runtime::ReplicaWork replica_work;
  std::optional<int> device;
  std::vector<CountNote> count_notes;
  struct ShapeNote {
    ir::Value value;
    ir::Value like;
    bool is_uniform;
  };
  std::vector<ShapeNote> shape_notes;
  /// The notes on values of the region, which were copied, for the copies.
  void copy_notes(const Region::State& region, const ir::ValueMap& copies);
  bool has_valid_rows = false;
  bool finished = false;
};

}  // namespace cornu::inline v0
