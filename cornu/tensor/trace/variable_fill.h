#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "cornu/tensor/trace/variable.h"

/// How values of files become values of variables and values of variables go into files, without memory of
/// their own in between.
namespace cornu::inline v0::detail {

/// A variable of zeros that takes memory when somebody looks at it or a program has it as state, and not
/// where another value replaces it before.
/// Errors: as Variable's constructor; ResourceExhausted for a type that cannot be in memory.
Variable zero_variable(const TensorType& type, VariableOptions options);

/// Replaces a variable's value by what `fill` writes: type().size_bytes() bytes, row-major, which hold zeros
/// before. They are the buffer's on this thread's current device where the host can address that, else the
/// host's.
/// Errors: what `fill` throws and those of Client::allocate; the variable then has the value that it had.
void fill_variable(const Variable& variable, const std::function<void(std::span<std::byte>)>& fill);

/// The value as it is now, in host memory and never symbolic. Where the host can address the buffer these are
/// its own bytes, which later writes to the variable leave alone; else a copy.
/// Errors: as Variable::read.
Tensor host_value(const Variable& variable);

}  // namespace cornu::inline v0::detail
