#include "cornu/backends/cpu/sort/sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <vector>

#include "cornu/backends/cpu/elements/kernels.h"
#include "cornu/backends/cpu/elements/scalar_function.h"
#include "cornu/backends/cpu/sort/sort_order.h"
#include "cornu/base/check.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using Position = std::uint32_t;  // in a line

/// Common part of all kernels: the lines to sort, and writing the results in the order that was found.
class SortKernel : public GroupKernel {
 public:
  SortKernel(const ir::Op& op, int num_threads) {
    const ir::Dims& dims = op.operand(0).dims();
    auto dimension = op.attributes().get<std::int64_t>("dimension");
    if (dimension < 0) dimension += op.operand(0).rank();
    extent_ = dims[static_cast<std::size_t>(dimension)];
    stride_ = ir::row_major_strides(dims)[static_cast<std::size_t>(dimension)];
    num_lines_ = extent_ == 0 ? 0 : op.operand(0).type().num_elements() / extent_;
    if (extent_ >= (std::int64_t{1} << 32))
      fail(ErrorCode::kUnimplemented, "[sort] a line of {} elements: at most 2^32 - 1 are supported",
           extent_);
    for (const ir::Value& operand : op.operands()) element_bytes_.push_back(ir::size_bytes(operand.dtype()));
    constexpr std::int64_t kElementsPerSlice = 4096;
    const std::int64_t least = kElementsPerSlice / std::max<std::int64_t>(extent_, 1) + 1;
    chunk_ = std::max(least, (num_lines_ + kMaxKernelSlices - 1) / kMaxKernelSlices);
    num_slices_ = (num_lines_ + chunk_ - 1) / chunk_;
    num_slots_ = num_slots(num_slices_, num_threads);
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    ScratchSlots slots(memory.scratch, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      auto* const order = reinterpret_cast<Position*>(lease.data());
      const std::int64_t end = std::min(num_lines_, (slice + 1) * chunk_);
      for (std::int64_t line = slice * chunk_; line < end; ++line) {
        const std::int64_t first = line / stride_ * stride_ * extent_ + line % stride_;
        find_order(memory, first, order,
                   lease.data() + whole_lines(static_cast<std::size_t>(extent_) * sizeof(Position)));
        for (std::size_t i = 0; i < element_bytes_.size(); ++i)
          permute(memory.operands[i], memory.results[i], i, first, order);
      }
    });
  }

 protected:
  /// Writes to order[i] the position of the i-th element in order, in the line at `first`.
  virtual void find_order(const KernelMemory& memory, std::int64_t first, Position* order,
                          std::byte* scratch) const = 0;

  /// Sets the scratch memory: `more` bytes for find_order, in addition to the order.
  void set_scratch(std::size_t more) {
    slot_bytes_ = whole_lines(static_cast<std::size_t>(extent_) * sizeof(Position)) + whole_lines(more);
    scratch_bytes_ = slot_bytes_ * static_cast<std::size_t>(num_slots_);
  }

  std::int64_t extent_ = 0, stride_ = 1;
  std::vector<std::size_t> element_bytes_;

 private:
  template <typename Bits>
  void permute_as(const std::byte* from, std::byte* to, std::int64_t first, const Position* order) const {
    const Bits* const source = reinterpret_cast<const Bits*>(from) + first;
    Bits* const target = reinterpret_cast<Bits*>(to) + first;
    for (std::int64_t i = 0; i < extent_; ++i)
      target[i * stride_] = source[static_cast<std::int64_t>(order[i]) * stride_];
  }

  void permute(const std::byte* from, std::byte* to, std::size_t operand, std::int64_t first,
               const Position* order) const {
    switch (element_bytes_[operand]) {
      case 1: return permute_as<std::uint8_t>(from, to, first, order);
      case 2: return permute_as<std::uint16_t>(from, to, first, order);
      case 4: return permute_as<std::uint32_t>(from, to, first, order);
      default: return permute_as<std::uint64_t>(from, to, first, order);
    }
  }

  std::int64_t num_lines_ = 0, chunk_ = 1, num_slots_ = 1;
  std::size_t slot_bytes_ = 0;
};

