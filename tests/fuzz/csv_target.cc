#include "tests/fuzz/target.h"

#include <string_view>
#include <vector>

#include "cornu/io/csv.h"

namespace cornu::inline v0::fuzz {
namespace {

void csv_once(Bytes bytes) {
  io::CsvReader reader(io::memory_stream(bytes, "input"), {.max_row_bytes = 1 << 20});
  std::size_t total = 0;
  for (std::vector<std::string_view> fields; reader.next(fields);)
    for (const std::string_view field : fields) total += field.size();
  require(total <= bytes.size(), "more text than bytes");
  io::LineReader lines(io::memory_stream(bytes, "input"), 1 << 20);
  total = 0;
  for (std::string line; lines.next(line);) total += line.size();
  require(total <= bytes.size(), "more lines than bytes");
}

}  // namespace

void csv(Bytes bytes) { parse(csv_once, bytes); }

}  // namespace cornu::inline v0::fuzz
