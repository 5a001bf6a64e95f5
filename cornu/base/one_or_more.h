#pragma once

#include <concepts>
#include <utility>
#include <vector>

namespace cornu::inline v0 {

/// A list for options that take one value, too, as Keras's do: `.thresholds = 0.5` or `.thresholds = {0.3, 0.7}`.
template <typename T>
class OneOrMore : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  OneOrMore(std::vector<T> values) : std::vector<T>(std::move(values)) {}
  template <typename U>
    requires std::convertible_to<U, T>
  OneOrMore(U&& value) {
    this->push_back(std::forward<U>(value));
  }
};

}  // namespace cornu::inline v0
