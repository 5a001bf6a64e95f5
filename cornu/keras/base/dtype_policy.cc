#include "cornu/keras/base/dtype_policy.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/base/floatx.h"
#include "cornu/keras/base/names.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::string_view kMixed = "mixed_";
constexpr std::string_view kFrom = "_from_";
constexpr std::array kMixedTypes = {ir::DType::kF16, ir::DType::kBF16};
constexpr std::array kFloats = {ir::DType::kF32, ir::DType::kF64, ir::DType::kF16, ir::DType::kBF16};
constexpr std::array kModes = {QuantizationMode::kInt8, QuantizationMode::kInt4, QuantizationMode::kFloat8};
constexpr std::int32_t kDefaultHistory = 1024;

std::atomic<DTypePolicy> policy_of_all{DTypePolicy()};
static_assert(std::atomic<DTypePolicy>::is_always_lock_free);
std::atomic<bool> is_policy_set = false;  // true: policy_of_all is that of set_dtype_policy()
std::atomic<ir::DType> floatx_of_all{ir::DType::kF32};
thread_local const DTypePolicy* policy_of_scope = nullptr;

void check_policy(const char* caller, const DTypePolicy& policy) {
  if (!ir::is_float(policy.compute_dtype()))
    invalid_argument({.argument = "policy"},
                     "[{}] policy must be of a floating-point type; got policy = \"{}\"", caller,
                     policy.name());
}

/// The number in a text of nothing else.
std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// The mode and block size in "int8" or "int4/128"; nullopt for any other text.
std::optional<std::pair<QuantizationMode, std::optional<std::int64_t>>> mode_in(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string_view name = text.substr(0, slash);
  const auto found = std::find_if(kModes.begin(), kModes.end(), [&](QuantizationMode mode) {
    return quantization_mode_name(mode) == name;
  });
  if (found == kModes.end()) return std::nullopt;
  if (slash == std::string_view::npos) return std::pair(*found, std::optional<std::int64_t>());
  const std::optional<std::int64_t> size = number_in(text.substr(slash + 1));
  if (*found != QuantizationMode::kInt4 || !size.has_value()) return std::nullopt;
  return std::pair(*found, size);
}

}  // namespace

std::string_view quantization_mode_name(QuantizationMode mode) {
  switch (mode) {
    case QuantizationMode::kInt8: return "int8";
    case QuantizationMode::kInt4: return "int4";
    case QuantizationMode::kFloat8: return "float8";
    case QuantizationMode::kNone: break;
  }
  return {};
}

DTypePolicy::DTypePolicy(std::string_view name) {
  if (const std::size_t from = name.find(kFrom); from != std::string_view::npos) {
    if (const auto mode = mode_in(name.substr(0, from)))
      *this = DTypePolicy(name.substr(from + kFrom.size())).quantized(mode->first, mode->second);
    else
      invalid_argument(
          {.argument = "name"},
          "[dtype_policy] a quantized policy is named \"int8_from_float32\", "
          "\"int4_from_float32\", \"int4/128_from_float32\" or \"float8_from_float32\", with the "
          "policy of your choice at the end; got name = \"{}\"",
          name);
    return;
  }
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
  const std::string source = compute_dtype_ == variable_dtype_ ? compute : std::string(kMixed) + compute;
  if (mode_ == QuantizationMode::kNone) return source;
  std::string mode(quantization_mode_name(mode_));
  if (const auto size = block_size()) mode += "/" + std::to_string(*size);
  return mode + std::string(kFrom) + source;
}

DTypePolicy DTypePolicy::quantized(QuantizationMode mode, std::optional<std::int64_t> block_size) const {
  DTypePolicy policy = source();
  policy.mode_ = mode;
  if (mode == QuantizationMode::kFloat8) policy.parameter_ = kDefaultHistory;
  if (mode == QuantizationMode::kInt8 && compute_dtype_ == ir::DType::kF16)
    invalid_argument({.argument = "policy"},
                     "[dtype_policy] int8 scales do not fit into float16: quantize a layer of \"float32\" or "
                     "\"mixed_bfloat16\"; got policy = \"{}\"",
                     name());
  if (mode != QuantizationMode::kInt4 || !block_size.has_value()) return policy;
  if (*block_size < -1 || *block_size == 0 || *block_size > std::numeric_limits<std::int32_t>::max())
    invalid_argument({.argument = "block_size"},
                     "[dtype_policy] block_size must be positive or -1; got block_size = {}", *block_size);
  policy.parameter_ = static_cast<std::int32_t>(*block_size);
  return policy;
}

std::optional<std::int64_t> DTypePolicy::block_size() const {
  if (mode_ != QuantizationMode::kInt4 || parameter_ == 0) return std::nullopt;
  return parameter_;
}

std::int64_t DTypePolicy::amax_history_length() const {
  return mode_ == QuantizationMode::kFloat8 ? parameter_ : kDefaultHistory;
}

DTypePolicy DTypePolicy::with_amax_history_length(std::int64_t length) const {
  if (length <= 0 || length > std::numeric_limits<std::int32_t>::max())
    invalid_argument({.argument = "amax_history_length"},
                     "[dtype_policy] amax_history_length must be positive; got amax_history_length = {}",
                     length);
  DTypePolicy policy = *this;
  if (mode_ == QuantizationMode::kFloat8) policy.parameter_ = static_cast<std::int32_t>(length);
  return policy;
}

ir::DType current_floatx() { return floatx_of_all.load(std::memory_order_relaxed); }
void set_current_floatx(ir::DType dtype) { floatx_of_all.store(dtype, std::memory_order_relaxed); }

DTypePolicy dtype_policy() {
  if (policy_of_scope != nullptr) return *policy_of_scope;
  if (!is_policy_set.load(std::memory_order_acquire)) return DTypePolicy(current_floatx());
  return policy_of_all.load(std::memory_order_relaxed);
}

void set_dtype_policy(const DTypePolicy& policy) {
  check_policy("set_dtype_policy", policy);
  policy_of_all.store(policy, std::memory_order_relaxed);
  is_policy_set.store(true, std::memory_order_release);
}

DTypePolicyScope::DTypePolicyScope(const DTypePolicy& policy) : policy_(policy) {
  check_policy("dtype_policy_scope", policy);
  before_ = std::exchange(policy_of_scope, &policy_);
}
DTypePolicyScope::~DTypePolicyScope() { policy_of_scope = before_; }

}  // namespace cornu::inline v0::keras
