#pragma once

#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/io/random_access.h"
#include "cornu/keras/base/state.h"

namespace cornu::inline v0::keras {

/// Writes what Model::training_state() gave, so that another process goes on to the bit:
///
///     save_training_state("run.state", model.training_state());
///     ...
///     model.fit(x, y, {.resume_from = load_training_state("run.state")});
///
/// The file is there whole or not at all: after a crash at any moment it is the one before or the new one. It
/// is a safetensors file with a CRC of each value among its metadata.
/// Errors: those of io::write_safetensors.
void save_training_state(const StringArgument& path, const StateValues& state);
/// Errors: NotFound and DataLoss for the file, also for a value whose CRC differs.
StateValues load_training_state(const StringArgument& path);
StateValues load_training_state(const io::RandomAccessPointer& bytes);

}  // namespace cornu::inline v0::keras
