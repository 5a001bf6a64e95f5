#include "cornu/keras/files/chief_state.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/runtime/collective.h"

namespace cornu::inline v0::keras {
namespace {

/// A state as bytes, exchanged between processes of one version of Cornu.
class StateBytes {
 public:
  std::vector<std::byte> bytes;

  void put(const void* from, std::size_t size) {
    const auto* const begin = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), begin, begin + size);
  }
  void put_number(std::int64_t value) { put(&value, sizeof(value)); }
  void take(void* to, std::size_t size) {
    if (size > 0) std::memcpy(to, bytes.data() + next_, size);
    next_ += size;
  }
  std::int64_t take_number() {
    std::int64_t value = 0;
    take(&value, sizeof(value));
    return value;
  }

 private:
  std::size_t next_ = 0;
};

StateBytes packed(const StateValues& state) {
  StateBytes out;
  out.put_number(static_cast<std::int64_t>(state.size()));
  for (const auto& [name, value] : state) {
    const ir::Literal literal = value.literal();
    out.put_number(static_cast<std::int64_t>(name.size()));
    out.put(name.data(), name.size());
    out.put_number(static_cast<std::int64_t>(literal.type().dtype));
    out.put_number(static_cast<std::int64_t>(literal.type().dims.size()));
    for (const std::int64_t extent : literal.type().dims) out.put_number(extent);
    out.put(literal.bytes().data(), literal.bytes().size());
  }
  return out;
}

StateValues unpacked(StateBytes in) {
  StateValues state;
  for (std::int64_t left = in.take_number(); left > 0; --left) {
    std::string name(static_cast<std::size_t>(in.take_number()), ' ');
    in.take(name.data(), name.size());
    TensorType type;
    type.dtype = static_cast<DType>(in.take_number());
    type.dims.resize(static_cast<std::size_t>(in.take_number()));
    for (std::int64_t& extent : type.dims) extent = in.take_number();
    ir::Literal literal(type);
    in.take(literal.mutable_bytes().data(), literal.bytes().size());
    state.emplace(std::move(name), Tensor(literal));
  }
  return state;
}

}  // namespace

StateValues state_of_chief(const std::function<StateValues()>& read) {
  runtime::Collective& processes = *runtime::joined_processes();
  std::exception_ptr error;
  StateBytes state;
  if (processes.is_chief()) try {
      state = packed(read());
    } catch (...) {
      error = std::current_exception();
    }
  const bool has_failed = processes.broadcast(error != nullptr ? 1 : 0) != 0;
  if (error != nullptr) std::rethrow_exception(error);
  if (has_failed)
    fail(ErrorCode::kUnavailable,
         "[fit] rank 0 cannot read the state to resume from; its own error has the reason");
  processes.broadcast(state.bytes);
  return unpacked(std::move(state));
}

StateValues state_of_each(const std::function<StateValues()>& read) {
  std::exception_ptr error;
  StateValues state;
  try {
    state = read();
  } catch (...) {
    error = std::current_exception();
  }
  const std::vector<std::uint64_t> failed = runtime::joined_processes()->gather(error != nullptr ? 1 : 0);
  if (error != nullptr) std::rethrow_exception(error);
  const auto first = std::find(failed.begin(), failed.end(), 1U);
  if (first != failed.end())
    fail(ErrorCode::kUnavailable,
         "[fit] rank {} cannot read the state to resume from; its own error has the reason",
         first - failed.begin());
  return state;
}

}  // namespace cornu::inline v0::keras
