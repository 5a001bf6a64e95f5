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

/// The arguments of an operation in the form of files: by position and by name. A tensor is written as
/// {"tensor": i}, a reference to tensors[i].
struct OperationArguments {
  static constexpr const char* kTensor = "tensor";

  Config args = Config::List();
  Config kwargs = Config::dict();
  std::vector<Tensor> tensors;  // undefined ones are the inputs of the call, in order

  static Config place_of(std::size_t tensor) { return Config::dict({{kTensor, tensor}}); }
  /// Arguments by position.
  static OperationArguments of(std::vector<Tensor> tensors);
};

/// A function of tensors in a functional model's graph, as `x + y` adds. In Keras it is not a layer: layers()
/// of a model leaves it out, its summary includes it.
class Operation : public Layer {
 public:
  /// `class_name`: Keras's class ("Add"). `name` empty: the next automatic name. `options`: the entries that
  /// Keras writes besides the name, {"axis": 1, "keepdims": false}.
  /// Errors: InvalidArgument, listing the known names, for an unknown class, and for a wrong number of
  ///         arguments.
  Operation(const std::string& class_name, std::string name, OperationArguments arguments,
            Config options = Config::dict());

  const OperationArguments& arguments() const { return arguments_; }
  const Config& options() const { return options_; }
  /// Its module in Keras: "keras.src.ops.numpy".
  const char* module() const;
  Config get_config() const override;

  /// All classes of operations.
  static std::vector<std::string> class_names();
  /// True if the class takes a list of tensors: "Concatenate". False for an unknown class.
  static bool takes_list(const std::string& class_name);

  /// The operation that sets the second input as the mask of the first. It represents a mask argument of a
  /// call in a graph; files write the mask as the argument "mask" of the next call.
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

/// True if the mask of the call's first input is an argument of the call, not one that the input carries.
bool is_mask_given(const Node& node);

}  // namespace cornu::inline v0::keras::layers
