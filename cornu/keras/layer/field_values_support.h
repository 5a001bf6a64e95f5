#pragma once

#include <vector>

/// Writing and reading layer options that have types of their own; see keras/config/values_support.h.
namespace cornu::inline v0::keras {

class Config;

namespace layers {
class BeforeAndAfter;
class LambdaFunction;
class Recurrent;
class UseCudnn;
struct DotAxes;
struct FeatureConfig;
struct RenormClipping;
struct TableConfig;
}  // namespace layers

namespace saving {

struct Place;

Config write_value(const layers::BeforeAndAfter& value, const Place& place);
Config write_value(const layers::DotAxes& value, const Place& place);
/// Errors: Unimplemented, unless it is empty.
Config write_value(const layers::LambdaFunction& value, const Place& place);
/// Null if it is empty.
Config write_value(const layers::Recurrent& value, const Place& place);
Config write_value(const layers::RenormClipping& value, const Place& place);
/// Keys are the struct's members; a feature is written with its table.
Config write_value(const layers::TableConfig& value, const Place& place);
Config write_value(const std::vector<layers::FeatureConfig>& value, const Place& place);
Config write_value(const layers::UseCudnn& value, const Place& place);

void read_value(const Config& config, const Place& place, layers::BeforeAndAfter& value);
void read_value(const Config& config, const Place& place, layers::DotAxes& value);
/// Errors: InvalidArgument, always: code does not come from files.
void read_value(const Config& config, const Place& place, layers::LambdaFunction& value);
void read_value(const Config& config, const Place& place, layers::Recurrent& value);
void read_value(const Config& config, const Place& place, layers::RenormClipping& value);
void read_value(const Config& config, const Place& place, layers::TableConfig& value);
void read_value(const Config& config, const Place& place, std::vector<layers::FeatureConfig>& value);
void read_value(const Config& config, const Place& place, layers::UseCudnn& value);

}  // namespace saving
}  // namespace cornu::inline v0::keras
