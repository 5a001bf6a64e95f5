#include "cornu/keras/files/state_writer.h"

#include <utility>

#include "cornu/keras/files/training_state.h"
#include "cornu/runtime/processes.h"

namespace cornu::inline v0::keras {

StateWriter::~StateWriter() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void StateWriter::rethrow() {
  if (error_ == nullptr) return;
  std::rethrow_exception(std::exchange(error_, nullptr));
}

void StateWriter::write(const std::string& path, const StateValues& state) {
  if (!runtime::is_chief()) return;
  Work work{path, {}};
  for (const auto& [name, value] : state) work.state.emplace(name, Tensor(value.literal()));
  {
    const std::lock_guard lock(mutex_);
    rethrow();
    waiting_ = std::move(work);
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_all();
}

void StateWriter::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !waiting_.has_value() && !is_writing_; });
  rethrow();
}

void StateWriter::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return waiting_.has_value() || ends_; });
    if (!waiting_.has_value()) return;
    const Work work = *std::exchange(waiting_, std::nullopt);
    is_writing_ = true;
    lock.unlock();
    std::exception_ptr error;
    try {
      save_training_state(work.path, work.state);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    is_writing_ = false;
    if (error != nullptr) error_ = error;
    changed_.notify_all();
  }
}

}  // namespace cornu::inline v0::keras
