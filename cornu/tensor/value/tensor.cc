#include "cornu/tensor/value/tensor.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/float_environment.h"
#include "cornu/base/saturate.h"
#include "cornu/base/undefined.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/graph.h"
#include "cornu/tensor/value/default_float.h"
#include "cornu/tensor/value/device.h"
#include "cornu/tensor/value/device_value.h"

namespace cornu::inline v0 {

// One allocation holds a node, its reference counts and a small result's elements: an eager operation on a
// few elements allocates little else.
struct Tensor::Node {
  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node() { std::free(large); }

  TensorType type;
  const std::byte* data = nullptr;  // null for a symbolic tensor and in a device's memory
  std::shared_ptr<const detail::DeviceValue> device_value;
  std::byte* large = nullptr;  // a large result's elements
  std::shared_ptr<const void> owner;
  std::optional<ir::Literal> literal;  // if it was made from one
  ir::Value value;
  std::uint64_t trace_id = 0;
  int device = 0;
  bool weak = false;
  Number weak_value;
  Tensor mask;
  /// The node whose elements this one shares, with a mask or on another device.
  std::shared_ptr<const Node> base;

  static std::shared_ptr<Node> with_elements(const TensorType& type, std::byte** data);
  std::shared_ptr<Node> repeated(const std::shared_ptr<const Node>& self) const;
};

namespace {

constexpr std::size_t kAlignment = 16;
constexpr std::size_t kLargeBytes = 4096;
constexpr std::size_t kLine = 64;

/// Allocates `extra` bytes after the requested ones.
template <typename T>
struct TrailingAllocator {
  using value_type = T;
  explicit TrailingAllocator(std::size_t extra_bytes) : extra(extra_bytes) {}
  template <typename U>
  TrailingAllocator(const TrailingAllocator<U>& other)
      : extra(other.extra) {}  // NOLINT(google-explicit-constructor): as allocators do
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T) + extra)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p); }
  bool operator==(const TrailingAllocator&) const { return true; }
  std::size_t extra;
};

}  // namespace

std::shared_ptr<Tensor::Node> Tensor::Node::with_elements(const TensorType& type, std::byte** data) {
  const std::size_t size_bytes = type.size_bytes();
  std::shared_ptr<Node> node;
  if (size_bytes <= kLargeBytes) {
    node = std::allocate_shared<Node>(TrailingAllocator<Node>(size_bytes + kAlignment));
    const auto end = reinterpret_cast<std::uintptr_t>(node.get() + 1);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an aligned address after the node, in its allocation
    *data = reinterpret_cast<std::byte*>((end + kAlignment - 1) / kAlignment * kAlignment);
  } else {
    node = std::make_shared<Node>();
    const auto what = [&] { return type.str(); };
    check_memory(size_bytes, what);
    node->large =
        static_cast<std::byte*>(std::aligned_alloc(kLine, (size_bytes + kLine - 1) / kLine * kLine));
    if (node->large == nullptr) fail_no_memory(size_bytes, what);
    *data = node->large;
  }
  node->type = type;
  node->data = *data;
  return node;
}

std::shared_ptr<Tensor::Node> Tensor::Node::repeated(const std::shared_ptr<const Node>& self) const {
  auto node = std::make_shared<Node>();
  node->type = type;
  node->data = data;
  node->device_value = device_value;
  node->literal = literal;
  node->value = value;
  node->trace_id = trace_id;
  node->device = device;
  node->weak = weak;
  node->weak_value = weak_value;
  node->mask = mask;
  node->base = base == nullptr ? self : base;  // keeps the elements alive
  return node;
}

