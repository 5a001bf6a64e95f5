#include "cornu/keras/callbacks/profiler.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/runtime/profiler.h"

namespace cornu::inline v0::keras::callbacks {

ProfileBatch::ProfileBatch(std::int64_t first, std::int64_t last) : first_(first), last_(last) {
  if (first < 1 || last < first)
    invalid_argument(
        "[profiler] profile_batch must be a batch from 1 on, or the first and the last one; got "
        "profile_batch = {{{}, {}}}",
        first, last);
}

Profiler::Profiler(ProfilerOptions options) : options_(std::move(options)) {
  if (options_.num_groups < 1)
    invalid_argument({.argument = "num_groups"},
                     "[profiler] num_groups must be positive; got num_groups = {}", options_.num_groups);
}
Profiler::~Profiler() = default;
Profiler::Profiler(Profiler&& other) noexcept = default;

void Profiler::begin(Run run) {
  if (run_ != Run::kNone) return;  // validation in fit
  if (!options_.trace_file.empty()) runtime::check_can_write(options_.trace_file);
  run_ = run;
  num_batches_ = 0;
  report_.clear();
  profiler_ = std::make_unique<runtime::Profiler>();
}

void Profiler::begin_batches(Run run, const BatchRange& batches) {
  if (run != run_ || profiler_ == nullptr) return;
  const std::int64_t first = num_batches_ + 1, last = num_batches_ + batches.count;
  if (first <= options_.profile_batch.last() && last >= options_.profile_batch.first()) profiler_->start();
}

void Profiler::end_batches(Run run, const BatchRange& batches) {
  if (run != run_ || profiler_ == nullptr) return;
  num_batches_ += batches.count;
  if (num_batches_ >= options_.profile_batch.last()) profiler_->stop();
}

void Profiler::end(Run run) {
  if (run != run_ || profiler_ == nullptr) return;
  run_ = Run::kNone;
  profiler_->stop();
  const std::unique_ptr<runtime::Profiler> profiler = std::move(profiler_);
  if (num_batches_ < options_.profile_batch.first()) {
    report_ = fmt::format(
        "profile: the run ended after {} batches, before the first one that was to be measured, {}\n",
        num_batches_, options_.profile_batch.first());
  } else {
    report_ = profiler->report(static_cast<std::size_t>(options_.num_groups));
    if (!options_.trace_file.empty() && !profiler->is_without_profile())
      profiler->write_trace(options_.trace_file);
  }
  if (options_.print)
    options_.print(report_);
  else
    std::fputs(report_.c_str(), stdout);
}

void Profiler::on_abandon() noexcept {
  run_ = Run::kNone;
  profiler_.reset();
}

void Profiler::on_train_begin() { begin(Run::kTrain); }
void Profiler::on_train_end(Logs&) { end(Run::kTrain); }
void Profiler::on_train_batch_begin(const BatchRange& batches) { begin_batches(Run::kTrain, batches); }
void Profiler::on_train_batch_end(const BatchRange& batches, LazyLogs&) { end_batches(Run::kTrain, batches); }
void Profiler::on_test_begin() { begin(Run::kTest); }
void Profiler::on_test_end(Logs&) { end(Run::kTest); }
void Profiler::on_test_batch_begin(const BatchRange& batches) { begin_batches(Run::kTest, batches); }
void Profiler::on_test_batch_end(const BatchRange& batches, LazyLogs&) { end_batches(Run::kTest, batches); }
void Profiler::on_predict_begin() { begin(Run::kPredict); }
void Profiler::on_predict_end() { end(Run::kPredict); }
void Profiler::on_predict_batch_begin(const BatchRange& batches) { begin_batches(Run::kPredict, batches); }
void Profiler::on_predict_batch_end(const BatchRange& batches) { end_batches(Run::kPredict, batches); }

}  // namespace cornu::inline v0::keras::callbacks
