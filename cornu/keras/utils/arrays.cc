#include "cornu/keras/utils/arrays.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/io/npy.h"

namespace cornu::inline v0::keras::utils {
namespace {

constexpr std::pair<io::ElementType, DType> kElementDTypes[] = {
    {io::ElementType::kBool, DType::kI1},   {io::ElementType::kI8, DType::kI8},
    {io::ElementType::kU8, DType::kU8},     {io::ElementType::kI16, DType::kI16},
    {io::ElementType::kU16, DType::kU16},   {io::ElementType::kI32, DType::kI32},
    {io::ElementType::kU32, DType::kU32},   {io::ElementType::kI64, DType::kI64},
    {io::ElementType::kU64, DType::kU64},   {io::ElementType::kF16, DType::kF16},
    {io::ElementType::kF32, DType::kF32},   {io::ElementType::kF64, DType::kF64},
    {io::ElementType::kBF16, DType::kBF16}, {io::ElementType::kC64, DType::kC64},
    {io::ElementType::kC128, DType::kC128}};

}  // namespace

DType dtype_of(io::ElementType type) {
  return std::find_if(std::begin(kElementDTypes), std::end(kElementDTypes),
                      [&](const auto& row) { return row.first == type; })
      ->second;
}

std::optional<io::ElementType> element_type_of(DType dtype) {
  const auto* const row = std::find_if(std::begin(kElementDTypes), std::end(kElementDTypes),
                                       [&](const auto& known) { return known.second == dtype; });
  if (row == std::end(kElementDTypes)) return std::nullopt;
  return row->first;
}

Tensor to_tensor(io::Array array) {
  const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(array.data));
  return Tensor::from_bytes({dtype_of(array.type), std::move(array.dims)}, owner->data(), owner->size(),
                            owner);
}

io::ArrayView to_array(const Tensor& tensor) {
  const std::optional<io::ElementType> type = element_type_of(tensor.dtype());
  if (!type.has_value() || *type == io::ElementType::kBF16)
    invalid_argument("[to_array] NumPy has no {}: cast the tensor, e.g. ops::cast(x, DType::kF32)",
                     ir::numpy_name(tensor.dtype()));
  return {*type, tensor.shape(), {tensor.bytes(), tensor.type().size_bytes()}};
}

Tensor load_npy(const StringArgument& path, const io::ReadLimits& limits) {
  return to_tensor(io::read_npy(path, limits));
}
void save_npy(const StringArgument& path, const Tensor& tensor) { io::write_npy(path, to_array(tensor)); }

Tensors load_npz(const StringArgument& path, const io::ReadLimits& limits) {
  const io::NpzFile file(path, limits);
  std::vector<Tensors::Named> tensors;
  for (const std::string& name : file.names()) tensors.emplace_back(name, to_tensor(file.read(name)));
  return Tensors(tensors);
}

void save_npz(const StringArgument& path, const Tensors& tensors, const io::WriteNpzOptions& options) {
  std::vector<std::pair<std::string, io::ArrayView>> arrays;
  arrays.reserve(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    arrays.emplace_back(tensors.is_named() ? tensors.names()[i] : fmt::format("arr_{}", i),
                        to_array(tensors[i]));
  io::write_npz(path, arrays, options);
}

}  // namespace cornu::inline v0::keras::utils
