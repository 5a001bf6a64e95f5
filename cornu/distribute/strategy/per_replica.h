#pragma once

#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "cornu/tensor/structure.h"

namespace cornu::inline v0::distribute {

/// A value for each replica: the result of Strategy::run, and its split arguments. T may be any structure
/// that `function` accepts.
template <typename T>
struct PerReplica {
  std::vector<T> values;
};

template <typename T>
inline constexpr bool is_per_replica = false;
template <typename T>
inline constexpr bool is_per_replica<PerReplica<T>> = true;

/// The type of an argument inside a replica.
template <typename T>
struct LocalOf {
  using type = T;
};
template <typename T>
struct LocalOf<PerReplica<T>> {
  using type = T;
};

/// A tensor in TensorFlow's format: "tf.Tensor(1.0, shape=(), dtype=float32)".
std::string tensorflow_str(const Tensor& tensor);

namespace detail {

inline void print_as_tensorflow(std::ostream& out, const Tensor& tensor) { out << tensorflow_str(tensor); }
template <typename T>
void print_as_tensorflow(std::ostream& out, const T& value) {
  out << value;
}

}  // namespace detail

/// Prints in TensorFlow's format: for one replica the value itself, else
///
///     PerReplica:{
///       0: tf.Tensor(1.0, shape=(), dtype=float32),
///       1: tf.Tensor(2.0, shape=(), dtype=float32)
///     }
template <typename T>
std::ostream& operator<<(std::ostream& out, const PerReplica<T>& value) {
  const bool is_one = value.values.size() == 1;
  out << (is_one ? "" : "PerReplica:{");
  for (std::size_t i = 0; i < value.values.size(); ++i) {
    if (!is_one) out << (i == 0 ? "\n  " : ",\n  ") << i << ": ";
    detail::print_as_tensorflow(out, value.values[i]);
  }
  return out << (is_one ? "" : "\n}");
}

template <typename T>
std::string str(const PerReplica<T>& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

}  // namespace cornu::inline v0::distribute
