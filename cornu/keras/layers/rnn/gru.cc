#include "cornu/keras/layers/rnn/gru.h"

#include "cornu/keras/layers/rnn/recurrent_support.h"
#include "cornu/ops/gru/gru.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/run/run_op.h"

namespace cornu::inline v0::keras::layers {
namespace {

class GRUCellLayer : public GatedCell {
 public:
  using GatedCell::GatedCell;

  CellStep gated_step(const Tensor& projected, std::span<const Tensor> states) const override {
    const Tensor& h = states[0];
    const ActivationSpec& squash = options().recurrent_activation;
    Tensor z, r, recurrent;
    if (options().reset_after) {
      Tensor product = recurrent_product(h, 0, 3);
      if (const Tensor bias = recurrent_bias(); bias.defined()) product = product + bias;
      z = squash(gate(projected, 0) + gate(product, 0));
      r = squash(gate(projected, 1) + gate(product, 1));
      recurrent = r * gate(product, 2);
    } else {
      const Tensor product = recurrent_product(h, 0, 2);
      z = squash(gate(projected, 0) + gate(product, 0));
      r = squash(gate(projected, 1) + gate(product, 1));
      recurrent = ops::matmul(r * dropped_state(h, 2), gate(recurrent_kernel(), 2));
    }
    const Tensor candidate = options().activation(gate(projected, 2) + recurrent);
    const Tensor next = z * h + (1 - z) * candidate;
    return {next, {next}};
  }

 protected:
  std::shared_ptr<RecurrentCell> with_options(const GateOptions& options) const override {
    return std::make_shared<GRUCellLayer>(options);
  }
};

class GRULayer : public GatedLayer {
 public:
  GRULayer(std::shared_ptr<GatedCell> cell, RNNOptions options,
           std::shared_ptr<const saving::DescribedOptions> described)
      : GatedLayer("GRU", std::move(cell), std::move(options), std::move(described)) {}

  std::shared_ptr<RecurrentLayer> remake(std::string name, bool go_backwards) const override {
    return std::make_shared<GRULayer>(std::make_shared<GRUCellLayer>(gated_cell().options()),
                                      remade_options(std::move(name), go_backwards), description().options);
  }

 protected:
  SequenceOutput walk_composite(const Tensor& projected, const SequenceInput& input) const override {
    const GateOptions& gates = gated_cell().options();
    const ops::GruOptions how{.activation = gates.activation.name(),
                              .recurrent_activation = gates.recurrent_activation.name(),
                              .reset_after = gates.reset_after,
                              .go_backwards = options().go_backwards};
    const Tensor bias = gated_cell().recurrent_bias();
    std::vector<Tensor> operands = {projected, gated_cell().recurrent_kernel(), input.states[0]};
    if (bias.defined()) operands.push_back(bias);
    if (input.mask.defined()) operands.push_back(input.mask);
    const detail::OpKey key("gru", how.activation, how.recurrent_activation, how.reset_after,
                            how.go_backwards, bias.defined());
    const std::vector<Tensor> results =
        detail::run_op_many(key, operands, [&](ir::Builder& b, std::span<const ir::Value> v) {
          ops::GruOperands values{.projected = v[0], .recurrent_kernel = v[1], .initial = v[2]};
          if (bias.defined()) values.recurrent_bias = v[3];
          if (input.mask.defined()) values.mask = v.back();
          const ops::GruResult y = ops::gru(b, values, how);
          return std::vector<ir::Value>{y.states, y.state};
        });
    return {.outputs = results[0], .last = results[1], .states = {results[1]}};
  }
};

std::shared_ptr<GatedCell> gru_cell(const GRUCellOptions& options, const std::string& name) {
  GateOptions gates = gate_options("GRUCell", options);
  gates.num_gates = 3;
  gates.name = name;
  return std::make_shared<GRUCellLayer>(std::move(gates));
}

}  // namespace

GRUCell::GRUCell(const GRUCellOptions& options) : Cell(gru_cell(options, options.name)) {}

GRU::GRU(const GRUOptions& options)
    : Recurrent(std::make_shared<GRULayer>(
          make_own_cell("GRU", options.name,
                        [&] { return gru_cell(saving::shared_fields<GRUCellOptions>(options), "gru_cell"); }),
          rnn_options(options), saving::describe(options))) {}

}  // namespace cornu::inline v0::keras::layers
