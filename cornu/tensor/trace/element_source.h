#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::detail {

/// A source of elements that keeps elements that were read ahead and not consumed yet.
/// Threads: one at a time.
class ElementSource {
 public:
  virtual ~ElementSource() = default;
  /// Structure and types of an element.
  struct Spec {
    std::string text;
    std::vector<TensorType> types;  // types of its tensors, in order
  };
  /// The spec of the next element; at the end of the pass, that of the last one.
  /// Errors: exceptions of reading; InvalidArgument for elements that are not numeric; OutOfRange if there
  ///         never was an element.
  virtual const Spec& spec() = 0;
  /// Reads until `count` elements with the next one's spec are available, an element with another spec is
  /// reached, or the pass ends. Returns the number available. Errors: those of spec(); elements read before
  /// stay available.
  virtual std::int64_t read_ahead(std::int64_t count) = 0;
  /// The spec of the element that stopped read_ahead; empty at the end of the pass.
  virtual std::optional<std::string> spec_behind() = 0;
  /// The tensors of available element `i`.
  virtual std::vector<Tensor> ahead(std::int64_t i) = 0;
  /// Removes the first `count` elements, which were consumed.
  virtual void drop(std::int64_t count) = 0;
};

}  // namespace cornu::inline v0::detail
