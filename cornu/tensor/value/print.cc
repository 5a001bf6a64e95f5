#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/tensor/value/device.h"
#include "cornu/tensor/value/tensor.h"

// NumPy's format of arrays, with its default print options.
namespace cornu::inline v0 {
namespace {

constexpr std::int64_t kSummaryThreshold = 1000;
constexpr std::int64_t kEdgeItems = 3;
constexpr std::size_t kLineWidth = 75;
constexpr int kPrecision = 8;

/// A float's decimal digits, 0.d1d2d3... times 10^point.
struct Decimal {
  bool negative = false;
  std::string digits;  // without trailing zeros; empty: zero
  int point = 0;
};

Decimal parse_scientific(std::string_view text) {
  Decimal decimal;
  if (text.front() == '-') {
    decimal.negative = true;
    text.remove_prefix(1);
  }
  const std::size_t e = text.find('e');
  for (const char c : text.substr(0, e))
    if (c != '.') decimal.digits += c;
  int exponent = 0;
  const std::string_view tail = text.substr(e + 1 + (text[e + 1] == '+' ? 1 : 0));
  std::from_chars(tail.data(), tail.data() + tail.size(), exponent);
  decimal.point = exponent + 1;
  while (!decimal.digits.empty() && decimal.digits.back() == '0') decimal.digits.pop_back();
  return decimal;
}

/// `num_digits` significant digits, correctly rounded; negative: the shortest form that is unique in the
/// dtype.
Decimal to_decimal(double value, DType dtype, int num_digits) {
  char buffer[64];
  const auto print = [&](auto number, auto... precision) {
    const std::to_chars_result result =
        std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific, precision...);
    return parse_scientific(std::string_view(buffer, static_cast<std::size_t>(result.ptr - buffer)));
  };
  if (value == 0) return {.negative = std::signbit(value), .point = 1};
  if (num_digits > 0) return print(value, num_digits - 1);
  if (dtype == DType::kF64) return print(value);
  if (dtype == DType::kF32) return print(static_cast<float>(value));
  for (int digits = 1;; ++digits) {
    const std::to_chars_result end =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, digits - 1);
    double back = 0;
    std::from_chars(buffer, end.ptr, back);
    if (ir::Literal::scalar(dtype, back).at(0) == value) return print(value, digits - 1);
  }
}

/// At most `max_fraction` digits after the point of d.ddd...e+xx or of ddd.ddd.
Decimal to_decimal_cut(double value, DType dtype, int max_fraction, bool scientific) {
  Decimal shortest = to_decimal(value, dtype, -1);
  const int before = scientific ? 1 : shortest.point;
  const int wanted = before + max_fraction;
  if (static_cast<int>(shortest.digits.size()) <= wanted) return shortest;
  if (wanted > 0) return to_decimal(value, dtype, wanted);
  // All digits are cut: the result is zero, or one unit of the last decimal.
  Decimal cut{.negative = shortest.negative, .point = 1};
  if (wanted == 0 && std::fabs(value) > 0.5 * std::pow(10.0, -max_fraction))
    cut = {shortest.negative, "1", 1 - max_fraction};
  return cut;
}

struct Parts {
  std::string before, after, exponent;  // "-12", "5", "+05"
};

Parts positional(const Decimal& decimal) {
  Parts parts;
  const int count = static_cast<int>(decimal.digits.size());
  if (decimal.negative) parts.before += '-';
  for (int i = 0; i < decimal.point; ++i)
    parts.before += i < count ? decimal.digits[static_cast<std::size_t>(i)] : '0';
  if (decimal.point <= 0) parts.before += '0';
  for (int i = std::min(decimal.point, 0); i < count; ++i)
    if (i >= decimal.point) parts.after += i < 0 ? '0' : decimal.digits[static_cast<std::size_t>(i)];
  return parts;
}

