#include "tests/fuzz/target.h"

#include <string>

#include "cornu/base/error.h"
#include "cornu/io/example.h"

namespace cornu::inline v0::fuzz {
namespace {

void example_once(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const io::Example example = io::parse_example(text, "input");
  // What was read can be written, and is read as the same, but for numbers that are none.
  const std::string written = io::serialize_example(example);
  require(io::serialize_example(io::parse_example(written, "written")) == written,
          "another example came back");
  const io::ExampleParser parser({{.name = "ids", .type = io::FeatureType::kInt64, .is_variable = true},
                                  {.name = "words", .type = io::FeatureType::kBytes, .is_variable = true},
                                  {.name = "point", .shape = {2}, .default_value = std::vector<float>{0}}});
  const std::string_view examples[] = {text, text};
  std::vector<io::FeatureColumn> columns;
  try {
    columns = parser.parse(examples, "input");
  } catch (const Error& error) {  // a sound example may hold other features than those described
    require(error.code() == ErrorCode::kInvalidArgument, error.what());
    return;
  }
  require(columns[0].row_splits.back() == static_cast<std::int64_t>(columns[0].integers.size()),
          "splits elsewhere");
  require(columns[2].floats.size() == 4, "another number of values than the shape's");
}

/// The same bytes as a SequenceExample.
void sequence_once(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const io::ExampleParser parser({{.name = "words", .type = io::FeatureType::kBytes, .is_variable = true}});
  const std::string_view examples[] = {text, text};
  std::vector<io::SequenceColumn> columns;
  try {
    columns = parser.parse_sequences(examples, "input");
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInvalidArgument) return;  // other features than those described
    throw;
  }
  require(
      columns[0].step_splits.size() == 3 &&
          columns[0].step_splits.back() + 1 == static_cast<std::int64_t>(columns[0].values.row_splits.size()),
      "steps of another number than the examples have");
}

}  // namespace

void example(Bytes bytes) {
  parse(example_once, bytes);
  parse(sequence_once, bytes);
}

}  // namespace cornu::inline v0::fuzz
