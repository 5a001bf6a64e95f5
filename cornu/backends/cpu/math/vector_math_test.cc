#include <gtest/gtest.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/backends/cpu/emit/elementwise.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/base/cpu_info.h"
#include "cornu/base/tier_test_support.h"
#include "cornu/ir/builder.h"
#include "cornu/ops/registry.h"

namespace cornu::inline v0::backends::cpu {
namespace {

long double logistic_reference(long double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
long double rsqrt_reference(long double x) { return 1 / std::sqrt(x); }

// One row a function, under its op's name.
struct Function {
  const char* name;
  long double (*reference)(long double);
};

const Function kFunctions[] = {
    {"exponential", std::exp},  {"exponential_minus_one", std::expm1},
    {"log", std::log},          {"log_plus_one", std::log1p},
    {"tanh", std::tanh},        {"logistic", logistic_reference},
    {"sine", std::sin},         {"cosine", std::cos},
    {"tan", std::tan},          {"cbrt", std::cbrt},
    {"rsqrt", rsqrt_reference},
};

constexpr unsigned kWidths[] = {1, 4, 8, 16};

std::vector<Target> targets() {
  std::vector<Target> result;
  for (const IsaLevel level : {IsaLevel::kSse2, IsaLevel::kAvx2, IsaLevel::kAvx512})
    if (level <= cpu_isa_level()) result.push_back(level_target(level));
  return result;
}

const char* features(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: return "+sse2,-sse3,-avx";
    case IsaLevel::kAvx2: return "+avx2,+fma,-avx512f";
    case IsaLevel::kAvx512: return "+avx2,+fma,+avx512f,+avx512bw,+avx512dq,+avx512vl";
  }
  return "";
}

// All functions at one level in one JIT: symbol "name.f32.8" is void(const T* x, const T* y, T* result, int64
// count), count a multiple of the width.
class Library {
 public:
  explicit Library(const Target& target) : target_(target) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("math", *context);
    for (const ir::DType dtype : {ir::DType::kF32, ir::DType::kF64}) {
      for (const unsigned width : kWidths) {
        for (const Function& function : kFunctions) add(*module, function.name, 1, dtype, width);
        for (const char* const name : {"power", "atan2"}) add(*module, name, 2, dtype, width);
      }
    }
    std::string problems;
    llvm::raw_string_ostream stream(problems);
    EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << problems;
    llvm::orc::JITTargetMachineBuilder machine(llvm::Triple("x86_64-unknown-linux-gnu"));
    machine.setCPU("x86-64");
    machine.addFeatures({features(target.isa)});
    // Nothing is linked in: a call of libm that slipped through would not resolve.
    jit_ = llvm::cantFail(llvm::orc::LLJITBuilder()
                              .setJITTargetMachineBuilder(machine)
                              .setLinkProcessSymbolsByDefault(false)
                              .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                              .create());
    llvm::cantFail(jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  }

  template <typename T>
  std::vector<T> run(const std::string& name, unsigned width, const std::vector<T>& x,
                     const std::vector<T>& y) {
    const std::string symbol = name + (sizeof(T) == 4 ? ".f32." : ".f64.") + std::to_string(width);
    auto* function =
        llvm::cantFail(jit_->lookup(symbol)).template toPtr<void(const T*, const T*, T*, std::int64_t)>();
    std::vector<T> result(x.size());
    function(x.data(), y.data(), result.data(), static_cast<std::int64_t>(x.size()));
    return result;
  }

  const Target& target() const { return target_; }

