#include "cornu/keras/files/shared_state_writer.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "cornu/base/check.h"
#include "cornu/base/random_token.h"
#include "cornu/io/file.h"
#include "cornu/runtime/key_value_store.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::chrono::milliseconds kDefaultTime(-1);

bool is_part(const StateValues::value_type& value) {
  return split_state_path(value.first).second.has_value();
}

}  // namespace

SharedStateWriter::SharedStateWriter(runtime::Collective& processes)
    : rank_(processes.rank()), num_processes_(processes.size()), keys_(processes.open_store()) {
  run_ = processes.gather(random_token())[0];
}

bool SharedStateWriter::is_for(const StateValues& state) {
  return std::any_of(state.begin(), state.end(), is_part);
}

StateValues SharedStateWriter::own(const StateValues& state) const {
  if (rank_ == 0) return state;
  StateValues parts;
  std::copy_if(state.begin(), state.end(), std::inserter(parts, parts.end()), is_part);
  return parts;
}

void SharedStateWriter::write(const std::string& path, const StateValues& own) {
  const SharedState shared{.generation = fmt::format("{:016x}_{}", run_, written_++),
                           .rank = rank_,
                           .num_processes = num_processes_};
  try {
    if (rank_ == 0)
      write_first(path, own, shared);
    else
      write_other(path, own, shared);
  } catch (const Error& error) {
    keys_->give_up(error.what());  // others may wait for this process
    throw;
  }
}

void SharedStateWriter::write_first(const std::string& path, const StateValues& own,
                                    const SharedState& shared) {
  for (int rank = 1; rank < num_processes_; ++rank) {
    keys_->get(fmt::format("{} {}", shared.generation, rank), kDefaultTime);
    const std::string other = shared.path_of(path, rank);
    if (std::error_code error; !std::filesystem::exists(other, error))
      fail(ErrorCode::kNotFound,
           "[save_training_state] rank {} has written {}, which rank 0 does not see: the folder must be the "
           "same one for all ranks, on a file system that they share",
           rank, other);
  }
  save_training_state(path, own, shared);
  remove_other_generations(path, shared.generation);
  keys_->put(shared.generation, "written");
}

void SharedStateWriter::write_other(const std::string& path, const StateValues& own,
                                    const SharedState& shared) {
  std::error_code ignored;  // write errors report it
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  save_training_state(path, own, shared);
  keys_->put(fmt::format("{} {}", shared.generation, rank_), "written");
  keys_->get(shared.generation, kDefaultTime);
}

}  // namespace cornu::inline v0::keras
