#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/keras/activations/activations.h"
#include "cornu/keras/handle.h"
#include "cornu/keras/initializers/initializers.h"
#include "cornu/keras/keras_tensor.h"
#include "cornu/keras/tensors.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::keras {

/// An extent that is not known (the batch) in the shapes that build and compute_output_shape see.
inline constexpr std::int64_t kUnknown = -1;

/// "(None, 32)"
std::string shape_with_none_str(const Dims& shape);

/// What a caller of a layer may say besides the inputs.
struct CallArguments {
  /// Unset: that of the call around it; false outside of any.
  std::optional<bool> training = {};
  /// Which steps of the input count, i1 [batch, time]; undefined: the mask that the input carries.
  Tensor mask = {};
  /// The step's random counter (uint32 scalar). Undefined: a layer that needs one counts for itself.
  Tensor random_counter = {};
};

/// What a layer's call() sees besides its inputs (whose masks they carry).
struct CallContext {
  bool training = false;
  /// The step's random counter (uint32 scalar). Undefined: a layer that needs one counts for itself.
  Tensor random_counter = {};
};

struct WeightOptions {
  std::string name;
  Dims shape;
  InitializerSpec initializer = "glorot_uniform";
  bool trainable = true;
  DType dtype = DType::kF32;
};

/// The base of all layers and models. A layer makes its weights in build() and computes in call().
///
/// Lifetime: held by LayerHandle (shared); its weights live as long as anyone holds them.
/// Threads:  one thread at a time.
class Layer {
 public:
  /// `name` empty: the next automatic one of the class ("dense_1").
  Layer(std::string class_name, std::string name);
  virtual ~Layer();
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  const std::string& name() const { return name_; }
  /// Keras's class name: "Dense".
  const std::string& class_name() const { return class_name_; }

  bool trainable() const { return trainable_; }
  /// Also of the layers inside. A model must be compiled again for it to take effect, as in Keras.
  virtual void set_trainable(bool trainable);

  bool built() const { return built_; }
  /// Makes the weights for this input shape (batch kUnknown) once.
  /// Errors: InvalidArgument that names the layer when the shape does not suit it; nothing is made then.
  void build_once(const Dims& input_shape);
  void build_once_for(std::span<const Dims> input_shapes);

  /// Builds if need be and computes. Errors: InvalidArgument that names the layer, also when it gives another number of outputs than one.
  Tensor operator()(const Tensor& input, const CallArguments& arguments = {});
  /// The same for layers of several inputs or outputs.
  std::vector<Tensor> call_many(std::span<const Tensor> inputs, const CallArguments& arguments = {});

  /// The same for tensors of a functional model: their types only, with kUnknown extents.
  std::vector<TensorType> call_types(std::span<const TensorType> inputs);
  /// The names of the inputs in their order; empty for a layer that does not know them.
  virtual std::vector<std::string> input_names() const { return {}; }

  /// The outputs' shapes and dtypes for inputs with kUnknown extents. Unless overridden: those that call() gives for symbolic inputs,
  /// after building if need be; extents that follow from unknown ones are kUnknown.
  virtual std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const;
  /// The same for one f32 input and one output. May be overridden to need no building.
  virtual Dims compute_output_shape(const Dims& input_shape) const;

  /// Its calls on tensors of functional models, as far as something still holds them. Errors: FailedPrecondition when there is none.
  KerasTensor input() const;
  KerasTensor output() const;

  /// Trainable ones first, then the others, each in the order they were made; then those of the layers inside, each once.
  std::vector<Variable> weights() const;
  std::vector<Variable> trainable_weights() const;
  std::vector<Variable> non_trainable_weights() const;
  std::int64_t count_params() const;

  /// The mask of each output (undefined: none), from the inputs, which carry theirs.
  /// Unless overridden: the first input's mask when supports_masking(), else none.
  virtual std::vector<Tensor> compute_mask(std::span<const Tensor> inputs, std::span<const Tensor> outputs) const;
  bool supports_masking() const { return supports_masking_; }

