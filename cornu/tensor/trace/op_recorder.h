#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cornu/base/function_ref.h"
#include "cornu/ir/builder.h"
#include "cornu/tensor/trace/backward.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {
class Variable;
}

namespace cornu::inline v0::detail {

/// Cache key of an operation without its inputs' types: its name and every attribute that the builder uses.
/// Calls with equal keys and equal input types build equal graphs.
class OpKey {
 public:
  /// `name` must be a string literal. Attributes: numbers, enumerations (DType) and Dims.
  template <typename... Attributes>
  explicit OpKey(const char* name, const Attributes&... attributes) : name_(name) {
    (append(attributes), ...);
  }
  const char* name() const { return name_; }
  std::span<const std::int64_t> attributes() const {
    return overflow_.empty() ? std::span(inline_.data(), size_) : std::span<const std::int64_t>(overflow_);
  }

 private:
  void push(std::int64_t value) {
    if (overflow_.empty() && size_ < inline_.size()) {
      inline_[size_++] = value;
      return;
    }
    if (overflow_.empty()) overflow_.assign(inline_.begin(), inline_.end());
    overflow_.push_back(value);
  }
  template <typename T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void append(T value) {
    push(static_cast<std::int64_t>(value));
  }
  void append(double value) { push(std::bit_cast<std::int64_t>(value)); }
  void append(std::string_view text) {
    push(static_cast<std::int64_t>(text.size()));
    for (const char c : text) push(c);
  }
  void append(const char* text) { append(std::string_view(text)); }
  void append(std::span<const std::int64_t> values) {
    push(static_cast<std::int64_t>(values.size()));
    for (const std::int64_t value : values) push(value);
  }

  const char* name_;
  std::array<std::int64_t, 12> inline_;
  std::size_t size_ = 0;
  std::vector<std::int64_t> overflow_;
};

using BuildFn = FunctionRef<ir::Value(ir::Builder&, std::span<const ir::Value>)>;
using BuildManyFn = FunctionRef<std::vector<ir::Value>(ir::Builder&, std::span<const ir::Value>)>;

/// A gradient of zeros that needs no computation: a CallBackwardFn may return it, and earlier operations get
/// zeros, too.
inline Tensor zero_gradient() { return Tensor(0.0); }
inline bool is_zero_gradient(const Tensor& gradient) { return gradient.is_weak(); }

/// Observes eager operations on the thread that pushed it, after they ran: the interface of a tape.
class OpRecorder {
 public:
  virtual ~OpRecorder() = default;
  /// Records an operation. `build` can build it again in any block, for values of the inputs' types.
  virtual void record(const OpKey& key, std::span<const Tensor> inputs, std::span<const Tensor> results,
                      BuildManyFn build) = 0;
  /// Records a call with its own gradient: a compiled function, a custom gradient.
  virtual void record_call(std::span<const Tensor> inputs, std::span<const Tensor> results,
                           const CallBackwardFn& backward) = 0;
  /// Records a read of a variable; operations that use the value get this very tensor.
  virtual void record_read(const Variable& variable, const Tensor& value) = 0;
  /// True if it would record an operation on x.
  virtual bool follows(const Tensor& x) const = 0;

 private:
  friend void end_op_recorder(OpRecorder& recorder);
  friend std::span<const std::shared_ptr<OpRecorder>> op_recorders();
  std::atomic<bool> ended_{false};
};
/// Pushes a recorder on this thread's stack, which shares ownership. Recorders nest: each sees the operations
/// while it is on the stack.
void push_op_recorder(std::shared_ptr<OpRecorder> recorder);
/// Ends a recorder: it gets no more calls. On its own thread it leaves the stack at once; ended by another
/// thread, it leaves when its own thread next looks.
void end_op_recorder(OpRecorder& recorder);
/// This thread's recorders, outermost first. Lifetime: until the next push or end.
std::span<const std::shared_ptr<OpRecorder>> op_recorders();

}  // namespace cornu::inline v0::detail