Parts scientific(const Decimal& decimal) {
  Parts parts;
  if (decimal.negative) parts.before += '-';
  parts.before += decimal.digits.empty() ? '0' : decimal.digits[0];
  if (decimal.digits.size() > 1) parts.after = decimal.digits.substr(1);
  const int exponent = decimal.digits.empty() ? 0 : decimal.point - 1;
  parts.exponent = fmt::format("{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
  return parts;
}

std::string padded_left(const std::string& text, std::size_t width) {
  std::string padded(text.size() < width ? width - text.size() : 0, ' ');
  padded += text;
  return padded;
}

std::string non_finite(double value, bool has_plus = false) {
  const char* const plus = has_plus ? "+" : "";
  return std::isnan(value) ? fmt::format("{}nan", plus) : value < 0 ? "-inf" : fmt::format("{}inf", plus);
}

/// Formats all floats of one array alike, with their points aligned; `has_plus`: positive ones with a sign.
class FloatFormat {
 public:
  FloatFormat(const std::vector<double>& values, DType dtype, bool has_plus = false)
      : dtype_(dtype), has_plus_(has_plus) {
    double greatest = 0, least = HUGE_VAL;
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      if (value == 0) continue;
      greatest = std::max(greatest, std::fabs(value));
      least = std::min(least, std::fabs(value));
    }
    // NumPy compares and divides in the array's own type.
    if (greatest > 0) {
      const double ratio =
          dtype == DType::kF64
              ? greatest / least
              : static_cast<double>(static_cast<float>(greatest) / static_cast<float>(least));
      scientific_ = greatest >= 1e8 || least < ir::Literal::scalar(dtype, 1e-4).at(0) || ratio > 1000;
    }
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      const Parts parts = parts_of(value);
      before_ = std::max(before_, parts.before.size());
      fraction_ = std::max(fraction_, parts.after.size());
      exponent_ = std::max(exponent_, parts.exponent.size());
    }
    const std::size_t behind = right();
    for (const double value : values) {
      if (std::isfinite(value)) continue;
      const std::size_t length = non_finite(value, has_plus_).size();
      if (length > behind + 1) before_ = std::max(before_, length - behind - 1);
    }
  }

  std::string operator()(double value) const {
    if (!std::isfinite(value)) return padded_left(non_finite(value, has_plus_), before_ + right() + 1);
    Parts parts = parts_of(value);
    // If other numbers have more digits, show more of this number's digits before the exponent.
    if (scientific_ && value != 0 && parts.after.size() < fraction_)
      parts = signed_parts(scientific(to_decimal(value, dtype_, static_cast<int>(fraction_) + 1)));
    std::string text = padded_left(parts.before, before_);
    text += '.';
    text += parts.after;
    // Zeros before an exponent, blanks at the end of a number.
    text.append(fraction_ - parts.after.size(), scientific_ ? '0' : ' ');
    if (scientific_) {
      text += 'e';
      text += parts.exponent[0];
      text.append(exponent_ - parts.exponent.size(), '0');
      text.append(parts.exponent, 1);
    }
    return text;
  }

 private:
  Parts parts_of(double value) const {
    const Decimal decimal = to_decimal_cut(value, dtype_, kPrecision, scientific_);
    return signed_parts(scientific_ ? scientific(decimal) : positional(decimal));
  }
  Parts signed_parts(Parts parts) const {
    if (has_plus_ && parts.before.front() != '-') parts.before.insert(0, 1, '+');
    return parts;
  }
  std::size_t right() const { return fraction_ + (scientific_ ? exponent_ + 1 : 0); }

  DType dtype_;
  bool has_plus_;
  bool scientific_ = false;
  std::size_t before_ = 0, fraction_ = 0, exponent_ = 0;
};

/// A single float with all its digits.
std::string float_scalar(double value, DType dtype) {
  if (!std::isfinite(value)) return non_finite(value);
  const Decimal decimal = to_decimal(value, dtype, -1);
  const double end = dtype == DType::kF64 ? 1e16 : dtype == DType::kF32 ? 1e6 : 1e3;
  if (value == 0 || (std::fabs(value) >= 1e-4 && std::fabs(value) < end)) {
    const Parts parts = positional(decimal);
    return fmt::format("{}.{}", parts.before, parts.after.empty() ? "0" : parts.after);
  }
  const Parts parts = scientific(decimal);
  return fmt::format("{}{}{}e{}", parts.before, parts.after.empty() ? "" : ".", parts.after, parts.exponent);
}

/// A part of a complex scalar, as Python prints it: 1, -0.5, 1e+20.
std::string short_part(double value, DType dtype) {
  if (!std::isfinite(value)) return non_finite(value);
  std::string text = float_scalar(value, dtype);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string complex_scalar(std::complex<double> value, DType dtype) {
  const std::string im = short_part(value.imag(), dtype);
  if (value.real() == 0 && !std::signbit(value.real())) return im + "j";
  return fmt::format("({}{}{}j)", short_part(value.real(), dtype), im.front() == '-' ? "" : "+", im);
}

std::string integer_str(const Tensor& tensor, std::int64_t i) {
  if (tensor.dtype() == DType::kI64 || tensor.dtype() == DType::kU64) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, tensor.bytes() + static_cast<std::size_t>(i) * sizeof bits, sizeof bits);
    return tensor.dtype() == DType::kU64 ? fmt::format("{}", bits)
                                         : fmt::format("{}", static_cast<std::int64_t>(bits));
  }
  return fmt::format("{}", static_cast<std::int64_t>(tensor.at(i)));
}

class ArrayPrinter {
 public:
  explicit ArrayPrinter(const Tensor& tensor)
      : tensor_(tensor), strides_(ir::row_major_strides(tensor.shape())) {
    summarize_ = tensor.num_elements() > kSummaryThreshold;
  }

  std::string print() {
    if (tensor_.num_elements() == 0) return "[]";
    collect(0, 0);
    format_elements();
    return print_axis(0, " ", kLineWidth);
  }

