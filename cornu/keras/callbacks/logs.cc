#include "cornu/keras/callbacks/logs.h"

#include <cmath>
#include <ostream>
#include <span>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"

namespace cornu::inline v0::keras {

namespace {

std::string number_str(double value, bool is_single) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  std::string text = is_single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

/// Prints the elements from `first` on of an array with these extents: "[[1.0, 2.0], [3.0, 4.0]]".
std::string array_str(const Tensor& array, std::int64_t first, std::span<const std::int64_t> dims) {
  if (dims.empty()) {
    const DType dtype = array.dtype();
    return ir::is_float(dtype) ? number_str(array.at(first), dtype != DType::kF64)
                               : fmt::format("{}", array.at(first));
  }
  std::int64_t stride = 1;
  for (const std::int64_t extent : dims.subspan(1)) stride *= extent;
  std::string text;
  for (std::int64_t i = 0; i < dims[0]; ++i)
    text += (i > 0 ? ", " : "") + array_str(array, first + i * stride, dims.subspan(1));
  return "[" + text + "]";
}

}  // namespace

LogValue::LogValue(const Tensor& value) {
  if (value.rank() == 0) {
    number_ = value.item<double>();
  } else {
    array_ = Tensor(value.literal());  // a copy: a metric's variable changes later
  }
}

LogValue::operator double() const {
  if (is_array())
    invalid_argument("[logs] the value is an array of shape {}, not a number", ir::shape_str(array_.shape()));
  return number_;
}

Tensor LogValue::tensor() const {
  return is_array() ? array_ : Tensor(ir::Literal::scalar(DType::kF64, number_));
}

double LogValue::mean() const {
  if (!is_array()) return number_;
  double sum = 0;
  for (std::int64_t i = 0; i < array_.num_elements(); ++i) sum += array_.at(i);
  return sum / static_cast<double>(array_.num_elements());
}

std::string LogValue::str() const {
  return is_array() ? array_str(array_, 0, array_.shape()) : number_str(number_, false);
}

bool LogValue::operator==(const LogValue& other) const {
  if (is_array() != other.is_array()) return false;
  return is_array() ? array_.literal() == other.array_.literal() : number_ == other.number_;
}

double Logs::operator[](StringViewArgument name) const {
  const LogValue& value = ByName::at(name);
  if (value.is_array())
    invalid_argument("[logs] \"{}\" is an array of shape {}: use array(\"{}\")", name,
                     ir::shape_str(value.tensor().shape()), name);
  return value;
}

void throw_no_such_name(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  if (known.empty()) invalid_argument("[{}] there is no \"{}\": there are no names at all", what, name);
  const std::string near = nearest_names(name, known).empty() ? "" : name_proposal(name, known) + " ";
  invalid_argument("[{}] there is no \"{}\"; {}there are: {}", what, name, near, comma_separated(known));
}

std::string comma_separated(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const Logs& logs) { return out << logs.str(); }

std::string format_metric(double value) {
  if (std::isnan(value)) return "nan";  // as Python; fmt would print its sign
  return std::abs(value) > 1e-3 ? fmt::format("{:.4f}", value) : fmt::format("{:.4e}", value);
}

std::string Logs::str() const {
  std::string text;
  for (const Entry& entry : *this) {
    if (!text.empty()) text += " - ";
    text += fmt::format("{}: {}", entry.first, format_metric(entry.second.mean()));
  }
  return text;
}

}  // namespace cornu::inline v0::keras
