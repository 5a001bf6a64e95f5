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
#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/value/tensor.h"

/// How elements that a traced function takes one after the other (`next(iterator)`) come into its program:
/// before a call the host reads as many as the call will take into slabs, arguments [capacity, ...], a row an
/// element.
namespace cornu::inline v0::detail {

/// Gives elements, and keeps those that were read and not used yet.
/// Threads: one at a time.
class ElementSource {
 public:
  virtual ~ElementSource() = default;
  /// Structure and types of an element.
  struct Spec {
    std::string text;
    std::vector<TensorType> types;  // of its tensors, in order
  };
  /// The spec of the next element; at the end of the pass, that of the last one.
  /// Errors: what reading throws; InvalidArgument for elements that are not numeric; OutOfRange when there
  ///         never was one.
  virtual const Spec& spec() = 0;
  /// Reads until `count` elements are there that have the next one's spec, one of another spec comes, or the
  /// pass ends. Returns how many there are. Errors: as spec(); what was read before stays.
  virtual std::int64_t read_ahead(std::int64_t count) = 0;
  /// The spec of the element behind those that read_ahead gave fewer of than it was asked for; nothing where
  /// the pass ends there.
  virtual std::optional<std::string> spec_behind() = 0;
  /// The tensors of element `i` of those that are there.
  virtual std::vector<Tensor> ahead(std::int64_t i) = 0;
  /// Says that the first `count` elements were used.
  virtual void drop(std::int64_t count) = 0;
};

/// The iterations of a loop: [lower, upper), integer scalars; both undefined where nobody knows before it
/// runs.
struct LoopBounds {
  Tensor lower, upper;
  bool are_known() const { return lower.defined(); }
};

/// The type of a tensor that holds `capacity` rows of this type.
TensorType slab_type(TensorType row, std::int64_t capacity);

/// The slabs of one source, among a program's parameters.
struct Infeed {
  struct Bound {
    std::int64_t number = 0;
    std::optional<std::size_t> computed = {};  // by a result of Infeeds::bounds
  };
  /// A place that takes an element in each iteration of these loops.
  using Site = std::vector<std::pair<Bound, Bound>>;

  const ElementSource* source = nullptr;  // only compared, and only while the function is traced
  std::size_t first_parameter = 0;
  std::vector<TensorType> types;  // of an element's tensors
  std::vector<Site> sites = {};
  std::int64_t capacity = 1;
};

/// The infeeds of a program.
struct Infeeds {
  std::vector<Infeed> all = {};
  /// Bounds of loops as a function of these parameters; null: all are numbers.
  std::shared_ptr<const ir::Function> bounds = nullptr;
  std::vector<std::size_t> bound_parameters = {};

  /// How many elements of each a call with these parameters takes. Errors: ResourceExhausted beyond 63 bits.
  std::vector<std::int64_t> counts(std::span<const Tensor* const> parameters) const;
};

struct TraceFrame;

/// The infeeds of a trace that is under way.
class TraceInfeeds {
 public:
  struct Entry {
    Infeed infeed;
    std::vector<Tensor> slabs;
    Variable position;  // how many were taken: a local of the program, which loops carry
  };

  /// Null for a source that is not among them.
  Entry* find(const ElementSource& source);
  void add(Entry entry) { entries_.push_back(std::move(entry)); }
  /// One element is taken inside these frames, from the function's body to where tracing is. Errors: as
  /// Trace::next.
  void note_site(Entry& entry, std::span<TraceFrame* const> frames);
  /// Errors: InvalidArgument when a bound does not follow from the parameters, the first arguments of `body`.
  Infeeds finish(const ir::Block& body, std::size_t num_parameters) const;

 private:
  Infeed::Bound bound_of(const Tensor& bound, const ir::Block& body);

  std::vector<Entry> entries_;
  std::vector<ir::Value> computed_;
};

}  // namespace cornu::inline v0::detail
