#include "cornu/keras/layers/rnn/lstm.h"

#include "cornu/keras/layers/rnn/recurrent_support.h"
#include "cornu/ops/lstm/lstm.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/run/run_op.h"

namespace cornu::inline v0::keras::layers {
namespace {

class LSTMCellLayer : public GatedCell {
 public:
  using GatedCell::GatedCell;

  CellStep gated_step(const Tensor& projected, std::span<const Tensor> states) const override {
    const Tensor z = projected + recurrent_product(states[0], 0, 4);
    const Tensor i = options().recurrent_activation(gate(z, 0)),
                 f = options().recurrent_activation(gate(z, 1));
    const Tensor c = f * states[1] + i * options().activation(gate(z, 2));
    const Tensor h = options().recurrent_activation(gate(z, 3)) * options().activation(c);
    return {h, {h, c}};
  }

 protected:
  std::shared_ptr<RecurrentCell> with_options(const GateOptions& options) const override {
    return std::make_shared<LSTMCellLayer>(options);
  }
};

class LSTMLayer : public GatedLayer {
 public:
  LSTMLayer(std::shared_ptr<GatedCell> cell, RNNOptions options,
            std::shared_ptr<const saving::DescribedOptions> described)
      : GatedLayer("LSTM", std::move(cell), std::move(options), std::move(described)) {}

  std::shared_ptr<RecurrentLayer> remake(std::string name, bool go_backwards) const override {
    return std::make_shared<LSTMLayer>(std::make_shared<LSTMCellLayer>(gated_cell().options()),
                                       remade_options(std::move(name), go_backwards), description().options);
  }

 protected:
  SequenceOutput walk_composite(const Tensor& projected, const SequenceInput& input) const override {
    const ops::LstmOptions how{.activation = gated_cell().options().activation.name(),
                               .recurrent_activation = gated_cell().options().recurrent_activation.name(),
                               .go_backwards = options().go_backwards};
    std::vector<Tensor> operands = {projected, gated_cell().recurrent_kernel(), input.states[0],
                                    input.states[1]};
    if (input.mask.defined()) operands.push_back(input.mask);
    const std::vector<Tensor> results =
        detail::run_op_many(detail::OpKey("lstm", how.activation, how.recurrent_activation, how.go_backwards),
                            operands, [&](ir::Builder& b, std::span<const ir::Value> v) {
                              const ops::LstmResult y = ops::lstm(
                                  b, {v[0], v[1], v[2], v[3], v.size() > 4 ? v[4] : ir::Value()}, how);
                              return std::vector<ir::Value>{y.states, y.hidden, y.carry};
                            });
    return {.outputs = results[0], .last = results[1], .states = {results[1], results[2]}};
  }
};

std::shared_ptr<GatedCell> lstm_cell(const LSTMCellOptions& options, const std::string& name) {
  GateOptions gates = gate_options("LSTMCell", options);
  gates.num_gates = 4;
  gates.num_states = 2;
  gates.name = name;
  return std::make_shared<LSTMCellLayer>(std::move(gates));
}

}  // namespace

LSTMCell::LSTMCell(const LSTMCellOptions& options) : Cell(lstm_cell(options, options.name)) {}

LSTM::LSTM(const LSTMOptions& options)
    : Recurrent(std::make_shared<LSTMLayer>(
          make_own_cell(
              "LSTM", options.name,
              [&] { return lstm_cell(saving::shared_fields<LSTMCellOptions>(options), "lstm_cell"); }),
          rnn_options(options), saving::describe(options))) {}

}  // namespace cornu::inline v0::keras::layers
