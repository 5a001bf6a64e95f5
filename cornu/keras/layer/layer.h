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
#include "cornu/keras/base/shapes.h"
#include "cornu/keras/base/tensors.h"
#include "cornu/keras/config/configurable.h"
#include "cornu/keras/layer/call_arguments.h"
#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/keras/layer/layer_handle.h"
#include "cornu/keras/layer/layer_settings.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0::keras {

class BuildGuard;
class Network;
class QuantizationConfig;
struct UnbuiltLayer;

/// The base of all layers and models. A layer makes its weights in build() and computes in call().
///
/// Lifetime: held by LayerHandle (shared); its weights live as long as they are referenced.
/// Threads:  one thread at a time.
class Layer : public Configurable, public std::enable_shared_from_this<Layer> {
 public:
  static constexpr const char* kHandleKind = "layer";  // see Handle

  /// Errors: InvalidArgument if the name contains "/", the dtype is not floating-point, or input_shape has a
  ///         negative extent other than kUnknown.
  explicit Layer(LayerSettings settings);
  /// `name` empty: the next automatic name of the class ("dense_1").
  Layer(StringArgument class_name, StringArgument name);
  ~Layer() override;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  /// The network that trains the layer: the layer itself if it is a network, else a network with Keras's
  /// steps around it. Requires: a shared pointer holds the layer.
  virtual std::shared_ptr<Network> as_network();
  /// Itself if it is a network, else null.
  virtual Network* network_or_null() { return nullptr; }
  virtual const Network* network_or_null() const { return nullptr; }

  const std::string& name() const { return name_; }
  /// Keras's class name: "Dense".
  const std::string& class_name() const { return class_name_; }
  /// The name, preceded by the names of the layers around it at its first use: "sequential/dense". The paths
  /// of its weights begin with it.
  std::string path() const;

  bool trainable() const { return trainable_; }
  /// Sets it for the layer and its inner layers. The first training or evaluation after compile() fixes a
  /// model's set of trainable weights until it is compiled again.
  virtual void set_trainable(bool trainable);

  const DTypePolicy& dtype_policy() const { return dtype_policy_; }
  /// The dtype of the computation: floating-point inputs are cast to it, and so are weights when call() reads
  /// them.
  DType compute_dtype() const { return dtype_policy_.compute_dtype(); }
  /// The dtype of the weights.
  DType variable_dtype() const { return dtype_policy_.variable_dtype(); }
  /// The same as variable_dtype(), as in Keras.
  DType dtype() const { return variable_dtype(); }
  /// The form of the large weights; see quantize().
  QuantizationMode quantization_mode() const { return dtype_policy_.quantization_mode(); }
  /// Replaces the large weights by quantized ones, which are not trainable, and the policy by a quantized one.
  /// A model's programs are compiled again if Model::quantize() does it.
  /// Errors: FailedPrecondition if the layer is not built or quantized already; Unimplemented if the class or
  ///         the mode has no quantized form.
  virtual void quantize(const std::shared_ptr<QuantizationConfig>& config);
  /// The name of the activation option, for pictures; empty for layers that have none.
  virtual std::string activation_name() const { return {}; }
  /// The options of the layer, with the present name and `trainable`; for wrappers and models also the inner
  /// layers.
  ///
  ///     layers::Dense({.units = 3}).get_config().json()
  ///
  /// Errors: Unimplemented, naming the layer, for user code: a Lambda, an activation without a name, a
  ///         user's class that does not override this.
  Config get_config() const override;
  /// The option `activity_regularizer`; null if it is not set.
  const std::shared_ptr<Regularizer>& activity_regularizer() const { return activity_regularizer_; }
  /// The option `input_shape`.
  const std::optional<Dims>& input_shape_option() const { return input_shape_option_; }

  bool built() const { return built_; }
  /// The types of the inputs that it was built for; f32 if only shapes were given.
  std::span<const TensorType> build_types() const { return {build_types_.data(), build_types_.size()}; }
  /// Makes the weights for this input shape (batch kUnknown), once.
  /// Errors: InvalidArgument, naming the layer, if the shape does not fit; no weights are made then.
  void build_once(const Dims& input_shape);
  void build_once_for(std::span<const Dims> input_shapes);

