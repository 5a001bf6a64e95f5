#include "cornu/data/packed_rows.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/base/temporary_folder.h"
#include "cornu/data/files.h"

namespace cornu::inline v0::data {
namespace {

using Ids = std::vector<std::int64_t>;

/// The numbers in a text, which spaces separate.
template <typename T>
std::vector<T> numbers(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<T>(in), std::istream_iterator<T>()};
}

Ragged lists() { return Ragged(Tensor(Ids{4, 5, 6, 7}), {0, 1, 1, 4}); }

TEST(PackedRowsTest, ValuesFollowEachOtherWithTheirRows) {
  const PackedRows packed = packed_rows(lists(), {.capacity = 5});
  EXPECT_EQ(packed.values.type(), (TensorType{DType::kI64, {3, 2}}));
  EXPECT_EQ(packed.values.to_vector<std::int64_t>(), (Ids{4, 5, 6, 7, -1, -1}));
  EXPECT_EQ(packed.rows.to_vector<std::int32_t>(), (std::vector<std::int32_t>{0, 2, 2, 2, -1, -1}));
}

TEST(PackedRowsTest, WeightsAreFilledUpWithZeros) {
  const Ragged weights(Tensor(std::vector<float>{0.5F, 2.0F}), {0, 2, 2});
  EXPECT_EQ(packed_rows(weights, {.capacity = 3}).values.to_vector<float>(),
            (std::vector<float>{0.5F, 2.0F, 0, 0}));
}

TEST(PackedRowsTest, ListsInACsvFileBecomePackedRows) {
  const TemporaryFolder folder("cornu-packed-rows-");
  const std::string path = folder.path() / "seen.csv";
  std::ofstream(path) << "user,films,weights\n7,4,0.5\n8,,\n9,5 6 7,1 2 3\n";
  const Dataset rows = CsvDataset(path, {.record_defaults = {"", ""}, .header = true, .select_cols = {1, 2}});
  const Dataset batches =
      rows.map([](const std::string& films, const std::string& weights) {
            return Element({Tensor(numbers<std::int64_t>(films)), Tensor(numbers<float>(weights))});
          })
          .ragged_batch(3);
  const Element batch = *batches.iterator().next();
  const PackedRows films = packed_rows(batch[0].ragged(), {.capacity = 6});
  EXPECT_EQ(films.values.to_vector<std::int64_t>(), (Ids{4, 5, 6, 7, -1, -1}));
  EXPECT_EQ(films.rows.to_vector<std::int32_t>(), (std::vector<std::int32_t>{0, 2, 2, 2, -1, -1}));
  EXPECT_EQ(packed_rows(batch[1].ragged(), {.capacity = 6}).values.to_vector<float>(),
            (std::vector<float>{0.5F, 1, 2, 3, 0, 0}));
}

TEST(PackedRowsTest, RefusesWhatDoesNotFit) {
  EXPECT_EQ(error_text_of([] { packed_rows(lists(), {.capacity = 3}); }),
            "[packed_rows] 3 rows have 4 values, more than capacity = 3: give a larger capacity");
  EXPECT_EQ(error_text_of([] { packed_rows(lists(), {}); }),
            "[packed_rows] capacity must be positive; got capacity = 0");
  EXPECT_EQ(error_text_of([] { packed_rows(Ragged(Strings({"a"}), {0, 1}), {.capacity = 1}); }),
            "[packed_rows] the rows must be lists of numbers with a sign; got values of string (1,): number "
            "them by a StringLookup first");
  EXPECT_EQ(error_text_of([] { packed_rows(Ragged(Tensor(Ids{}), {0}), {.capacity = 1}); }),
            "[packed_rows] there must be a row; got none");
}

}  // namespace
}  // namespace cornu::inline v0::data
