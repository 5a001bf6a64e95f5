// Makes eager mode's elementwise kernels of one instruction set level, when Cornu is built:
//
//   eager_kernels LEVEL OUTPUT
//
// OUTPUT becomes an object file with a function for each op, variant and dtype that all_cpu_ops() has code
// for, and their table (elements/element_kernels.h). OUTPUT.key names what it was made of: where that is
// unchanged, so is the file.
#include <llvm/ADT/StringExtras.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SHA256.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cornu/backends/cpu/eager_kernels/kernel_emitter.h"
#include "cornu/backends/cpu/elements/element_kernels.h"
#include "cornu/backends/cpu/emit/machine.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using elements::ElementKernelKey;
using ir::DType;

constexpr DType kDTypes[] = {DType::kI1,   DType::kI8,  DType::kI16, DType::kI32, DType::kI64,
                             DType::kU8,   DType::kU16, DType::kU32, DType::kU64, DType::kF16,
                             DType::kBF16, DType::kF32, DType::kF64};

/// Bytes. A loop of few instructions does not lie across two lines of the cache, which takes a cycle more.
constexpr unsigned kLoopAlignment = 32;

class Kernels {
 public:
  Kernels(llvm::Module& module, const Target& target) : module_(module), target_(target) {}

  void add_all() {
    for (const CpuOp& row : all_cpu_ops()) {
      if (row.emit == nullptr) continue;
      for (const DType dtype : kDTypes) {
        const std::vector<ir::Attributes> none(1);
        auto* const attributes = row.kernels_from_code.attributes;
        for (const ir::Attributes& one : attributes == nullptr ? none : attributes(dtype))
          add(row, dtype, one);
      }
    }
  }

  void add_table(const std::string& name);

 private:
  void add(const CpuOp& row, DType dtype, const ir::Attributes& attributes) {
    const auto made = elements::make_scalar_op(row, dtype, attributes);
    if (made == nullptr) return;
    ElementKernelKey key = elements::element_kernel_key(*made->op);
    key.variant = *variants_.emplace(key.variant).first;  // the op goes
    const bool is_served_by_another = row.kernels_from_code.moves_bits && key.operand != dtype;
    if (is_served_by_another) return;
    if (llvm::Function* const function = emit(*made->op, row)) table_[key] = function;
  }

  /// Ops of the same code share a function: an addition of signed or of unsigned integers. Null: AVX-512 has
  /// nothing for it, so that AVX2's kernel serves.
  llvm::Function* emit(const ir::Op& op, const CpuOp& row) {
    KernelEmitter emitter(module_, target_, op, row.kernels_from_code.num_parameters);
    if (target_.isa == IsaLevel::kAvx512 && !emitter.computes()) return nullptr;
    const auto [kernel, strided] = emitter.emit();
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (llvm::Function* const function : {kernel, strided})
      if (function != nullptr) function->print(stream);
    const auto [known, is_new] = known_.try_emplace(text, kernel);
    if (is_new)
      kernel->setName(fmt::format("{}_{}", row.name, known_.size()));
    else
      kernel->eraseFromParent();
    if (strided != nullptr && is_new)
      strided->setName(kernel->getName() + "_strided");
    else if (strided != nullptr)
      strided->eraseFromParent();
    return known->second;
  }

  llvm::Module& module_;
  const Target& target_;
  std::set<std::string> variants_;
  std::map<ElementKernelKey, llvm::Function*> table_;
  std::map<std::string, llvm::Function*> known_;
};

/// ElementKernelRow name[], sorted, and std::int64_t name_size.
void Kernels::add_table(const std::string& name) {
  llvm::LLVMContext& context = module_.getContext();
  llvm::Type* const pointer = llvm::PointerType::getUnqual(context);
  llvm::Type* const byte = llvm::Type::getInt8Ty(context);
  llvm::Type* const number = llvm::Type::getInt64Ty(context);
  auto* const row_type = llvm::StructType::get(context, {pointer, pointer, byte, byte, pointer});
  std::map<std::string_view, llvm::Constant*> texts;
  const auto text = [&](std::string_view value) {
    llvm::Constant*& constant = texts[value];
    if (constant == nullptr) {
      auto* const bytes = llvm::ConstantDataArray::getString(context, value);
      constant =
          new llvm::GlobalVariable(module_, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes);
    }
    return constant;
  };
  const auto dtype = [&](DType value) {
    return llvm::ConstantInt::get(byte, static_cast<std::uint64_t>(value));
  };
  std::vector<llvm::Constant*> rows;
  for (const auto& [key, function] : table_)
    rows.push_back(llvm::ConstantStruct::get(
        row_type, {text(key.op), text(key.variant), dtype(key.operand), dtype(key.result), function}));
  auto* const type = llvm::ArrayType::get(row_type, rows.size());
  const auto add = [&](llvm::Constant* value, const std::string& symbol) {
    auto* const global = new llvm::GlobalVariable(module_, value->getType(), true,
                                                  llvm::GlobalValue::ExternalLinkage, value, symbol);
    global->setVisibility(llvm::GlobalValue::HiddenVisibility);
  };
  add(llvm::ConstantArray::get(type, rows), name);
  add(llvm::ConstantInt::get(number, rows.size()), name + "_size");
}

std::string bitcode_hash(const llvm::Module& module, const Target& target) {
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  llvm::SHA256 hash;
  hash.update(fmt::format("{} loops at {}", machine_name(target), kLoopAlignment));
  hash.update(llvm::StringRef(bitcode.data(), bitcode.size()));
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) fail(ErrorCode::kInternal, "[eager_kernels] cannot write {}", path);
}

void make_kernels(const std::string& level_name, const std::string& output) {
  const std::optional<IsaLevel> level = isa_level_from_name(level_name);
  if (!level) invalid_argument("[eager_kernels] there is no instruction set level \"{}\"", level_name);
  const Target target = level_target(*level);
  const auto machine = make_machine(target);
  llvm::LLVMContext context;
  llvm::Module module("eager_kernels", context);
  Kernels kernels(module, target);
  kernels.add_all();
  kernels.add_table("cornu_element_kernels_" + level_name);
  optimize(module, *machine, /*hoists=*/true);
  machine->Options.LoopAlignment = kLoopAlignment;
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  CORNU_CHECK(!llvm::verifyModule(module, &stream), "{}", problems);
  const std::string hash = bitcode_hash(module, target);
  if (std::ifstream(output) && read_file(output + ".key") == hash) return;
  const auto object = print_module(module, *machine, llvm::CodeGenFileType::ObjectFile);
  write_file(output, {object.data(), object.size()});
  write_file(output + ".key", hash);
}

}  // namespace

// This program has the library that the kernels are made for, and runs none.
extern "C" {
const elements::ElementKernelRow elements::cornu_element_kernels_sse2[1] = {};
const elements::ElementKernelRow elements::cornu_element_kernels_avx2[1] = {};
const elements::ElementKernelRow elements::cornu_element_kernels_avx512[1] = {};
const std::int64_t elements::cornu_element_kernels_sse2_size = 0;
const std::int64_t elements::cornu_element_kernels_avx2_size = 0;
const std::int64_t elements::cornu_element_kernels_avx512_size = 0;
}

}  // namespace cornu::inline v0::backends::cpu

int main(int argc, char** argv) {
  try {
    if (argc != 3) cornu::invalid_argument("usage: eager_kernels LEVEL OUTPUT");
    cornu::backends::cpu::make_kernels(argv[1], argv[2]);
  } catch (const cornu::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
