#include "cornu/keras/base/dtype_policy.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/parse_number.h"
#include "cornu/keras/base/floatx.h"
#include "cornu/keras/base/names.h"
#include "cornu/tensor/value/default_float.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::string_view kMixed = "mixed_";
constexpr std::string_view kFrom = "_from_";
constexpr std::array kMixedTypes = {ir::DType::kF16, ir::DType::kBF16};
constexpr std::array kFloats = {ir::DType::kF32, ir::DType::kF64, ir::DType::kF16, ir::DType::kBF16};
constexpr std::array kModes = {QuantizationMode::kInt8, QuantizationMode::kInt4, QuantizationMode::kFloat8,
                               QuantizationMode::kGptq, QuantizationMode::kAwq};
constexpr std::array kGptqBits = {2, 3, 4, 8};
constexpr std::int32_t kDefaultHistory = 1024;

std::atomic<DTypePolicy> policy_of_all{DTypePolicy()};
static_assert(std::atomic<DTypePolicy>::is_always_lock_free);
std::atomic<bool> is_policy_set = false;  // true: policy_of_all is that of set_dtype_policy()
thread_local const DTypePolicy* policy_of_scope = nullptr;

void check_policy(const char* caller, const DTypePolicy& policy) {
  if (!ir::is_float(policy.compute_dtype()))
    invalid_argument({.argument = "policy"},
                     "[{}] policy must be of a floating-point type; got policy = \"{}\"", caller,
                     policy.name());
}

bool is_calibrated(QuantizationMode mode) {
  return mode == QuantizationMode::kGptq || mode == QuantizationMode::kAwq;
}

struct ModeInName {
  QuantizationMode mode;
  std::optional<std::int64_t> block_size = std::nullopt;
  std::int64_t weight_bits = 4;
};

/// The mode in "int8", "int4/128" or "gptq/4/128"; nullopt for any other text.
std::optional<ModeInName> mode_in(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string_view name = text.substr(0, slash);
  const auto found = std::find_if(kModes.begin(), kModes.end(), [&](QuantizationMode mode) {
    return quantization_mode_name(mode) == name;
  });
  if (found == kModes.end()) return std::nullopt;
  ModeInName parts{.mode = *found};
  const bool has_number = slash != std::string_view::npos;
  if (!has_number) return is_calibrated(*found) ? std::nullopt : std::optional(parts);
  std::string_view numbers = text.substr(slash + 1);
  if (is_calibrated(*found)) {
    const std::size_t second = numbers.find('/');
    const auto bits = parse_number<std::int64_t>(numbers.substr(0, second));
    if (second == std::string_view::npos || !bits.has_value()) return std::nullopt;
    parts.weight_bits = *bits;
    numbers = numbers.substr(second + 1);
  } else if (*found != QuantizationMode::kInt4) {
    return std::nullopt;
  }
  parts.block_size = parse_number<std::int64_t>(numbers);
  return parts.block_size.has_value() ? std::optional(parts) : std::nullopt;
}

void check_weight_bits(QuantizationMode mode, std::int64_t bits) {
  const bool is_known = mode == QuantizationMode::kGptq
                            ? std::find(kGptqBits.begin(), kGptqBits.end(), bits) != kGptqBits.end()
                            : bits == 4;
  if (!is_known)
    invalid_argument({.argument = "weight_bits"},
                     "[dtype_policy] weight_bits must be {}; got weight_bits = {}",
                     mode == QuantizationMode::kGptq ? "2, 3, 4 or 8" : "4", bits);
}

}  // namespace

std::string_view quantization_mode_name(QuantizationMode mode) {
  switch (mode) {
    case QuantizationMode::kInt8: return "int8";
    case QuantizationMode::kInt4: return "int4";
    case QuantizationMode::kFloat8: return "float8";
    case QuantizationMode::kGptq: return "gptq";
    case QuantizationMode::kAwq: return "awq";
    case QuantizationMode::kNone: break;
  }
  return {};
}

DTypePolicy::DTypePolicy(std::string_view name) {
  if (const std::size_t from = name.find(kFrom); from != std::string_view::npos) {
    if (const auto mode = mode_in(name.substr(0, from)))
      *this = DTypePolicy(name.substr(from + kFrom.size()))
                  .quantized(mode->mode, mode->block_size, mode->weight_bits);
    else
      invalid_argument({.argument = "name"},
                       "[dtype_policy] a quantized policy is named \"int8_from_float32\", "
                       "\"int4_from_float32\", \"int4/128_from_float32\", \"float8_from_float32\", "
                       "\"gptq/4/128_from_float32\" or \"awq/4/128_from_float32\", with the policy of your "
                       "choice at the end; "
                       "got name = \"{}\"",
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
  return mode_text() + std::string(kFrom) + source;
}

std::string DTypePolicy::mode_text() const {
  std::string text(quantization_mode_name(mode_));
  if (is_calibrated(mode_)) text += "/" + std::to_string(weight_bits_);
  if (const auto size = block_size()) text += "/" + std::to_string(*size);
  return text;
}

DTypePolicy DTypePolicy::quantized(QuantizationMode mode, std::optional<std::int64_t> block_size,
                                   std::int64_t weight_bits) const {
  DTypePolicy policy = source();
  policy.mode_ = mode;
  if (mode == QuantizationMode::kFloat8) policy.parameter_ = kDefaultHistory;
  if (mode == QuantizationMode::kInt8 && compute_dtype_ == ir::DType::kF16)
    invalid_argument({.argument = "policy"},
                     "[dtype_policy] int8 scales do not fit into float16: quantize a layer of \"float32\" or "
                     "\"mixed_bfloat16\"; got policy = \"{}\"",
                     name());
  if (is_calibrated(mode)) {
    check_weight_bits(mode, weight_bits);
    policy.weight_bits_ = static_cast<std::uint8_t>(weight_bits);
    block_size = block_size.value_or(-1);
  }
  if ((mode != QuantizationMode::kInt4 && !is_calibrated(mode)) || !block_size.has_value()) return policy;
  if (*block_size < -1 || *block_size == 0 || *block_size > std::numeric_limits<std::int32_t>::max())
    invalid_argument({.argument = "block_size"},
                     "[dtype_policy] block_size must be positive or -1; got block_size = {}", *block_size);
  policy.parameter_ = static_cast<std::int32_t>(*block_size);
  return policy;
}

std::optional<std::int64_t> DTypePolicy::block_size() const {
  if (mode_ == QuantizationMode::kFloat8 || parameter_ == 0) return std::nullopt;
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

ir::DType current_floatx() { return cornu::detail::default_float(); }
void set_current_floatx(ir::DType dtype) { cornu::detail::set_default_float(dtype); }

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