/// Merges adjacent runs of 1, 2, 4, ... elements; the right run's element is taken only if it comes before.
/// Returns the location of the result.
template <typename Element, typename Before>
Element* merge_sort(Element* from, Element* to, std::int64_t count, const Before& before) {
  for (std::int64_t width = 1; width < count; width *= 2) {
    for (std::int64_t first = 0; first < count; first += 2 * width) {
      const std::int64_t middle = std::min(first + width, count), end = std::min(first + 2 * width, count);
      const Element *left = from + first, *right = from + middle;
      const Element *const left_end = right, *const right_end = from + end;
      Element* at = to + first;
      // Branch-free, since the comparison is unpredictable.
      while (left < left_end && right < right_end) {
        const auto take_right = static_cast<std::ptrdiff_t>(before(*right, *left));
        const Element* const taken = left + (right - left) * take_right;
        *at++ = *taken;
        right += take_right;
        left += 1 - take_right;
      }
      at = std::copy(left, left_end, at);
      std::copy(right, right_end, at);
    }
    std::swap(from, to);
  }
  return from;
}

template <typename T>
struct Keyed {
  T key;
  Position position;
};

/// Integers that are ordered as floats are in total order: those of negative floats have the other bits
/// inverted.
std::int32_t ordered_bits(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}
std::int64_t ordered_bits(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits ^ ((bits >> 63) & 0x7fffffffffffffff);
}

/// Sorts by one key of a C++ type, or by the integers of a float type in total order.
template <typename T, bool kIsTotal = false>
class KeySort final : public SortKernel {
 public:
  KeySort(const ir::Op& op, const SortOrder& order, const Target& target, int num_threads)
      : SortKernel(op, num_threads), order_(order) {
    const ir::DType dtype = op.operand(order.key).dtype();
    if (dtype != ir::kDTypeOf<T>)
      convert_ = elements::kernel_set(target.isa).convert(dtype, *ir::kDTypeOf<T>);
    set_scratch(static_cast<std::size_t>(extent_) * 2 * sizeof(Element));
  }

 private:
  static constexpr auto key_of(T value) {
    if constexpr (kIsTotal) {
      return ordered_bits(value);
    } else {
      return value;
    }
  }
  using Key = decltype(key_of(T()));
  using Element = Keyed<Key>;

  void find_order(const KernelMemory& memory, std::int64_t first, Position* order,
                  std::byte* scratch) const override {
    auto* const line = reinterpret_cast<Element*>(scratch);
    load(memory.operands[order_.key] + static_cast<std::size_t>(first) * element_bytes_[order_.key], line);
    const Element* const sorted = sort(line, line + extent_);
    for (std::int64_t i = 0; i < extent_; ++i) order[i] = sorted[i].position;
  }

  void load(const std::byte* from, Element* line) const {
    const auto step = static_cast<std::size_t>(stride_) * element_bytes_[order_.key];
    for (std::int64_t i = 0; i < extent_; ++i, from += step) {
      line[i].position = static_cast<Position>(i);
      T value{};
      if (convert_ == nullptr) {
        value = *reinterpret_cast<const T*>(from);
      } else {
        const std::int64_t stride = 1;
        convert_(1, &from, &stride, reinterpret_cast<std::byte*>(&value));
      }
      line[i].key = key_of(value);
    }
  }