 private:
  bool is_cut(std::size_t axis) const { return summarize_ && tensor_.shape()[axis] > 2 * kEdgeItems; }

  /// Calls f(index) for the indices shown, with -1 for the dots.
  template <typename F>
  void for_each_shown(std::size_t axis, const F& f) const {
    const std::int64_t extent = tensor_.shape()[axis];
    for (std::int64_t i = 0; i < extent; ++i) {
      if (is_cut(axis) && i == kEdgeItems) {
        f(-1);
        i = extent - kEdgeItems;
      }
      f(i);
    }
  }

  void collect(std::size_t axis, std::int64_t offset) {
    if (axis == tensor_.shape().size()) {
      shown_.push_back(offset);
      return;
    }
    for_each_shown(axis, [&](std::int64_t i) {
      if (i >= 0) collect(axis + 1, offset + i * strides_[axis]);
    });
  }

  /// Both parts are aligned by themselves; blanks after the imaginary one come after the j.
  void format_complex() {
    const ir::Literal literal = tensor_.literal();
    std::vector<double> real, imag;
    for (const std::int64_t at : shown_) {
      const std::complex<double> value = ir::complex_at(literal, at);
      real.push_back(value.real());
      imag.push_back(value.imag());
    }
    const DType dtype = ir::real_dtype(tensor_.dtype());
    const FloatFormat real_format(real, dtype), imag_format(imag, dtype, true);
    for (std::size_t i = 0; i < real.size(); ++i) {
      std::string im = imag_format(imag[i]);
      im.insert(im.find_last_not_of(' ') + 1, 1, 'j');
      words_.push_back(real_format(real[i]) + im);
    }
  }

  void format_elements() {
    if (ir::is_complex(tensor_.dtype())) return format_complex();
    if (ir::is_float(tensor_.dtype())) {
      std::vector<double> values;
      values.reserve(shown_.size());
      for (const std::int64_t at : shown_) values.push_back(tensor_.at(at));
      const FloatFormat format(values, tensor_.dtype());
      for (const double value : values) words_.push_back(format(value));
      return;
    }
    std::size_t width = 0;
    for (const std::int64_t at : shown_) {
      words_.push_back(tensor_.dtype() == DType::kI1 ? (tensor_.at(at) != 0 ? "True" : "False")
                                                     : integer_str(tensor_, at));
      width = std::max(width, words_.back().size());
    }
    if (tensor_.dtype() == DType::kI1) width = std::string_view("False").size();
    for (std::string& word : words_) word = padded_left(word, width);
  }

  std::string print_axis(std::size_t axis, const std::string& indent, std::size_t width) {
    const std::size_t axes_left = tensor_.shape().size() - axis;
    std::string text, line = indent;
    bool is_first = true;
    for_each_shown(axis, [&](std::int64_t i) {
      if (axes_left > 1) {
        if (!is_first) text += std::string(axes_left - 1, '\n');
        text += indent + (i < 0 ? std::string("...")
                                : print_axis(axis + 1, std::string(indent.size() + 1, ' '), width - 1));
        is_first = false;
        return;
      }
      const std::string word = i < 0 ? "..." : words_[next_word_++];
      if (!is_first) line += ' ';
      if (line.size() + word.size() > width - 1 && line.size() > indent.size()) {
        while (!line.empty() && line.back() == ' ') line.pop_back();
        text += line + '\n';
        line = indent;
      }
      line += word;
      is_first = false;
    });
    if (axes_left == 1) text += line;
    text.erase(0, indent.size() - 1);
    text[0] = '[';
    text += ']';
    return text;
  }

  const Tensor& tensor_;
  Dims strides_;
  bool summarize_ = false;
  std::vector<std::int64_t> shown_;
  std::vector<std::string> words_;
  std::size_t next_word_ = 0;
};

}  // namespace

std::string Tensor::str() const {
  if (!defined()) return "undefined";
  if (is_symbolic()) return type_str(type());
  if (rank() > 0) return ArrayPrinter(*this).print();
  if (dtype() == DType::kI1) return at(0) != 0 ? "True" : "False";
  if (ir::is_complex(dtype())) return complex_scalar(ir::complex_at(literal(), 0), ir::real_dtype(dtype()));
  return ir::is_float(dtype()) ? float_scalar(at(0), dtype()) : integer_str(*this, 0);
}

std::ostream& operator<<(std::ostream& stream, const Tensor& tensor) {
  if (!tensor.defined()) return stream << "Tensor(undefined)";
  const std::string type =
      fmt::format("shape={}, dtype={}", ir::shape_str(tensor.shape()), ir::numpy_name(tensor.dtype()));
  if (tensor.is_symbolic()) return stream << "Tensor(symbolic, " << type << ')';
  return stream << "Tensor(" << (tensor.rank() > 1 ? "\n" : "") << tensor.str() << ", " << type
                << ", device=" << detail::short_device_name(tensor.device_index()) << ')';
}

}  // namespace cornu::inline v0
