#include "cornu/tensor/trace/op_recorder.h"

#include <utility>

#include "cornu/base/per_thread.h"

namespace cornu::inline v0::detail {
namespace {

struct Recorders {
  std::vector<std::shared_ptr<OpRecorder>> stack;
};

}  // namespace

void push_op_recorder(std::shared_ptr<OpRecorder> recorder) {
  PerThread<Recorders>::get().stack.push_back(std::move(recorder));
}

void end_op_recorder(OpRecorder& recorder) {
  recorder.ended_.store(true, std::memory_order_release);
  op_recorders();
}

std::span<const std::shared_ptr<OpRecorder>> op_recorders() {
  Recorders* const own = PerThread<Recorders>::find();
  if (own == nullptr || own->stack.empty()) return {};
  std::erase_if(own->stack,
                [](const auto& recorder) { return recorder->ended_.load(std::memory_order_acquire); });
  return own->stack;
}

}  // namespace cornu::inline v0::detail
