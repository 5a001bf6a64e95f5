#include "cornu/keras/files/training_state.h"

#include <map>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/io/crc32c.h"
#include "cornu/io/safetensors.h"
#include "cornu/keras/files/enough_memory_support.h"
#include "cornu/keras/utils/arrays.h"

namespace cornu::inline v0::keras {
namespace {

constexpr const char* kFormatKey = "format";
constexpr const char* kFormatName = "cornu training state 1";

std::string sum_key(const std::string& path) { return "crc32c " + path; }

}  // namespace

void save_training_state(const StringArgument& path, const StateValues& state) {
  std::vector<std::pair<std::string, io::ArrayView>> arrays;
  std::map<std::string, std::string> metadata = {{kFormatKey, kFormatName}};
  for (const auto& [name, value] : state) {
    const std::optional<io::ElementType> type = utils::element_type_of(value.dtype());
    if (!type.has_value())
      invalid_argument("[save_training_state] files have no numbers of type {}; that is what \"{}\" has",
                       ir::numpy_name(value.dtype()), name);
    const io::ArrayView view(*type, value.shape(), {value.bytes(), value.type().size_bytes()});
    metadata[sum_key(name)] = fmt::format("{:08x}", io::crc32c(view.data));
    arrays.emplace_back(name, view);
  }
  io::write_safetensors(path, arrays, metadata);
}

StateValues load_training_state(const StringArgument& path) {
  return files::with_enough_memory("load_training_state", path,
                                   [&] { return load_training_state(io::open_random_access(path)); });
}

StateValues load_training_state(const io::RandomAccessPointer& bytes) {
  const io::SafetensorsFile file(bytes);
  const auto format = file.metadata().find(kFormatKey);
  if (format == file.metadata().end() || format->second != kFormatName)
    fail(ErrorCode::kDataLoss, "[load_training_state] {} holds no training state", file.name());
  StateValues state;
  for (const auto& [name, entry] : file.entries()) {
    ir::Literal value(TensorType{utils::dtype_of(entry.type), entry.dims});
    file.read(entry, value.mutable_bytes());
    const auto sum = file.metadata().find(sum_key(name));
    if (sum == file.metadata().end() || sum->second != fmt::format("{:08x}", io::crc32c(value.bytes())))
      fail(ErrorCode::kDataLoss, "[load_training_state] {}: the CRC of \"{}\" differs: the file is damaged",
           file.name(), name);
    state.emplace(name, Tensor(value));
  }
  return state;
}

}  // namespace cornu::inline v0::keras
