#include "cornu/backends/cpu/recurrent/problem.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu::recurrent {
namespace {

Activation activation_of(const ir::Op& op, std::string_view attribute, Activation otherwise) {
  static constexpr std::pair<std::string_view, Activation> kNames[] = {
      {"linear", Activation::kLinear},
      {"tanh", Activation::kTanh},
      {"sigmoid", Activation::kSigmoid},
      {"relu", Activation::kRelu},
      {"hard_sigmoid", Activation::kHardSigmoid}};
  const ir::Attribute* const found = op.attributes().find(attribute);
  if (found == nullptr) return otherwise;
  const auto& name = std::get<std::string>(*found);
  const auto* const row = std::find_if(std::begin(kNames), std::end(kNames),
                                       [&](const auto& known) { return known.first == name; });
  CORNU_CHECK(row != std::end(kNames), "{} = \"{}\"", attribute, name);
  return row->second;
}

bool flag(const ir::Op& op, std::string_view name) {
  const ir::Attribute* const attribute = op.attributes().find(name);
  return attribute != nullptr && std::get<bool>(*attribute);
}

/// True if the operand with this role, at this position, is present.
bool has_operand(const ir::Op& op, Role role, std::size_t place) {
  if (role == Role::kBias) return flag(op, "has_recurrent_bias");
  if (role == Role::kDStates) return flag(op, "has_sequence_gradient");
  return role != Role::kMask || place < op.operands().size();
}

}  // namespace

std::optional<RecurrentProblem> problem_of(const ir::Op& op, const Composite& composite) {
  if (op.operand(0).dtype() != ir::DType::kF32) return std::nullopt;
  RecurrentProblem p;
  p.cell = composite.cell;
  p.is_gradient = composite.is_gradient;
  p.goes_back = flag(op, "go_backwards") != p.is_gradient;
  p.reset_after = flag(op, "reset_after");
  p.num_gates = composite.num_gates;
  p.activation = activation_of(op, "activation", Activation::kTanh);
  p.recurrent_activation = activation_of(op, "recurrent_activation", Activation::kSigmoid);
  p.tensors.fill(RecurrentProblem::kAbsent);
  int place = 0;
  for (const Role role : composite.operands)
    if (has_operand(op, role, static_cast<std::size_t>(place)))
      p.tensors[static_cast<std::size_t>(role)] = place++;
  CORNU_CHECK(static_cast<std::size_t>(place) == op.operands().size(), "{} has {} operands", op.name(),
              op.operands().size());
  for (std::size_t i = 0; i < composite.results.size(); ++i)
    p.tensors[static_cast<std::size_t>(composite.results[i])] = static_cast<int>(i);
  const ir::Value stacked = p.is_gradient ? op.result(0) : op.operand(0);
  p.batch = stacked.dims()[0];
  p.time = stacked.dims()[1];
  p.units = stacked.dims()[2] / p.num_gates;
  if (p.cell == Cell::kLstm) p.saved_gates = 4;
  if (p.cell == Cell::kGru) p.saved_gates = p.reset_after ? 4 : 3;
  if (p.batch == 0 || p.units == 0) return std::nullopt;
  return p;
}

}  // namespace cornu::inline v0::backends::cpu::recurrent
