#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Facts of VHLO, the versioned form of StableHLO in portable artifacts: codes, names and properties.
/// Source: VhloBytecode.cpp, VhloEnums.td and VhloOps.td of StableHLO 1.20.
namespace cornu::inline v0::ir::bytecode {

/// The codes that begin the encoding of an attribute.
enum class AttributeCode : std::uint8_t {
  kArray = 1,
  kBoolean = 2,
  kComparisonDirection = 3,
  kComparisonType = 4,
  kCustomCallApiVersion = 5,
  kDictionary = 6,
  kFftType = 7,
  kFloat = 8,
  kInteger = 9,
  kOutputOperandAlias = 10,
  kPrecision = 11,
  kRngAlgorithm = 12,
  kRngDistribution = 13,
  kString = 14,
  kTensor = 15,
  kTranspose = 16,
  kType = 17,
  kTypeExtensions = 18,
  kResultAccuracyMode = 19,
  kResultAccuracy = 20,
};

/// The codes of types that are no element types.
enum class TypeCode : std::uint8_t {
  kComplex = 1,
  kFunction = 8,
  kTensor = 20,
  kTensorWithEncoding = 21,
  kToken = 22,
  kTuple = 23,
  kQuantized = 24,
  kUnrankedTensor = 25,
  kQuantizedPerAxis = 30,
  kNone = 33,
  kBuffer = 41,
  kFuture = 42,
};

/// StableHLO's name of an element type's code, such as "f32"; empty for other codes.
std::string_view element_type_name(std::uint64_t code);
std::optional<std::uint64_t> element_type_code(std::string_view name);
/// The name of a type that Cornu does not have, for messages.
std::string_view other_type_name(std::uint64_t code);

/// The names of an enumeration, by value; an empty one has no name. Empty: the code is no enumeration's.
std::span<const std::string_view> enumeration(AttributeCode code);

/// The properties of an op, such as "sort_v1" of VHLO or "sdy.mesh", in the order of their encoding. Empty:
/// none.
const std::vector<std::string_view>& properties_of(std::string_view versioned_name);

/// A property of VHLO that is a field of a structured attribute in StableHLO.
struct GroupedProperty {
  std::string_view op;        // "gather"; empty: any
  std::string_view property;  // "offset_dims"
  std::string_view group;     // "dimension_numbers"
  std::string_view field;     // "offset_dims"
};
/// Null if a property of an op, which is named without its version, is in no group.
const GroupedProperty* find_group(std::string_view op, std::string_view property);

/// "sort" of "sort_v1"; empty if the name has another form.
std::string_view without_version(std::string_view versioned_name);

}  // namespace cornu::inline v0::ir::bytecode
