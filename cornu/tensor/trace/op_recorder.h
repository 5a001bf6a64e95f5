#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {
class Variable;
}

namespace cornu::inline v0::detail {

/// A reference to a callable, without an allocation. Lifetime: the callable's.
template <typename Signature>
class FunctionRef;
template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)
  FunctionRef(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(object))(arguments...);
        }) {}
  Result operator()(Arguments... arguments) const { return call_(object_, arguments...); }

 private:
  void* object_;
  Result (*call_)(void*, Arguments...);
};

/// What an operation builds, apart from its inputs' types: its name and every attribute that the builder
/// uses. Two calls with equal keys and equal input types build equal graphs: eager calls are cached by them.
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

/// Gradients of a call's results to gradients of its inputs; an undefined tensor is a zero gradient.
using BackwardFn = std::function<std::vector<Tensor>(std::span<const Tensor> result_gradients)>;
/// The same, told which inputs' gradients are wanted; those of others may stay undefined.
using CallBackwardFn = std::function<std::vector<Tensor>(std::span<const Tensor> result_gradients,
                                                         const std::vector<bool>& wanted)>;
/// What a CallBackwardFn may give in place of zeros of the input's type: nothing is computed with it, and
/// what comes before gets zeros, too.
inline Tensor zero_gradient() { return Tensor(0.0); }
inline bool is_zero_gradient(const Tensor& gradient) { return gradient.is_weak(); }

/// Sees what runs eagerly on the thread that pushed it, after it ran: what a tape is.
class OpRecorder {
 public:
  virtual ~OpRecorder() = default;
  /// An operation. `build` makes it again in any block, for values of the inputs' types.
  virtual void record(const OpKey& key, std::span<const Tensor> inputs, std::span<const Tensor> results,
                      BuildManyFn build) = 0;
  /// Something that brings its own gradient: a compiled function, a custom gradient.
  virtual void record_call(std::span<const Tensor> inputs, std::span<const Tensor> results,
                           const CallBackwardFn& backward) = 0;
  /// A variable was read; operations that use its value get this very tensor.
  virtual void record_read(const Variable& variable, const Tensor& value) = 0;
  /// Whether it would record an operation on x.
  virtual bool follows(const Tensor& x) const = 0;

 private:
  friend void end_op_recorder(OpRecorder& recorder);
  friend std::span<const std::shared_ptr<OpRecorder>> op_recorders();
  std::atomic<bool> ended_{false};
};
/// Recorders nest: each sees what runs on this thread while it is on its stack, which holds it.
void push_op_recorder(std::shared_ptr<OpRecorder> recorder);
/// It is told nothing any more. On the thread that pushed it, it leaves the stack at once; ended by another
/// thread, when its own next looks.
void end_op_recorder(OpRecorder& recorder);
/// This thread's recorders, outermost first. Lifetime: until one is pushed or ended.
std::span<const std::shared_ptr<OpRecorder>> op_recorders();

}  // namespace cornu::inline v0::detail
