#include "cli/model_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "cli/commands.h"
#include "cornu/base/check.h"
#include "cornu/base/parse_number.h"
#include "cornu/io/byte_stream.h"
#include "cornu/io/csv.h"
#include "cornu/io/npz.h"
#include "cornu/keras/layer/node.h"
#include "cornu/keras/utils/arrays.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::cli {
namespace {

using keras::Tensors;

constexpr double kLargestExactFloat = 1 << 24;  // of the integers that float32 holds all of

/// Names of the layers that give the tensors.
std::vector<std::string> names_of(const std::vector<keras::KerasTensor>& tensors) {
  std::vector<std::string> names;
  names.reserve(tensors.size());
  for (const keras::KerasTensor& tensor : tensors) names.push_back(tensor.node().layer->name());
  return names;
}

const char* noun_of(ArrayRole role) { return role == ArrayRole::kInputs ? "input" : "output"; }

Tensors read_npz(const std::string& path, const std::vector<keras::KerasTensor>& wanted, ArrayRole role) {
  const io::NpzFile file(path, kCommandLineLimits);
  const std::vector<std::string> names = names_of(wanted), held = file.names();
  const auto is_held = [&](const std::string& name) {
    return std::find(held.begin(), held.end(), name) != held.end();
  };
  // Outputs of one layer have one name, which says nothing.
  const bool is_by_name = std::set(names.begin(), names.end()).size() == names.size() &&
                          std::all_of(names.begin(), names.end(), is_held);
  if (!is_by_name && held.size() != names.size())
    invalid_argument(
        "[model] the model has {} {}{} and {} holds {} arrays: {}; give them by name, {}, or as many",
        names.size(), noun_of(role), names.size() == 1 ? "" : "s", path, held.size(),
        held.empty() ? "none" : fmt::format("{}", fmt::join(held, ", ")), fmt::join(names, ", "));
  std::vector<Tensor> arrays;
  arrays.reserve(names.size());
  for (const std::string& name : is_by_name ? names : held)
    arrays.push_back(keras::utils::to_tensor(file.read(name)));
  return arrays;
}

/// Rows of numbers, all of one length.
struct Table {
  std::vector<double> numbers;
  std::int64_t num_rows = 0, num_columns = 0;
};

std::optional<double> number_of_field(std::string_view field) {
  constexpr std::string_view kSpaces = " \t";
  field.remove_prefix(std::min(field.find_first_not_of(kSpaces), field.size()));
  field = field.substr(0, field.find_last_not_of(kSpaces) + 1);
  if (field.starts_with('+')) field.remove_prefix(1);
  return parse_number<double>(field);
}

bool has_number(const std::vector<std::string_view>& fields) {
  return std::any_of(fields.begin(), fields.end(),
                     [](std::string_view field) { return number_of_field(field).has_value(); });
}

/// The remedy for a field that is no number; empty without one.
std::string_view hint_for(std::string_view field, std::int64_t line) {
  if (field.find_first_of(";\t") != std::string_view::npos) return "; separate numbers by commas";
  if (line == 1) return "; the first line is a header only if it has no number";
  if (field.find_first_not_of(' ') == std::string_view::npos) return "; write nan for a missing number";
  return "";
}

void add_row(Table& table, const std::vector<std::string_view>& fields, const std::string& path,
             std::int64_t line) {
  const auto num_fields = static_cast<std::int64_t>(fields.size());
  if (table.num_rows == 0) table.num_columns = num_fields;
  if (num_fields != table.num_columns)
    fail(ErrorCode::kDataLoss, "[model] {}, row {}: there are {} fields; the rows before it have {}", path,
         line, num_fields, table.num_columns);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::optional<double> number = number_of_field(fields[i]);
    if (!number.has_value())
      fail(ErrorCode::kDataLoss, "[model] {}, row {}, column {}: \"{}\" is no number{}", path, line, i + 1,
           fields[i].substr(0, 40), hint_for(fields[i], line));
    table.numbers.push_back(*number);
  }
  ++table.num_rows;
}

Table read_table(const std::string& path) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  io::CsvReader reader(io::open_file(path));
  Table table;
  std::vector<std::string_view> fields;
  for (std::int64_t line = 1; reader.next(fields); ++line) {
    if (line == 1 && !fields.empty() && fields[0].starts_with(kByteOrderMark))
      fields[0].remove_prefix(kByteOrderMark.size());
    const bool is_empty = fields.empty() || (fields.size() == 1 && fields[0].empty());
    if (is_empty || (line == 1 && !has_number(fields))) continue;
    add_row(table, fields, path, line);
  }
  if (table.num_rows == 0) invalid_argument("[model] {} has no row of numbers", path);
  return table;
}

