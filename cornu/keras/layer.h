#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/activations/activations.h"
#include "cornu/keras/handle.h"
#include "cornu/keras/initializers/initializers.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::keras {

/// An extent that is not known (the batch) in the shapes that build and compute_output_shape see.
inline constexpr std::int64_t kUnknown = -1;

/// "(None, 32)"
std::string shape_with_none_str(const Dims& shape);

/// What a call of a layer depends on besides its input.
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

  /// Builds if need be and computes. Errors: InvalidArgument that names the layer.
  Tensor operator()(const Tensor& input, const CallContext& context = {});

  /// The output's shape for an input shape with kUnknown extents. Unless a layer overrides it: the shape that call() gives for a
  /// symbolic f32 input, after building if need be; extents that follow from unknown ones are kUnknown.
  virtual Dims compute_output_shape(const Dims& input_shape) const;

  /// Trainable ones first, then the others, each in the order they were made; those of layers inside included.
  std::vector<Variable> weights() const;
  std::vector<Variable> trainable_weights() const;
  std::vector<Variable> non_trainable_weights() const;
  std::int64_t count_params() const;

  /// Scalars to be added to the loss, of the last call.
  virtual std::vector<Tensor> losses() const { return {}; }
  /// The layers inside, if it is a model or a wrapper.
  virtual std::vector<std::shared_ptr<Layer>> sublayers() const { return {}; }

 protected:
  virtual void build(const Dims& input_shape);
  /// What build() set besides weights is forgotten.
  virtual void unbuild() {}
  virtual Tensor call(const Tensor& input, const CallContext& context) = 0;
  Variable add_weight(const WeightOptions& options);
  /// For constructors: the initializer of an option. Errors: InvalidArgument that names the layer when it is unset or its name unknown.
  void check_initializer(const char* option, const InitializerSpec& initializer) const;
  /// For constructors: as check_initializer, for an activation.
  void check_activation(const ActivationSpec& activation) const;

 private:
  friend class BuildGuard;

  std::string class_name_;
  std::string name_;
  bool trainable_ = true;
  bool built_ = false;
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

/// What users hold and pass; callable.
class LayerHandle : public Handle<Layer> {
 public:
  using Handle<Layer>::Handle;
  Tensor operator()(const Tensor& input, const CallContext& context = {}) const { return (**this)(input, context); }
};

}  // namespace cornu::keras
