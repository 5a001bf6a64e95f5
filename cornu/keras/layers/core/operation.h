#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

/// A function of tensors in a functional model's graph: what `x + y` makes. In Keras it is no layer: a
/// model's layers() leaves it out, its summary shows it.
class Operation : public Layer {
 public:
  /// `class_name`: Keras's ("Add"). `arguments` by position: constants, and undefined ones for the inputs of
  /// the call, in their order. `name` empty: the next automatic one.
  /// Errors: InvalidArgument with the known names for a class that there is not, and for another number of
  ///         arguments than it takes.
  Operation(const std::string& class_name, std::string name, std::vector<Tensor> arguments);

  const std::vector<Tensor>& arguments() const { return arguments_; }
  Config get_config() const override;

  /// The classes that there are.
  static std::vector<std::string> class_names();

 protected:
  void build_for(std::span<const Dims>) override {}
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override;

 private:
  using Function = Tensor (*)(std::span<const Tensor>);
  struct Row;
  static std::span<const Row> rows();

  Function function_;
  std::vector<Tensor> arguments_;
};

}  // namespace cornu::inline v0::keras::layers
