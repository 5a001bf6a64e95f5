#include "cornu/keras/callbacks/callback_list.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <typeinfo>

#include "cornu/base/check.h"
#include "cornu/keras/callbacks/progbar_logger.h"

namespace cornu::inline v0::keras::callbacks {

CallbackList::CallbackList(const std::vector<CallbackEntry>& entries, const Options& options) {
  bool has_progress_bar = false;
  for (const CallbackEntry& entry : entries) {
    if (entry.get() == nullptr) invalid_argument("[callbacks] entry {} is null", callbacks_.size());
    if (auto* history = dynamic_cast<History*>(entry.get().get())) history_ = history;
    if (dynamic_cast<ProgbarLogger*>(entry.get().get()) != nullptr) has_progress_bar = true;
    callbacks_.push_back(entry.get());
  }
  num_given_ = callbacks_.size();
  if (history_ == nullptr && options.add_history) {
    auto history = std::make_shared<History>();
    history_ = history.get();
    callbacks_.push_back(std::move(history));
  }
  if (!has_progress_bar && options.add_progress_bar) callbacks_.push_back(std::make_shared<ProgbarLogger>());

  max_batches_per_call_ = std::numeric_limits<std::int64_t>::max();
  models_before_.reserve(callbacks_.size());
  for (const auto& callback : callbacks_) {
    models_before_.push_back(callback->model_);
    callback->set_params(options.params);
    callback->set_model(options.model);
    max_batches_per_call_ =
        std::min(max_batches_per_call_, std::max<std::int64_t>(1, callback->max_batches_per_call()));
  }
}

CallbackList::~CallbackList() {
  for (std::size_t i = 0; i < models_before_.size(); ++i) callbacks_[i]->model_ = models_before_[i];
}

bool CallbackList::are_display_only() const {
  return std::ranges::all_of(callbacks_, [](const std::shared_ptr<Callback>& callback) {
    const Callback& one = *callback;  // a class derived from these may override hooks
    return typeid(one) == typeid(History) || typeid(one) == typeid(ProgbarLogger);
  });
}

void CallbackList::on_train_begin() {
  call([](Callback& callback) { callback.on_train_begin(); });
}
void CallbackList::on_train_end(Logs logs) {
  call([&](Callback& callback) { callback.on_train_end(logs); });
}
void CallbackList::on_epoch_begin(std::int64_t epoch) {
  call([&](Callback& callback) { callback.on_epoch_begin(epoch); });
}
Logs CallbackList::on_epoch_end(std::int64_t epoch, Logs logs) {
  call([&](Callback& callback) { callback.on_epoch_end(epoch, logs); });
  return logs;
}
void CallbackList::on_train_batch_begin(const BatchRange& batches) {
  call([&](Callback& callback) { callback.on_train_batch_begin(batches); });
}
void CallbackList::on_train_batch_end(const BatchRange& batches, const Logs& logs) {
  LazyLogs lazy(logs);
  call([&](Callback& callback) { callback.on_train_batch_end(batches, lazy); });
}
void CallbackList::on_test_begin() {
  call([](Callback& callback) { callback.on_test_begin(); });
}
void CallbackList::on_test_end(Logs logs) {
  call([&](Callback& callback) { callback.on_test_end(logs); });
}
void CallbackList::on_test_batch_begin(const BatchRange& batches) {
  call([&](Callback& callback) { callback.on_test_batch_begin(batches); });
}
void CallbackList::on_test_batch_end(const BatchRange& batches, const Logs& logs) {
  LazyLogs lazy(logs);
  call([&](Callback& callback) { callback.on_test_batch_end(batches, lazy); });
}
void CallbackList::on_predict_begin() {
  call([](Callback& callback) { callback.on_predict_begin(); });
}
void CallbackList::on_predict_end() {
  call([](Callback& callback) { callback.on_predict_end(); });
}
void CallbackList::on_predict_batch_begin(const BatchRange& batches) {
  call([&](Callback& callback) { callback.on_predict_batch_begin(batches); });
}
void CallbackList::on_predict_batch_end(const BatchRange& batches) {
  call([&](Callback& callback) { callback.on_predict_batch_end(batches); });
}

Model* Callback::model() const {
  if (model_ == nullptr)
    fail(ErrorCode::kFailedPrecondition,
         "[callbacks] {} works with the model, and has none: give its CallbackList one ({{.model = "
         "&model}}), or call set_model()",
         name());
  return model_;
}

std::string Callback::name() const {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(typeid(*this).name(), nullptr, nullptr, &status), &std::free);
  std::string full = status == 0 ? text.get() : typeid(*this).name();
  const std::size_t colon = full.rfind("::");
  return colon == std::string::npos ? full : full.substr(colon + 2);
}

}  // namespace cornu::inline v0::keras::callbacks
