#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/config/config.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct OperationRow;

/// A function of tensors in a functional model's graph: what `x + y` makes. In Keras it is no layer: a
/// model's layers() leaves it out, its summary shows it.
class Operation : public Layer {
 public:
  /// `class_name`: Keras's ("Add"). `arguments` by position: constants, and undefined ones for the inputs of
  /// the call, in their order. `name` empty: the next automatic one. `options`: what Keras writes of it
  /// besides its name, {"axis": 1, "keepdims": false}.
  /// Errors: InvalidArgument with the known names for a class that there is not, and for another number of
  ///         arguments than it takes.
  Operation(const std::string& class_name, std::string name, std::vector<Tensor> arguments,
            Config options = Config::dict());

  const std::vector<Tensor>& arguments() const { return arguments_; }
  const Config& options() const { return options_; }
  /// Where Keras has it: "keras.src.ops.numpy".
  const char* module() const;
  /// Whether it takes a list of tensors: "Concatenate".
  bool takes_list() const;
  Config get_config() const override;

  /// The classes that there are.
  static std::vector<std::string> class_names();

  /// The operation that gives its first input the second as its mask: how a call that is given a mask stands
  /// in a graph. Files say it as the argument "mask" of the call behind it.
  static constexpr const char* kWithMask = "WithMask";
  bool is_with_mask() const { return class_name() == kWithMask; }

  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs,
                                   std::span<const Tensor> outputs) const override;

 protected:
  void build_for(std::span<const Dims>) override {}
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override;

 private:
  const OperationRow* row_;
  std::vector<Tensor> arguments_;
  Config options_;
};

}  // namespace cornu::inline v0::keras::layers