  /// Scalars to be added to the loss: what add_loss() got in the last call, then the weights' regularizers, layers inside included.
  virtual std::vector<Tensor> losses() const;
  /// Forgets what add_loss() got, also in the layers inside. The outermost call begins with it.
  void clear_losses();
  /// The layers inside, if it is a model or a wrapper: those that were tracked.
  virtual std::vector<std::shared_ptr<Layer>> sublayers() const { return tracked_; }

 protected:
  // A layer of one input overrides build() and call(), one of several inputs or outputs build_for() and call_for().
  virtual void build(const Dims& input_shape);
  virtual void build_for(std::span<const Dims> input_shapes);
  /// What build() set besides weights is forgotten.
  virtual void unbuild() {}
  virtual Tensor call(const Tensor& input, const CallContext& context);
  virtual std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context);

  /// A scalar to be added to the training loss; from call().
  void add_loss(const Tensor& loss);
  /// Holds `layer` as one of sublayers(); returns it.
  template <typename H>
  H track(H layer) {
    tracked_.push_back(layer.shared());
    return layer;
  }
  void set_supports_masking(bool supports) { supports_masking_ = supports; }
  Variable add_weight(const WeightOptions& options);
  /// For constructors: the initializer of an option. Errors: InvalidArgument that names the layer when it is unset or its name unknown.
  void check_initializer(const char* option, const InitializerSpec& initializer) const;
  /// For constructors: as check_initializer, for an activation.
  void check_activation(const ActivationSpec& activation) const;

 private:
  friend class BuildGuard;
  friend std::vector<KerasTensor> add_node(const std::shared_ptr<Layer>&, std::vector<KerasTensor>, CallArguments, std::vector<TensorType>,
                                           std::vector<std::string>);

  std::shared_ptr<const Node> first_node() const;

  std::string class_name_;
  std::string name_;
  bool trainable_ = true;
  bool built_ = false;
  bool supports_masking_ = false;
  std::vector<std::shared_ptr<Layer>> tracked_;
  std::vector<std::weak_ptr<const Node>> nodes_;  // the calls hold the layer
  std::vector<Tensor> added_losses_;
  std::vector<Variable> own_trainable_;
  std::vector<Variable> own_non_trainable_;
};

/// Undoes what is built while it lives, in a layer and the layers inside, unless keep() is called.
class BuildGuard {
 public:
  explicit BuildGuard(Layer& layer);
  ~BuildGuard();
  BuildGuard(const BuildGuard&) = delete;
  BuildGuard& operator=(const BuildGuard&) = delete;
  void keep() { unbuilt_.clear(); }

 private:
  struct Unbuilt {
    Layer* layer;
    std::size_t num_trainable;
    std::size_t num_non_trainable;
  };
  void add(Layer& layer);

  std::vector<Unbuilt> unbuilt_;
};

/// What users hold and pass; callable on tensors, and on tensors of a functional model.
class LayerHandle : public Handle<Layer> {
 public:
  using Handle<Layer>::Handle;
  /// The input layer of what keras::Input gives. Errors: InvalidArgument for any other tensor.
  LayerHandle(const KerasTensor& input);

  Tensor operator()(const Tensor& input, const CallArguments& arguments = {}) const { return (**this)(input, arguments); }
  /// Several inputs, by position or by name. Errors: InvalidArgument for names that the layer does not know.
  Tensor operator()(const Tensors& inputs, const CallArguments& arguments = {}) const;
  KerasTensor operator()(const KerasTensor& input, const CallArguments& arguments = {}) const;
  KerasTensor operator()(const std::vector<KerasTensor>& inputs, const CallArguments& arguments = {}) const;
  KerasTensor operator()(std::initializer_list<KerasTensor> inputs, const CallArguments& arguments = {}) const {
    return (*this)(std::vector<KerasTensor>(inputs), arguments);
  }

  std::vector<Tensor> call_many(std::span<const Tensor> inputs, const CallArguments& arguments = {}) const {
    return get()->call_many(inputs, arguments);
  }
  std::vector<KerasTensor> call_many(std::span<const KerasTensor> inputs, const CallArguments& arguments = {}) const;
};

}  // namespace cornu::keras
