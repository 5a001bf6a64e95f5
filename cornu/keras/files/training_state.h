#pragma once

#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/io/random_access.h"
#include "cornu/keras/base/state.h"

namespace cornu::inline v0::keras {

/// Writes the result of Model::training_state(), from which another process continues bit for bit:
///
///     save_training_state("run.state", model.training_state());
///     ...
///     model.fit(x, y, {.resume_from = load_training_state("run.state")});
///
/// The file is written atomically: after a crash it is the previous one or the new one. It is a safetensors
/// file with a CRC of each value in its metadata.
/// Errors: those of io::write_safetensors.
void save_training_state(const StringArgument& path, const StateValues& state);
/// Errors: NotFound and DataLoss for the file, also for a value whose CRC differs.
StateValues load_training_state(const StringArgument& path);
StateValues load_training_state(const io::RandomAccessPointer& bytes);

}  // namespace cornu::inline v0::keras
