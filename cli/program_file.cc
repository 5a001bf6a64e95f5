#include "cli/program_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/commands.h"
#include "cornu/base/check.h"
#include "cornu/io/npz.h"
#include "cornu/ir/bytecode/read.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::cli {
namespace {

std::optional<ir::DType> dtype_of(io::ElementType type) {
  return ir::dtype_from_name(io::element_type_name(type));
}

io::ElementType element_type_of(ir::DType dtype) {
  using io::ElementType;
  for (const ElementType type :
       {ElementType::kBool, ElementType::kI8, ElementType::kU8, ElementType::kI16, ElementType::kU16,
        ElementType::kI32, ElementType::kU32, ElementType::kI64, ElementType::kU64, ElementType::kF16,
        ElementType::kF32, ElementType::kF64, ElementType::kC64, ElementType::kC128})
    if (dtype_of(type) == dtype) return type;
  check_failed(__FILE__, __LINE__, "a dtype of NumPy's", ir::stablehlo_name(dtype));
}

ir::Literal converted(const ir::Literal& literal, ir::DType dtype) {
  ir::Literal result(ir::TensorType{dtype, literal.type().dims});
  const std::size_t size = ir::size_bytes(dtype);
  for (std::int64_t i = 0; i < literal.type().num_elements(); ++i) {
    const ir::Literal element = ir::Literal::scalar(dtype, literal.at(i));
    std::copy(
        element.bytes().begin(), element.bytes().end(),
        result.mutable_bytes().begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * size));
  }
  return result;
}

ir::Literal to_literal(const io::Array& array, const ir::TensorType& wanted, std::string_view name) {
  const std::optional<ir::DType> dtype = dtype_of(array.type);
  const bool is_widened = wanted.dtype == ir::DType::kBF16 && dtype == ir::DType::kF32;
  if (array.dims != wanted.dims || (dtype != wanted.dtype && !is_widened))
    invalid_argument("[run] \"{}\" is {} of shape {}; the program's argument is {}", name,
                     io::element_type_name(array.type), ir::shape_str(array.dims), wanted.str());
  ir::Literal literal(ir::TensorType{*dtype, array.dims});
  std::copy(array.data.begin(), array.data.end(), literal.mutable_bytes().begin());
  return is_widened ? converted(literal, ir::DType::kBF16) : literal;
}

}  // namespace

std::string read_program(const std::string& path) {
  const std::vector<std::byte> bytes = io::read_file(path, kCommandLineLimits);
  const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (ir::is_bytecode(content)) return std::string(content);
  if (content.starts_with("PK\x03\x04") || content.starts_with("\x89HDF"))
    invalid_argument(
        "{} is an archive or an HDF5 file, and no StableHLO program; `cornu export` makes one of a model's "
        "file",
        path);
  std::string text = io::parse_text(bytes, path);
  if (text.find("func.func") == std::string::npos)
    invalid_argument(
        "{} is no program in StableHLO text: it has no func.func; in JAX "
        "jax.jit(f).lower(...).as_text() writes one",
        path);
  return text;
}

CompiledFunction::CompiledFunction(const ir::Function& function, runtime::Client& client)
    : client_(client), function_(function) {
  const std::vector<runtime::ArgumentKind> kinds(function.body.arguments().size(),
                                                 runtime::ArgumentKind::kFixed);
  executable_ = client_.compile({.step = &function_, .arguments = kinds, .name = function_.name});
}

std::vector<ir::Literal> CompiledFunction::run(std::span<const ir::Literal> arguments) const {
  std::vector<std::unique_ptr<runtime::Buffer>> buffers;
  std::vector<runtime::Buffer*> fixed;
  std::vector<runtime::Write> writes;
  for (const ir::Literal& argument : arguments) {
    buffers.push_back(client_.allocate(argument.type()));
    fixed.push_back(buffers.back().get());
    writes.push_back({fixed.back(), argument.bytes().data()});
  }
  client_.write(writes);
  std::vector<ir::Literal> results;
  std::vector<std::byte*> outputs;
  results.reserve(function_.body.results().size());
  outputs.reserve(function_.body.results().size());
  for (const ir::Value& result : function_.body.results()) results.emplace_back(result.type());
  for (ir::Literal& result : results) outputs.push_back(result.mutable_bytes().data());
  executable_->run({.fixed = fixed, .outputs = outputs});
  return results;
}

ProgramFile::ProgramFile(const std::string& path, runtime::Client& client)
    : parsed_(ops::parse_stablehlo(read_program(path), {.name = path})), compiled_(parsed_.entry(), client) {}

std::vector<ir::Literal> ProgramFile::run(std::span<const ir::Literal> arguments) const {
  return compiled_.run(arguments);
}

bool names_file(const std::string& argument) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(argument, ignored) ||
         argument.find_first_of("./") != std::string::npos;
}

std::vector<ir::Literal> read_arguments(const std::string& path, const ir::Function& function) {
  std::vector<ir::Literal> arguments;
  const std::span<const ir::Value> wanted = function.body.arguments();
  if (path.empty()) {
    if (!wanted.empty())
      invalid_argument(
          "[run] the program has {} arguments: give them as in0, in1, ... of an archive, --inputs FILE.npz",
          wanted.size());
    return arguments;
  }
  const io::NpzFile file(path, kCommandLineLimits);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string name = fmt::format("in{}", i);
    arguments.push_back(to_literal(file.read(name), wanted[i].type(), name));
  }
  const std::vector<std::string> names = file.names();
  const std::string next = fmt::format("in{}", wanted.size());
  if (std::find(names.begin(), names.end(), next) != names.end())
    invalid_argument("[run] {} holds \"{}\", but the program has only {} arguments", path, next,
                     wanted.size());
  return arguments;
}

std::vector<ir::Literal> read_expected(const std::string& path, const ir::Function& function) {
  const io::NpzFile file(path, kCommandLineLimits);
  std::vector<ir::Literal> expected;
  for (const ir::Value& result : function.body.results()) {
    const std::string name = fmt::format("out{}", expected.size());
    expected.push_back(to_literal(file.read(name), result.type(), name));
  }
  return expected;
}

void write_results(const std::string& path, std::span<const ir::Literal> results) {
  std::vector<ir::Literal> kept;  // what the views below look at
  kept.reserve(results.size());
  std::vector<std::pair<std::string, io::ArrayView>> arrays;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool is_bf16 = results[i].type().dtype == ir::DType::kBF16;
    kept.push_back(is_bf16 ? converted(results[i], ir::DType::kF32) : results[i]);
    const ir::Literal& literal = kept.back();
    arrays.emplace_back(fmt::format("out{}", i), io::ArrayView(element_type_of(literal.type().dtype),
                                                               literal.type().dims, literal.bytes()));
  }
  io::write_npz(path, arrays);
}

}  // namespace cornu::inline v0::cli
