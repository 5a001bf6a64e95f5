#include "cornu/keras/layers/rnn/cell.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/rnn/recurrent_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

std::vector<Dims> RecurrentCell::state_shapes(const Dims&) const {
  std::vector<Dims> shapes;
  for (const std::int64_t size : state_sizes()) shapes.push_back({size});
  return shapes;
}

Dims RecurrentCell::output_shape(const Dims&) const { return {output_size()}; }

std::vector<Tensor> RecurrentCell::initial_states(std::int64_t batch) const {
  std::vector<Tensor> states;
  for (const std::int64_t size : state_sizes()) states.push_back(ops::zeros({batch, size}, compute_dtype()));
  return states;
}

std::shared_ptr<RecurrentCell> RecurrentCell::copy() const {
  fail(ErrorCode::kUnimplemented, {.layer = name()},
       "[bidirectional] the cell must override copy(), or backward_layer must be given");
}

void RecurrentCell::begin_sequence(const Tensor&, std::span<const Tensor>, const CallContext&) {}

void RecurrentCell::check_count(std::size_t num_inputs) const {
  const std::size_t wanted = 1 + state_sizes().size();
  if (num_inputs != wanted)
    invalid_argument("[{}] expected the input of a step and {} states; got {} inputs",
                     snake_case(class_name()), wanted - 1, num_inputs);
}

void RecurrentCell::build_for(std::span<const Dims> input_shapes) {
  // A layer that repeats the cell builds it for the input of a step only.
  if (input_shapes.size() != 1) check_count(input_shapes.size());
  build(input_shapes[0]);
}

void RecurrentCell::check_shapes(std::span<const Dims> shapes) const {
  check_count(shapes.size());
  if (shapes[0].empty())
    invalid_argument("[{}] expected the input of a step, [batch, ...]; got a scalar",
                     snake_case(class_name()));
  const std::vector<Dims> states = state_shapes(shapes[0]);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Dims wanted = with_batch(shapes[0][0], states[i]);
    if (!may_be_equal(shapes[i + 1], wanted))
      invalid_argument("[{}] state {} must have the shape {}; got {}", snake_case(class_name()), i,
                       shape_with_none_str(wanted), shape_with_none_str(shapes[i + 1]));
  }
}

std::vector<TensorType> RecurrentCell::compute_output_types(std::span<const TensorType> inputs) const {
  const std::vector<Dims> shapes = shapes_of(inputs);
  check_shapes(shapes);
  const std::int64_t batch = shapes[0][0];
  std::vector<TensorType> types = {{compute_dtype(), with_batch(batch, output_shape(shapes[0]))}};
  for (const Dims& state : state_shapes(shapes[0]))
    types.push_back({compute_dtype(), with_batch(batch, state)});
  return types;
}

std::vector<Tensor> RecurrentCell::call_for(std::span<const Tensor> inputs, const CallContext& context) {
  check_shapes(shapes_of(inputs));
  const std::vector<std::int64_t> sizes = state_sizes();
  CellStep result = step(inputs[0], inputs.subspan(1), context);
  if (result.states.size() != sizes.size())
    invalid_argument("[{}] a step must give {} states; got {}", snake_case(class_name()), sizes.size(),
                     result.states.size());
  std::vector<Tensor> outputs = {std::move(result.output)};
  outputs.insert(outputs.end(), result.states.begin(), result.states.end());
  return outputs;
}

namespace {

class StackedCells : public RecurrentCell {
 public:
  StackedCells(std::vector<std::shared_ptr<RecurrentCell>> cells, LayerSettings settings)
      : RecurrentCell(std::move(settings)), cells_(std::move(cells)) {
    if (cells_.empty()) option_error("there must be at least one cell");
    for (const auto& cell : cells_) {
      if (cell == nullptr) option_error("a cell is empty");
      track(std::vector<LayerHandle>{LayerHandle(cell)}, "cells");
    }
  }

  std::vector<std::int64_t> state_sizes() const override {
    std::vector<std::int64_t> all;
    for (const auto& cell : cells_) {
      const std::vector<std::int64_t> sizes = cell->state_sizes();
      all.insert(all.end(), sizes.begin(), sizes.end());
    }
    return all;
  }
  std::int64_t output_size() const override { return cells_.back()->output_size(); }
  std::size_t output_state() const override {
    return state_sizes().size() - cells_.back()->state_sizes().size() + cells_.back()->output_state();
  }

  std::vector<Tensor> initial_states(std::int64_t batch) const override {
    std::vector<Tensor> all;
    for (const auto& cell : cells_) {
      const std::vector<Tensor> states = cell->initial_states(batch);
      all.insert(all.end(), states.begin(), states.end());
    }
    return all;
  }

  std::shared_ptr<RecurrentCell> copy() const override {
    std::vector<std::shared_ptr<RecurrentCell>> copies;
    copies.reserve(cells_.size());
    for (const auto& cell : cells_) copies.push_back(cell->copy());
    return std::make_shared<StackedCells>(std::move(copies),
                                          LayerSettings{.class_name = class_name(),
                                                        .name = name(),
                                                        .trainable = trainable(),
                                                        .dtype = dtype_policy(),
                                                        .described = description().options});
  }

  void begin_sequence(const Tensor& input, std::span<const Tensor> states,
                      const CallContext& context) override {
    Tensor reaches = input;
    for (const auto& cell : cells_) {
      const std::size_t count = cell->state_sizes().size();
      cell->begin_sequence(reaches, states.first(count), context);
      // Only its shape matters.
      reaches = ops::zeros({input.shape()[0], cell->output_size()}, compute_dtype());
      states = states.subspan(count);
    }
  }
  void end_sequence() override {
    for (const auto& cell : cells_) cell->end_sequence();
  }

 protected:
  void add_to_config(Config& fields) const override {
    Config cells{Config::List()};
    for (const auto& cell : cells_) cells.append(saving::serialize<Layer>(*cell));
    fields.set("cells", std::move(cells));
  }

  void build(const Dims& step_shape) override {
    Dims reaches = step_shape;
    for (const auto& cell : cells_) {
      cell->build_once(reaches);
      reaches = {step_shape[0], cell->output_size()};
    }
  }

  CellStep step(const Tensor& input, std::span<const Tensor> states, const CallContext&) override {
    CellStep result{input, {}};
    for (const auto& cell : cells_) {
      const std::size_t count = cell->state_sizes().size();
      std::vector<Tensor> inputs = {result.output};
      inputs.insert(inputs.end(), states.begin(), states.begin() + static_cast<std::ptrdiff_t>(count));
      const std::vector<Tensor> outputs = cell->call_many(inputs);
      result.output = outputs[0];
      result.states.insert(result.states.end(), outputs.begin() + 1, outputs.end());
      states = states.subspan(count);
    }
    return result;
  }

 private:
  std::vector<std::shared_ptr<RecurrentCell>> cells_;
};

std::vector<std::shared_ptr<RecurrentCell>> cells_of(const std::vector<Cell>& handles) {
  std::vector<std::shared_ptr<RecurrentCell>> cells;
  cells.reserve(handles.size());
  for (const Cell& handle : handles) cells.push_back(handle.cell());
  return cells;
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): as the header has it
StackedRNNCells::StackedRNNCells(std::vector<Cell> cells, const StackedRNNCellsOptions& options)
    : Cell(std::make_shared<StackedCells>(cells_of(cells), layer_settings("StackedRNNCells", options))) {}

}  // namespace cornu::inline v0::keras::layers
