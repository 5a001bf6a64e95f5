#include "cornu/keras/utils/sequences.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"

namespace cornu::inline v0::keras::utils {
namespace {

bool is_pre(const std::string& word, const char* argument) {
  if (word != "pre" && word != "post")
    invalid_argument("[pad_sequences] {} must be \"pre\" or \"post\"; got {} = \"{}\"", argument, argument,
                     word);
  return word == "pre";
}

std::int64_t longest_of(const Sequences& sequences) {
  std::size_t longest = 0;
  for (const Sequence& sequence : sequences) longest = std::max(longest, sequence.size());
  return static_cast<std::int64_t>(longest);
}

/// rows x width elements of `fill`; errors name `what`, the argument that determines the size. The size is
/// limited, since a wrong number must not exhaust memory.
template <typename T>
std::vector<T> filled(std::size_t rows, std::int64_t width, T fill, const std::string& what) {
  constexpr std::int64_t kLargestBytes = std::int64_t{1} << 34;
  const CheckedSize count = CheckedSize(rows) * width, num_bytes = count * sizeof(T);
  const auto array = [&] {
    return fmt::format("{} would make an array of {} x {} {}, which", what, rows, width,
                       ir::numpy_name(*ir::kDTypeOf<T>));
  };
  if (num_bytes.exceeds(kLargestBytes))
    fail(ErrorCode::kResourceExhausted, "{} takes more than the {} bytes that are made at most", array(),
         kLargestBytes);
  return host_vector<T>(count, array, fill);
}

/// Converts `value` to T; an integer type must represent its integral part, which is used as in NumPy.
template <typename T>
T padding_value(double value) {
  if constexpr (std::is_integral_v<T>) {
    const double whole = std::trunc(value);  // NaN fails both comparisons
    if (!(whole >= static_cast<double>(std::numeric_limits<T>::min()) &&
          whole < std::ldexp(1.0, std::numeric_limits<T>::digits)))
      invalid_argument({.argument = "value"},
                       "[pad_sequences] value must be a number that dtype holds; got value = {}, dtype = {}",
                       value, ir::numpy_name(*ir::kDTypeOf<T>));
  }
  return static_cast<T>(value);
}

template <typename T>
T padded_element(const Sequences& sequences, std::size_t i, std::size_t k) {
  const std::int32_t element = sequences[i][k];
  if constexpr (std::is_integral_v<T>) {
    if (!std::in_range<T>(element))
      fail(ErrorCode::kOutOfRange, "[pad_sequences] {} at position {} of sequence {} does not fit dtype = {}",
           element, k, i, ir::numpy_name(*ir::kDTypeOf<T>));
  }
  return static_cast<T>(element);
}

template <typename T>
Tensor pad_as(const Sequences& sequences, std::int64_t maxlen, bool pad_pre, bool cut_pre, double value) {
  const auto width = static_cast<std::size_t>(maxlen);
  std::vector<T> rows = filled<T>(sequences.size(), maxlen, padding_value<T>(value),
                                  fmt::format("[pad_sequences] maxlen = {}", maxlen));
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const Sequence& sequence = sequences[i];
    const std::size_t count = std::min(sequence.size(), width);
    const std::size_t first = cut_pre ? sequence.size() - count : 0;
    T* row = rows.data() + i * width + (pad_pre ? width - count : 0);
    for (std::size_t k = 0; k < count; ++k) row[k] = padded_element<T>(sequences, i, first + k);
  }
  return Tensor::adopt({static_cast<std::int64_t>(sequences.size()), maxlen}, std::move(rows));
}

}  // namespace

Tensor pad_sequences(const Sequences& sequences, const PadSequencesOptions& options) {
  const bool pad_pre = is_pre(options.padding, "padding");
  const bool cut_pre = is_pre(options.truncating, "truncating");
  if (options.maxlen && *options.maxlen < 1)
    invalid_argument({.argument = "maxlen"}, "[pad_sequences] maxlen must be positive; got maxlen = {}",
                     *options.maxlen);
  const std::int64_t maxlen = options.maxlen.value_or(longest_of(sequences));
  Tensor padded;
  ir::visit_dtype(options.dtype, [&]<typename T>() {
    if constexpr (!std::is_same_v<T, bool>)
      padded = pad_as<T>(sequences, maxlen, pad_pre, cut_pre, options.value);
  });
  if (!padded.defined())
    invalid_argument({.argument = "dtype"},
                     "[pad_sequences] dtype must be an integer's, f32 or f64; got dtype = {}",
                     ir::numpy_name(options.dtype));
  return padded;
}

Tensor to_categorical(const Tensor& x, const ToCategoricalOptions& options) {
  if (!ir::is_integer(x.dtype()))
    invalid_argument("[to_categorical] class ids must be integers; got {}", type_str(x.type()));
  const auto ids = x.to_vector<std::int64_t>();
  if (!options.num_classes && ids.empty())
    invalid_argument("[to_categorical] without ids num_classes must be given");
  const auto outside = [](std::int64_t id, std::size_t position, const std::string& range) {
    fail(ErrorCode::kOutOfRange, "[to_categorical] the class id {} at position {} is outside {}", id,
         position, range);
  };
  const auto largest = std::max_element(ids.begin(), ids.end());
  const auto where = static_cast<std::size_t>(largest - ids.begin());
  for (std::size_t i = 0; i < ids.size() && !options.num_classes; ++i)
    if (ids[i] < 0 || ids[i] == std::numeric_limits<std::int64_t>::max()) outside(ids[i], i, "[0, 2^63 - 1)");
  const std::int64_t num_classes = options.num_classes ? *options.num_classes : *largest + 1;
  if (num_classes < 1)
    invalid_argument({.argument = "num_classes"},
                     "[to_categorical] num_classes must be positive; got num_classes = {}", num_classes);
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] < 0 || ids[i] >= num_classes) outside(ids[i], i, fmt::format("[0, {})", num_classes));
  std::vector<float> values = filled(
      ids.size(), num_classes, 0.0F,
      options.num_classes ? fmt::format("[to_categorical] num_classes = {}", num_classes)
                          : fmt::format("[to_categorical] the class id {} at position {}", *largest, where));
  for (std::size_t i = 0; i < ids.size(); ++i)
    values[i * static_cast<std::size_t>(num_classes) + static_cast<std::size_t>(ids[i])] = 1.0F;
  Dims shape = x.shape();
  if (shape.size() > 1 && shape.back() == 1) shape.pop_back();
  shape.push_back(num_classes);
  return Tensor::adopt(shape, std::move(values));
}

}  // namespace cornu::inline v0::keras::utils
