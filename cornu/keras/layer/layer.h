#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/activations/activations.h"
#include "cornu/keras/base/dtype_policy.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/base/row_mask.h"
#include "cornu/keras/base/shapes.h"
#include "cornu/keras/base/tensors.h"
#include "cornu/keras/config/configurable.h"
#include "cornu/keras/constraints/constraints.h"
#include "cornu/keras/initializers/initializers.h"
#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/keras/regularizers/regularizers.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0::keras {

class Network;

/// What a caller of a layer may say besides the inputs.
struct CallArguments {
  /// Unset: that of the call around it; false outside of any.
  std::optional<bool> training = {};
  /// Which steps of the input count, i1 [batch, time]; undefined: the mask that the input carries.
  Tensor mask = {};
  /// The step's random counter (uint32 scalar). Undefined: a layer that needs one counts for itself.
  Tensor random_counter = {};
  /// Which of the batch's rows are data. Undefined: as the call around it says; all outside of any.
  RowMask rows = {};
  /// Of layers of attention: no step sees later ones.
  bool use_causal_mask = false;
  /// Of layers of attention: what each step attends to becomes a second output.
  bool return_attention_scores = false;
};

/// What a layer's call() sees besides its inputs (whose masks they carry).
struct CallContext {
  bool training = false;
  /// The step's random counter (uint32 scalar). Undefined: a layer that needs one counts for itself.
  Tensor random_counter = {};
  /// Rows that are padding must not count in what call() computes over the batch, such as an add_loss().
  RowMask rows = {};
  /// As CallArguments of this call say, not those of one around it.
  bool use_causal_mask = false;
  bool return_attention_scores = false;
};

struct WeightOptions {  // options/layers.toml
  /// Name of the weight in the layer, as files have it; required.
  std::string name;
  /// Shape of the weight; required.
  Dims shape;
  /// Initializer of the values.
  InitializerSpec initializer = "glorot_uniform";
  /// False: gradients do not change the weight.
  bool trainable = true;
  /// Dtype of the weight; unset: variable_dtype() of the layer.
  std::optional<DType> dtype = {};
  /// True: call() gets the weight in compute_dtype(); false: in its own dtype, also under a mixed policy.
  bool autocast = true;
  /// Penalty that is added to the loss; empty: none.
  RegularizerSpec regularizer = {};
  /// Projection after each update; empty: none.
  ConstraintSpec constraint = {};
  /// Treatment of values that the replicas of a strategy assign.
  VariableAggregation aggregation = VariableAggregation::kNone;
};

/// What files call a layer inside another: the name of the attribute that holds it, and whether that is a
/// list.
struct HeldAs {
  std::string attribute = {};  // empty: a list "layers"
  bool in_list = true;
};

/// What all layers have in common.
struct LayerSettings {
  std::string class_name;
  std::string name = {};  // empty: the next automatic one of the class ("dense_1")
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};  // unset: dtype_policy()
  OptionalDims input_shape = {};  // of one row: a Sequential that begins with the layer is built at once
  RegularizerSpec activity_regularizer = {};
  /// Of Cornu's own layers: what get_config() writes.
  std::shared_ptr<const saving::DescribedOptions> described = {};
};

/// How the types of a layer's outputs follow from its inputs' without a call. With kComputed, kCast and kKept
/// compute_output_shape() says the shape for one input, and the rule the dtype.
enum class TypeRule : std::uint8_t {
  kNone,        // they do not: calls are traced
  kComputed,    // compute_dtype() for an input of that dtype; calls on other inputs are traced
  kCast,        // compute_dtype() for any input
  kKept,        // the input's dtype as call() sees it
  kOverridden,  // compute_output_types() is overridden; where it calls Layer's, the call is traced
};

/// What a layer demands of an input's shape. Unset members demand nothing; kUnknown extents of the input fit
/// anything.
struct InputSpec {
  std::optional<std::int64_t> ndim = {};
  std::optional<std::int64_t> min_ndim = {};
  std::optional<std::int64_t> max_ndim = {};
  std::vector<std::pair<std::int64_t, std::int64_t>> axes = {};  // axis (negative: from the end), extent

