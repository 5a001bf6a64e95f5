#include "cornu/data/stages/waiting.h"

#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include "cornu/base/error.h"

namespace cornu::inline v0::data {
namespace {

constexpr std::string ErrorFields::* kWrittenFields[] = {
    &ErrorFields::op,     &ErrorFields::argument, &ErrorFields::layer, &ErrorFields::model,
    &ErrorFields::metric, &ErrorFields::inputs,   &ErrorFields::notes};

/// Converts any exception to an Error.
Error as_error(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorCode::kResourceExhausted, "there is not enough memory");
  } catch (const std::exception& error) {
    return Error(ErrorCode::kInternal, error.what());
  } catch (...) {
    return Error(ErrorCode::kInternal, "a value was thrown that is not a std::exception");
  }
}

void write_error(PositionWriter& writer, const Error& error) {
  writer.write(static_cast<std::int64_t>(error.code()));
  writer.write_text(error.message());
  for (const auto field : kWrittenFields) writer.write_text(error.fields().*field);
}

Error read_error(PositionReader& reader) {
  const auto last = static_cast<std::int64_t>(ErrorCode::kUnavailable);
  const auto code = static_cast<ErrorCode>(reader.read_between(0, last));
  const std::string message(reader.read_text());
  ErrorFields fields;
  for (const auto field : kWrittenFields) fields.*field = reader.read_text();
  return Error(code, message, std::move(fields));
}

}  // namespace

void write_waiting(PositionWriter& writer, std::span<const Waiting> waiting) {
  writer.write(static_cast<std::uint64_t>(waiting.size()));
  for (const Waiting& one : waiting) {
    writer.write(one.error != nullptr);
    if (one.error != nullptr)
      write_error(writer, as_error(one.error));
    else
      writer.write(one.element);
  }
}

std::vector<Waiting> read_waiting(PositionReader& reader) {
  std::vector<Waiting> waiting;
  for (auto left = reader.read<std::uint64_t>(); left > 0; --left) {
    if (reader.read<bool>())
      waiting.push_back({.element = {}, .error = std::make_exception_ptr(read_error(reader))});
    else
      waiting.push_back({.element = reader.read_element(), .error = nullptr});
  }
  return waiting;
}

}  // namespace cornu::inline v0::data