namespace {

/// Writes `value` to `to`; a double saturates an integer dtype.
/// Errors: InvalidArgument for an integer outside an integer dtype's range.
template <typename Number>
void write_scalar(DType dtype, Number value, std::byte* to) {
  const FloatEnvironment environment;
  const bool has_native = ir::visit_dtype(dtype, [&]<typename T>() {
    T element;
    if constexpr (std::is_same_v<T, bool>) {
      element = value != Number{};
    } else {
      if constexpr (std::is_integral_v<T> && std::is_integral_v<Number> && !std::is_same_v<Number, bool>) {
        if (!std::in_range<T>(value))
          invalid_argument("the number {} does not fit dtype {}", value, ir::numpy_name(dtype));
      }
      element =
          std::is_same_v<Number, double> ? saturated<T>(static_cast<double>(value)) : static_cast<T>(value);
    }
    std::memcpy(to, &element, sizeof element);
  });
  if (has_native) return;
  const ir::Literal literal = ir::Literal::scalar(dtype, static_cast<double>(value));
  std::memcpy(to, literal.bytes().data(), literal.bytes().size());
}

/// The default dtype of a C++ number.
DType dtype_of(bool) { return DType::kI1; }
DType dtype_of(double) { return detail::default_float() == DType::kF64 ? DType::kF64 : DType::kF32; }
DType dtype_of(std::int64_t value) { return std::in_range<std::int32_t>(value) ? DType::kI32 : DType::kI64; }
DType dtype_of(std::uint64_t value) {
  return std::in_range<std::int64_t>(value) ? dtype_of(static_cast<std::int64_t>(value)) : DType::kU64;
}

template <typename T>
T element_at(const std::byte* data, std::int64_t i) {
  T element{};
  std::memcpy(&element, data + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
  return element;
}

}  // namespace

std::string type_str(const TensorType& type) {
  return fmt::format("{} {}", ir::shape_str(type.dims), ir::numpy_name(type.dtype));
}

Tensor::Tensor(const ir::Literal& literal) {
  auto node = std::make_shared<Node>();
  node->type = literal.type();
  node->literal = literal;
  node->data = node->literal->bytes().data();
  node->device = detail::current_device_index();
  node_ = std::move(node);
}

Tensor Tensor::scalar(Number value, bool weak) {
  std::byte* data = nullptr;
  std::shared_ptr<Node> node;
  std::visit(
      [&](auto number) {
        const DType dtype = dtype_of(number);
        node = Node::with_elements({dtype, {}}, &data);
        write_scalar(dtype, number, data);
      },
      value);
  node->device = detail::current_device_index();
  node->weak = weak;
  node->weak_value = value;
  Tensor tensor;
  tensor.node_ = std::move(node);
  return tensor;
}

Tensor Tensor::uninitialized(const TensorType& type, int device_index, std::byte** data) {
  Tensor tensor;
  std::shared_ptr<Node> node = Node::with_elements(type, data);
  node->device = device_index;
  tensor.node_ = std::move(node);
  return tensor;
}

Tensor Tensor::zeros(const Dims& shape, DType dtype) { return Tensor(ir::Literal(TensorType{dtype, shape})); }

Tensor Tensor::from_bytes(TensorType type, const std::byte* data, std::size_t size_bytes,
                          std::shared_ptr<const void> owner) {
  ir::check_type(type);
  if (type.size_bytes() != size_bytes)
    invalid_argument("a tensor of shape {} and dtype {} takes {} bytes; got {}", ir::shape_str(type.dims),
                     ir::numpy_name(type.dtype), type.size_bytes(), size_bytes);
  check_not_null(data, size_bytes);
  static constexpr std::byte kNothing{};
  auto node = std::make_shared<Node>();
  node->type = std::move(type);
  node->data = size_bytes == 0 ? &kNothing : data;
  node->device = detail::current_device_index();
  node->owner = std::move(owner);
  Tensor tensor;
  tensor.node_ = std::move(node);
  return tensor;
}

void Tensor::check_not_null(const void* data, std::size_t size_bytes) {
  if (data == nullptr && size_bytes > 0)
    invalid_argument("[tensor] the data are a null pointer; {} bytes were expected there", size_bytes);
}

Tensor Tensor::symbolic(ir::Value value, std::uint64_t trace_id) {
  auto node = std::make_shared<Node>();
  node->type = value.type();
  node->value = value;
  node->trace_id = trace_id;
  Tensor tensor;
  tensor.node_ = std::move(node);
  return tensor;
}

const TensorType& Tensor::type() const { return require_defined(node_, "tensor").type; }

bool Tensor::is_symbolic() const { return defined() && node_->trace_id != 0; }

const std::byte* Tensor::bytes() const {
  const Node& node = require_defined(node_, "tensor");
  if (node.data != nullptr) [[likely]]
    return node.data;
  if (node.device_value != nullptr) return node.device_value->bytes();
  if (is_symbolic())
    fail(ErrorCode::kFailedPrecondition, {.reason = ErrorReason::kSymbolicValue},
         "a symbolic tensor ({}) has no values while its program is being traced", type_str(node.type));
  return nullptr;  // no elements
}

const std::byte* Tensor::bytes_as(DType asked) const {
  if (dtype() != asked)
    invalid_argument("the tensor's dtype is {}, not {}", ir::numpy_name(dtype()), ir::numpy_name(asked));
  return bytes();
}

Tensor::Number Tensor::item_as_number() const {
  if (num_elements() != 1)
    invalid_argument("item() needs a tensor of one element; the shape is {}", ir::shape_str(shape()));
  return number_at(0);
}

Tensor::Number Tensor::number_at(std::int64_t i) const {
  switch (dtype()) {
    case DType::kI64: return element_at<std::int64_t>(bytes(), i);
    case DType::kU64: return element_at<std::uint64_t>(bytes(), i);
    case DType::kF32: return static_cast<double>(element_at<float>(bytes(), i));
    case DType::kF64: return element_at<double>(bytes(), i);
    default: return at(i);
  }
}

double Tensor::at(std::int64_t i) const {
  if (ir::is_complex(dtype()))
    invalid_argument(
        "an element of {} is no double; use data<std::complex<{}>>()[i], or its real and imaginary "
        "parts",
        type().str(), ir::real_dtype(dtype()) == DType::kF32 ? "float" : "double");
  const std::byte* data = bytes();
  if (i < 0 || i >= num_elements())
    fail(ErrorCode::kOutOfRange, "element {} of a tensor of {}", i, num_elements());
  if (node_->literal) return node_->literal->at(i);
  ir::Literal element(TensorType{dtype(), {}});
  const std::size_t size = ir::size_bytes(dtype());
  std::memcpy(element.mutable_bytes().data(), data + static_cast<std::size_t>(i) * size, size);
  return element.at(0);
}

ir::Literal Tensor::literal() const {
  const std::byte* data = bytes();
  if (node_->literal) return *node_->literal;
  ir::Literal copy(type());
  if (type().size_bytes() > 0) std::memcpy(copy.mutable_bytes().data(), data, type().size_bytes());
  return copy;
}

Tensor Tensor::with_mask(Tensor mask) const {
  type();  // throws when undefined
  if (!mask.defined() && !node_->mask.defined()) return *this;
  Tensor result;
  std::shared_ptr<Node> node = node_->repeated(node_);
  if (mask.mask() != nullptr) mask = mask.with_mask({});  // masks have no masks
  node->mask = std::move(mask);
  result.node_ = std::move(node);
  return result;
}

Tensor Tensor::on_buffer(std::shared_ptr<const detail::DeviceValue> value, int device_index) {
  auto node = std::make_shared<Node>();
  node->type = value->type();
  node->device = device_index;
  node->device_value = std::move(value);
  Tensor tensor;
  tensor.node_ = std::move(node);
  return tensor;
}

const detail::DeviceValue* Tensor::device_value() const {
  return defined() ? node_->device_value.get() : nullptr;
}

Tensor Tensor::on_device(int device_index) const {
  if (device_index == this->device_index() || is_symbolic()) return *this;
  Tensor result;
  std::shared_ptr<Node> node = node_->repeated(node_);
  node->device = device_index;
  result.node_ = std::move(node);
  return result;
}

int Tensor::device_index() const {
  type();
  return node_->device;
}

const std::string& Tensor::device() const {
  static const std::string& none = *new std::string;
  type();
  return is_symbolic() ? none : detail::device_name(node_->device);
}

const Tensor* Tensor::mask() const { return defined() && node_->mask.defined() ? &node_->mask : nullptr; }

// Returns the owner of the elements rather than the tensor: views of views would otherwise form an unbounded
// chain of owners.
std::shared_ptr<const void> Tensor::memory() const {
  const std::shared_ptr<const Node>& root = node_ == nullptr || node_->base == nullptr ? node_ : node_->base;
  return root == nullptr || root->owner == nullptr ? root : root->owner;
}

const void* Tensor::id() const {
  return defined() && node_->base != nullptr ? node_->base.get() : node_.get();
}

ir::Value Tensor::value() const { return defined() ? node_->value : ir::Value(); }
std::uint64_t Tensor::trace_id() const { return defined() ? node_->trace_id : 0; }
bool Tensor::is_weak() const { return defined() && node_->weak; }

std::uint64_t Tensor::weak_bits() const {
  CORNU_CHECK(is_weak());
  return std::visit(
      [](auto number) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &number, sizeof number);
        return bits;
      },
      node_->weak_value);
}

Tensor Tensor::strong_scalar(DType asked) const {
  if (!is_weak())
    fail(ErrorCode::kFailedPrecondition,
         "[tensor] strong_scalar() is for tensors that were made of a C++ number");
  std::byte* data = nullptr;
  Tensor result = uninitialized({asked, {}}, node_->device, &data);
  std::visit([&](auto number) { write_scalar(asked, number, data); }, node_->weak_value);
  return result;
}

Tensor::RowIterator Tensor::begin() const { return {*this, 0}; }
Tensor::RowIterator Tensor::end() const { return {*this, num_rows()}; }

}  // namespace cornu::inline v0
