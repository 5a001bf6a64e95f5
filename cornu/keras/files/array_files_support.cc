#include "cornu/keras/files/array_files_support.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"
#include "cornu/keras/utils/arrays.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/variable_fill.h"

namespace cornu::inline v0::keras::files {
namespace {

io::ElementType known_type(const Variable& variable) {
  const std::optional<io::ElementType> type = utils::element_type_of(variable.dtype());
  if (!type.has_value())
    invalid_argument("[save] files have no numbers of type {}; that is what weight \"{}\" has",
                     ir::numpy_name(variable.dtype()), variable.path());
  return *type;
}

}  // namespace

void Difference::Paths::add(std::string path) {
  constexpr std::size_t kShown = 8;
  if (count++ < kShown) first.push_back(std::move(path));
}

std::string Difference::Paths::str() const {
  std::string text = fmt::format("{}", fmt::join(first, ", "));
  if (count > first.size()) text += fmt::format(" and {} more", count - first.size());
  return text;
}

void Difference::other_shape(const std::string& path, const Variable& variable, const FoundArray& found) {
  other_shape_.add(fmt::format("{} ({} in the file, {} in the model)", path, ir::shape_str(found.dims),
                               ir::shape_str(variable.shape())));
}

std::string Difference::str() const {
  std::vector<std::string> parts;
  if (missing_.count > 0) parts.push_back("the file lacks " + missing_.str());
  if (unexpected_.count > 0) parts.push_back("the model has no place for " + unexpected_.str());
  if (other_shape_.count > 0) parts.push_back("of another shape are " + other_shape_.str());
  return io::shown(fmt::format("{}", fmt::join(parts, "; ")));
}

bool Assignments::add(const std::string& path, const Variable& variable, FoundArray found,
                      Difference& difference) {
  if (found.dims != variable.shape()) {
    difference.other_shape(path, variable, found);
    return false;
  }
  all_.emplace_back(variable, std::move(found));
  return true;
}

void Assignments::append(Assignments others) {
  std::move(others.all_.begin(), others.all_.end(), std::back_inserter(all_));
}

void Assignments::run() const {
  cornu::detail::VariableUpdate update;
  for (const auto& [variable, found] : all_) {
    if (utils::dtype_of(found.type) == variable.dtype()) {
      update.fill(variable, found.read);
      continue;
    }
    ir::Literal value(TensorType{utils::dtype_of(found.type), found.dims});
    found.read(value.mutable_bytes());
    update.set(variable, ops::cast(Tensor(value), variable.dtype()));
  }
  update.commit();
}

KeptArray::KeptArray(const Variable& variable) : KeptArray(variable, cornu::detail::host_value(variable)) {}
KeptArray::KeptArray(const Variable& variable, Tensor other)
    : value(std::move(other)), type(known_type(variable)) {}

io::ArrayView KeptArray::view() const {
  return {type, value.shape(), {value.bytes(), value.type().size_bytes()}};
}

}  // namespace cornu::inline v0::keras::files
