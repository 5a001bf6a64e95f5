#pragma once

#include <span>

#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

/// The base of layers that change another layer, which is built with them and is in their files under the key
/// "layer". A class derived from it overrides call() or call_for().
///
///     class Doubled : public layers::Wrapper {
///      public:
///       explicit Doubled(const LayerHandle& layer) : Wrapper(layer, {.class_name = "Doubled"}) {}
///
///      protected:
///       Tensor call(const Tensor& x, const CallContext&) override { return layer()(x) * 2.0; }
///     };
///
/// Errors: InvalidArgument for an empty handle.
class Wrapper : public Layer {
 public:
  const LayerHandle& layer() const { return layer_; }

 protected:
  Wrapper(const LayerHandle& layer, LayerSettings settings);

  void build_for(std::span<const Dims> input_shapes) override;
  void add_to_config(Config& fields) const override;

 private:
  LayerHandle layer_;
};

}  // namespace cornu::inline v0::keras::layers
