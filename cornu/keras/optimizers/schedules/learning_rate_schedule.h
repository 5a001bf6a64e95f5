#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "cornu/base/callable.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/config/configurable.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// The learning rate as a function of the optimizer's iteration count; part of the step's program.
class LearningRateSchedule : public Configurable {
 public:
  static constexpr const char* kHandleKind = "learning rate schedule";  // see Handle

  /// Takes the number of steps done so far, an integer scalar; returns an f32 scalar.
  virtual Tensor operator()(const Tensor& step) const = 0;
  Config get_config() const override;
};

/// A shared handle to a schedule, for users; callable.
class LearningRateScheduleHandle : public Handle<LearningRateSchedule> {
 public:
  using Handle<LearningRateSchedule>::Handle;
  Tensor operator()(const Tensor& step) const { return (**this)(step); }
};

/// An optimizer's option: a number, a schedule, a function of the iteration count, or a function without
/// arguments (called while a step is built).
/// Errors: FailedPrecondition for an undefined schedule.
class LearningRate {
 public:
  template <typename T>
    requires std::is_arithmetic_v<T>
  LearningRate(T value) : value_(static_cast<double>(value)) {}
  LearningRate(const LearningRateScheduleHandle& schedule) : schedule_(schedule.shared()) {
    require_defined(schedule_, LearningRateSchedule::kHandleKind);
  }
  template <typename T>
    requires std::derived_from<T, LearningRateSchedule>
  LearningRate(std::shared_ptr<T> schedule) : LearningRate(LearningRateScheduleHandle(std::move(schedule))) {}
  template <typename F>
    requires(std::is_invocable_r_v<Tensor, F&, const Tensor&> &&
             !std::derived_from<std::remove_cvref_t<F>, LearningRateScheduleHandle>)
  LearningRate(F function) : LearningRate(from_function(std::move(function))) {}
  template <typename F>
    requires std::is_invocable_r_v<Tensor, F&>
  LearningRate(F function) {
    check_callable("optimizer", "learning_rate", function);
    schedule_ = from_function([f = std::move(function)](const Tensor&) -> Tensor { return f(); });
  }

  bool is_number() const { return schedule_ == nullptr; }
  double number() const { return value_; }
  const std::shared_ptr<LearningRateSchedule>& schedule() const { return schedule_; }

 private:
  static std::shared_ptr<LearningRateSchedule> from_function(std::function<Tensor(const Tensor&)> function);

  double value_ = 0;
  std::shared_ptr<LearningRateSchedule> schedule_;
};

}  // namespace cornu::inline v0::keras
