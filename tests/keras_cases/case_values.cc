#include "tests/keras_cases/case_values.h"

#include <fstream>
#include <memory>

#include "cornu/tensor/ops.h"

namespace cornu::inline v0::tests {
namespace {

Dims shape_of(const Config& array) {
  Dims shape;
  for (const Config& extent : array.at("shape").as_list()) shape.push_back(extent.as_integer());
  return shape;
}

template <typename T>
Tensor complex_tensor(DType dtype, const Dims& shape, const std::vector<double>& numbers) {
  auto values = std::make_shared<std::vector<T>>(numbers.begin(), numbers.end());
  return Tensor::from_bytes({dtype, shape}, reinterpret_cast<const std::byte*>(values->data()),
                            values->size() * sizeof(T), values);
}

template <typename T, typename Read>
std::vector<T> data_of(const Config& array, const Read& read) {
  const Config::List& data = array.at("data").as_list();
  std::vector<T> values;
  values.reserve(data.size());
  for (const Config& each : data) values.push_back(read(each));
  return values;
}

}  // namespace

std::vector<Config> read_cases(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  std::vector<Config> cases;
  for (std::string line; std::getline(file, line);) cases.push_back(Config::parse(line));
  return cases;
}

Tensor tensor_of(const Config& array) {
  const std::string& name = array.at("dtype").as_string();
  const auto dtype = ir::dtype_from_name(name);
  if (!dtype) throw NotReplayed("arrays of " + name);
  const Dims shape = shape_of(array);
  if (ir::is_complex(*dtype)) {
    const std::vector<double> numbers = numbers_of(array);
    return *dtype == DType::kC64 ? complex_tensor<float>(*dtype, shape, numbers)
                                 : complex_tensor<double>(*dtype, shape, numbers);
  }
  if (*dtype == DType::kU64)
    return Tensor::adopt(shape,
                         data_of<std::uint64_t>(array, [](const Config& x) { return x.as_unsigned(); }));
  if (ir::is_float(*dtype)) return ops::cast(Tensor::adopt(shape, numbers_of(array)), *dtype);
  return ops::cast(
      Tensor::adopt(shape, data_of<std::int64_t>(array, [](const Config& x) { return x.as_integer(); })),
      *dtype);
}

std::vector<Tensor> tensors_of(const Config& arrays) {
  std::vector<Tensor> tensors;
  for (const Config& each : arrays.as_list()) tensors.push_back(each.is_null() ? Tensor() : tensor_of(each));
  return tensors;
}

std::vector<double> numbers_of(const Tensor& tensor) {
  if (!ir::is_complex(tensor.dtype())) return ops::cast(tensor, DType::kF64).to_vector<double>();
  const std::vector<double> real = ops::cast(ops::real(tensor), DType::kF64).to_vector<double>();
  const std::vector<double> imaginary = ops::cast(ops::imag(tensor), DType::kF64).to_vector<double>();
  std::vector<double> numbers;
  for (std::size_t i = 0; i < real.size(); ++i) {
    numbers.push_back(real[i]);
    numbers.push_back(imaginary[i]);
  }
  return numbers;
}

std::vector<double> numbers_of(const Config& array) {
  return data_of<double>(array, [](const Config& x) { return x.as_number(); });
}

}  // namespace cornu::inline v0::tests