  /// Builds if needed and computes. Errors: InvalidArgument naming the layer, also if it does not return
  /// exactly one output.
  Tensor operator()(const Tensor& input, const CallArguments& arguments = {});
  /// Several inputs, by position or by name. Errors: InvalidArgument for unknown names.
  Tensor operator()(const Tensors& inputs, const CallArguments& arguments = {});
  /// The same for layers of several outputs.
  std::vector<Tensor> call_many(const TensorList& inputs, const CallArguments& arguments = {});

  /// Adds the call to the graph of a functional model, which then holds the layer.
  /// Errors: FailedPrecondition if the layer is not held by a shared pointer (std::make_shared).
  KerasTensor operator()(const KerasTensor& input, const CallArguments& arguments = {});
  KerasTensor operator()(const std::vector<KerasTensor>& inputs, const CallArguments& arguments = {});
  KerasTensor operator()(std::initializer_list<KerasTensor> inputs, const CallArguments& arguments = {});
  std::vector<KerasTensor> call_many(std::span<const KerasTensor> inputs,
                                     const CallArguments& arguments = {});
  std::vector<KerasTensor> call_many(std::initializer_list<KerasTensor> inputs,
                                     const CallArguments& arguments = {});
  /// The same for the tensors' types only, with kUnknown extents.
  std::vector<TensorType> call_types(std::span<const TensorType> inputs, const CallArguments& arguments = {});
  /// `training` of a call outside of any other call that does not set it.
  virtual bool default_training() const { return false; }
  /// The names of the inputs, in order; empty for a layer without input names.
  virtual std::vector<std::string> input_names() const;
  /// The number of inputs, the last ones, that a call may leave out; see Tensors::ordered.
  virtual std::size_t num_optional_inputs() const { return 0; }

