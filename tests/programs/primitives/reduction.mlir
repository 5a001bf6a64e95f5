// reduction: prod (0, 1, 3), seed 48, number 6
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x5x1x2xf64>) -> (tensor<1xf64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.multiply across dimensions = [0, 1, 3] : (tensor<5x5x1x2xf64>, tensor<f64>) -> tensor<1xf64>
    return %0 : tensor<1xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xE601DA20F401F43F8AEB93961C34EC3F33BFCE2E3DA1E13FA5B95F02E4ABEC3FE454DB4AF596F53FE66D2437F7F9F13F7C973861CFE2F63FB0CDE2CF6938F03F585D5E4A358EE23F3925FE3B0191EA3F6EDDDC4EE51FF43FEA54F3F20A5FF23F7B979442FFC7F63F617D4DCC78BFF13F0E77E75C2F5BF33F8D74349386ECED3F073CFB211289E53FD2BEE38B0812E63F0E6E3ED9EB00EF3F3A9F09679154F23FAEBE37BBF512F73F7519D853FA6BF63FDCE8F535A9D6F63F4BCD193F925FE63F67A9E8AC1B5DF53F94F7D37C58ECED3F82323653965EE13F8F614883F143E43FB63A8ECCBBEFF23FDF66B0BFE51EEB3F6025B4E685F3F23F227B00B2791CEE3FFAE56BD5C69AE93F73722AB533E2E93F04187035B7CBEB3FF6CF5891AFA6F63F500D1F3D4F08F33F36287DC58452EB3FC8B1535764F7EB3FF84C238DD481ED3FB88AAE06DD88F43F9E1CAF9C4C1BF73FDF735856E55DE13F0D00C337C316F53F1C1181B401B3F23F2B2EC0414BA0ED3F393A5B9C375EF13F7630A9FF7D77E83F71A011AAF6CEE63FC90232A48FACEB3F"> : tensor<5x5x1x2xf64>
    %e0 = stablehlo.constant dense<"0x37F47E5FDAA9D63F"> : tensor<1xf64>
    %r = call @main(%a0) : (tensor<5x5x1x2xf64>) -> (tensor<1xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.000000e-09 : tensor<1xf64>
    return
  }
}
// -----
// reduction: min (0,), seed 48, number 25
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x2xf64>) -> (tensor<2xf64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.minimum across dimensions = [0] : (tensor<5x2xf64>, tensor<f64>) -> tensor<2xf64>
    return %0 : tensor<2xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x88BE7F67C977F53FBED32DEA82CBE33FCF96D8677B00E23FA002A9BABBCDF33FA7A4255C7760E03F0C5A5D50B1C8F23F438326C295DEF63F747CA9EDC791EE3FBE7CD44D642FE13F3EBB078E2763EC3F"> : tensor<5x2xf64>
    %e0 = stablehlo.constant dense<"0xA7A4255C7760E03FBED32DEA82CBE33F"> : tensor<2xf64>
    %r = call @main(%a0) : (tensor<5x2xf64>) -> (tensor<2xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.000000e-09 : tensor<2xf64>
    return
  }
}
// -----
// reduction: argmin 0, seed 48, number 44
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf64>) -> (tensor<i64> {jax.result_info = "result"}) {
    %0 = call @argmin(%arg0) : (tensor<5xf64>) -> tensor<i64>
    return %0 : tensor<i64>
  }
  func.func private @argmin(%arg0: tensor<5xf64>) -> tensor<i64> {
    %0 = stablehlo.iota dim = 0 : tensor<5xi64>
    %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<5xf64>, tensor<5xi64>, tensor<f64>, tensor<i64>) -> (tensor<f64>, tensor<i64>)
     reducer(%arg1: tensor<f64>, %arg3: tensor<f64>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f64>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<f64>, tensor<i64>
    }
    return %1#1 : tensor<i64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xFE15C4A3FD9EF43F867A175A02F6F03F384BA50FD78BEE3F1EFF8A2BA586F23FB52654B1E522F33F"> : tensor<5xf64>
    %e0 = stablehlo.constant dense<"0x0200000000000000"> : tensor<i64>
    %r = call @main(%a0) : (tensor<5xf64>) -> (tensor<i64>)
    check.expect_eq %r, %e0 : tensor<i64>
    return
  }
}
// -----
// reduction: mean (1, 2), seed 48, number 63
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x2x5xf32>) -> (tensor<5xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<5x2x5xf32>, tensor<f32>) -> tensor<5xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %2 = stablehlo.divide %0, %1 : tensor<5xf32>
    return %2 : tensor<5xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x7C1B213F27D0703F71DB3C3F77B8B43F0F328A3F6A16583F166AAB3F7313A33FB1404D3F8C20683F144DB13F9C279C3F840DA63F87F93B3FF7BDB93FB18E513F5302A03FDB01AA3F1B8ABB3FFE25563F1078913FF1A9923F61DF6B3FBA03793F8A9DBE3F3118953FE054BC3FD342233F070A043F0450883F49C0233F862C6C3F92329A3F2B0EA13F4714293FA43C483F8734263FB122A73F95F3393F85F18F3F0FF69E3FC9F1A13FAF3DB83FFB07A33F35DE953FC14D143FDF98813F2194AF3FF031B83FCEA0503F"> : tensor<5x2x5xf32>
    %e0 = stablehlo.constant dense<"0x171B7F3F5BDD963F76A8863FFA676D3F9896943F"> : tensor<5xf32>
    %r = call @main(%a0) : (tensor<5x2x5xf32>) -> (tensor<5xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 2.357260e-05 : tensor<5xf32>
    return
  }
}
// -----
// reduction: mean (0,), seed 48, number 82
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f64>
    %1 = stablehlo.divide %0, %cst_0 : tensor<f64>
    return %1 : tensor<f64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x9A1BCB7F0BC0F23F00D18A1BD183F03FD6ED9A158685F13F"> : tensor<3xf64>
    %e0 = stablehlo.constant dense<"0x7AF3FA3A7698F13F"> : tensor<f64>
    %r = call @main(%a0) : (tensor<3xf64>) -> (tensor<f64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.099722e-09 : tensor<f64>
    return
  }
}
// -----
// reduction: argmax 1, seed 48, number 101
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf64>) -> (tensor<2xi64> {jax.result_info = "result"}) {
    %0 = call @argmax(%arg0) : (tensor<2x3xf64>) -> tensor<2xi64>
    return %0 : tensor<2xi64>
  }
  func.func private @argmax(%arg0: tensor<2x3xf64>) -> tensor<2xi64> {
    %0 = stablehlo.iota dim = 1 : tensor<2x3xi64>
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<2x3xf64>, tensor<2x3xi64>, tensor<f64>, tensor<i64>) -> (tensor<2xf64>, tensor<2xi64>)
     reducer(%arg1: tensor<f64>, %arg3: tensor<f64>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f64>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<f64>, tensor<i64>
    }
    return %1#1 : tensor<2xi64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xFABF6235641AF53FA2883735F417F43F48E1693B948AF13F8783166631BFE53F08625C0A96C7F53FBC4CACC3D117F13F"> : tensor<2x3xf64>
    %e0 = stablehlo.constant dense<"0x00000000000000000100000000000000"> : tensor<2xi64>
    %r = call @main(%a0) : (tensor<2x3xf64>) -> (tensor<2xi64>)
    check.expect_eq %r, %e0 : tensor<2xi64>
    return
  }
}
