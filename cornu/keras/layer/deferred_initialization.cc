#include "cornu/keras/layer/deferred_initialization.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/tensor/trace/variable_fill.h"

namespace cornu::inline v0::keras {
namespace {

thread_local DeferredInitialization* deferred_initialization = nullptr;
thread_local WeightLimit* weight_limit = nullptr;

}  // namespace

DeferredInitialization::DeferredInitialization(std::int64_t budget_bytes)
    : budget_bytes_(budget_bytes), left_bytes_(budget_bytes), before_(deferred_initialization) {
  deferred_initialization = this;
}
DeferredInitialization::~DeferredInitialization() { deferred_initialization = before_; }
DeferredInitialization* DeferredInitialization::current() { return deferred_initialization; }

Variable DeferredInitialization::weight(const TensorType& type, VariableOptions options) {
  const CheckedSize size = CheckedSize::product(type.dims) * ir::size_bytes(type.dtype);
  if (size.exceeds(left_bytes_))
    fail(ErrorCode::kResourceExhausted,
         "the weight \"{}\" of {} would take more memory than the file has weights for: the model's "
         "description may claim {} bytes",
         options.path, type_str(type), budget_bytes_);
  left_bytes_ -= size.value("a weight");
  return detail::zero_variable(type, std::move(options));
}

WeightLimit::WeightLimit(std::int64_t max_bytes)
    : max_bytes_(max_bytes), left_bytes_(max_bytes), before_(weight_limit) {
  weight_limit = this;
}
WeightLimit::~WeightLimit() { weight_limit = before_; }

void WeightLimit::claim(const TensorType& type, const std::string& path) {
  if (weight_limit == nullptr) return;
  const CheckedSize size = CheckedSize::product(type.dims) * ir::size_bytes(type.dtype);
  if (size.exceeds(weight_limit->left_bytes_))
    fail(ErrorCode::kResourceExhausted,
         "the weight \"{}\" of {} takes more memory than is left for the model's weights, which may have {} "
         "bytes together",
         path, type_str(type), weight_limit->max_bytes_);
  weight_limit->left_bytes_ -= size.value("a weight");
}

}  // namespace cornu::inline v0::keras