 private:
  void add(llvm::Module& module, const std::string& name, std::size_t num_operands, ir::DType dtype,
           unsigned width) {
    ir::Function scalars;
    std::vector<ir::Value> arguments;
    for (std::size_t i = 0; i < num_operands; ++i)
      arguments.push_back(scalars.body.add_argument({dtype, {}}));
    const ir::Op& op = ir::Builder(scalars.body).create(*ops::find_op_def(name), arguments);
    llvm::LLVMContext& context = module.getContext();
    llvm::Type* scalar = register_type(context, dtype, 1);
    llvm::Type* type = register_type(context, dtype, static_cast<int>(width));
    llvm::Type* pointer = llvm::PointerType::getUnqual(context);
    llvm::Type* index = llvm::Type::getInt64Ty(context);
    auto* signature =
        llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, pointer, index}, false);
    const std::string symbol = name + (scalar->isFloatTy() ? ".f32." : ".f64.") + std::to_string(width);
    auto* function = llvm::Function::Create(signature, llvm::Function::ExternalLinkage, symbol, module);
    auto* entry = llvm::BasicBlock::Create(context, "entry", function);
    auto* loop = llvm::BasicBlock::Create(context, "loop", function);
    auto* exit = llvm::BasicBlock::Create(context, "exit", function);
    llvm::IRBuilder<> b(entry);
    b.CreateBr(loop);
    b.SetInsertPoint(loop);
    llvm::PHINode* i = b.CreatePHI(index, 2);
    i->addIncoming(b.getInt64(0), entry);
    const llvm::Align alignment(scalar->isFloatTy() ? 4 : 8);
    llvm::Value* x = b.CreateAlignedLoad(type, b.CreateGEP(scalar, function->getArg(0), i), alignment);
    llvm::Value* y = b.CreateAlignedLoad(type, b.CreateGEP(scalar, function->getArg(1), i), alignment);
    std::vector<llvm::Value*> operands = {x, y};
    operands.resize(num_operands);
    llvm::Value* result = emit_elementwise(b, target_, op, operands);
    const bool has_branch = name == "sine" || name == "cosine" || name == "tan";
    EXPECT_EQ(b.GetInsertBlock() != loop, has_branch) << name << ": straight-line code";
    b.CreateAlignedStore(result, b.CreateGEP(scalar, function->getArg(2), i), alignment);
    llvm::Value* next = b.CreateAdd(i, b.getInt64(width));
    i->addIncoming(next, b.GetInsertBlock());
    b.CreateCondBr(b.CreateICmpSLT(next, function->getArg(3)), loop, exit);
    b.SetInsertPoint(exit);
    b.CreateRetVoid();
  }

  Target target_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

std::vector<Library>& libraries() {
  static std::vector<Library>* all = [] {
    auto* result = new std::vector<Library>();
    for (const Target& target : targets()) result->emplace_back(target);
    return result;
  }();
  return *all;
}

template <typename T>
std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           1,
                           Limits::min(),
                           Limits::denorm_min(),
                           Limits::max(),
                           Limits::infinity(),
                           Limits::epsilon(),
                           T(0.5),
                           T(2),
                           T(3),
                           T(10),
                           T(1e-10),
                           T(1e10),
                           T(0.34657359),
                           T(0.70710678),
                           T(1.41421356),
                           T(0.69314718),
                           T(0.78539816),
                           T(1.57079633),
                           T(88.7),
                           T(88.72284),
                           T(87.33655),
                           T(103.97),
                           T(104),
                           T(709.78),
                           T(709.79),
                           T(745.13),
                           T(745.14),
                           T(708.39),
                           T(9.01),
                           T(10.1),
                           T(19.06),
                           T(20.1)};
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(std::nextafter(values[i], T(0)));
    values.push_back(std::nextafter(values[i], Limits::infinity()));
  }
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  values.push_back(Limits::quiet_NaN());
  return values;
}

// How much of the full sweep runs: all of it in the full tier (CORNU_TEST_CASES=all), an eighth by default.
int part_of_sweep() { return is_full_tier() ? 1 : 8; }

// Every 1009th float, or fewer; for double, bit patterns at random and the ranges where the functions change.
std::vector<float> sweep(float) {
  std::vector<float> values = edges<float>();
  const std::uint64_t step = part_of_sweep() == 1 ? 1009 : 8087;  // both are prime
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += step)
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  while (values.size() % 16 != 0) values.push_back(0);
  return values;
}

