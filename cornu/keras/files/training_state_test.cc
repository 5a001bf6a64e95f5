#include "cornu/keras/files/training_state.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cornu/base/error.h"

// States that several processes write, each into a file of its own.
namespace cornu::inline v0::keras {
namespace {

class SharedStateTest : public ::testing::Test {
 protected:
  SharedStateTest() { std::filesystem::create_directories(folder_); }
  ~SharedStateTest() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return folder_ + "/run.state"; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string error_of_loading() const {
    try {
      load_training_state(path());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
      return error.what();
    }
    return "no error";
  }

  /// Two processes with a table of five rows and one of four columns.
  void save(const std::string& generation) const {
    save_training_state(path(),
                        {{"step", Tensor::of<float>({1}, {7})},
                         {"table[0:3 of 5, axis 0]", Tensor::of<float>({3, 1}, {1, 2, 3})},
                         {"columns[0:2 of 4, axis 1]", Tensor::of<float>({2, 2}, {1, 2, 5, 6})}},
                        {.generation = generation, .rank = 0, .num_processes = 2});
    save_training_state(path(),
                        {{"table[3:5 of 5, axis 0]", Tensor::of<float>({2, 1}, {4, 5})},
                         {"columns[2:4 of 4, axis 1]", Tensor::of<float>({2, 2}, {3, 4, 7, 8})}},
                        {.generation = generation, .rank = 1, .num_processes = 2});
  }

