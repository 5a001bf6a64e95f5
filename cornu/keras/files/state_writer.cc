#include "cornu/keras/files/state_writer.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "cornu/base/checked_size.h"
#include "cornu/base/large_pages.h"
#include "cornu/base/scratch_memory.h"
#include "cornu/base/service_thread.h"
#include "cornu/keras/files/training_state.h"
#include "cornu/runtime/collective.h"

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

namespace {

/// Begins at a page boundary, like the values in the file. Large blocks use large pages, so that few have to
/// be mapped. If memory is scarce, the block is in a file beside that of the state.
std::shared_ptr<std::byte> allocate_block(const std::string& path, std::size_t size_bytes) {
  constexpr std::size_t kPage = 4096;
  const std::size_t alignment = size_bytes >= kLargePageBytes ? kLargePageBytes : kPage;
  const std::size_t wanted = (size_bytes / alignment + 1) * alignment;
  void* const memory = fits_memory(wanted) ? std::aligned_alloc(alignment, wanted) : nullptr;
  if (memory == nullptr)
    return scratch_memory(std::filesystem::path(path).parent_path().string(), wanted,
                          [] { return "the snapshot of a training state"; });
  prefer_large_pages(memory, wanted);
  return {static_cast<std::byte*>(memory), &std::free};
}

}  // namespace

/// The block that is not being written, if it is large enough.
StateWriter::Block StateWriter::block_of(const std::string& path, std::size_t size_bytes) {
  {
    const std::lock_guard lock(mutex_);
    rethrow();
    Block known = std::exchange(spare_, {});
    if (known.size_bytes >= size_bytes && known.bytes != nullptr) return known;
    if (waiting_.has_value() && waiting_->memory.size_bytes >= size_bytes)
      return std::exchange(waiting_, std::nullopt)->memory;
  }
  return {allocate_block(path, size_bytes), size_bytes};
}

StateWriter::Work StateWriter::snapshot(const std::string& path, const StateValues& state) {
  // A copy of a table in a file, which nothing changes; it may be larger than memory.
  const auto is_kept = [](const Tensor& value) { return is_in_scratch_file(value.bytes()); };
  std::size_t size_bytes = 0;
  for (const auto& [name, value] : state)
    if (!is_kept(value)) size_bytes += value.type().size_bytes();
  Work work{path, {}, block_of(path, size_bytes)};
  std::byte* at = work.memory.bytes.get();
  for (const auto& [name, value] : state) {
    if (is_kept(value)) {
      work.state.emplace(name, value);
      continue;
    }
    const std::size_t value_bytes = value.type().size_bytes();
    if (value_bytes > 0) std::memcpy(at, value.bytes(), value_bytes);
    work.state.emplace(name, Tensor::from_bytes(value.type(), at, value_bytes, work.memory.bytes));
    at += value_bytes;
  }
  return work;
}

void StateWriter::write(const std::string& path, const StateValues& state) {
  const bool is_shared = SharedStateWriter::is_for(state);
  if (!is_shared && !runtime::is_chief()) return;
  if (is_shared) {
    wait();
    if (shared_ == nullptr) shared_ = std::make_shared<SharedStateWriter>(*runtime::joined_processes());
  }
  Work work = snapshot(path, is_shared ? shared_->own(state) : state);
  if (is_shared) work.shared = shared_;
  {
    const std::lock_guard lock(mutex_);
    rethrow();
    waiting_ = std::move(work);
  }
  if (!thread_.joinable()) {
    const SignalsBlocked scope;
    thread_ = std::thread([this] { run(); });
  }
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
      if (work.shared != nullptr)
        work.shared->write(work.path, work.state);
      else
        save_training_state(work.path, work.state);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    is_writing_ = false;
    spare_ = work.memory;
    if (error != nullptr) error_ = error;
    changed_.notify_all();
  }
}

}  // namespace cornu::inline v0::keras
