#include "cornu/keras/trainer/late_epochs.h"

#include <utility>

namespace cornu::inline v0::keras {

void add_validation(const Logs& validation, Logs& logs) {
  for (const auto& [name, value] : validation) logs.set("val_" + name, value);
  logs.sort_by_name();  // "weighted_mae" sorts after "val_mae", as in Keras
}

Logs LateEpoch::get() const {
  Logs all = logs->get();
  if (validation != nullptr) add_validation(validation->get(), all);
  return all;
}

void LateEpochs::begin(std::int64_t epoch) {
  unknown_ = epoch;
  catch_up(0);
}

void LateEpochs::report_ready(std::int64_t step) {
  while (!epochs_.empty() && epochs_.front().is_ready()) report_first();
  catch_up(step);
}

void LateEpochs::report_all(std::int64_t step) {
  while (!epochs_.empty()) report_first();
  if (step == 0) unknown_.reset();  // the run ends before the epoch's first step
  catch_up(step);
}

std::optional<LateEpoch> LateEpochs::report_before(std::int64_t failed, std::int64_t step) {
  while (!epochs_.empty() && epochs_.front().first_step + epochs_.front().num_steps <= failed) report_first();
  catch_up(step);
  if (epochs_.empty()) return std::nullopt;
  LateEpoch epoch = std::move(epochs_.front());
  epochs_.clear();
  unknown_.reset();
  return epoch;
}

void LateEpochs::report_first() {
  Logs logs = epochs_.front().get();
  const std::int64_t epoch = epochs_.front().epoch;
  epochs_.pop_front();
  callbacks_.call([&](callbacks::Callback& callback) { callback.on_epoch_end(epoch, logs); });
  if (!epochs_.empty()) call_begin(epoch + 1, epochs_.front().num_steps);
}

void LateEpochs::catch_up(std::int64_t step) {
  if (!epochs_.empty() || !unknown_.has_value()) return;
  call_begin(*std::exchange(unknown_, std::nullopt), step);
}

void LateEpochs::call_begin(std::int64_t epoch, std::int64_t num_steps) {
  callbacks_.call([&](callbacks::Callback& callback) { callback.on_epoch_begin(epoch); });
  if (num_steps == 0) return;
  const callbacks::BatchRange all{0, num_steps - 1, num_steps};
  LazyLogs none;
  callbacks_.call([&](callbacks::Callback& callback) { callback.on_train_batch_end(all, none); });
}

}  // namespace cornu::inline v0::keras
