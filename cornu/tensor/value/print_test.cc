#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <fstream>
#include <sstream>

#include "cornu/ir/complex.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {
namespace {

ir::Literal parse_case(const std::string& line) {
  std::istringstream words(line);
  std::string dtype, shape, word;
  words >> dtype >> shape;
  TensorType type{*ir::dtype_from_name(dtype), {}};
  std::istringstream extents(shape == "-" ? "" : shape);
  while (std::getline(extents, word, ',')) type.dims.push_back(std::stoll(word));
  ir::Literal literal(type);
  const DType part = ir::real_dtype(type.dtype);  // the parts of complex numbers, one after the other
  const std::size_t size = ir::size_bytes(part);
  for (std::size_t i = 0; words >> word; ++i) {
    // 64-bit integers do not fit a double.
    const ir::Literal element = part == DType::kI64 ? ir::Literal::of<std::int64_t>({}, {std::stoll(word)})
                                                    : ir::Literal::scalar(part, std::stod(word));
    std::copy(element.bytes().begin(), element.bytes().end(),
              literal.mutable_bytes().begin() + static_cast<std::ptrdiff_t>(i * size));
  }
  return literal;
}

TEST(PrintTest, ArraysLookAsNumPyPrintsThem) {
  std::ifstream file("tests/goldens/printing.txt");
  ASSERT_TRUE(file) << "run it from the repository's root";
  std::string line, count;
  int num_cases = 0;
  while (std::getline(file, line) && std::getline(file, count)) {
    std::string expected, next;
    for (int i = 0; i < std::stoi(count) && std::getline(file, next); ++i)
      expected += (i > 0 ? "\n" : "") + next;
    EXPECT_EQ(Tensor(parse_case(line)).str(), expected) << line.substr(0, 200);
    ++num_cases;
  }
  EXPECT_GT(num_cases, 90);
}

std::string printed(const Tensor& tensor) {
  std::ostringstream stream;
  stream << tensor;
  return stream.str();
}

TEST(PrintTest, AStreamGetsShapeDtypeAndDeviceToo) {
  EXPECT_EQ(printed(Tensor::of<float>({2}, {1, 2.5})),
            "Tensor([1.  2.5], shape=(2,), dtype=float32, device=CPU:0)");
  EXPECT_EQ(printed(Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4})),
            "Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32, device=CPU:0)");
  EXPECT_EQ(printed(Tensor(true)), "Tensor(True, shape=(), dtype=bool, device=CPU:0)");
  EXPECT_EQ(printed(Tensor()), "Tensor(undefined)");
  Trace trace;
  const Trace::Scope scope(trace);
  EXPECT_EQ(printed(trace.add_rows_argument({DType::kF32, {4, 2}})),
            "Tensor(symbolic, shape=(4, 2), dtype=float32)");
}

TEST(PrintTest, AnElementOfComplexNumbersIsNoDouble) {
  const ir::Literal parts = ir::Literal::of<std::complex<float>>({1}, {{1, 2}});
  const Tensor tensor(parts);
  EXPECT_EQ(printed(tensor), "Tensor([1.+2.j], shape=(1,), dtype=complex64, device=CPU:0)");
  EXPECT_EQ(tensor.data<std::complex<float>>()[0], std::complex<float>(1, 2));
  EXPECT_THROW(static_cast<void>(tensor.at(0)), Error);
}

TEST(PrintTest, BrainFloatsHaveTheirOwnShortestDigits) {
  EXPECT_EQ(ops::cast(Tensor::of<float>({2}, {0.1F, 3}), DType::kBF16).str(), "[0.1 3. ]");
}

}  // namespace
}  // namespace cornu::inline v0
