#pragma once

#include <pjrt_c_api.h>

#include "cornu/ir/dtype.h"

namespace cornu::inline v0::backends::pjrt {

inline PJRT_Buffer_Type element_type(ir::DType dtype) {
  switch (dtype) {
    case ir::DType::kI1: return PJRT_Buffer_Type_PRED;
    case ir::DType::kI8: return PJRT_Buffer_Type_S8;
    case ir::DType::kI16: return PJRT_Buffer_Type_S16;
    case ir::DType::kI32: return PJRT_Buffer_Type_S32;
    case ir::DType::kI64: return PJRT_Buffer_Type_S64;
    case ir::DType::kU8: return PJRT_Buffer_Type_U8;
    case ir::DType::kU16: return PJRT_Buffer_Type_U16;
    case ir::DType::kU32: return PJRT_Buffer_Type_U32;
    case ir::DType::kU64: return PJRT_Buffer_Type_U64;
    case ir::DType::kF16: return PJRT_Buffer_Type_F16;
    case ir::DType::kBF16: return PJRT_Buffer_Type_BF16;
    case ir::DType::kF32: return PJRT_Buffer_Type_F32;
    case ir::DType::kF64: return PJRT_Buffer_Type_F64;
    case ir::DType::kC64: return PJRT_Buffer_Type_C64;
    case ir::DType::kC128: return PJRT_Buffer_Type_C128;
    case ir::DType::kI2: return PJRT_Buffer_Type_S2;
    case ir::DType::kI4: return PJRT_Buffer_Type_S4;
    case ir::DType::kU2: return PJRT_Buffer_Type_U2;
    case ir::DType::kU4: return PJRT_Buffer_Type_U4;
    case ir::DType::kF4E2M1FN: return PJRT_Buffer_Type_F4E2M1FN;
    case ir::DType::kF8E3M4: return PJRT_Buffer_Type_F8E3M4;
    case ir::DType::kF8E4M3: return PJRT_Buffer_Type_F8E4M3;
    case ir::DType::kF8E4M3B11FNUZ: return PJRT_Buffer_Type_F8E4M3B11FNUZ;
    case ir::DType::kF8E4M3FN: return PJRT_Buffer_Type_F8E4M3FN;
    case ir::DType::kF8E4M3FNUZ: return PJRT_Buffer_Type_F8E4M3FNUZ;
    case ir::DType::kF8E5M2: return PJRT_Buffer_Type_F8E5M2;
    case ir::DType::kF8E5M2FNUZ: return PJRT_Buffer_Type_F8E5M2FNUZ;
    case ir::DType::kF8E8M0FNU: return PJRT_Buffer_Type_F8E8M0FNU;
    case ir::DType::kF6E2M3FN:
    case ir::DType::kF6E3M2FN: break;  // not in this version of the interface
  }
  return PJRT_Buffer_Type_INVALID;
}

}  // namespace cornu::inline v0::backends::pjrt
