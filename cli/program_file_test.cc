#include "cli/program_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/workloads.h"
#include "cornu/base/check.h"
#include "cornu/io/npz.h"
#include "cornu/ir/print.h"
#include "cornu/ir/same_graph_test_support.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::cli {
namespace {

const std::filesystem::path kPrograms = "tests/programs";

class JaxProgramTest : public testing::TestWithParam<std::string> {};

TEST_P(JaxProgramTest, GivesTheNumbersOfJax) {
  const std::string stem = (kPrograms / GetParam()).string();
  const std::shared_ptr<runtime::Client> client = runtime::make_client("cpu");
  const ProgramFile program(stem + ".mlir", *client);
  const std::vector<ir::Literal> results = program.run(read_arguments(stem + ".npz", program.function()));
  const io::NpzFile file(stem + ".npz");
  for (std::size_t i = 0; i < results.size(); ++i) {
    const io::Array expected = file.read(fmt::format("out{}", i));
    ir::Literal literal(results[i].type());
    ASSERT_EQ(expected.dims, literal.type().dims);
    ASSERT_EQ(expected.data.size(), literal.bytes().size());
    std::copy(expected.data.begin(), expected.data.end(), literal.mutable_bytes().begin());
    EXPECT_EQ(ops::compare_literals(results[i], literal), "") << "result " << i;
  }
}

std::vector<std::string> jax_programs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kPrograms))
    if (entry.path().extension() == ".mlir") names.push_back(entry.path().stem());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Programs, JaxProgramTest, testing::ValuesIn(jax_programs()),
                         [](const auto& test) { return test.param; });

TEST(ProgramFileTest, ArgumentsOfOtherTypesAndMissingOnesAreNamed) {
  const std::shared_ptr<runtime::Client> client = runtime::make_client("cpu");
  const ProgramFile program((kPrograms / "bits.mlir").string(), *client);
  EXPECT_THROW(read_arguments("", program.function()), Error);
  EXPECT_THROW(read_arguments((kPrograms / "special.npz").string(), program.function()), Error);
}

TEST(ProgramFileTest, OneArgumentTooManyIsNamed) {
  const std::shared_ptr<runtime::Client> client = runtime::make_client("cpu");
  const std::string folder = testing::TempDir();
  const std::string program_path = (std::filesystem::path(folder) / "cornu_constant.mlir").string();
  const std::string path = (std::filesystem::path(folder) / "cornu_one_too_many.npz").string();
  std::ofstream(program_path) << "func.func @main() -> tensor<f32> {\n"
                                 "  %0 = stablehlo.constant dense<1.0> : tensor<f32>\n"
                                 "  return %0 : tensor<f32>\n}\n";
  const io::Array one{.type = io::ElementType::kF32, .dims = {}, .data = std::vector<std::byte>(4)};
  const std::pair<std::string, io::ArrayView> argument{"in0", one};
  io::write_npz(path, {&argument, 1});
  const ProgramFile program(program_path, *client);
  try {
    read_arguments(path, program.function());
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("holds \"in0\", but the program has only 0 arguments"),
              std::string::npos)
        << error.what();
  }
}

TEST(ProgramFileTest, ArgumentsHaveNoLimitThatACommandLineCannotRaise) {
  const std::shared_ptr<runtime::Client> client = runtime::make_client("cpu");
  const ProgramFile program((kPrograms / "bits.mlir").string(), *client);
  const std::string path = (std::filesystem::path(testing::TempDir()) / "cornu_large_argument.npz").string();
  const io::Array five{.type = io::ElementType::kF32, .dims = {5}, .data = std::vector<std::byte>(20)};
  const std::pair<std::string, io::ArrayView> argument{"in0", five};
  io::write_npz(path, {&argument, 1});
  const std::vector<std::byte> written = io::read_file(path);
  std::string bytes(reinterpret_cast<const char*>(written.data()), written.size());
  const std::size_t entry = bytes.rfind("PK\x01\x02");
  bytes.replace(entry + 24, 4, std::string("\0\0\0\x70", 4));  // 1.75 GiB should come out
  std::ofstream(path, std::ios::binary) << bytes;
  try {
    read_arguments(path, program.function());
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("in0.npy unpacks to"), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find("max_size_bytes"), std::string::npos) << error.what();
  }
  std::filesystem::remove(path);
}

TEST(ProgramFileTest, EveryWorkloadsStepReadsBackAsTheSameGraph) {
  for (const Workload& workload : workloads()) {
    SCOPED_TRACE(workload.name);
    const WorkloadData data = make_data(workload);
    keras::Model model = workload.make_model();
    model.compile(workload.compile_options());
    const std::string text =
        model.train_program(data.x, data.y, {.batch_size = workload.batch_size}).stablehlo;
    const ir::ParsedModule parsed = ops::parse_stablehlo(text);
    EXPECT_TRUE(ir::to_stablehlo(parsed.entry()) == text);
  }
}

}  // namespace
}  // namespace cornu::inline v0::cli
