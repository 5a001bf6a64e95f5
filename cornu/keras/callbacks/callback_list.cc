#include "cornu/keras/callbacks/callback_list.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/callbacks/progbar_logger.h"

namespace cornu::keras::callbacks {

CallbackList::CallbackList(const std::vector<CallbackEntry>& entries, const Options& options) {
  bool has_progress_bar = false;
  for (const CallbackEntry& entry : entries) {
    if (entry.get() == nullptr) invalid_argument("[callbacks] entry {} is null", callbacks_.size());
    if (auto* history = dynamic_cast<History*>(entry.get().get())) history_ = history;
    if (dynamic_cast<ProgbarLogger*>(entry.get().get()) != nullptr) has_progress_bar = true;
    callbacks_.push_back(entry.get());
  }
  if (history_ == nullptr && options.add_history) {
    auto history = std::make_shared<History>();
    history_ = history.get();
    callbacks_.push_back(std::move(history));
  }
  if (!has_progress_bar && options.add_progress_bar) callbacks_.push_back(std::make_shared<ProgbarLogger>());

  max_batches_per_call_ = std::numeric_limits<std::int64_t>::max();
  for (const auto& callback : callbacks_) {
    callback->set_params(options.params);
    callback->set_model(options.model);
    max_batches_per_call_ = std::min(max_batches_per_call_, std::max<std::int64_t>(1, callback->max_batches_per_call()));
  }
}

}  // namespace cornu::keras::callbacks
