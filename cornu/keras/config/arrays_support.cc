#include "cornu/keras/config/arrays_support.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cornu/tensor/ops/elementwise.h"

namespace cornu::inline v0::keras::saving {
namespace {

constexpr const char* kNumbers = "a number or nested lists of numbers";

/// The extents of nested lists; false when they are no box of numbers.
bool find_shape(const Config& config, std::size_t depth, Dims& shape) {
  if (config.is_number() || config.is_bool()) return depth == shape.size();
  if (!config.is_list() || config.size() == 0) return false;
  const auto count = static_cast<std::int64_t>(config.size());
  if (depth == shape.size()) shape.push_back(count);
  if (shape[depth] != count) return false;
  const Config::List& parts = config.as_list();
  return std::all_of(parts.begin(), parts.end(),
                     [&](const Config& part) { return find_shape(part, depth + 1, shape); });
}

/// True if all numbers of nested lists are integers that i64 can hold.
bool has_only_integers(const Config& config) {
  if (!config.is_list()) return config.is_integer() && config.as_number() < 0x1p63;
  const Config::List& parts = config.as_list();
  return std::all_of(parts.begin(), parts.end(), &has_only_integers);
}

/// Calls `take` with each number of nested lists, in order.
template <typename F>
void for_each_number(const Config& config, const F& take) {
  if (!config.is_list()) return take(config);
  for (const Config& part : config.as_list()) for_each_number(part, take);
}

/// True if the integer dtype can hold the value.
bool has_value(DType dtype, std::int64_t value) {
  const int bits = 8 * static_cast<int>(ir::size_bytes(dtype)) - (ir::is_signed_integer(dtype) ? 1 : 0);
  const std::int64_t low = ir::is_signed_integer(dtype) ? -1 : 0;
  return bits >= 63 ? value >= 0 || low < 0 : (value >> bits) >= low && (value >> bits) <= 0;
}

Tensor integers(const Config& array, const Place& place, const Dims& shape, DType dtype) {
  std::vector<std::int64_t> elements;
  for_each_number(array, [&](const Config& each) {
    std::int64_t element = 0;
    if (each.is_bool()) {
      element = each.as_bool() ? 1 : 0;
    } else {
      read_value(each, place, element);
    }
    if (ir::is_integer(dtype) && !has_value(dtype, element))
      wrong_type(place, "numbers within the range of their dtype", each);
    elements.push_back(element);
  });
  Tensor all = Tensor::adopt(shape, std::move(elements));
  return dtype == DType::kI64 ? all : ops::cast(all, dtype);
}

template <typename T>
Tensor numbers(const Config& array, const Dims& shape) {
  std::vector<T> elements;
  for_each_number(array, [&](const Config& each) {
    elements.push_back(each.is_bool() ? static_cast<T>(each.as_bool()) : static_cast<T>(each.as_number()));
  });
  return Tensor::adopt(shape, std::move(elements));
}

/// The dtype that keeps every digit: the array's own, else i64 for integers and f64 for other numbers.
DType dtype_of(const Config& array, const Config& config, const Place& place) {
  if (&array == &config) return has_only_integers(array) ? DType::kI64 : DType::kF64;
  DType dtype = DType::kF32;
  if (const Config* const given = config.at("config").find("dtype")) read_value(*given, place, dtype);
  return dtype;
}

}  // namespace

const Config& unwrapped_array(const Config& config) {
  const Config* class_name = config.find("class_name");
  if (class_name == nullptr || !class_name->is_string()) return config;
  if (class_name->as_string() != "__numpy__" && class_name->as_string() != "__tensor__") return config;
  const Config* inner = config.find("config");
  const Config* value = inner == nullptr ? nullptr : inner->find("value");
  return value == nullptr ? config : *value;
}

Tensor read_array(const Config& config, const Place& place, DType dtype) {
  const Config& array = unwrapped_array(config);
  Dims shape;
  if (!find_shape(array, 0, shape)) wrong_type(place, kNumbers, config);
  if (ir::is_integer(dtype) || dtype == DType::kI1) return integers(array, place, shape, dtype);
  if (dtype == DType::kF64) return numbers<double>(array, shape);
  const Tensor all = numbers<float>(array, shape);
  return dtype == DType::kF32 ? all : ops::cast(all, dtype);
}

void read_value(const Config& config, const Place& place, Tensor& value) {
  value = {};
  const Config& given = unwrapped_array(config);
  if (given.is_null()) return;
  if (given.is_bool()) wrong_type(place, kNumbers, config);
  if (given.is_integer()) {
    std::int64_t number = 0;
    read_value(given, place, number);
    value = Tensor(number);
    return;
  }
  value = given.is_number() ? Tensor(given.as_number())
                            : read_array(config, place, dtype_of(given, config, place));
}

}  // namespace cornu::inline v0::keras::saving
