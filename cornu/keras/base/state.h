#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0::keras {

/// What a state was, path by path: copies, which no later step changes. See Model::training_state.
using StateValues = std::map<std::string, Tensor>;

/// A piece of state: a variable on a device, or values of the host.
struct StateEntry {
  std::string path;  // "model/dense/kernel"
  /// What it holds; a kUnknown (-1) extent stands for any.
  TensorType type;
  /// Copies what it is now. An undefined tensor: there is nothing now, and no value is kept.
  std::function<Tensor()> save;
  /// Takes a value that fits; an undefined tensor where none was kept.
  std::function<void(const Tensor& value)> load;
  /// It may hold nothing.
  bool is_optional = false;
  /// What is wrong with a value of this type, or nothing. Empty: nothing is.
  std::function<std::string(const Tensor& value)> check = {};
};

/// Everything that somebody has to keep, in the order in which it is to be loaded.
using StateList = std::vector<StateEntry>;

/// The value of a variable.
StateEntry state_of(StringArgument path, const Variable& variable);

// What numbers of the host are kept as: one axis.
Tensor state_words(std::span<const std::int64_t> words);
Tensor state_words(std::span<const std::uint64_t> words);
Tensor state_words(std::span<const double> words);

/// How a number is kept.
template <typename T>
using StateWord = std::conditional_t<std::floating_point<T>, double,
                                     std::conditional_t<std::same_as<T, std::uint64_t>, T, std::int64_t>>;

/// A number or truth value of the host. Lifetime: the entry refers to `value`.
template <typename T>
  requires std::is_arithmetic_v<T>
// NOLINTNEXTLINE(performance-unnecessary-value-param): moved
StateEntry state_of(StringArgument path, T& value) {
  using Word = StateWord<T>;
  return {.path = std::move(path),
          .type = {*ir::kDTypeOf<Word>, {1}},
          .save =
              [&value] {
                const Word word = static_cast<Word>(value);
                return state_words(std::span<const Word>(&word, 1));
              },
          .load = [&value](const Tensor& saved) { value = static_cast<T>(saved.template data<Word>()[0]); }};
}

/// A number that there may be. Lifetime: the entry refers to `value`.
template <typename T>
  requires std::is_arithmetic_v<T>
// NOLINTNEXTLINE(performance-unnecessary-value-param): moved
StateEntry state_of(StringArgument path, std::optional<T>& value) {
  using Word = StateWord<T>;
  return {.path = std::move(path),
          .type = {*ir::kDTypeOf<Word>, {1}},
          .save =
              [&value] {
                if (!value.has_value()) return Tensor();
                const Word word = static_cast<Word>(*value);
                return state_words(std::span<const Word>(&word, 1));
              },
          .load =
              [&value](const Tensor& saved) {
                value.reset();
                if (saved.defined()) value = static_cast<T>(saved.template data<Word>()[0]);
              },
          .is_optional = true};
}

/// Numbers of which there may be any number. Lifetime: the entry refers to `values`.
StateEntry state_of(StringArgument path, std::vector<std::int64_t>& values);

/// A number that must be what it is: a list with another one belongs to something else. `what` ("the rows of
/// x") stands in the error.
StateEntry fixed_state(StringArgument path, std::int64_t value, StringArgument what);

/// Adds entries below a path: "callbacks/0/" and "wait" make "callbacks/0/wait".
void append_state(StateList& list, StringViewArgument prefix, StateList more);

/// Copies of what all entries hold; variables on devices are read at once from each client.
StateValues save_state(const StateList& list);

/// Checks that values fit entries one to one. `caller` ("fit") stands in messages.
/// Errors: InvalidArgument that names the path, what was expected and what was found: for a value that is
///         missing or of another type, and for one that no entry takes.
void check_state(const StateList& list, const StateValues& values, const char* caller);

/// Loads values that were checked.
void load_state(const StateList& list, const StateValues& values);

}  // namespace cornu::inline v0::keras