  /// Errors: InvalidArgument that says `what` ("the input"), what is demanded, and the shape.
  void check(const Dims& shape, const std::string& what) const;
};

/// The base of all layers and models. A layer makes its weights in build() and computes in call().
///
/// Lifetime: held by LayerHandle (shared); its weights live as long as anyone holds them.
/// Threads:  one thread at a time.
class Layer : public Configurable, public std::enable_shared_from_this<Layer> {
 public:
  static constexpr const char* kHandleKind = "layer";  // see Handle

  /// Errors: InvalidArgument when the name contains "/", the dtype is no floating-point one, or input_shape
  /// has a negative extent that is not kUnknown.
  explicit Layer(LayerSettings settings);
  /// `name` empty: the next automatic one of the class ("dense_1").
  Layer(StringArgument class_name, StringArgument name);
  ~Layer() override;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  /// The network that trains it: itself if it is one, else one with Keras's steps around it. Held by a shared
  /// pointer as it must be.
  virtual std::shared_ptr<Network> as_network();
  /// Itself if it is a network, else null.
  virtual Network* network_or_null() { return nullptr; }
  virtual const Network* network_or_null() const { return nullptr; }

  const std::string& name() const { return name_; }
  /// Keras's class name: "Dense".
  const std::string& class_name() const { return class_name_; }
  /// With the names of the layers around it at its first use: "sequential/dense". The paths of its weights
  /// begin so.
  std::string path() const;

  bool trainable() const { return trainable_; }
  /// Also of the layers inside. A model takes what is trainable when it is first trained or evaluated behind
  /// compile(), and keeps that until it is compiled again.
  virtual void set_trainable(bool trainable);

  const DTypePolicy& dtype_policy() const { return dtype_policy_; }
  /// Of the computation: floating-point inputs are cast to it, and weights as call() reads them.
  DType compute_dtype() const { return dtype_policy_.compute_dtype(); }
  /// Of the weights.
  DType variable_dtype() const { return dtype_policy_.variable_dtype(); }
  /// As in Keras, variable_dtype().
  DType dtype() const { return variable_dtype(); }
  /// The activation option's name, of layers that have one: for pictures. Empty without.
  virtual std::string activation_name() const { return {}; }
  /// What the layer was made of, with its name and `trainable` as they are now; of wrappers and models with
  /// what they hold.
  ///
  ///     layers::Dense({.units = 3}).get_config().json()
  ///
  /// Errors: Unimplemented, naming the layer, for what is code: a Lambda, an activation that is no named one,
  /// a class of the user's that does not override it.
  Config get_config() const override;
  /// What the option of that name said; null without.
  const std::shared_ptr<Regularizer>& activity_regularizer() const { return activity_regularizer_; }
  /// What the option input_shape said.
  const std::optional<Dims>& input_shape_option() const { return input_shape_option_; }

  bool built() const { return built_; }
  /// The inputs that it was built for; f32 where only shapes were said.
  std::span<const TensorType> build_types() const { return build_types_; }
  /// Makes the weights for this input shape (batch kUnknown) once.
  /// Errors: InvalidArgument that names the layer when the shape does not suit it; nothing is made then.
  void build_once(const Dims& input_shape);
  void build_once_for(std::span<const Dims> input_shapes);

  /// Builds if need be and computes. Errors: InvalidArgument that names the layer, also when it gives another
  /// number of outputs than one.
  Tensor operator()(const Tensor& input, const CallArguments& arguments = {});
  /// Several inputs, by position or by name. Errors: InvalidArgument for names that the layer does not know.
  Tensor operator()(const Tensors& inputs, const CallArguments& arguments = {});
  /// The same for layers of several outputs.
  std::vector<Tensor> call_many(const TensorList& inputs, const CallArguments& arguments = {});

