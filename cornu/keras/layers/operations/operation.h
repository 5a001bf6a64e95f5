#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/config/config.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct OperationRow;

/// What an operation is called with, as files have it: positions and names. A tensor in it is {"tensor": i},
/// which stands for tensors[i].
struct OperationArguments {
  static constexpr const char* kTensor = "tensor";

  Config args = Config::List();
  Config kwargs = Config::dict();
  std::vector<Tensor> tensors;  // undefined: an input of the call, in their order

  static Config place_of(std::size_t tensor) { return Config::dict({{kTensor, tensor}}); }
  /// By position.
  static OperationArguments of(std::vector<Tensor> tensors);
};

/// A function of tensors in a functional model's graph: what `x + y` makes. In Keras it is no layer: a
/// model's layers() leaves it out, its summary shows it.
class Operation : public Layer {
 public:
  /// `class_name`: Keras's ("Add"). `name` empty: the next automatic one. `options`: what Keras writes of it
  /// besides its name, {"axis": 1, "keepdims": false}.
  /// Errors: InvalidArgument with the known names for a class that there is not, and for another number of
  ///         arguments than it takes.
  Operation(const std::string& class_name, std::string name, OperationArguments arguments,
            Config options = Config::dict());

  const OperationArguments& arguments() const { return arguments_; }
  const Config& options() const { return options_; }
  /// Where Keras has it: "keras.src.ops.numpy".
  const char* module() const;
  Config get_config() const override;

  /// The classes that there are.
  static std::vector<std::string> class_names();
  /// Whether a class takes a list of tensors: "Concatenate". False for an unknown one.
  static bool takes_list(const std::string& class_name);

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
  OperationArguments arguments_;
  Config options_;
};

}  // namespace cornu::inline v0::keras::layers
