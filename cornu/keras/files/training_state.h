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
/// Joins the parts of a state that several processes have written, see SharedState.
/// Errors: NotFound and DataLoss for the file, also for a value whose CRC differs, and for a missing file of
///         another process.
StateValues load_training_state(const StringArgument& path);
StateValues load_training_state(const io::RandomAccessPointer& bytes);

/// The files of a state that several processes write, each with its own parts (StatePart). Rank 0 writes
/// PATH, with all whole values; rank k writes PATH.rows-GENERATION-kofN. PATH names the generation, so it and
/// the other files of one state belong together, and replacing PATH replaces the state.
struct SharedState {
  std::string generation;  // of letters, digits and "_"
  int rank = 0, num_processes = 1;

  /// The file of a rank.
  std::string path_of(const StringArgument& path, int rank_of_file) const;
};
/// Writes this process's file. Errors: those of save_training_state.
void save_training_state(const StringArgument& path, const StateValues& own, const SharedState& shared);
/// Removes the files of all ranks but 0 of states at `path` that are not of this generation, also those that
/// killed processes left.
void remove_other_generations(const StringArgument& path, const StringViewArgument& generation);
/// The generation of the state at `path`; empty if there is none, or if one process wrote it.
std::string generation_of_state(const StringArgument& path);

}  // namespace cornu::inline v0::keras