  std::string folder_ = ::testing::TempDir() + "/cornu_shared_state_" + std::to_string(::getpid());
};

TEST_F(SharedStateTest, PathsNameTheirPart) {
  const StatePart part{.axis = 1, .begin = 12, .end = 24, .extent = 48};
  EXPECT_EQ(part.suffix(), "[12:24 of 48, axis 1]");
  const auto [path, found] = split_state_path("model/table" + part.suffix());
  EXPECT_EQ(path, "model/table");
  EXPECT_EQ(found, part);
  const StatePart dealt{.axis = 0, .begin = 1, .end = 3, .extent = 11, .modulo = 4};
  EXPECT_EQ(dealt.suffix(), "[1:3 modulo 4 of 11, axis 0]");
  EXPECT_EQ(dealt.count(), 6);  // 1, 2, 5, 6, 9 and 10
  EXPECT_EQ(split_state_path("t" + dealt.suffix()).second, dealt);
  for (const char* whole :
       {"model/table", "a[0]", "a[1:2 modulo 0 of 3, axis 0]", "a[1:2 of 3, axis 0] ", "[", ""}) {
    const auto [same, none] = split_state_path(whole);
    EXPECT_EQ(same, whole);
    EXPECT_FALSE(none.has_value()) << whole;
  }
}

TEST_F(SharedStateTest, PartsAreJoined) {
  save("first");
  EXPECT_EQ(generation_of_state(path()), "first");
  const StateValues state = load_training_state(path());
  EXPECT_EQ(state.size(), 3U);
  EXPECT_EQ(state.at("step").to_vector<float>(), (std::vector<float>{7}));
  EXPECT_EQ(state.at("table").to_vector<float>(), (std::vector<float>{1, 2, 3, 4, 5}));
  EXPECT_EQ(state.at("columns").to_vector<float>(), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_F(SharedStateTest, PartsOfEveryNthRowAreJoined) {
  save_training_state(path(), {{"table[0:1 modulo 3 of 5, axis 0]", Tensor::of<float>({2, 2}, {1, 2, 7, 8})}},
                      {.generation = "first", .rank = 0, .num_processes = 2});
  save_training_state(path(),
                      {{"table[1:3 modulo 3 of 5, axis 0]", Tensor::of<float>({3, 2}, {3, 4, 5, 6, 9, 10})}},
                      {.generation = "first", .rank = 1, .num_processes = 2});
  EXPECT_EQ(load_training_state(path()).at("table").to_vector<float>(),
            (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST_F(SharedStateTest, APartWithAModuloBeyondTheExtentIsOneRun) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  const StatePart whole{.begin = 0, .end = 5, .extent = 5, .modulo = kFar},
      behind{.begin = kFar - 1, .end = kFar, .extent = 5, .modulo = kFar};
  save_training_state(path(), {{"table" + whole.suffix(), Tensor::of<float>({5}, {1, 2, 3, 4, 5})},
                               {"table" + behind.suffix(), Tensor::zeros({0})}});
  EXPECT_EQ(load_training_state(path()).at("table").to_vector<float>(), (std::vector<float>{1, 2, 3, 4, 5}));
}

TEST_F(SharedStateTest, PartsThatOverlapOrAreAlongTwoAxesAreRefused) {
  const auto part = [](std::int64_t axis, std::int64_t begin, std::int64_t end) {
    return "table" + StatePart{.axis = axis, .begin = begin, .end = end, .extent = 4}.suffix();
  };
  const Tensor rows = Tensor::zeros({3, 4}), columns = Tensor::zeros({4, 1});
  for (const StateValues& state : {StateValues{{part(0, 0, 3), rows}, {part(0, 1, 4), rows}},
                                   StateValues{{part(0, 0, 3), rows}, {part(1, 0, 1), columns}}}) {
    save_training_state(path(), state);
    const std::string error = error_of_loading();
    EXPECT_NE(error.find("is no part of the same value as others"), std::string::npos) << error;
  }
}

TEST_F(SharedStateTest, APartThatStatesALargeExtentTakesNoMemory) {
  for (const std::int64_t extent : {std::int64_t{1} << 17, std::int64_t{1} << 40, std::int64_t{1} << 61}) {
    const StatePart part{.begin = 0, .end = 0, .extent = extent};
    save_training_state(path(), {{"table" + part.suffix(), Tensor::zeros({0, 4096})}});
    const std::string error = error_of_loading();
    EXPECT_NE(error.find("rows or columns of \"table\" are missing"), std::string::npos) << error;
  }
}

TEST_F(SharedStateTest, OnlyTheFilesOfOtherGenerationsAreRemoved) {
  save("first");
  save("second");
  std::ofstream(folder_ + "/other.state") << "x";
  EXPECT_EQ(names().size(), 4U);
  remove_other_generations(path(), generation_of_state(path()));
  EXPECT_EQ(names(), (std::vector<std::string>{"other.state", "run.state", "run.state.rows-second-1of2"}));
  remove_other_generations(path(), "");
  EXPECT_EQ(names(), (std::vector<std::string>{"other.state", "run.state"}));
}

TEST_F(SharedStateTest, FilesThatDoNotBelongTogetherAreRefused) {
  save("first");
  const std::string of_rank_1 = path() + ".rows-first-1of2";
  std::filesystem::copy(path(), folder_ + "/kept");
  save_training_state(path(), {{"table[3:4 of 5, axis 0]", Tensor::of<float>({1, 1}, {4})}},
                      {.generation = "first", .rank = 1, .num_processes = 2});
  EXPECT_NE(error_of_loading().find("are missing"), std::string::npos) << error_of_loading();
  save_training_state(path(), {{"table[3:5 of 6, axis 0]", Tensor::of<float>({2, 1}, {4, 5})}},
                      {.generation = "first", .rank = 1, .num_processes = 2});
  EXPECT_NE(error_of_loading().find("no part of the same value"), std::string::npos) << error_of_loading();
  save("second");
  std::filesystem::rename(path() + ".rows-second-1of2", of_rank_1);
  std::filesystem::rename(folder_ + "/kept", path());
  EXPECT_NE(error_of_loading().find("belongs to another state"), std::string::npos) << error_of_loading();
  std::filesystem::remove(of_rank_1);
  EXPECT_NE(error_of_loading().find("is missing"), std::string::npos) << error_of_loading();
}

}  // namespace
}  // namespace cornu::inline v0::keras