  /// Adds the call to the graph of a functional model, which holds the layer from then on.
  /// Errors: FailedPrecondition when nothing else does: it was not made by std::make_shared.
  KerasTensor operator()(const KerasTensor& input, const CallArguments& arguments = {});
  KerasTensor operator()(const std::vector<KerasTensor>& inputs, const CallArguments& arguments = {});
  KerasTensor operator()(std::initializer_list<KerasTensor> inputs, const CallArguments& arguments = {}) {
    return (*this)(std::vector<KerasTensor>(inputs), arguments);
  }
  std::vector<KerasTensor> call_many(std::span<const KerasTensor> inputs,
                                     const CallArguments& arguments = {});
  std::vector<KerasTensor> call_many(std::initializer_list<KerasTensor> inputs,
                                     const CallArguments& arguments = {}) {
    return call_many(std::span(inputs.begin(), inputs.size()), arguments);
  }
  /// The same for the tensors' types only, with kUnknown extents.
  std::vector<TensorType> call_types(std::span<const TensorType> inputs, const CallArguments& arguments = {});
  /// The names of the inputs in their order; empty for a layer that does not know them.
  virtual std::vector<std::string> input_names() const { return {}; }
  /// How many of them, the last ones, a call may leave out; see Tensors::ordered.
  virtual std::size_t num_optional_inputs() const { return 0; }

  /// The outputs' shapes and dtypes for inputs with kUnknown extents. Unless overridden: those that call()
  /// gives for symbolic inputs, after building if need be; extents that follow from unknown ones are
  /// kUnknown.
  virtual std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const;
  /// The same for a call with arguments, of layers whose outputs depend on them.
  virtual std::vector<TensorType> compute_call_types(std::span<const TensorType> inputs,
                                                     const CallArguments& arguments) const;
  /// The same for one f32 input and one output. May be overridden to need no building.
  virtual Dims compute_output_shape(const Dims& input_shape) const;
  /// Whether compute_output_types() follows a rule, and runs no call() in traces that are thrown away, for
  /// inputs of compute_dtype(). Inputs of other or of mixed dtypes may still be traced; see TypeRule.
  virtual bool has_type_rule() const { return type_rule_ != TypeRule::kNone; }

  /// Its calls on tensors of functional models, as far as something still holds them. Errors:
  /// FailedPrecondition when there is none, InvalidArgument when it has several inputs or outputs.
  KerasTensor input() const;
  KerasTensor output() const;
  /// The calls that something still holds, in their order.
  std::vector<std::shared_ptr<const Node>> nodes() const;

  /// Trainable ones first, then the others, each in the order they were made; then those of the layers
  /// inside, each once.
  std::vector<Variable> weights() const;
  std::vector<Variable> trainable_weights() const;
  std::vector<Variable> non_trainable_weights() const;
  /// The weights and the states of random numbers, in Keras's order.
  std::vector<Variable> variables() const;
  std::vector<Variable> trainable_variables() const { return trainable_weights(); }
  std::vector<Variable> non_trainable_variables() const;
  /// The layer's own generators of random numbers, without those of layers inside.
  const std::vector<SeedGenerator>& seed_generators() const { return seed_generators_; }
  /// The weight of that name ("kernel"): the layer's own, else the only one of the layers inside.
  /// Errors: FailedPrecondition before it is built; InvalidArgument, with the names that there are, when
  ///         there is none, or several inside.
  Variable weight(StringViewArgument name) const;
  /// Elements of all weights. Errors: FailedPrecondition before it is built.
  std::int64_t count_params() const;
  /// Copies of all weights, in the order of weights().
  std::vector<Tensor> get_weights() const;
  /// Errors: InvalidArgument when the number or a shape differs; then nothing is changed.
  void set_weights(const std::vector<Tensor>& values) const;

  /// The mask of each output (undefined: none), from the inputs, which carry theirs. Asked only when
  /// supports_masking().
  /// Unless overridden: the first input's mask.
  virtual std::vector<Tensor> compute_mask(std::span<const Tensor> inputs,
                                           std::span<const Tensor> outputs) const;
  bool supports_masking() const { return supports_masking_; }
  /// Whether a call uses up its inputs' masks: in a functional model, who reads the same values later finds
  /// them without. So does Keras's MultiHeadAttention: the sum of its input and its output has no mask.
  virtual bool uses_up_masks() const { return false; }

  /// Scalars to be added to the loss: what add_loss() got in the last call, here and in the layers inside,
  /// then the regularizers of the trainable weights.
  virtual std::vector<Tensor> losses() const;
  /// Forgets what add_loss() got, also in the layers inside. The outermost call begins with it.
  void clear_losses();
  /// The layers inside, if it is a model or a wrapper: those that were tracked.
  virtual std::vector<std::shared_ptr<Layer>> sublayers() const { return tracked_; }
  /// Whether it is `other` or has it inside.
  bool contains(const Layer& other) const;
  /// What files call one of sublayers().
  HeldAs held_as(const Layer& inside) const;

