#pragma once

#include "cornu/keras/base/state.h"
#include "cornu/tensor/trace/variable_fill.h"
#include "cornu/tensor/trace/variable_parts.h"

namespace cornu::inline v0::keras {

/// The function that saves a variable's state entry. Its type identifies the variable to code that saves
/// values elsewhere.
struct SaveVariable {
  Variable variable;
  Tensor operator()() const {
    return cornu::detail::spans_processes(variable) ? cornu::detail::own_value(variable)
                                                    : cornu::detail::host_value(variable);
  }
};

/// The entry's variable; null if the entry holds values of the host.
inline const Variable* variable_of(const StateEntry& entry) {
  const auto* const save = entry.save.target<SaveVariable>();
  return save == nullptr ? nullptr : &save->variable;
}

}  // namespace cornu::inline v0::keras