/// The shape of a table's rows: that of `wanted` if the number of elements is the same, else one row per
/// line.
Dims dims_of(const Table& table, const keras::KerasTensor& wanted) {
  Dims dims = wanted.shape();
  if (dims.empty()) return {table.num_rows, table.num_columns};
  dims[0] = table.num_rows;
  std::int64_t num_elements = 1;
  for (std::size_t i = 1; i < dims.size(); ++i) num_elements *= dims[i];
  const bool is_known = std::all_of(dims.begin(), dims.end(), [](std::int64_t dim) { return dim >= 0; });
  return is_known && num_elements == table.num_columns ? dims : Dims{table.num_rows, table.num_columns};
}

Tensor read_csv(const std::string& path, const keras::KerasTensor& wanted, ArrayRole role) {
  const Table table = read_table(path);
  const bool are_integers = std::all_of(table.numbers.begin(), table.numbers.end(), [](double number) {
    return number == std::trunc(number) && std::abs(number) < 0x1p63;
  });
  const bool are_large = std::any_of(table.numbers.begin(), table.numbers.end(),
                                     [](double number) { return std::abs(number) > kLargestExactFloat; });
  const bool takes_integers = role == ArrayRole::kInputs ? ir::is_integer(wanted.dtype()) : are_large;
  const Dims dims = dims_of(table, wanted);
  if (are_integers && takes_integers) {
    std::vector<std::int64_t> values(table.numbers.size());
    std::transform(table.numbers.begin(), table.numbers.end(), values.begin(),
                   [](double number) { return static_cast<std::int64_t>(number); });
    return Tensor::from<std::int64_t>(dims, values);
  }
  const std::vector<float> values(table.numbers.begin(), table.numbers.end());
  return Tensor::from<float>(dims, values);
}

bool holds_one_array(const std::string& path) { return path.ends_with(".npy") || path.ends_with(".csv"); }

template <typename T>
std::string csv_text(const Tensor& array) {
  const std::vector<T> values = array.to_vector<T>();
  const std::size_t num_rows = array.shape().empty() ? 1 : static_cast<std::size_t>(array.shape()[0]);
  const std::size_t num_columns = num_rows == 0 ? 0 : values.size() / num_rows;
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{}", values[i], (i + 1) % num_columns == 0 ? "\n" : ",");
  return text;
}

std::string csv_of(const Tensor& array) {
  const DType dtype = array.dtype();
  if (dtype == DType::kF64) return csv_text<double>(array);
  if (dtype == DType::kU64) return csv_text<std::uint64_t>(array);
  if (ir::is_float(dtype)) return csv_text<float>(ops::cast(array, DType::kF32));
  return csv_text<std::int64_t>(ops::cast(array, DType::kI64));
}

}  // namespace

Tensors read_arrays(const std::string& path, const std::vector<keras::KerasTensor>& wanted, ArrayRole role) {
  if (!holds_one_array(path)) return read_npz(path, wanted, role);
  if (wanted.size() != 1)
    invalid_argument("[model] the model has {} {}s ({}) and {} holds one array: give them in an .npz file",
                     wanted.size(), noun_of(role), fmt::join(names_of(wanted), ", "), path);
  if (path.ends_with(".npy")) return keras::utils::load_npy(path, kCommandLineLimits);
  return read_csv(path, wanted[0], role);
}

void check_outputs(const std::string& path, std::size_t num_outputs) {
  if (!holds_one_array(path) && !path.ends_with(".npz"))
    invalid_argument("[model] the outputs are written to an .npz, .npy or .csv file; got {}", path);
  if (holds_one_array(path) && num_outputs != 1)
    invalid_argument("[model] {} holds one array and the model has {} outputs: write an .npz file", path,
                     num_outputs);
}

void write_arrays(const std::string& path, const Tensors& arrays) {
  check_outputs(path, arrays.size());
  if (!holds_one_array(path)) return keras::utils::save_npz(path, arrays);
  if (path.ends_with(".npy")) return keras::utils::save_npy(path, arrays[0]);
  const std::string text = csv_of(arrays[0]);
  io::WholeFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

}  // namespace cornu::inline v0::cli
