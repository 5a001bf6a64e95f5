#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "cornu/keras/files/old_weights_support.h"
#include "cornu/keras/network/network.h"

namespace cornu::inline v0::keras::files {

std::vector<std::byte> bytes_of(const FoundArray& array) {
  std::size_t size = static_cast<std::size_t>(io::element_size_bytes(array.type));
  for (const std::int64_t extent : array.dims) size *= static_cast<std::size_t>(extent);
  std::vector<std::byte> bytes(size);
  array.read(bytes);
  return bytes;
}

namespace {

/// A matrix [rows, gates * units] with permuted elements: `source` returns the row and column, within the
/// same gate, of an element in the file.
template <typename Source>
FoundArray permuted(FoundArray array, std::size_t num_gates, const Source& source) {
  return {array.type, array.dims, [array, num_gates, source](std::span<std::byte> destination) {
            const std::vector<std::byte> bytes = bytes_of(array);
            const auto size = static_cast<std::size_t>(io::element_size_bytes(array.type)),
                       rows = static_cast<std::size_t>(array.dims[0]),
                       columns = static_cast<std::size_t>(array.dims[1]), units = columns / num_gates;
            for (std::size_t row = 0; row < rows; ++row)
              for (std::size_t column = 0; column < columns; ++column) {
                const std::size_t gate = column / units;
                const auto [from_row, from_column] = source(row, column % units, rows, units);
                std::memcpy(destination.data() + (row * columns + column) * size,
                            bytes.data() + (from_row * columns + gate * units + from_column) * size, size);
              }
          }};
}

/// cuDNN stores each gate's matrix transposed, with the units first, in memory of the shape [inputs, units].
std::pair<std::size_t, std::size_t> kernel_source(std::size_t row, std::size_t unit, std::size_t rows,
                                                  std::size_t units) {
  const std::size_t place = unit * rows + row;
  return {place / units, place % units};
}

std::pair<std::size_t, std::size_t> recurrent_source(std::size_t row, std::size_t unit, std::size_t,
                                                     std::size_t) {
  return {unit, row};
}

template <typename T>
void add_halves(std::span<const std::byte> both, std::span<std::byte> sum) {
  for (std::size_t at = 0; at < sum.size(); at += sizeof(T)) {
    T first, second;
    std::memcpy(&first, both.data() + at, sizeof(T));
    std::memcpy(&second, both.data() + sum.size() + at, sizeof(T));
    first += second;
    std::memcpy(sum.data() + at, &first, sizeof(T));
  }
}

/// Adds the biases of input and state.
FoundArray summed(FoundArray array) {
  return {array.type, {array.dims[0] / 2}, [array](std::span<std::byte> destination) {
            if (array.type == io::ElementType::kF64)
              add_halves<double>(bytes_of(array), destination);
            else
              add_halves<float>(bytes_of(array), destination);
          }};
}

bool is_float(io::ElementType type) { return type == io::ElementType::kF32 || type == io::ElementType::kF64; }

/// Converts a layer's kernel, recurrent kernel and bias.
void convert(std::span<const Variable> variables, std::span<FoundArray> arrays, bool is_lstm) {
  const Dims bias = variables[2].shape();
  std::int64_t num_biases = 1;
  for (const std::int64_t extent : bias) num_biases *= extent;
  const bool has_two = is_lstm ? bias.size() == 1 && arrays[2].dims == Dims{2 * num_biases}
                               : bias.size() == 2 && arrays[2].dims == Dims{num_biases};
  const bool is_cudnn = has_two && arrays[0].dims == variables[0].shape() &&
                        arrays[1].dims == variables[1].shape() && arrays[0].dims.size() == 2 &&
                        arrays[1].dims.size() == 2 && is_float(arrays[2].type);
  if (!is_cudnn) return;
  const std::size_t num_gates = is_lstm ? 4 : 3;
  arrays[0] = permuted(arrays[0], num_gates, &kernel_source);
  arrays[1] = permuted(arrays[1], num_gates, &recurrent_source);
  if (is_lstm)
    arrays[2] = summed(arrays[2]);
  else
    arrays[2].dims = bias;
}

/// Runs `convert` on each inner layer that has weights, with its variables and arrays.
template <typename Convert>
void for_each_layer(const Layer& layer, const std::vector<Variable>& variables,
                    std::vector<FoundArray>& arrays, const Convert& convert) {
  const Network* const network = layer.network_or_null();
  for (const std::shared_ptr<Layer>& inside : network == nullptr ? layer.sublayers() : network->layers())
    for_each_layer(*inside, variables, arrays, convert);
  const std::vector<Variable> weights = layer.weights();
  if (weights.empty()) return;
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const Variable& each) { return each.id() == weights[0].id(); });
  const auto at = static_cast<std::size_t>(found - variables.begin());
  if (at + weights.size() <= std::min(variables.size(), arrays.size()))
    convert(layer.description().class_name, std::span(variables).subspan(at, weights.size()),
            std::span(arrays).subspan(at, weights.size()));
}

}  // namespace

void convert_cudnn_weights(const Layer& layer, const std::vector<Variable>& variables,
                           std::vector<FoundArray>& arrays) {
  for_each_layer(
      layer, variables, arrays,
      [](const std::string& class_name, std::span<const Variable> weights, std::span<FoundArray> found) {
        if (weights.size() == 3 && (class_name == "LSTM" || class_name == "GRU"))
          convert(weights, found, class_name == "LSTM");
      });
}

}  // namespace cornu::inline v0::keras::files
