#include <algorithm>
#include <bit>

#include "cornu/base/check.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/value/concrete.h"

namespace cornu::inline v0::detail {

void CallArguments::tensor(const Tensor& tensor) {
  if (!tensor.defined()) return push(Leaf::kUndefined, 0);
  check_concrete(tensor);
  const auto dtype = static_cast<std::uint64_t>(tensor.dtype());
  if (tensor.is_weak()) {
    push(Leaf::kWeak, dtype);
    return push_word(tensor.weak_bits());
  }
  const Tensor* mask = tensor.mask();
  push(Leaf::kTensor, dtype | static_cast<std::uint64_t>(tensor.rank()) << 8 |
                          (mask != nullptr ? std::uint64_t{1} << 40 : 0));
  for (const std::int64_t extent : tensor.shape()) push_word(static_cast<std::uint64_t>(extent));
  tensors_.push_back(&tensor);
  if (mask != nullptr) this->tensor(*mask);
}

void CallArguments::overflow(std::uint64_t word) {
  if (overflow_.empty()) overflow_.assign(words_.begin(), words_.end());
  overflow_.push_back(word);
}

void CallArguments::source(ElementSource& source) {
  const auto found = std::find(sources_.begin(), sources_.end(), &source);
  push(Leaf::kSource, static_cast<std::uint64_t>(found - sources_.begin()));
  if (found != sources_.end()) return;
  text(source.spec().text);
  sources_.push_back(&source);
}

void CallArguments::text(std::string_view text) {
  push(Leaf::kText, text.size());
  for (std::size_t i = 0; i < text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, std::min<std::size_t>(8, text.size() - i));
    push_word(word);
  }
}

namespace {

/// Reads a key word by word.
class KeyReader {
 public:
  explicit KeyReader(std::span<const std::uint64_t> key) : key_(key) {}
  bool done() const { return next_ == key_.size(); }
  std::uint64_t word() { return key_[next_++]; }

  std::string leaf(CallArguments::Leaf kind, std::uint64_t detail) {
    switch (kind) {
      case CallArguments::Leaf::kTensor: return tensor(detail);
      case CallArguments::Leaf::kUndefined: return "undefined";
      case CallArguments::Leaf::kWeak: return weak(static_cast<DType>(detail));
      case CallArguments::Leaf::kVariable: return fmt::format("variable {:#x}", word());
      case CallArguments::Leaf::kNumber: return number(detail >> 8, detail & 0xff);
      case CallArguments::Leaf::kText: return text(detail);
      case CallArguments::Leaf::kSource: return fmt::format("iterator {}", detail);
      case CallArguments::Leaf::kSize: return fmt::format("{} of:", detail);
    }
    return "";
  }

 private:
  std::string tensor(std::uint64_t detail) {
    TensorType type{static_cast<DType>(detail & 0xff),
                    Dims(static_cast<std::size_t>(detail >> 8 & 0xffffffff))};
    for (std::int64_t& extent : type.dims) extent = static_cast<std::int64_t>(word());
    return type_str(type) + ((detail >> 40 & 1) != 0 ? " with mask" : "");
  }

  std::string weak(DType dtype) {
    const std::uint64_t bits = word();
    if (ir::is_float(dtype)) return fmt::format("{}", std::bit_cast<double>(bits));
    return dtype == DType::kU64 ? fmt::format("{}", bits)
                                : fmt::format("{}", static_cast<std::int64_t>(bits));
  }

  std::string number(std::uint64_t kind, std::uint64_t size) {
    const std::uint64_t bits = word();
    if (kind == 1) return bits != 0 ? "true" : "false";
    if (kind == 2)
      return size == 4 ? fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                       : fmt::format("{}", std::bit_cast<double>(bits));
    if (kind == 3) return fmt::format("{}", bits);
    const auto shift = static_cast<int>(64 - 8 * size);
    return fmt::format("{}", static_cast<std::int64_t>(bits << shift) >> shift);
  }

  std::string text(std::uint64_t size) {
    std::string characters((size + 7) / 8 * 8, '\0');
    for (std::size_t i = 0; i < characters.size(); i += 8) {
      const std::uint64_t bits = word();
      std::memcpy(characters.data() + i, &bits, 8);
    }
    characters.resize(size);
    return fmt::format("\"{}\"", characters);
  }

  std::span<const std::uint64_t> key_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<std::string> CallArguments::describe(std::span<const std::uint64_t> key) {
  std::vector<std::string> arguments;
  KeyReader reader(key);
  while (!reader.done()) {
    const std::uint64_t word = reader.word();
    const auto kind = static_cast<Leaf>(word >> 56);
    const std::uint64_t detail = word & ~std::uint64_t{0} >> 8;
    if (kind == Leaf::kSize && detail == ~std::uint64_t{0} >> 8) {
      arguments.emplace_back();
      reader.word();  // its C++ type
      continue;
    }
    std::string& argument = arguments.back();
    if (!argument.empty()) argument += ' ';
    argument += reader.leaf(kind, detail);
  }
  return arguments;
}

}  // namespace cornu::inline v0::detail
