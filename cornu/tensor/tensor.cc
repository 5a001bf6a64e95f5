#include "cornu/tensor/tensor.h"

#include <cstring>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"

namespace cornu {

struct Tensor::Node {
  TensorType type;
  const std::byte* data = nullptr;  // null for a symbolic tensor
  std::shared_ptr<const void> owner;
  std::optional<ir::Literal> literal;  // when it was made from one
  ir::Value value;
  std::uint64_t trace_id = 0;
  bool weak = false;
  Number weak_value;
  Tensor mask;
  std::shared_ptr<const Node> unmasked;  // the node that this one repeats with a mask
};

namespace {

/// A scalar that holds `value` as it is when `dtype` can. Errors: InvalidArgument for an integer outside an integer dtype's range.
template <typename Number>
ir::Literal scalar_literal(DType dtype, Number value) {
  ir::Literal literal(TensorType{dtype, {}});
  const bool has_native = ir::visit_dtype(dtype, [&]<typename T>() {
    if constexpr (std::is_same_v<T, bool>) {
      literal.mutable_data<T>()[0] = value != Number{};
    } else {
      if constexpr (std::is_integral_v<T> && std::is_integral_v<Number> && !std::is_same_v<Number, bool>) {
        if (!std::in_range<T>(value)) invalid_argument("the number {} does not fit dtype {}", value, ir::numpy_name(dtype));
      }
      literal.mutable_data<T>()[0] = static_cast<T>(value);
    }
  });
  return has_native ? literal : ir::Literal::scalar(dtype, static_cast<double>(value));
}

/// The dtype that a C++ number has on its own.
DType dtype_of(bool) { return DType::kI1; }
DType dtype_of(double) { return DType::kF32; }
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

std::string type_str(const TensorType& type) { return fmt::format("{} {}", ir::shape_str(type.dims), ir::numpy_name(type.dtype)); }

Tensor::Tensor(const ir::Literal& literal) {
  auto node = std::make_shared<Node>();
  node->type = literal.type();
  node->literal = literal;
  node->data = node->literal->bytes().data();
  node_ = std::move(node);
}

Tensor Tensor::scalar(Number value, bool weak) {
  auto node = std::make_shared<Node>();
  node->literal = std::visit([](auto number) { return scalar_literal(dtype_of(number), number); }, value);
  node->type = node->literal->type();
  node->data = node->literal->bytes().data();
  node->weak = weak;
  node->weak_value = value;
  Tensor tensor;
  tensor.node_ = std::move(node);
  return tensor;
}

Tensor Tensor::zeros(const Dims& shape, DType dtype) { return Tensor(ir::Literal(TensorType{dtype, shape})); }

Tensor Tensor::from_bytes(TensorType type, const std::byte* data, std::size_t size_bytes, std::shared_ptr<const void> owner) {
  ir::check_type(type);
  if (type.size_bytes() != size_bytes)
    invalid_argument("a tensor of shape {} and dtype {} takes {} bytes; got {}", ir::shape_str(type.dims), ir::numpy_name(type.dtype),
                     type.size_bytes(), size_bytes);
  static constexpr std::byte kNothing{};
  auto node = std::make_shared<Node>();
  node->type = std::move(type);
  node->data = size_bytes == 0 ? &kNothing : data;
  node->owner = std::move(owner);
  Tensor tensor;
  tensor.node_ = std::move(node);
  return tensor;
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

const TensorType& Tensor::type() const {
  if (node_ == nullptr) fail(ErrorCode::kFailedPrecondition, "the tensor is undefined (default-constructed)");
  return node_->type;
}

std::int64_t Tensor::num_rows() const {
  if (rank() == 0) invalid_argument("a scalar has no rows");
  return shape()[0];
}

bool Tensor::is_symbolic() const { return defined() && node_->trace_id != 0; }

const std::byte* Tensor::bytes() const {
  const TensorType& own_type = type();  // throws when undefined
  if (is_symbolic())
    fail(ErrorCode::kFailedPrecondition, "a symbolic tensor ({}) has no values while its program is being traced", type_str(own_type));
  return node_->data;
}

const std::byte* Tensor::bytes_as(DType asked) const {
  if (dtype() != asked) invalid_argument("the tensor's dtype is {}, not {}", ir::numpy_name(dtype()), ir::numpy_name(asked));
  return bytes();
}

Tensor::Number Tensor::item_as_number() const {
  if (num_elements() != 1) invalid_argument("item() needs a tensor of one element; the shape is {}", ir::shape_str(shape()));
  if (dtype() == DType::kI64) return element_at<std::int64_t>(bytes(), 0);
  if (dtype() == DType::kU64) return element_at<std::uint64_t>(bytes(), 0);
  return at(0);
}

double Tensor::at(std::int64_t i) const {
  const std::byte* data = bytes();
  if (i < 0 || i >= num_elements()) fail(ErrorCode::kOutOfRange, "element {} of a tensor of {}", i, num_elements());
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

Tensor Tensor::rows(std::int64_t begin, std::int64_t end) const {
  if (begin < 0 || begin > end || end > num_rows())
    invalid_argument("rows [{}, {}) are outside a tensor of {} rows", begin, end, num_rows());
  TensorType part = type();
  part.dims[0] = end - begin;
  const std::size_t row_bytes = num_rows() == 0 ? 0 : type().size_bytes() / static_cast<std::size_t>(num_rows());
  return from_bytes(part, bytes() + static_cast<std::size_t>(begin) * row_bytes, part.size_bytes(), node_);
}

Tensor Tensor::with_mask(Tensor mask) const {
  type();  // throws when undefined
  if (!mask.defined() && node_->unmasked == nullptr) return *this;
  Tensor result;
  result.node_ = node_->unmasked == nullptr ? node_ : node_->unmasked;
  if (!mask.defined()) return result;
  auto node = std::make_shared<Node>(*result.node_);
  if (node->literal) node->data = node->literal->bytes().data();
  node->unmasked = std::move(result.node_);
  node->mask = std::move(mask);
  result.node_ = std::move(node);
  return result;
}

const Tensor* Tensor::mask() const { return defined() && node_->mask.defined() ? &node_->mask : nullptr; }

const void* Tensor::id() const { return defined() && node_->unmasked != nullptr ? node_->unmasked.get() : node_.get(); }

ir::Value Tensor::value() const { return defined() ? node_->value : ir::Value(); }
std::uint64_t Tensor::trace_id() const { return defined() ? node_->trace_id : 0; }
bool Tensor::is_weak() const { return defined() && node_->weak; }

Tensor Tensor::strong_scalar(DType asked) const {
  CORNU_CHECK(is_weak(), "strong_scalar of a strong tensor");
  return Tensor(std::visit([&](auto number) { return scalar_literal(asked, number); }, node_->weak_value));
}

namespace {

constexpr std::int64_t kSummaryThreshold = 1000;
constexpr std::int64_t kEdgeItems = 3;

std::string element_str(const Tensor& tensor, std::int64_t i) {
  if (tensor.dtype() == DType::kI64) return fmt::format("{}", element_at<std::int64_t>(tensor.bytes(), i));
  if (tensor.dtype() == DType::kU64) return fmt::format("{}", element_at<std::uint64_t>(tensor.bytes(), i));
  const double value = tensor.at(i);
  if (tensor.dtype() == DType::kI1) return value != 0 ? "True" : "False";
  if (!ir::is_float(tensor.dtype())) return fmt::format("{}", static_cast<std::int64_t>(value));
  std::string text = fmt::format("{:.8g}", value);
  if (text.find_first_of(".en") == std::string::npos) text += '.';
  return text;
}

void append_elements(const Tensor& tensor, std::size_t axis, std::int64_t offset, bool summarize, std::string& out) {
  if (axis == tensor.shape().size()) {
    out += element_str(tensor, offset);
    return;
  }
  std::int64_t stride = 1;
  for (std::size_t d = axis + 1; d < tensor.shape().size(); ++d) stride *= tensor.shape()[d];
  const std::int64_t extent = tensor.shape()[axis];
  const bool is_last_axis = axis + 1 == tensor.shape().size();
  std::string separator(is_last_axis ? 1 : axis + 2, ' ');
  if (!is_last_axis) separator[0] = '\n';
  out += '[';
  for (std::int64_t i = 0; i < extent; ++i) {
    if (i > 0) out += separator;
    if (summarize && extent > 2 * kEdgeItems && i == kEdgeItems) {
      out += "...";
      i = extent - kEdgeItems - 1;
      continue;
    }
    append_elements(tensor, axis + 1, offset + i * stride, summarize, out);
  }
  out += ']';
}

}  // namespace

std::string Tensor::str() const {
  if (!defined()) return "undefined";
  if (is_symbolic()) return type_str(type());
  std::string out;
  append_elements(*this, 0, 0, num_elements() > kSummaryThreshold, out);
  return out;
}

Tensor operator+(const Tensor& x, const Tensor& y) { return ops::add(x, y); }
Tensor operator-(const Tensor& x, const Tensor& y) { return ops::subtract(x, y); }
Tensor operator*(const Tensor& x, const Tensor& y) { return ops::multiply(x, y); }
Tensor operator/(const Tensor& x, const Tensor& y) { return ops::divide(x, y); }
Tensor operator-(const Tensor& x) { return ops::negative(x); }

}  // namespace cornu
