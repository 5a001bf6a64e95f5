#include "cornu/keras/utils/sequences.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras::utils {
namespace {

bool is_pre(const std::string& word, const char* argument) {
  if (word != "pre" && word != "post")
    invalid_argument("[pad_sequences] {} must be \"pre\" or \"post\"; got {} = \"{}\"", argument, argument, word);
  return word == "pre";
}

std::int64_t longest_of(const Sequences& sequences) {
  std::size_t longest = 0;
  for (const Sequence& sequence : sequences) longest = std::max(longest, sequence.size());
  return static_cast<std::int64_t>(longest);
}

template <typename T>
Tensor pad_as(const Sequences& sequences, std::int64_t maxlen, bool pad_pre, bool cut_pre, double value) {
  const auto width = static_cast<std::size_t>(maxlen);
  std::vector<T> rows(sequences.size() * width, static_cast<T>(value));
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const Sequence& sequence = sequences[i];
    const std::size_t count = std::min(sequence.size(), width);
    const std::size_t first = cut_pre ? sequence.size() - count : 0;
    T* row = rows.data() + i * width + (pad_pre ? width - count : 0);
    for (std::size_t k = 0; k < count; ++k) row[k] = static_cast<T>(sequence[first + k]);
  }
  return Tensor::adopt({static_cast<std::int64_t>(sequences.size()), maxlen}, std::move(rows));
}

}  // namespace

Tensor pad_sequences(const Sequences& sequences, const PadSequencesOptions& options) {
  const bool pad_pre = is_pre(options.padding, "padding");
  const bool cut_pre = is_pre(options.truncating, "truncating");
  if (options.maxlen && *options.maxlen < 1) invalid_argument("[pad_sequences] maxlen must be positive; got maxlen = {}", *options.maxlen);
  const std::int64_t maxlen = options.maxlen.value_or(longest_of(sequences));
  switch (options.dtype) {
    case DType::kI32: return pad_as<std::int32_t>(sequences, maxlen, pad_pre, cut_pre, options.value);
    case DType::kI64: return pad_as<std::int64_t>(sequences, maxlen, pad_pre, cut_pre, options.value);
    case DType::kF32: return pad_as<float>(sequences, maxlen, pad_pre, cut_pre, options.value);
    case DType::kF64: return pad_as<double>(sequences, maxlen, pad_pre, cut_pre, options.value);
    default: invalid_argument("[pad_sequences] dtype must be i32, i64, f32 or f64; got dtype = {}", ir::numpy_name(options.dtype));
  }
}

Tensor to_categorical(const Tensor& x, const ToCategoricalOptions& options) {
  if (!ir::is_integer(x.dtype())) invalid_argument("[to_categorical] class ids must be integers; got {}", type_str(x.type()));
  const auto ids = x.to_vector<std::int64_t>();
  if (!options.num_classes && ids.empty()) invalid_argument("[to_categorical] without ids num_classes must be given");
  const std::int64_t num_classes = options.num_classes.value_or(ids.empty() ? 0 : *std::max_element(ids.begin(), ids.end()) + 1);
  if (num_classes < 1) invalid_argument("[to_categorical] num_classes must be positive; got num_classes = {}", num_classes);
  std::vector<float> values(ids.size() * static_cast<std::size_t>(num_classes), 0.0F);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= num_classes)
      fail(ErrorCode::kOutOfRange, "[to_categorical] the class id {} at position {} is outside [0, {})", ids[i], i, num_classes);
    values[i * static_cast<std::size_t>(num_classes) + static_cast<std::size_t>(ids[i])] = 1.0F;
  }
  Dims shape = x.shape();
  if (shape.size() > 1 && shape.back() == 1) shape.pop_back();
  shape.push_back(num_classes);
  return Tensor::adopt(shape, std::move(values));
}

}  // namespace cornu::inline v0::keras::utils
