// bits: shift_left, seed 48, number 3
module @jit_shift_left attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x1x1xui32>, %arg1: tensor<2x4x1x1xui32>) -> (tensor<2x4x1x1xui32> {jax.result_info = "result"}) {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<2x4x1x1xui32>
    return %0 : tensor<2x4x1x1xui32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x0500000005000000060000000700000003000000060000000900000007000000"> : tensor<2x4x1x1xui32>
    %a1 = stablehlo.constant dense<"0x0500000002000000060000000600000004000000020000000300000001000000"> : tensor<2x4x1x1xui32>
    %e0 = stablehlo.constant dense<"0xA00000001400000080010000C00100003000000018000000480000000E000000"> : tensor<2x4x1x1xui32>
    %r = call @main(%a0, %a1) : (tensor<2x4x1x1xui32>, tensor<2x4x1x1xui32>) -> (tensor<2x4x1x1xui32>)
    check.expect_eq %r, %e0 : tensor<2x4x1x1xui32>
    return
  }
}
// -----
// bits: shift_right_logical, seed 48, number 22
module @jit_shift_right_logical attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x5xi32>, %arg1: tensor<5x5xi32>) -> (tensor<5x5xi32> {jax.result_info = "result"}) {
    %0 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<5x5xi32>
    return %0 : tensor<5x5xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xF8FFFFFFFAFFFFFF0100000007000000FAFFFFFF070000000900000001000000F7FFFFFF00000000F7FFFFFFF7FFFFFF00000000F7FFFFFF03000000FDFFFFFFF7FFFFFF04000000F8FFFFFF05000000FFFFFFFFFAFFFFFFF8FFFFFF0600000009000000"> : tensor<5x5xi32>
    %a1 = stablehlo.constant dense<"0x01000000000000000200000003000000010000000100000002000000040000000100000006000000020000000400000001000000020000000100000002000000030000000300000003000000030000000100000000000000060000000100000002000000"> : tensor<5x5xi32>
    %e0 = stablehlo.constant dense<"0xFCFFFF7FFAFFFFFF0000000000000000FDFFFF7F030000000200000000000000FBFFFF7F00000000FDFFFF3FFFFFFF0F00000000FDFFFF3F01000000FFFFFF3FFEFFFF1F00000000FFFFFF1F00000000FFFFFF7FFAFFFFFFFFFFFF030300000002000000"> : tensor<5x5xi32>
    %r = call @main(%a0, %a1) : (tensor<5x5xi32>, tensor<5x5xi32>) -> (tensor<5x5xi32>)
    check.expect_eq %r, %e0 : tensor<5x5xi32>
    return
  }
}
// -----
// bits: shift_left, seed 48, number 41
module @jit_shift_left attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1xui8>, %arg1: tensor<1xui8>) -> (tensor<1xui8> {jax.result_info = "result"}) {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<1xui8>
    return %0 : tensor<1xui8>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x02"> : tensor<1xui8>
    %a1 = stablehlo.constant dense<"0x01"> : tensor<1xui8>
    %e0 = stablehlo.constant dense<"0x04"> : tensor<1xui8>
    %r = call @main(%a0, %a1) : (tensor<1xui8>, tensor<1xui8>) -> (tensor<1xui8>)
    check.expect_eq %r, %e0 : tensor<1xui8>
    return
  }
}
// -----
// bits: bitwise_not, seed 48, number 60
module @jit_bitwise_not attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>) -> (tensor<i32> {jax.result_info = "result"}) {
    %0 = stablehlo.not %arg0 : tensor<i32>
    return %0 : tensor<i32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x01000000"> : tensor<i32>
    %e0 = stablehlo.constant dense<"0xFEFFFFFF"> : tensor<i32>
    %r = call @main(%a0) : (tensor<i32>) -> (tensor<i32>)
    check.expect_eq %r, %e0 : tensor<i32>
    return
  }
}
// -----
// bits: bitwise_xor, seed 48, number 79
module @jit_bitwise_xor attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x3xi16>, %arg1: tensor<2x2x3xi16>) -> (tensor<2x2x3xi16> {jax.result_info = "result"}) {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<2x2x3xi16>
    return %0 : tensor<2x2x3xi16>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xFCFF08000300FBFFFCFFFFFF0600010001000900FCFFF7FF"> : tensor<2x2x3xi16>
    %a1 = stablehlo.constant dense<"0xFEFFFDFFF9FF0400F8FF010003000900FCFF080005000000"> : tensor<2x2x3xi16>
    %e0 = stablehlo.constant dense<"0x0200F5FFFAFFFFFF0400FEFF05000800FDFF0100F9FFF7FF"> : tensor<2x2x3xi16>
    %r = call @main(%a0, %a1) : (tensor<2x2x3xi16>, tensor<2x2x3xi16>) -> (tensor<2x2x3xi16>)
    check.expect_eq %r, %e0 : tensor<2x2x3xi16>
    return
  }
}
// -----
// bits: bitwise_or, seed 48, number 98
module @jit_bitwise_or attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x2xui16>, %arg1: tensor<2x5x2xui16>) -> (tensor<2x5x2xui16> {jax.result_info = "result"}) {
    %0 = stablehlo.or %arg0, %arg1 : tensor<2x5x2xui16>
    return %0 : tensor<2x5x2xui16>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x00000500020001000600060001000600050002000300010007000400060006000900050007000300"> : tensor<2x5x2xui16>
    %a1 = stablehlo.constant dense<"0x02000700030005000300080001000700020003000800020003000800060004000000070007000200"> : tensor<2x5x2xui16>
    %e0 = stablehlo.constant dense<"0x020007000300050007000E0001000700070003000B00030007000C00060006000900070007000300"> : tensor<2x5x2xui16>
    %r = call @main(%a0, %a1) : (tensor<2x5x2xui16>, tensor<2x5x2xui16>) -> (tensor<2x5x2xui16>)
    check.expect_eq %r, %e0 : tensor<2x5x2xui16>
    return
  }
}
