#include "cornu/keras/layers/rnn/simple_rnn.h"

#include "cornu/keras/layers/rnn/recurrent_support.h"
#include "cornu/ops/simple_rnn/simple_rnn.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/run/run_op.h"

namespace cornu::inline v0::keras::layers {
namespace {

class SimpleRNNCellLayer : public GatedCell {
 public:
  using GatedCell::GatedCell;

  CellStep gated_step(const Tensor& projected, std::span<const Tensor> states) const override {
    const Tensor h = options().activation(projected + recurrent_product(states[0], 0, 1));
    return {h, {h}};
  }

 protected:
  std::shared_ptr<RecurrentCell> with_options(const GateOptions& options) const override {
    return std::make_shared<SimpleRNNCellLayer>(options);
  }
};

class SimpleRNNLayer : public GatedLayer {
 public:
  SimpleRNNLayer(std::shared_ptr<GatedCell> cell, RNNOptions options,
                 std::shared_ptr<const saving::DescribedOptions> described)
      : GatedLayer("SimpleRNN", std::move(cell), std::move(options), std::move(described)) {}

  std::shared_ptr<RecurrentLayer> remake(std::string name, bool go_backwards) const override {
    return std::make_shared<SimpleRNNLayer>(std::make_shared<SimpleRNNCellLayer>(gated_cell().options()),
                                            remade_options(std::move(name), go_backwards),
                                            description().options);
  }

 protected:
  SequenceOutput walk_composite(const Tensor& projected, const SequenceInput& input) const override {
    const ops::SimpleRnnOptions how{.activation = gated_cell().options().activation.name(),
                                    .go_backwards = options().go_backwards};
    std::vector<Tensor> operands = {projected, gated_cell().recurrent_kernel(), input.states[0]};
    if (input.mask.defined()) operands.push_back(input.mask);
    const std::vector<Tensor> results =
        detail::run_op_many(detail::OpKey("simple_rnn", how.activation, how.go_backwards), operands,
                            [&](ir::Builder& b, std::span<const ir::Value> v) {
                              const ops::SimpleRnnResult y = ops::simple_rnn(
                                  b, v[0], v[1], v[2], v.size() > 3 ? v[3] : ir::Value(), how);
                              return std::vector<ir::Value>{y.states, y.state};
                            });
    return {.outputs = results[0], .last = results[1], .states = {results[1]}};
  }
};

std::shared_ptr<GatedCell> simple_rnn_cell(const SimpleRNNCellOptions& options, const std::string& name) {
  GateOptions gates = gate_options("SimpleRNNCell", options);
  gates.name = name;
  return std::make_shared<SimpleRNNCellLayer>(std::move(gates));
}

}  // namespace

SimpleRNNCell::SimpleRNNCell(const SimpleRNNCellOptions& options)
    : Cell(simple_rnn_cell(options, options.name)) {}

SimpleRNN::SimpleRNN(const SimpleRNNOptions& options)
    : Recurrent(std::make_shared<SimpleRNNLayer>(
          make_own_cell("SimpleRNN", options.name,
                        [&] {
                          return simple_rnn_cell(saving::shared_fields<SimpleRNNCellOptions>(options),
                                                 "simple_rnn_cell");
                        }),
          rnn_options(options), saving::describe(options))) {}

}  // namespace cornu::inline v0::keras::layers
