#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

/// The result of one step of a cell.
struct CellStep {
  Tensor output;
  std::vector<Tensor> states;
};

/// One step of a recurrent layer, which layers::RNN repeats along a sequence. The base of built-in and
/// user-defined cells.
///
///     class Minimal : public layers::RecurrentCell {
///      public:
///       Minimal() : RecurrentCell({.class_name = "Minimal"}) {}
///       std::vector<std::int64_t> state_sizes() const override { return {8}; }
///      protected:
///       void build(const Dims& step) override {
///         kernel_ = add_weight({.name = "kernel", .shape = {step.back(), 8}});
///       }
///       layers::CellStep step(const Tensor& x, std::span<const Tensor> states,
///                             const CallContext&) override {
///         const Tensor h = ops::tanh(ops::matmul(x, kernel_) + states[0]);
///         return {h, {h}};
///       }
///       ...
///     };
///     layers::RNN(std::make_shared<Minimal>(), {.return_sequences = true})
///
/// Called as a layer it takes the input of one step, [batch, ...], and the states, and returns the output and
/// the next states.
class RecurrentCell : public Layer {
 public:
  explicit RecurrentCell(LayerSettings settings) : Layer(std::move(settings)) {
    set_type_rule(TypeRule::kOverridden);
  }

  /// The number of features of each state.
  virtual std::vector<std::int64_t> state_sizes() const = 0;
  /// The number of features of the output. Unless overridden: the first state's.
  virtual std::int64_t output_size() const { return state_sizes()[0]; }
  /// The extents of each state without the batch, for a step's input [batch, ...]; for cells whose states
  /// have more axes than one. Unless overridden: those of state_sizes().
  virtual std::vector<Dims> state_shapes(const Dims& step_shape) const;
  /// The same for the output. Unless overridden: that of output_size().
  virtual Dims output_shape(const Dims& step_shape) const;
  /// The index of the state that equals the output, whose value masked steps return. In Keras the first.
  virtual std::size_t output_state() const { return 0; }
  /// Unless overridden: zeros.
  virtual std::vector<Tensor> initial_states(std::int64_t batch) const;
  /// Makes a cell with the same options and without weights, for Bidirectional. Unless overridden: throws
  /// Unimplemented.
  virtual std::shared_ptr<RecurrentCell> copy() const;

  /// A layer calls begin_sequence() with the input of the first step and the states before it repeats the
  /// cell, and end_sequence() afterwards. Values that are constant in a sequence, such as dropout masks, are
  /// drawn there.
  virtual void begin_sequence(const Tensor& input, std::span<const Tensor> states,
                              const CallContext& context);
  virtual void end_sequence() {}

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override;

 protected:
  /// Computes one step; `states` has state_sizes().size() elements.
  virtual CellStep step(const Tensor& input, std::span<const Tensor> states, const CallContext& context) = 0;

  void build_for(std::span<const Dims> input_shapes) override;
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context) override;

 private:
  void check_count(std::size_t num_inputs) const;
  /// Errors: InvalidArgument unless the states have the input's batch and the extents of state_shapes().
  void check_shapes(std::span<const Dims> shapes) const;
};

/// A layer's cell argument: a handle, or a shared pointer to any RecurrentCell.
class Cell : public LayerHandle {
 public:
  Cell() = default;
  Cell(std::shared_ptr<RecurrentCell> cell) : LayerHandle(cell), cell_(std::move(cell)) {}
  template <typename C>
    requires std::derived_from<C, RecurrentCell>
  Cell(std::shared_ptr<C> cell) : Cell(std::shared_ptr<RecurrentCell>(std::move(cell))) {}

  const std::shared_ptr<RecurrentCell>& cell() const { return cell_; }

 private:
  std::shared_ptr<RecurrentCell> cell_;
};

struct StackedRNNCellsOptions {  // options/layers.toml
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(StackedRNNCellsOptions, name, trainable, dtype)

/// Several cells as one: each takes the output of the one before. The states are those of the cells,
/// concatenated.
/// Errors: InvalidArgument without cells, or for an empty handle.
class StackedRNNCells : public Cell {
 public:
  explicit StackedRNNCells(std::vector<Cell> cells, const StackedRNNCellsOptions& options = {});
};

}  // namespace cornu::inline v0::keras::layers
