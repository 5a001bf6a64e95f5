#include "cornu/backends/cpu/collectives/row_loops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace cornu::inline v0::backends::cpu {
namespace {

template <typename Id>
void lists_the_positions_inside(std::size_t num_ids) {
  std::mt19937 generator(7);
  std::vector<Id> ids(num_ids);
  for (Id& id : ids) id = static_cast<Id>(generator() % 41) - 1;  // -1 is in no part
  for (const RowRange& range : {RowRange{0, 10}, RowRange{10, 10}, RowRange{30, 1 << 30}}) {
    std::vector<std::int32_t> wanted;
    for (std::size_t i = 0; i < num_ids; ++i)
      if (ids[i] >= range.first && ids[i] < range.first + range.count)
        wanted.push_back(static_cast<std::int32_t>(i));
    for (const IsaLevel level : cpu_isa_levels()) {
      std::vector<std::int32_t> positions(num_ids + kPositionsBeyond, -2);
      const std::size_t found = list_positions(level, std::span<const Id>(ids), range, positions.data());
      positions.resize(found);
      EXPECT_EQ(positions, wanted) << isa_level_name(level) << ", " << num_ids;
      EXPECT_EQ(count_ids(level, std::span<const Id>(ids), range), wanted.size()) << isa_level_name(level);
    }
  }
}

TEST(RowLoopsTest, ListsThePositionsOfIdsInsideOfARange) {
  for (const std::size_t num_ids : {0U, 1U, 16U, 17U, 100U}) {
    lists_the_positions_inside<std::int32_t>(num_ids);
    lists_the_positions_inside<std::int64_t>(num_ids);
  }
}

/// Gradients of eight positions, two in a row: id 0 at 0, 3 and 7, id 1 at 1, id 2 at 2 and 6; none at 4, 5.
template <typename T>
struct Case {
  std::size_t count;
  std::vector<T> gradients;
  std::vector<std::int32_t> heads = {0, 1, 2, -1, -1, -1, -1, -1}, next = {3, -1, 6, 7, -1, -1, -1, -1};

  explicit Case(std::size_t n) : count(n), gradients(4 * (n + 1)) {
    std::mt19937 generator(3);
    for (T& each : gradients) each = static_cast<T>(generator() % 1000) / 7 - 50;
    for (std::size_t c = 0; c < n; ++c) gradients[1 + c] = T{-0.0};  // of positions 0 and 1
  }
  LinkedGradients linked() const {
    return {.rows = reinterpret_cast<const std::byte*>(gradients.data()),
            .row_bytes = (count + 1) * sizeof(T),
            .heads = heads.data(),
            .next = next.data(),
            .row_factor = 1,
            .row_shift = 1};
  }
  T sum(std::int32_t position, std::size_t c) const {
    T sum = 0;
    for (std::int32_t i = heads[static_cast<std::size_t>(position)]; i >= 0;
         i = next[static_cast<std::size_t>(i)])
      sum += gradients[static_cast<std::size_t>(i) / 2 * (count + 1) + 1 + c];
    return sum;
  }
};

template <typename T>
void adds_gradients_of_positions(std::size_t count) {
  const Case<T> it(count);
  const std::vector<std::int32_t> positions = {0, 1, 2, 4, 0, 2, 1, 5},
                                  places = {~0, ~1, ~2, ~3, 4, 5, 6, 7};  // the others have values
  std::vector<T> wanted(8 * count, T{3} / 7);
  for (std::size_t k = 0; k < 8; ++k)
    for (std::size_t c = 0; c < count; ++c)
      wanted[k * count + c] = (k < 4 ? T{0} : wanted[k * count + c]) + it.sum(positions[k], c);
  for (const IsaLevel level : cpu_isa_levels()) {
    std::vector<T> sums(8 * count, T{3} / 7), spare(count);
    add_gradients<T>(level, it.linked(), sizeof(T), positions, places.data(),
                     {.rows = sums.data(), .count = count, .spare = spare.data()});
    EXPECT_EQ(std::memcmp(sums.data(), wanted.data(), sums.size() * sizeof(T)), 0)
        << isa_level_name(level) << ", " << count;
    EXPECT_FALSE(std::signbit(sums[count])) << "-0 from zero on is 0";
  }
}

TEST(RowLoopsTest, AddsTheGradientsOfEachPositionInTheirOrder) {
  for (const std::size_t count : {1U, 5U, 16U, 64U, 67U}) {
    adds_gradients_of_positions<float>(count);
    adds_gradients_of_positions<double>(count);
  }
}

TEST(RowLoopsTest, AddsOrWritesRows) {
  constexpr std::size_t kCount = 19;
  std::vector<float> rows(3 * kCount);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i) / 3;
  const std::vector<std::int32_t> places = {~2, 0, ~1};
  for (const IsaLevel level : cpu_isa_levels()) {
    std::vector<float> sums(3 * kCount, 1.0F);
    add_rows<float>(level, rows.data(), places, {.rows = sums.data(), .count = kCount});
    for (std::size_t c = 0; c < kCount; ++c) {
      EXPECT_EQ(sums[2 * kCount + c], rows[c]);
      EXPECT_EQ(sums[c], 1.0F + rows[kCount + c]);
      EXPECT_EQ(sums[kCount + c], rows[2 * kCount + c]);
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