 protected:
  // A layer of one input overrides build() and call(), one of several inputs or outputs build_for() and
  // call_for().
  virtual void build(const Dims& input_shape);
  virtual void build_for(std::span<const Dims> input_shapes);
  /// What build() set besides weights is forgotten.
  virtual void unbuild() {}
  virtual Tensor call(const Tensor& input, const CallContext& context);
  virtual std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context);

  /// A scalar to be added to the training loss; from call().
  void add_loss(const Tensor& loss);
  /// Holds a layer (a handle or a shared pointer) as one of sublayers(), a variable as one of weights(), or
  /// each of a list of these; returns it. Errors: InvalidArgument when this layer is inside that one.
  template <typename T>
  T track(T object) {
    if constexpr (std::is_convertible_v<const T&, Variable>) {
      track_variable(object);
    } else if constexpr (std::is_convertible_v<const T&, std::shared_ptr<Layer>>) {
      track_layer(object);
    } else if constexpr (requires { object.shared(); }) {
      track_layer(object.shared());
    } else {
      for (const auto& one : object) track(one);
    }
    return object;
  }
  /// The same with what files call it: the name that the member has in the Python class ("head"). A list of
  /// layers is a list there too.
  template <typename T>
  T track(T object, const StringArgument& attribute) {
    track(object);
    if constexpr (std::is_convertible_v<const T&, std::shared_ptr<Layer>>) {
      held_as_[std::shared_ptr<Layer>(object).get()] = {attribute, false};
    } else if constexpr (requires { object.shared(); }) {
      held_as_[object.shared().get()] = {attribute, false};
    } else {
      for (const auto& one : object) held_as_[one.shared().get()] = {attribute, true};
    }
    return object;
  }
  /// What get_config() says besides the options, or otherwise than they do: what a layer holds, or what
  /// changed since.
  virtual void add_to_config(Config& fields) const { (void)fields; }
  void set_supports_masking(bool supports) { supports_masking_ = supports; }
  /// Says that the types follow without a trace: by compute_output_shape(), which must be overridden then,
  /// or, with TypeRule::kOverridden, by compute_output_types().
  void set_type_rule(TypeRule rule) { type_rule_ = rule; }
  /// False: floating-point inputs keep their dtype.
  void set_autocast(bool autocast) { autocast_ = autocast; }
  /// Checked at every call, also on tensors of functional models. One spec holds for every input, else one an
  /// input.
  void set_input_spec(InputSpec spec) { input_specs_ = {std::move(spec)}; }
  void set_input_specs(std::vector<InputSpec> specs) { input_specs_ = std::move(specs); }
  Variable add_weight(const WeightOptions& options);
  /// Random numbers with a state that counts among variables(). Without a seed: the process's next default
  /// one.
  SeedGenerator add_seed_generator(std::optional<std::uint64_t> seed);
  /// Calls `layer` as call_many() does, but its own activity regularizer adds nothing, and it does not warn
  /// of a mask that it has no use for. Layers inside it do both.
  static std::vector<Tensor> call_unregularized(Layer& layer, std::span<const Tensor> inputs,
                                                const CallArguments& arguments);
  /// Whether call() runs only for the types of its results: then state must stay as it is.
  static bool sees_types_only();
  /// What an input of this type is when call() sees it: floats in compute_dtype().
  TensorType cast_type(TensorType type) const;
  /// Runs call_for() on symbolic inputs in a throw-away trace: what it makes stays, its results are dropped.
  /// Errors: those of the call, which name the layer.
  std::vector<TensorType> trace_call(std::span<const TensorType> inputs);
  /// build_once_for() for inputs whose dtypes are known too.
  void build_for_types(std::span<const TensorType> inputs);
  /// For constructors: throws InvalidArgument "[class] message; in layer "name"".
  [[noreturn]] void option_error(const std::string& message) const;
  /// The same of one option: `[dense] units must be positive; got units = 0; in layer "hidden"`.
  [[noreturn]] void option_error(const char* option, std::string_view demand, std::string_view got) const;
  /// For constructors: the initializer of an option. Errors: InvalidArgument that names the layer when it is
  ///                   unset or its name unknown.
  void check_initializer(const char* option, const InitializerSpec& initializer) const;
  /// For constructors: as check_initializer, for activations, regularizers and constraints (which may be
  ///                   unset).
  void check_activation(const char* option, const ActivationSpec& activation) const;
  void check_activation(const ActivationSpec& activation) const {
    check_activation("activation", activation);
  }
  void check_regularizer(const char* option, const RegularizerSpec& regularizer) const;
  void check_regularizer(const RegularizerSpec& regularizer) const {
    check_regularizer("regularizer", regularizer);
  }
  void check_constraint(const char* option, const ConstraintSpec& constraint) const;
  void check_constraint(const ConstraintSpec& constraint) const {
    check_constraint("constraint", constraint);
  }

 private:
  friend class BuildGuard;
  friend std::vector<KerasTensor> add_node(const std::shared_ptr<Layer>&, std::vector<KerasTensor>,
                                           CallArguments, std::vector<TensorType>, std::vector<std::string>);
  /// While it lives, paths begin with the layer's.
  class PathScope;
  class WeightsScope;

  void check_inputs(std::span<const TensorType> inputs) const;
  /// Whether the type rule says that types follow from compute_output_shape().
  bool shape_is_rule() const;
  /// Nothing where no rule says it.
  std::optional<TensorType> type_by_rule(std::span<const TensorType> inputs) const;
  std::vector<Tensor> prepare_inputs(std::span<const Tensor> inputs, const Tensor& mask) const;
  void add_activity_losses(std::span<const Tensor> outputs, const CallContext& context);
  void attach_masks(std::span<const Tensor> inputs, std::vector<Tensor>& outputs);
  void track_layer(std::shared_ptr<Layer> layer);
  void track_variable(const Variable& variable);
  void append_added_losses(std::vector<Tensor>& all) const;
  std::shared_ptr<const Node> first_node() const;
  /// Collects from this layer and the layers inside. Of several regularizers of a variable the first counts.
  void collect_regularizers(
      std::unordered_map<Variable::Id, std::shared_ptr<Regularizer>>& by_variable) const;

  std::string class_name_;
  std::string name_;
  std::optional<std::string> parent_path_;  // from the first use on
  bool trainable_ = true;
  DTypePolicy dtype_policy_;
  std::optional<Dims> input_shape_option_;
  std::shared_ptr<Regularizer> activity_regularizer_;
  bool regularizes_activity_ = true;
  bool built_ = false;
  bool building_ = false;
  bool supports_masking_ = false;
  TypeRule type_rule_ = TypeRule::kNone;
  bool autocast_ = true;
  bool warned_of_mask_ = false;
  std::vector<InputSpec> input_specs_;
  std::vector<TensorType> build_types_;
  std::vector<std::shared_ptr<Layer>> tracked_;
  std::unordered_map<const Layer*, HeldAs> held_as_;  // of those that have a name
  std::vector<std::weak_ptr<const Node>> nodes_;      // the calls hold the layer
  std::vector<Tensor> added_losses_;
  std::vector<Variable> own_trainable_;
  std::vector<Variable> own_non_trainable_;
  std::vector<SeedGenerator> seed_generators_;
  std::vector<std::pair<Variable, std::shared_ptr<Regularizer>>> regularizers_;
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
    std::size_t num_regularizers;
    std::optional<std::string> parent_path;
  };
  void add(Layer& layer);

  std::vector<Unbuilt> unbuilt_;
};