std::vector<double> sweep(double) {
  std::vector<double> values = edges<double>();
  std::mt19937_64 random(1);
  const int part = part_of_sweep();
  for (int i = 0; i < 200'000 / part; ++i) values.push_back(std::bit_cast<double>(random()));
  for (double range : {0.01, 1.0, 4.0, 30.0, 750.0, 1e5}) {
    std::uniform_real_distribution<double> uniform(-range, range);
    for (int i = 0; i < 60'000 / part; ++i) values.push_back(uniform(random));
  }
  std::uniform_real_distribution<double> near_one(0.3, 3.0), exponents(-1060, 1020);
  for (int i = 0; i < 100'000 / part; ++i) values.push_back(near_one(random));
  for (int i = 0; i < 100'000 / part; ++i)
    values.push_back(std::copysign(std::exp2(exponents(random)), near_one(random) - 1));
  while (values.size() % 16 != 0) values.push_back(0);
  return values;
}

// The bound that the op's row promises.
template <typename T>
double error_bound(std::string_view name) {
  for (const CpuOp& row : all_cpu_ops())
    if (row.name == name) return sizeof(T) == 4 ? row.error_bound.f32 : row.error_bound.f64;
  ADD_FAILURE() << name << " is no op";
  return 0;
}

// |result - reference| in units in the last place of the reference.
template <typename T>
double ulp_error(T result, long double reference) {
  if (std::isnan(reference) || std::isnan(result))
    return std::isnan(reference) && std::isnan(result) ? 0 : std::numeric_limits<double>::infinity();
  const T rounded = static_cast<T>(reference);
  if (result == rounded)
    return std::signbit(result) == std::signbit(rounded) || result != 0
               ? 0
               : std::numeric_limits<double>::infinity();
  if (std::isinf(result) || std::isinf(rounded)) {
    const long double finite =
        std::isinf(result) ? std::numeric_limits<T>::max() : static_cast<long double>(result);
    const long double other = std::isinf(rounded) ? std::numeric_limits<T>::max() : reference;
    if (std::signbit(result) != std::signbit(rounded)) return std::numeric_limits<double>::infinity();
    return static_cast<double>(
               std::abs(finite - other) /
               std::ldexp(1.0L, std::numeric_limits<T>::max_exponent - std::numeric_limits<T>::digits)) +
           1;
  }
  const int exponent = std::max(std::ilogb(reference), std::numeric_limits<T>::min_exponent - 1);
  return static_cast<double>(std::abs(result - reference) /
                             std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits + 1));
}

template <typename T>
bool same_bits(const std::vector<T>& x, const std::vector<T>& y) {
  // Memory as it is, NaN too.
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

template <typename T>
void check(const Function& function, const std::vector<T>& x = sweep(T())) {
  const double bound = error_bound<T>(function.name);
  std::vector<long double> reference(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    reference[i] = function.reference(static_cast<long double>(x[i]));
  }
  for (Library& library : libraries()) {
    std::vector<T> first;
    for (unsigned width : kWidths) {
      const std::vector<T> result = library.run<T>(function.name, width, x, x);
      if (!first.empty()) {
        EXPECT_TRUE(same_bits(first, result)) << function.name << " at width " << width;
        continue;
      }
      first = result;
      double worst = 0;
      T worst_x = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double error = ulp_error<T>(result[i], reference[i]);
        if (error > worst || std::isinf(error)) worst = error, worst_x = x[i];
      }
      std::printf("%-22s %s %-6s %.3f ULP, at %.9g\n", function.name, sizeof(T) == 4 ? "f32" : "f64",
                  std::string(isa_level_name(library.target().isa)).c_str(), worst,
                  static_cast<double>(worst_x));
      EXPECT_LE(worst, bound) << function.name << " at " << worst_x << " ("
                              << isa_level_name(library.target().isa) << ")";
    }
  }
}

class VectorMathTest : public testing::TestWithParam<Function> {};

TEST_P(VectorMathTest, FloatKeepsItsBoundAtEveryWidth) { check<float>(GetParam()); }
TEST_P(VectorMathTest, DoubleKeepsItsBoundAtEveryWidth) { check<double>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Functions, VectorMathTest, testing::ValuesIn(kFunctions),
                         [](const auto& row) { return std::string(row.param.name); });

// What is nearest to the multiples of pi / 2, where an error of the reduction shows most: all that the parts
// of pi / 2 reduce, some beyond, and the two that come closest of all (Muller, Handbook of Floating-Point
// Arithmetic).
template <typename T>
std::vector<T> near_quadrants() {
  std::vector<T> values = {static_cast<T>(sizeof(T) == 4 ? 16367173 * 0x1p72 : 6381956970095103 * 0x1p797L)};
  const long double half_pi = 1.5707963267948966192313216916397514L;
  for (std::int64_t k = 1; k < 700'000; k += k < 70'000 ? 1 : 97)
    values.push_back(static_cast<T>(static_cast<long double>(k) * half_pi));
  for (int e = 1; e < std::numeric_limits<T>::max_exponent; ++e) {
    values.push_back(static_cast<T>(std::ldexp(half_pi, e - 1)));
    values.push_back(-static_cast<T>(std::ldexp(3 * half_pi / 4, e - 1)));
    values.push_back(std::ldexp(T(1), e - 1));
  }
  while (values.size() % 16 != 0) values.push_back(0);
  return values;
}

TEST(AngleTest, NearMultiplesOfQuadrantsTheBoundsHoldToo) {
  for (const Function& function : kFunctions) {
    const std::string_view name = function.name;
    if (name != "sine" && name != "cosine" && name != "tan") continue;
    check<float>(function, near_quadrants<float>());
    check<double>(function, near_quadrants<double>());
  }
}

template <typename T>
void check_binary(const char* name, long double (*reference)(long double, long double)) {
  const double bound = error_bound<T>(name);
  std::vector<T> xs, ys;
  for (T x : edges<T>()) {
    for (T y : edges<T>()) xs.push_back(x), ys.push_back(y);
    for (T y : {T(-3), T(-1), T(4), T(5), T(7.5), T(0x1p23) + 1, T(0x1p24) + 2,
                std::numeric_limits<T>::quiet_NaN()})
      xs.push_back(x), ys.push_back(y);
  }
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> near(0.5, 2.0), small(-20, 20), logarithm(-800, 800);
  for (int i = 0; i < 300'000; ++i) {
    // Results over the whole range: y is chosen so that y log x is.
    const double x = i % 2 == 0 ? near(random) : std::exp2(small(random));
    const double scale = sizeof(T) == 4 ? 0.13 : 1.0;
    xs.push_back(static_cast<T>(x));
    ys.push_back(static_cast<T>(i % 3 == 0 ? small(random) : scale * logarithm(random) / std::log(x)));
  }
  while (xs.size() % 16 != 0) xs.push_back(2), ys.push_back(2);
  for (Library& library : libraries()) {
    std::vector<T> first;
    for (unsigned width : kWidths) {
      const std::vector<T> result = library.run<T>(name, width, xs, ys);
      if (!first.empty()) {
        EXPECT_TRUE(same_bits(first, result)) << name << " at width " << width;
        continue;
      }
      first = result;
      double worst = 0;
      std::size_t worst_i = 0;
      for (std::size_t i = 0; i < xs.size(); ++i) {
        const double error = ulp_error<T>(result[i], reference(xs[i], ys[i]));
        if (error > worst || std::isinf(error)) worst = error, worst_i = i;
      }
      std::printf("%-22s %s %-6s %.3f ULP, at %.9g, %.9g\n", name, sizeof(T) == 4 ? "f32" : "f64",
                  std::string(isa_level_name(library.target().isa)).c_str(), worst,
                  static_cast<double>(xs[worst_i]), static_cast<double>(ys[worst_i]));
      EXPECT_LE(worst, bound) << name << " at " << xs[worst_i] << ", " << ys[worst_i] << " gives "
                              << result[worst_i];
    }
  }
}

TEST(PowerTest, FloatKeepsItsBoundAndItsSpecialValues) { check_binary<float>("power", std::pow); }
TEST(PowerTest, DoubleKeepsItsBoundAndItsSpecialValues) { check_binary<double>("power", std::pow); }
TEST(Atan2Test, FloatKeepsItsBoundAndItsSpecialValues) { check_binary<float>("atan2", std::atan2); }
TEST(Atan2Test, DoubleKeepsItsBoundAndItsSpecialValues) { check_binary<double>("atan2", std::atan2); }

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
