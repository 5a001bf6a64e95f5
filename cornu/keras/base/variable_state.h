#pragma once

#include "cornu/keras/base/state.h"
#include "cornu/tensor/trace/variable_fill.h"

namespace cornu::inline v0::keras {

/// What saves a variable's entry of a state, by which who keeps values elsewhere finds the variable.
struct SaveVariable {
  Variable variable;
  Tensor operator()() const { return cornu::detail::host_value(variable); }
};

/// Null: the entry is values of the host.
inline const Variable* variable_of(const StateEntry& entry) {
  const auto* const save = entry.save.target<SaveVariable>();
  return save == nullptr ? nullptr : &save->variable;
}

}  // namespace cornu::inline v0::keras
