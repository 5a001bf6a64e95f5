#include "cornu/plugin/layouts.h"

#include <string>

#include "cornu/plugin/buffer.h"
#include "cornu/plugin/executable.h"
#include "cornu/plugin/shardings.h"

struct PJRT_Layouts_SerializedLayout {
  std::string text;
};

namespace cornu::inline v0::plugin {
namespace {

/// XLA's text of a layout: "{1,0}".
std::string text_of(const PJRT_Layouts_MemoryLayout& layout) {
  std::string text = "{";
  for (std::size_t i = layout.rank; i-- > 0;) text += std::to_string(i) + (i > 0 ? "," : "");
  return text + "}";
}

void serialize(PJRT_Layouts_MemoryLayout_Serialize_Args& args) {
  auto* const serialized = new PJRT_Layouts_SerializedLayout{text_of(*args.layout)};
  args.serialized_bytes = serialized->text.data();
  args.serialized_bytes_size = serialized->text.size();
  args.serialized_layout = serialized;
  args.serialized_layout_deleter = [](PJRT_Layouts_SerializedLayout* layout) { delete layout; };
}

PJRT_Layouts_Extension make_extension() {
  PJRT_Layouts_Extension extension = {};
  extension.base = {
      .struct_size = sizeof extension, .type = PJRT_Extension_Type_Layouts, .next = shardings_extension()};
  set_release(extension.PJRT_Layouts_MemoryLayout_Destroy, [](auto& args) { delete args.layout; });
  set_entry(extension.PJRT_Layouts_MemoryLayout_Serialize, [](auto& args) { serialize(args); });
  set_entry(extension.PJRT_Layouts_PJRT_Client_GetDefaultLayout,
            [](auto& args) { args.layout = new PJRT_Layouts_MemoryLayout{args.num_dims}; });
  set_entry(extension.PJRT_Layouts_PJRT_Topology_GetDefaultLayout,
            [](auto& args) { args.layout = new PJRT_Layouts_MemoryLayout{args.num_dims}; });
  set_entry(extension.PJRT_Layouts_PJRT_Buffer_MemoryLayout,
            [](auto& args) { args.layout = new PJRT_Layouts_MemoryLayout{args.buffer->dims.size()}; });
  set_entry(extension.PJRT_Layouts_PJRT_Executable_GetOutputLayouts, [](auto& args) {
    args.layouts = args.executable->program->output_layouts.data();
    args.num_outputs = args.executable->program->output_layouts.size();
  });
  set_entry(extension.PJRT_Layouts_PJRT_Executable_GetParameterLayouts, [](auto& args) {
    args.layouts = args.executable->program->parameter_layouts.data();
    args.num_parameters = args.executable->program->parameter_layouts.size();
  });
  return extension;
}

}  // namespace

PJRT_Extension_Base* extensions() {
  static auto& extension = *new PJRT_Layouts_Extension(make_extension());
  return &extension.base;
}

}  // namespace cornu::inline v0::plugin