/// What users hold and pass; callable as a Layer is.
class LayerHandle : public Handle<Layer> {
 public:
  using Handle<Layer>::Handle;
  /// The input layer of what keras::Input gives. Errors: InvalidArgument for any other tensor.
  LayerHandle(const KerasTensor& input);

  Tensor operator()(const Tensor& input, const CallArguments& arguments = {}) const {
    return (**this)(input, arguments);
  }
  Tensor operator()(const Tensors& inputs, const CallArguments& arguments = {}) const {
    return (**this)(inputs, arguments);
  }
  KerasTensor operator()(const KerasTensor& input, const CallArguments& arguments = {}) const {
    return (**this)(input, arguments);
  }
  KerasTensor operator()(const std::vector<KerasTensor>& inputs, const CallArguments& arguments = {}) const {
    return (**this)(inputs, arguments);
  }
  KerasTensor operator()(std::initializer_list<KerasTensor> inputs,
                         const CallArguments& arguments = {}) const {
    return (**this)(inputs, arguments);
  }
  std::vector<Tensor> call_many(const TensorList& inputs, const CallArguments& arguments = {}) const {
    return (**this).call_many(inputs, arguments);
  }
  std::vector<KerasTensor> call_many(std::span<const KerasTensor> inputs,
                                     const CallArguments& arguments = {}) const {
    return (**this).call_many(inputs, arguments);
  }
  std::vector<KerasTensor> call_many(std::initializer_list<KerasTensor> inputs,
                                     const CallArguments& arguments = {}) const {
    return (**this).call_many(inputs, arguments);
  }
  // What a program asks a layer for; see Layer.
  const std::string& name() const { return (*this)->name(); }
  bool trainable() const { return (*this)->trainable(); }
  void set_trainable(bool trainable) const { (*this)->set_trainable(trainable); }
  bool built() const { return (*this)->built(); }
  Config get_config() const;
  std::vector<Variable> weights() const { return (*this)->weights(); }
  std::vector<Variable> trainable_weights() const { return (*this)->trainable_weights(); }
  std::vector<Variable> non_trainable_weights() const { return (*this)->non_trainable_weights(); }
  std::vector<Variable> variables() const { return (*this)->variables(); }
  std::vector<Variable> trainable_variables() const { return (*this)->trainable_variables(); }
  std::vector<Variable> non_trainable_variables() const { return (*this)->non_trainable_variables(); }
  std::vector<Tensor> losses() const { return (*this)->losses(); }
  std::int64_t count_params() const { return (*this)->count_params(); }
  const DTypePolicy& dtype_policy() const { return (*this)->dtype_policy(); }
  DType compute_dtype() const { return (*this)->compute_dtype(); }
  DType variable_dtype() const { return (*this)->variable_dtype(); }
  // The weights that Python reads as attributes; errors as Layer::weight, so of a layer that has no such
  // weight too.
  Variable weight(StringViewArgument name) const { return (*this)->weight(name); }
  Variable kernel() const { return weight("kernel"); }
  Variable bias() const { return weight("bias"); }
  Variable recurrent_kernel() const { return weight("recurrent_kernel"); }
  Variable depthwise_kernel() const { return weight("depthwise_kernel"); }
  Variable pointwise_kernel() const { return weight("pointwise_kernel"); }
  Variable embeddings() const { return weight("embeddings"); }
  Variable gamma() const { return weight("gamma"); }
  Variable beta() const { return weight("beta"); }
  Variable moving_mean() const { return weight("moving_mean"); }
  Variable moving_variance() const { return weight("moving_variance"); }
  std::vector<Tensor> get_weights() const { return (*this)->get_weights(); }
  void set_weights(const std::vector<Tensor>& values) const { (*this)->set_weights(values); }
  KerasTensor input() const { return (*this)->input(); }
  KerasTensor output() const { return (*this)->output(); }
};

/// Makes a layer of the class L and is its handle, as layers::Dense is for ours:
///
///     class SamplingLayer : public Layer { ... };
///     using Sampling = LayerOf<SamplingLayer>;
///     const KerasTensor z = Sampling()({mean, log_variance});
template <std::derived_from<Layer> L>
class LayerOf : public LayerHandle {
 public:
  template <typename... Arguments>
    requires std::constructible_from<L, Arguments...> &&
             (!(std::derived_from<std::remove_cvref_t<Arguments>, LayerOf> || ...))
  explicit LayerOf(Arguments&&... arguments)
      : LayerHandle(std::make_shared<L>(std::forward<Arguments>(arguments)...)) {}

  L* operator->() const { return static_cast<L*>(LayerHandle::operator->()); }
  L& operator*() const { return static_cast<L&>(LayerHandle::operator*()); }
};

}  // namespace cornu::inline v0::keras
