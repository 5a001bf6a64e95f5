#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/layer.h"

namespace cornu::inline v0::keras::layers {

/// A function of tensors in a functional model's graph: what `x + y` makes. In Keras it is no layer: a model's layers() leaves it out,
/// its summary shows it.
class Operation : public Layer {
 public:
  using Function = std::function<std::vector<Tensor>(std::span<const Tensor>)>;
  Operation(std::string class_name, Function function) : Layer(std::move(class_name), ""), function_(std::move(function)) {
    set_autocast(false);
  }

 protected:
  void build_for(std::span<const Dims>) override {}
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override { return function_(inputs); }

 private:
  Function function_;
};

}  // namespace cornu::inline v0::keras::layers
