#include "cornu/tensor/ops/data_format.h"

#include <atomic>

namespace cornu::inline v0::detail {
namespace {

std::atomic<bool> channels_are_first{false};

}  // namespace

std::string_view default_data_format() {
  return channels_are_first.load(std::memory_order_relaxed) ? "channels_first" : "channels_last";
}
void set_default_data_format(bool channels_first) {
  channels_are_first.store(channels_first, std::memory_order_relaxed);
}

}  // namespace cornu::inline v0::detail
