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

/// The values of a state by path: copies that no later step changes. See Model::training_state.
using StateValues = std::map<std::string, Tensor>;

/// The part of an entry's value that one of several processes holds: of `extent` indices along an axis the
/// range [begin, end); if `modulo` is positive, all i with begin <= i % modulo < end (docs/adr/0133, 0173).
struct StatePart {
  std::int64_t axis = 0, begin = 0, end = 0, extent = 0, modulo = 0;

  /// The number of these indices.
  std::int64_t count() const;
  /// The end of the part's path in StateValues, after the entry's path: "[12:24 of 48, axis 0]" or, with a
  /// modulo, "[0:1 modulo 2 of 48, axis 0]".
  std::string suffix() const;
  bool operator==(const StatePart&) const = default;
};
/// The entry's path and the part that a path in StateValues names; no part for a whole value.
std::pair<std::string, std::optional<StatePart>> split_state_path(StringViewArgument path);

/// An entry of a state: a variable on a device, or values of the host.
struct StateEntry {
  std::string path;  // "model/dense/kernel"
  /// The entry's type; a kUnknown (-1) extent allows any.
  TensorType type;
  /// Returns a copy of the present value. Undefined: there is none, and none is saved.
  std::function<Tensor()> save;
  /// Loads a value that fits; an undefined tensor if none was saved.
  std::function<void(const Tensor& value)> load;
  /// True if the entry may have no value.
  bool is_optional = false;
  /// Returns the error in a value of this type, or an empty string. May be empty.
  std::function<std::string(const Tensor& value)> check = {};
  /// Set: other processes hold the rest of the value. `save` returns this part, and `load` takes it or the
  /// whole value.
  std::optional<StatePart> part = {};

  /// The path in StateValues of what `save` returns.
  std::string saved_path() const { return part.has_value() ? path + part->suffix() : path; }
};

/// All entries of an object's state, in the order in which they are loaded.
using StateList = std::vector<StateEntry>;

/// The entry of a variable.
StateEntry state_of(StringArgument path, const Variable& variable);

// Numbers of the host as tensors of one axis.
Tensor state_words(std::span<const std::int64_t> words);
Tensor state_words(std::span<const std::uint64_t> words);
Tensor state_words(std::span<const double> words);

/// The type in which a number is saved.
template <typename T>
using StateWord = std::conditional_t<std::floating_point<T>, double,
                                     std::conditional_t<std::same_as<T, std::uint64_t>, T, std::int64_t>>;

/// The entry of a number or boolean of the host. Lifetime: the entry refers to `value`.
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

/// The entry of an optional number. Lifetime: the entry refers to `value`.
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

/// The entry of a list of any length. Lifetime: the entry refers to `values`.
StateEntry state_of(StringArgument path, std::vector<std::int64_t>& values);

/// The entry of a number that must stay equal: a state with another number belongs to another object. `what`
/// ("the rows of x") is its name in the error.
StateEntry fixed_state(StringArgument path, std::int64_t value, StringArgument what);

/// Appends entries below a path: "callbacks/0/" and "wait" make "callbacks/0/wait".
void append_state(StateList& list, StringViewArgument prefix, StateList more);

/// Form of the values of variables that several processes hold in parts.
enum class StateForm {
  kOwnParts,     // this process's parts
  kWholeAtFirst  // whole values in the first process, none in the others; all processes call together
};
/// Copies the values of all entries; variables on devices are read with one transfer from each client.
StateValues save_state(const StateList& list, StateForm form = StateForm::kOwnParts);

/// Checks that values and entries match one to one. Messages begin with `caller` ("fit").
/// Errors: InvalidArgument, naming the path, the expected and the actual type, for a value that is missing or
///         of another type, and for a value without an entry.
void check_state(const StateList& list, const StateValues& values, const char* caller);

/// Loads values that check_state() has accepted.
void load_state(const StateList& list, const StateValues& values);

}  // namespace cornu::inline v0::keras
