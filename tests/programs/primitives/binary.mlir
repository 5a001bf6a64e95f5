// binary: sub, seed 48, number 2
module @jit_sub attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x1xf32>, %arg1: tensor<4x1xf32>) -> (tensor<4x1xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<4x1xf32>
    return %0 : tensor<4x1xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xAE180C404CADB73F5C36863FDEC98B3F"> : tensor<4x1xf32>
    %a1 = stablehlo.constant dense<"0x99890D40FA2DA13FD54C913FC63C863F"> : tensor<4x1xf32>
    %e0 = stablehlo.constant dense<"0x8075B8BC90FA333E9067B1BD00A3313D"> : tensor<4x1xf32>
    %r = call @main(%a0, %a1) : (tensor<4x1xf32>, tensor<4x1xf32>) -> (tensor<4x1xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 2.000000e-05 : tensor<4x1xf32>
    return
  }
}
// -----
// binary: rem, seed 48, number 21
module @jit_rem attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4x1xi16>, %arg1: tensor<5x4x1xi16>) -> (tensor<5x4x1xi16> {jax.result_info = "result"}) {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<5x4x1xi16>
    return %0 : tensor<5x4x1xi16>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xFAFFF8FF0200FFFFFCFFFCFF040007000500FBFF05000000FEFF01000200FEFFFFFFF7FFFEFF0500"> : tensor<5x4x1xi16>
    %a1 = stablehlo.constant dense<"0x030003000600F8FFFBFFF8FFFFFFF9FFFCFFF9FFFCFFFFFFFEFF0300F8FF08000200FCFF0600F7FF"> : tensor<5x4x1xi16>
    %e0 = stablehlo.constant dense<"0x0000FEFF0200FFFFFCFFFCFF000000000100FBFF01000000000001000200FEFFFFFFFFFFFEFF0500"> : tensor<5x4x1xi16>
    %r = call @main(%a0, %a1) : (tensor<5x4x1xi16>, tensor<5x4x1xi16>) -> (tensor<5x4x1xi16>)
    check.expect_eq %r, %e0 : tensor<5x4x1xi16>
    return
  }
}
// -----
// binary: min, seed 48, number 40
module @jit_min attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1x5xui64>, %arg1: tensor<1x1x5xui64>) -> (tensor<1x1x5xui64> {jax.result_info = "result"}) {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<1x1x5xui64>
    return %0 : tensor<1x1x5xui64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x01000000000000000900000000000000060000000000000002000000000000000000000000000000"> : tensor<1x1x5xui64>
    %a1 = stablehlo.constant dense<"0x05000000000000000800000000000000040000000000000005000000000000000800000000000000"> : tensor<1x1x5xui64>
    %e0 = stablehlo.constant dense<"0x01000000000000000800000000000000040000000000000002000000000000000000000000000000"> : tensor<1x1x5xui64>
    %r = call @main(%a0, %a1) : (tensor<1x1x5xui64>, tensor<1x1x5xui64>) -> (tensor<1x1x5xui64>)
    check.expect_eq %r, %e0 : tensor<1x1x5xui64>
    return
  }
}
// -----
// binary: rem, seed 48, number 59
module @jit_rem attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f16>, %arg1: tensor<f16>) -> (tensor<f16> {jax.result_info = "result"}) {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<f16>
    return %0 : tensor<f16>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xDA39"> : tensor<f16>
    %a1 = stablehlo.constant dense<"0x7F41"> : tensor<f16>
    %e0 = stablehlo.constant dense<"0xDA39"> : tensor<f16>
    %r = call @main(%a0, %a1) : (tensor<f16>, tensor<f16>) -> (tensor<f16>)
    check.expect_almost_eq %r, %e0, tolerance = 1.000000e-02 : tensor<f16>
    return
  }
}
// -----
// binary: div, seed 48, number 78
module @jit_div attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i8>, %arg1: tensor<i8>) -> (tensor<i8> {jax.result_info = "result"}) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<i8>
    return %0 : tensor<i8>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x09"> : tensor<i8>
    %a1 = stablehlo.constant dense<"0x03"> : tensor<i8>
    %e0 = stablehlo.constant dense<"0x03"> : tensor<i8>
    %r = call @main(%a0, %a1) : (tensor<i8>, tensor<i8>) -> (tensor<i8>)
    check.expect_eq %r, %e0 : tensor<i8>
    return
  }
}
// -----
// binary: rem, seed 48, number 97
module @jit_rem attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1x1xf64>, %arg1: tensor<1x1x1xf64>) -> (tensor<1x1x1xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<1x1x1xf64>
    return %0 : tensor<1x1x1xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x499C8AC47944FE3F"> : tensor<1x1x1xf64>
    %a1 = stablehlo.constant dense<"0xDE97988FC2B90740"> : tensor<1x1x1xf64>
    %e0 = stablehlo.constant dense<"0x499C8AC47944FE3F"> : tensor<1x1x1xf64>
    %r = call @main(%a0, %a1) : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> (tensor<1x1x1xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.891718e-09 : tensor<1x1x1xf64>
    return
  }
}
// -----
// binary: div, seed 48, number 116
module @jit_div attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i16>, %arg1: tensor<i16>) -> (tensor<i16> {jax.result_info = "result"}) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<i16>
    return %0 : tensor<i16>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xFFFF"> : tensor<i16>
    %a1 = stablehlo.constant dense<"0xFEFF"> : tensor<i16>
    %e0 = stablehlo.constant dense<"0x0000"> : tensor<i16>
    %r = call @main(%a0, %a1) : (tensor<i16>, tensor<i16>) -> (tensor<i16>)
    check.expect_eq %r, %e0 : tensor<i16>
    return
  }
}
