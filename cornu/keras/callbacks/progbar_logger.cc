#include "cornu/keras/callbacks/progbar_logger.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
#include <thread>

#include "cornu/base/service_thread.h"
#include "cornu/base/undefined.h"

namespace cornu::inline v0::keras::callbacks {

struct ProgbarLogger::State {
  explicit State(ProgressBarOptions bar_options) : options(std::move(bar_options)) {}
  ~State() { stop_thread(); }

  ProgressBarOptions options;
  bool in_fit = false;
  std::optional<ProgressBar> bar;

  // Shared with the polling thread.
  std::mutex mutex;
  std::condition_variable wake;
  std::thread thread;
  bool quit = false;
  bool running = false;     // an execution is running
  std::int64_t target = 0;  // steps of an epoch; 0: not known yet
  std::int64_t seen = 0;    // steps before the running execution
  std::int64_t shown = 0;   // never decreases
  Logs last_logs;

  void write(std::string_view text) const {
    if (options.write) {
      options.write(text);
    } else {
      std::fwrite(text.data(), 1, text.size(), stdout);
      std::fflush(stdout);
    }
  }

  void begin_bar(const CallbackParams& params) {
    std::lock_guard lock(mutex);
    ProgressBarOptions bar_options = options;
    if (params.steps != 0) target = params.steps;
    bar_options.target = target;
    bar_options.verbose = params.verbose;
    bar.emplace(std::move(bar_options));
    seen = shown = 0;
    running = false;
    last_logs.clear();
  }

  void start_thread(const CallbackParams& params) {
    if (params.verbose != 1 || !options.redraw || params.progress == nullptr || thread.joinable()) return;
    quit = false;
    const SignalsBlocked scope;
    thread = std::thread([this, progress = params.progress] { poll(*progress); });
  }

  void stop_thread() {
    if (!thread.joinable()) return;
    {
      std::lock_guard lock(mutex);
      quit = true;
    }
    wake.notify_all();
    thread.join();
  }

  void poll(const runtime::Progress& progress) {
    std::unique_lock lock(mutex);
    while (!wake.wait_for(lock, std::chrono::milliseconds(100), [this] { return quit; })) {
      if (!running || !bar.has_value()) continue;
      shown = std::max(shown, seen + progress.steps_done.load(std::memory_order_relaxed));
      bar->update(shown, last_logs);
    }
  }

  void begin_batches(const BatchRange& batches) {
    if (!thread.joinable()) return;  // no other thread waits
    std::lock_guard lock(mutex);
    seen = batches.first;
    running = true;
  }

  // Without a thread only the caller uses the bar, and a batch costs one clock reading.
  void end_batches(const BatchRange& batches, LazyLogs* logs) {
    std::unique_lock lock(mutex, std::defer_lock);
    if (thread.joinable()) lock.lock();
    seen = batches.last + 1;
    running = false;
    shown = std::max(shown, seen);
    if (!bar.has_value() || !bar->due()) return;
    if (logs != nullptr) last_logs = logs->get();
    bar->update(shown, last_logs);
  }

  void finish(const Logs& logs) {
    std::lock_guard lock(mutex);
    running = false;
    if (bar.has_value() && (target == 0 || seen > target))
      bar->set_target(target = seen);  // known from the first epoch on, as Keras assumes
    if (bar.has_value()) bar->finish(seen, logs);
    bar.reset();
  }
};

ProgbarLogger::ProgbarLogger() : ProgbarLogger(terminal_progress_bar()) {}
ProgbarLogger::ProgbarLogger(ProgressBarOptions options)
    : state_(std::make_unique<State>(std::move(options))) {}
ProgbarLogger::~ProgbarLogger() = default;
ProgbarLogger::ProgbarLogger(ProgbarLogger&&) noexcept = default;

ProgbarLogger::State& ProgbarLogger::display() const { return require_defined(state_, "progress bar"); }

void ProgbarLogger::on_train_begin() {
  display().in_fit = true;
  display().target = 0;
  display().start_thread(params());
}

void ProgbarLogger::on_train_end(Logs&) {
  display().stop_thread();
  display().in_fit = false;
}

void ProgbarLogger::on_epoch_begin(std::int64_t epoch) {
  if (params().verbose != 0 && params().epochs > 1)
    display().write(fmt::format("Epoch {}/{}\n", epoch + 1, params().epochs));
  display().begin_bar(params());
}

void ProgbarLogger::on_epoch_end(std::int64_t, Logs& logs) { display().finish(logs); }
void ProgbarLogger::on_train_batch_begin(const BatchRange& batches) { display().begin_batches(batches); }
void ProgbarLogger::on_train_batch_end(const BatchRange& batches, LazyLogs& logs) {
  display().end_batches(batches, &logs);
}

// Inside fit, validation is silent.
void ProgbarLogger::on_test_begin() {
  if (display().in_fit) return;
  display().target = 0;
  display().begin_bar(params());
  display().start_thread(params());
}

void ProgbarLogger::on_test_end(Logs& logs) {
  if (display().in_fit) return;
  display().stop_thread();
  display().finish(logs);
}

void ProgbarLogger::on_test_batch_begin(const BatchRange& batches) {
  if (!display().in_fit) display().begin_batches(batches);
}

void ProgbarLogger::on_test_batch_end(const BatchRange& batches, LazyLogs& logs) {
  if (!display().in_fit) display().end_batches(batches, &logs);
}

void ProgbarLogger::on_predict_begin() {
  display().target = 0;
  display().begin_bar(params());
  display().start_thread(params());
}

void ProgbarLogger::on_predict_end() {
  display().stop_thread();
  display().finish(Logs());
}

void ProgbarLogger::on_predict_batch_begin(const BatchRange& batches) { display().begin_batches(batches); }
void ProgbarLogger::on_predict_batch_end(const BatchRange& batches) {
  display().end_batches(batches, nullptr);
}

void ProgbarLogger::on_abandon() noexcept {
  if (state_ == nullptr) return;
  state_->stop_thread();
  if (state_->bar.has_value()) state_->bar->abandon();
  state_->bar.reset();
  state_->in_fit = false;
}

}  // namespace cornu::inline v0::keras::callbacks
