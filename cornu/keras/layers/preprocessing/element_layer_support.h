#pragma once

#include <cstdint>

#include "cornu/data/element.h"

/// Interfaces of preprocessing layers for code that has a layer and not its handle, such as FeatureSpace; not
/// part of the interface.
namespace cornu::inline v0::keras::layers {

/// A layer that maps elements on the host: texts, or integers that it hashes.
class ElementLayer {
 public:
  virtual data::Element call_element(const data::Element& input) const = 0;
  /// The number of different integers that the layer returns, for vectors with 1 at one of them.
  virtual std::int64_t num_categories() const = 0;

 protected:
  ~ElementLayer() = default;
};

/// A layer whose state follows from data.
class AdaptableLayer {
 public:
  /// False if the options give the state.
  virtual bool is_adaptable() const = 0;
  virtual void begin_adapt() = 0;
  /// Reads a batch; its rows are those of the first axis.
  virtual void adapt_batch(const data::Element& batch) = 0;
  virtual void end_adapt() = 0;

 protected:
  ~AdaptableLayer() = default;
};

}  // namespace cornu::inline v0::keras::layers
