#include "cornu/keras/base/dtype_policy.h"

#include <array>
#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/base/floatx.h"
#include "cornu/keras/base/names.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::string_view kMixed = "mixed_";
constexpr std::array kMixedTypes = {ir::DType::kF16, ir::DType::kBF16};
constexpr std::array kFloats = {ir::DType::kF32, ir::DType::kF64, ir::DType::kF16, ir::DType::kBF16};

/// The policy of set_dtype_policy().
struct alignas(4) PolicyOfAll {
  DTypePolicy policy = {};
  bool is_set = false;
};
std::atomic<PolicyOfAll> policy_of_all{PolicyOfAll()};
static_assert(std::atomic<PolicyOfAll>::is_always_lock_free);
std::atomic<ir::DType> floatx_of_all{ir::DType::kF32};
thread_local const DTypePolicy* policy_of_scope = nullptr;

void check_policy(const char* caller, const DTypePolicy& policy) {
  if (!ir::is_float(policy.compute_dtype()))
    invalid_argument({.argument = "policy"},
                     "[{}] policy must be of a floating-point type; got policy = \"{}\"", caller,
                     policy.name());
}

}  // namespace

DTypePolicy::DTypePolicy(std::string_view name) {
  for (const ir::DType narrow : kMixedTypes) {
    if (name.starts_with(kMixed) && name.substr(kMixed.size()) == ir::numpy_name(narrow)) {
      *this = DTypePolicy(narrow, ir::DType::kF32);
      return;
    }
  }
  if (const std::optional<ir::DType> dtype = ir::dtype_from_name(name)) {
    *this = DTypePolicy(*dtype);
    return;
  }
  std::vector<std::string> known;
  known.reserve(kFloats.size() + kMixedTypes.size());
  for (const ir::DType dtype : kFloats) known.emplace_back(ir::numpy_name(dtype));
  for (const ir::DType narrow : kMixedTypes) known.push_back(DTypePolicy(narrow, ir::DType::kF32).name());
  unknown_name({"dtype_policy", "name"}, name, known);
}

DTypePolicy::DTypePolicy(const char* name) : DTypePolicy(or_empty(name)) {}

std::string DTypePolicy::name() const {
  const std::string compute(ir::numpy_name(compute_dtype_));
  return compute_dtype_ == variable_dtype_ ? compute : std::string(kMixed) + compute;
}

ir::DType current_floatx() { return floatx_of_all.load(std::memory_order_relaxed); }
void set_current_floatx(ir::DType dtype) { floatx_of_all.store(dtype, std::memory_order_relaxed); }

DTypePolicy dtype_policy() {
  if (policy_of_scope != nullptr) return *policy_of_scope;
  const PolicyOfAll of_all = policy_of_all.load(std::memory_order_relaxed);
  return of_all.is_set ? of_all.policy : DTypePolicy(current_floatx());
}

void set_dtype_policy(const DTypePolicy& policy) {
  check_policy("set_dtype_policy", policy);
  policy_of_all.store({policy, true}, std::memory_order_relaxed);
}

DTypePolicyScope::DTypePolicyScope(const DTypePolicy& policy) : policy_(policy) {
  check_policy("dtype_policy_scope", policy);
  before_ = std::exchange(policy_of_scope, &policy_);
}
DTypePolicyScope::~DTypePolicyScope() { policy_of_scope = before_; }

}  // namespace cornu::inline v0::keras
