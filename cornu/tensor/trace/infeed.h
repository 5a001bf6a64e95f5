#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/tensor/trace/element_source.h"
#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/value/tensor.h"

/// Elements that a traced function takes one after another (`next(iterator)`) are fed as stacked batches:
/// before a call the host reads the elements that the call will take into stacks, arguments [capacity, ...]
/// with a row for each element.
namespace cornu::inline v0::detail {

/// The iterations of a loop: [lower, upper), integer scalars; both undefined if unknown before the run.
struct LoopBounds {
  Tensor lower, upper;
  bool are_known() const { return lower.defined(); }
};

/// The type of a tensor that holds `capacity` rows of this type.
TensorType stack_type(TensorType row, std::int64_t capacity);

/// The stacks of one source, among a program's parameters.
struct Infeed {
  struct Bound {
    std::int64_t number = 0;
    std::optional<std::size_t> computed = {};  // index in the results of Infeeds::bounds
  };
  /// A call of next(), executed in each iteration of these loops.
  using Site = std::vector<std::pair<Bound, Bound>>;

  const ElementSource* source = nullptr;  // only compared, and only during tracing
  std::size_t first_parameter = 0;
  std::vector<TensorType> types;  // types of an element's tensors
  std::vector<Site> sites = {};
  std::int64_t capacity = 1;
};

/// The infeeds of a program.
struct Infeeds {
  std::vector<Infeed> all = {};
  /// Function that computes loop bounds from these parameters; null: all bounds are numbers.
  std::shared_ptr<const ir::Function> bounds = nullptr;
  std::vector<std::size_t> bound_parameters = {};

  /// The number of elements of each source that a call with these parameters takes. Errors: ResourceExhausted
  /// beyond 63 bits.
  std::vector<std::int64_t> counts(std::span<const Tensor* const> parameters) const;
};

struct TraceFrame;

/// The infeeds of an unfinished trace.
class TraceInfeeds {
 public:
  struct Entry {
    Infeed infeed;
    std::vector<Tensor> stacks;
    Variable position;  // number of elements taken: a local variable of the program, carried by loops
  };

  /// Null for a source that was not added.
  Entry* find(const ElementSource& source);
  void add(Entry entry) { entries_.push_back(std::move(entry)); }
  /// Records that one element is taken inside these frames, from the function's body to the current block.
  /// Errors: those of Trace::next.
  void note_site(Entry& entry, std::span<TraceFrame* const> frames);
  /// Errors: InvalidArgument if a bound cannot be computed from the parameters, the first arguments of
  ///         `body`.
  Infeeds finish(const ir::Block& body, std::size_t num_parameters) const;

 private:
  Infeed::Bound bound_of(const Tensor& bound, const ir::Block& body);

  std::vector<Entry> entries_;
  std::vector<ir::Value> computed_;
};

}  // namespace cornu::inline v0::detail