  /// The outputs' shapes and dtypes for inputs with kUnknown extents. No weights are made. By the layer's type
  /// rule; without one by call() on symbolic inputs: extents that depend on unknown ones are then kUnknown, and
  /// a layer that is not built is built for the trace, with weights that take no memory, and reset afterwards.
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs);
  /// The same by the type rule alone, for layers to override. An override calls Layer's for inputs that it has
  /// no rule for. Errors: Unimplemented if no rule applies.
  virtual std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const;
  /// The same for a call with arguments, for layers whose outputs depend on them.
  virtual std::vector<TensorType> compute_call_types(std::span<const TensorType> inputs,
                                                     const CallArguments& arguments) const;
  /// The same for one f32 input and one output; with and without a trace as compute_output_types().
  Dims compute_output_shape(const Dims& input_shape);
  virtual Dims compute_output_shape(const Dims& input_shape) const;
  /// True if compute_output_types() follows a rule for inputs of compute_dtype(), without tracing call().
  /// Inputs of other or mixed dtypes may still be traced; see TypeRule.
  virtual bool has_type_rule() const { return type_rule_ != TypeRule::kNone; }

  /// The input and output of its calls on tensors of functional models, as far as those tensors still exist.
  /// Errors: FailedPrecondition if there is no call, InvalidArgument if it has several inputs or outputs.
  KerasTensor input() const;
  KerasTensor output() const;
  /// The calls that still exist, in order.
  std::vector<std::shared_ptr<const Node>> nodes() const;

  /// The layer's weights: trainable ones, then the others, each in the order in which they were made; then
  /// those of inner layers, each once.
  std::vector<Variable> weights() const;
  std::vector<Variable> trainable_weights() const;
  /// The weights that this layer tracks itself, trainable ones first: files list these under its path.
  std::vector<Variable> own_weights() const;
  /// The same in the order of files. Unless overridden: own_weights().
  virtual std::vector<Variable> saved_weights() const { return own_weights(); }
  std::vector<Variable> non_trainable_weights() const;
  /// The weights and the states of random numbers, in Keras's order.
  std::vector<Variable> variables() const;
  std::vector<Variable> trainable_variables() const { return trainable_weights(); }
  std::vector<Variable> non_trainable_variables() const;
  /// The layer's own generators of random numbers, without those of inner layers.
  const std::vector<SeedGenerator>& seed_generators() const;
  /// The weight of that name ("kernel"): the layer's own, else the only one of its inner layers.
  /// Errors: FailedPrecondition before it is built; InvalidArgument, listing the names, if there is none, or
  ///         several in inner layers.
  Variable weight(StringViewArgument name) const;
  /// The number of elements of all weights. Errors: FailedPrecondition before it is built.
  std::int64_t count_params() const;
  /// Copies of all weights, in the order of weights().
  std::vector<Tensor> get_weights() const;
  /// Errors: InvalidArgument if the number or a shape differs; nothing is changed then.
  void set_weights(const std::vector<Tensor>& values) const;

  /// The mask of each output (undefined: none), computed from the inputs, which carry their masks. Called
  /// only if supports_masking(). Unless overridden: the first input's mask.
  virtual std::vector<Tensor> compute_mask(std::span<const Tensor> inputs,
                                           std::span<const Tensor> outputs) const;
  bool supports_masking() const { return supports_masking_; }
  /// True if a call consumes its inputs' masks: in a functional model, later layers that read the same values
  /// find no mask. Keras's MultiHeadAttention does so: the sum of its input and its output has no mask.
  virtual bool uses_up_masks() const { return false; }

  /// Scalars to add to the loss: those of add_loss() in the last call, here and in inner layers, then the
  /// regularizers of the trainable weights.
  virtual std::vector<Tensor> losses() const;
  /// Clears the losses of add_loss(), also in inner layers. The outermost call begins with it.
  void clear_losses();
  /// The inner layers of a model or wrapper: those that were tracked.
  virtual std::vector<std::shared_ptr<Layer>> sublayers() const;
  /// True if it is `other` or contains it.
  bool contains(const Layer& other) const;
  /// The key in files of one of sublayers().
  HeldAs held_as(const Layer& inside) const;

 protected:
  // A layer of one input overrides build() and call(); a layer of several inputs or outputs overrides
  // build_for() and call_for().
  virtual void build(const Dims& input_shape);
  virtual void build_for(std::span<const Dims> input_shapes);
  /// Resets the members that build() has set; the caller removes weights.
  virtual void unbuild() {}
  virtual Tensor call(const Tensor& input, const CallContext& context);
  virtual std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context);

  /// Adds a scalar to the training loss; called from call().
  void add_loss(const Tensor& loss);
  /// Registers a layer (a handle or a shared pointer) as one of sublayers(), a variable as one of weights(),
  /// or each element of a list of these; returns it. Errors: InvalidArgument if this layer is inside that
  /// one.
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
  /// The same with the key in files: the name of the member in the Python class ("head"). A list of layers is
  /// a list there too.
  template <typename T>
  T track(T object, const StringArgument& attribute) {
    track(object);
    if constexpr (std::is_convertible_v<const T&, std::shared_ptr<Layer>>) {
      hold_as(std::shared_ptr<Layer>(object).get(), attribute, false);
    } else if constexpr (requires { object.shared(); }) {
      hold_as(object.shared().get(), attribute, false);
    } else {
      for (const auto& one : object) hold_as(one.shared().get(), attribute, true);
    }
    return object;
  }
  /// Adds entries to the config derived from the options, or overrides them: inner layers, and settings that
  /// have changed since.
  virtual void add_to_config(Config& fields) const { (void)fields; }
  void set_supports_masking(bool supports) { supports_masking_ = supports; }
  /// Declares that types follow without a trace: from compute_output_shape(), which must then be overridden,
  /// or, with TypeRule::kOverridden, from compute_output_types().
  void set_type_rule(TypeRule rule) { type_rule_ = rule; }
  /// False: floating-point inputs keep their dtype.
  void set_autocast(bool autocast) { autocast_ = autocast; }
  /// Input specs, checked at every call, also on tensors of functional models. A single spec applies to every
  /// input; otherwise there is one for each input.
  void set_input_spec(InputSpec spec);
  void set_input_specs(std::vector<InputSpec> specs);
  Variable add_weight(const WeightOptions& options);
  /// Removes a weight that the layer made; its regularizer no longer counts.
  void remove_weight(const Variable& weight);
  void set_dtype_policy(const DTypePolicy& policy) { dtype_policy_ = policy; }
  /// Makes a generator of random numbers whose state is one of variables(). Without a seed it takes the
  /// process's next default seed.
  SeedGenerator add_seed_generator(std::optional<std::uint64_t> seed);
  /// Calls `layer` like call_many(), without its own activity regularizer and its warning about an unused
  /// mask; the layers inside `layer` have both.
  static std::vector<Tensor> call_unregularized(Layer& layer, std::span<const Tensor> inputs,
                                                const CallArguments& arguments);
  /// True if call() runs only to infer its results' types: state must then stay unchanged.
  static bool sees_types_only();
  /// The type in which call() sees an input of this type: floats have compute_dtype().
  TensorType cast_type(TensorType type) const;
  /// Runs call_for() on symbolic inputs in a trace that is discarded; weights that it makes stay.
  /// Errors: those of the call, which name the layer.
  std::vector<TensorType> trace_call(std::span<const TensorType> inputs);
  /// The output types of a built layer for such inputs, by traces of call().
  virtual std::vector<TensorType> trace_types(std::span<const TensorType> inputs);
  /// build_once_for() for inputs whose dtypes are also known.
  void build_for_types(std::span<const TensorType> inputs);
  /// For constructors: throws InvalidArgument "[class] message; in layer "name"".
  [[noreturn]] void option_error(const std::string& message) const;
  /// The same for one option: `[dense] units must be positive; got units = 0; in layer "hidden"`.
  [[noreturn]] void option_error(const char* option, std::string_view demand, std::string_view got) const;
  /// For constructors: checks the initializer of an option. Errors: InvalidArgument, naming the layer, if it
  /// is unset or unknown.
  void check_initializer(const char* option, const InitializerSpec& initializer) const;
  /// For constructors: the same checks for activations, regularizers and constraints (which may be unset).
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
  /// Members of types that a program that includes this header need not instantiate (layer_parts_support.h).
  struct Parts;

  void check_inputs(std::span<const TensorType> inputs) const;
  /// trace_types() for a layer that may not be built; does not build it.
  std::vector<TensorType> trace_unbuilt_types(std::span<const TensorType> inputs);
  /// The only one of the outputs. Errors: InvalidArgument.
  const TensorType& the_output(std::span<const TensorType> outputs) const;
  /// True if, by the type rule, compute_output_shape() determines the shape.
  bool shape_is_rule() const;
  /// The output type by the type rule; nullopt if no rule applies.
  std::optional<TensorType> type_by_rule(std::span<const TensorType> inputs) const;
  std::vector<Tensor> prepare_inputs(std::span<const Tensor> inputs, const Tensor& mask) const;
  void add_activity_losses(std::span<const Tensor> outputs, const CallContext& context);
  void attach_masks(std::span<const Tensor> inputs, std::vector<Tensor>& outputs);
  void track_layer(std::shared_ptr<Layer> layer);
  void hold_as(const Layer* layer, const std::string& attribute, bool in_list);
  /// Resets what was built since, without keep().
  void restore(const UnbuiltLayer& before);
  /// After a build: tracks layers of undone builds again that the class still holds, and drops the others.
  void settle_undone_layers();
  /// True if build() runs for a trace of types: weights are zeros that take no memory.
  bool builds_for_types_only() const;
  void track_variable(const Variable& variable);
  void append_added_losses(std::vector<Tensor>& all) const;
  std::shared_ptr<const Node> first_node() const;
  /// Collects from this layer and its inner layers. If a variable has several regularizers, the first counts.
  void collect_regularizers(
      std::unordered_map<Variable::Id, std::shared_ptr<Regularizer>>& by_variable) const;

  std::string class_name_;
  std::string name_;
  std::optional<std::string> parent_path_;  // set at the first use
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
  std::vector<TensorType> build_types_;
  std::vector<std::shared_ptr<Layer>> tracked_;
  std::vector<Tensor> added_losses_;
  std::vector<Variable> own_trainable_;
  std::vector<Variable> own_non_trainable_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cornu::inline v0::keras