  const Element* sort(Element* line, Element* other) const {
    using O = SortOrder;
    const auto by = [&](const auto& before) { return merge_sort(line, other, extent_, before); };
    const std::uint8_t b = order_.before;
    if (b == O::kLess) return by([](const Element& x, const Element& y) { return x.key < y.key; });
    if (b == O::kGreater) return by([](const Element& x, const Element& y) { return x.key > y.key; });
    if constexpr (std::is_floating_point_v<Key>) {
      if (b == (O::kLess | O::kRightNan))
        return by([](const Element& x, const Element& y) {
          return (x.key < y.key) | ((y.key != y.key) & (x.key == x.key));
        });
      if (b == (O::kGreater | O::kLeftNan))
        return by([](const Element& x, const Element& y) {
          return (x.key > y.key) | ((x.key != x.key) & (y.key == y.key));
        });
      return by([b](const Element& x, const Element& y) {
        const bool left = x.key != x.key, right = y.key != y.key;
        const int which = left && right ? O::kBothNan
                          : left        ? O::kLeftNan
                          : right       ? O::kRightNan
                                        : compared(x.key, y.key);
        return (b & which) != 0;
      });
    } else {
      return by([b](const Element& x, const Element& y) { return (b & compared(x.key, y.key)) != 0; });
    }
  }

  static int compared(Key x, Key y) {
    return x < y ? SortOrder::kLess : x > y ? SortOrder::kGreater : SortOrder::kEqual;
  }

  SortOrder order_;
  ElementwiseKernel convert_ = nullptr;
};

/// Sorts by any comparator of elementwise ops, two elements at a time.
class ComparatorSort final : public SortKernel {
 public:
  ComparatorSort(const ir::Op& op, std::shared_ptr<const elements::ScalarFunction> comparator,
                 int num_threads)
      : SortKernel(op, num_threads), comparator_(std::move(comparator)) {
    set_scratch(static_cast<std::size_t>(extent_) * 2 * sizeof(Position));
  }

 private:
  void find_order(const KernelMemory& memory, std::int64_t first, Position* order,
                  std::byte* scratch) const override {
    auto* const line = reinterpret_cast<Position*>(scratch);
    for (std::int64_t i = 0; i < extent_; ++i) line[i] = static_cast<Position>(i);
    std::array<const std::byte*, 2 * kMaxKernelTensors> elements;
    const auto before = [&](Position x, Position y) {
      for (std::size_t i = 0; i < element_bytes_.size(); ++i) {
        const auto at = [&](Position p) {
          return memory.operands[i] +
                 static_cast<std::size_t>(first + static_cast<std::int64_t>(p) * stride_) * element_bytes_[i];
        };
        elements[2 * i] = at(x);
        elements[2 * i + 1] = at(y);
      }
      std::byte result{0};
      std::byte* const out = &result;
      comparator_->run(1, elements.data(), 1, &out);
      return result != std::byte{0};
    };
    std::copy_n(merge_sort(line, line + extent_, extent_, before), extent_, order);
  }

  std::shared_ptr<const elements::ScalarFunction> comparator_;
};

}  // namespace

bool has_sort_kernel(const ir::Op& op) {
  if (sort_order(op.region(0))) return true;
  return transform::captured_values(op).empty() &&
         elements::ScalarFunction::make(op.region(0), elements::kernel_set(IsaLevel::kSse2)) != nullptr;
}

std::unique_ptr<GroupKernel> make_sort_kernel(const ir::Op& op, const Target& target, int num_threads) {
  if (const std::optional<SortOrder> order = sort_order(op.region(0))) {
    const ir::DType dtype = op.operand(order->key).dtype();
    std::unique_ptr<GroupKernel> kernel;
    const auto make = [&]<typename T>() {
      if constexpr (std::is_floating_point_v<T>) {
        if (order->is_total) {
          kernel = std::make_unique<KeySort<T, true>>(op, *order, target, num_threads);
          return;
        }
      }
      kernel = std::make_unique<KeySort<T>>(op, *order, target, num_threads);
    };
    if (!ir::visit_dtype(dtype, make)) make.template operator()<float>();  // f16 and bf16
    return kernel;
  }
  return std::make_unique<ComparatorSort>(
      op, elements::ScalarFunction::make(op.region(0), elements::kernel_set(target.isa)), num_threads);
}

}  // namespace cornu::inline v0::backends::cpu
