#pragma once

#include <pjrt_c_api.h>

#include <cstddef>
#include <iterator>

#include "cornu/ir/dtype.h"

namespace cornu::inline v0::backends::pjrt {

/// In the order of DType; this version of the interface has no floats of six bits.
inline constexpr PJRT_Buffer_Type kElementTypes[] = {PJRT_Buffer_Type_PRED,
                                                     PJRT_Buffer_Type_S8,
                                                     PJRT_Buffer_Type_S16,
                                                     PJRT_Buffer_Type_S32,
                                                     PJRT_Buffer_Type_S64,
                                                     PJRT_Buffer_Type_U8,
                                                     PJRT_Buffer_Type_U16,
                                                     PJRT_Buffer_Type_U32,
                                                     PJRT_Buffer_Type_U64,
                                                     PJRT_Buffer_Type_F16,
                                                     PJRT_Buffer_Type_BF16,
                                                     PJRT_Buffer_Type_F32,
                                                     PJRT_Buffer_Type_F64,
                                                     PJRT_Buffer_Type_C64,
                                                     PJRT_Buffer_Type_C128,
                                                     PJRT_Buffer_Type_S2,
                                                     PJRT_Buffer_Type_S4,
                                                     PJRT_Buffer_Type_U2,
                                                     PJRT_Buffer_Type_U4,
                                                     PJRT_Buffer_Type_F4E2M1FN,
                                                     PJRT_Buffer_Type_INVALID,
                                                     PJRT_Buffer_Type_INVALID,
                                                     PJRT_Buffer_Type_F8E3M4,
                                                     PJRT_Buffer_Type_F8E4M3,
                                                     PJRT_Buffer_Type_F8E4M3B11FNUZ,
                                                     PJRT_Buffer_Type_F8E4M3FN,
                                                     PJRT_Buffer_Type_F8E4M3FNUZ,
                                                     PJRT_Buffer_Type_F8E5M2,
                                                     PJRT_Buffer_Type_F8E5M2FNUZ,
                                                     PJRT_Buffer_Type_F8E8M0FNU};
static_assert(std::size(kElementTypes) == static_cast<std::size_t>(ir::DType::kF8E8M0FNU) + 1);

inline PJRT_Buffer_Type element_type(ir::DType dtype) {
  return kElementTypes[static_cast<std::size_t>(dtype)];
}

}  // namespace cornu::inline v0::backends::pjrt
