// ragged_product: ragged_dot, contracting, seed 48, number 10
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf64>, %arg1: tensor<2x4xf64>, %arg2: tensor<2xi32>) -> (tensor<2x3x4xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<2x3xf64>) -> tensor<2x2x3xf64>
    %1 = stablehlo.iota dim = 1 : tensor<2x2x3xi32>
    %2 = call @cumsum(%arg2) : (tensor<2xi32>) -> tensor<2xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %4 = stablehlo.slice %3 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %5 = stablehlo.slice %2 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi32>) -> tensor<2x2x3xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi32>) -> tensor<2x2x3xi32>
    %9 = stablehlo.compare LE, %8, %1, SIGNED : (tensor<2x2x3xi32>, tensor<2x2x3xi32>) -> tensor<2x2x3xi1>
    %10 = stablehlo.compare LT, %1, %7, SIGNED : (tensor<2x2x3xi32>, tensor<2x2x3xi32>) -> tensor<2x2x3xi1>
    %11 = stablehlo.and %9, %10 : tensor<2x2x3xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x2x3xf64>
    %13 = stablehlo.select %11, %0, %12 : tensor<2x2x3xi1>, tensor<2x2x3xf64>
    %14 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x4xf64>) -> tensor<2x2x4xf64>
    %15 = stablehlo.iota dim = 1 : tensor<2x2x4xi32>
    %16 = call @cumsum(%arg2) : (tensor<2xi32>) -> tensor<2xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %18 = stablehlo.slice %17 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %19 = stablehlo.slice %16 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %20 = stablehlo.concatenate %18, %19, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %21 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<2xi32>) -> tensor<2x2x4xi32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<2xi32>) -> tensor<2x2x4xi32>
    %23 = stablehlo.compare LE, %22, %15, SIGNED : (tensor<2x2x4xi32>, tensor<2x2x4xi32>) -> tensor<2x2x4xi1>
    %24 = stablehlo.compare LT, %15, %21, SIGNED : (tensor<2x2x4xi32>, tensor<2x2x4xi32>) -> tensor<2x2x4xi1>
    %25 = stablehlo.and %23, %24 : tensor<2x2x4xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %26 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x2x4xf64>
    %27 = stablehlo.select %25, %14, %26 : tensor<2x2x4xi1>, tensor<2x2x4xf64>
    %28 = stablehlo.dot_general %13, %27, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3xf64>, tensor<2x2x4xf64>) -> tensor<2x3x4xf64>
    return %28 : tensor<2x3x4xf64>
  }
  func.func private @cumsum(%arg0: tensor<2xi32>) -> tensor<2xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    return %1 : tensor<2xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x385CA553BE52E3BFB4C175A5AC48E6BF545107911ACCE03F88764EFDB6BAFABF48FCE1A724CAD2BF4898C7F5DCDDFEBF"> : tensor<2x3xf64>
    %a1 = stablehlo.constant dense<"0x3058493E9B36F33F60B4BDE0FB1BE2BF8887EFB58901DABF161D046A0D20FE3F722FB1F9927EF1BF4A390B511619F63FC82B17F8CF84E2BFA0A50724BACEE4BF"> : tensor<2x4xf64>
    %a2 = stablehlo.constant dense<"0x0100000000000000"> : tensor<2xi32>
    %e0 = stablehlo.constant dense<"0x75AB7BC23434E7BFCF72BCF0E1DED53F24ED08C45068CF3F29906046ED30F2BFC089F2815AC2EABF04BB91AABB38D93F23DBA9711E1CD23FCD971DDF73FAF4BFFD6C8760B32BE43F4057CEBDFE02D3BF0BD2F87F484DCBBF87DE311A58A0EF3F000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"> : tensor<2x3x4xf64>
    %r = call @main(%a0, %a1, %a2) : (tensor<2x3xf64>, tensor<2x4xf64>, tensor<2xi32>) -> (tensor<2x3x4xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.311146e-09 : tensor<2x3x4xf64>
    return
  }
}
// -----
// ragged_product: ragged_dot, seed 48, number 29
module @jit_ragged_dot attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf64>, %arg1: tensor<3x3x1xf64>, %arg2: tensor<3xi32>) -> (tensor<2x1xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<2x3xf64>) -> tensor<3x2x3xf64>
    %1 = stablehlo.iota dim = 1 : tensor<3x2x3xi32>
    %2 = call @cumsum(%arg2) : (tensor<3xi32>) -> tensor<3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %4 = stablehlo.slice %3 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %5 = stablehlo.slice %2 [0:2] : (tensor<3xi32>) -> tensor<2xi32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<3xi32>) -> tensor<3x2x3xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<3xi32>) -> tensor<3x2x3xi32>
    %9 = stablehlo.compare LE, %8, %1, SIGNED : (tensor<3x2x3xi32>, tensor<3x2x3xi32>) -> tensor<3x2x3xi1>
    %10 = stablehlo.compare LT, %1, %7, SIGNED : (tensor<3x2x3xi32>, tensor<3x2x3xi32>) -> tensor<3x2x3xi1>
    %11 = stablehlo.and %9, %10 : tensor<3x2x3xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x2x3xf64>
    %13 = stablehlo.select %11, %0, %12 : tensor<3x2x3xi1>, tensor<3x2x3xf64>
    %14 = stablehlo.dot_general %13, %arg1, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<3x2x3xf64>, tensor<3x3x1xf64>) -> tensor<2x1xf64>
    return %14 : tensor<2x1xf64>
  }
  func.func private @cumsum(%arg0: tensor<3xi32>) -> tensor<3xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xE01E98B68A32E1BFA08B05B716C6B1BF10EC33100EF7CABFE237C6191F37F23F740C545032C7ECBFAEFC6AE31E11FE3F"> : tensor<2x3xf64>
    %a1 = stablehlo.constant dense<"0xA29BE3FE9607FD3F28E65FA72797DD3FE8D4F07D05DFD8BF00D3344B0278C83FB0135A8F70F4D0BF486B852EAB96FD3F8E6EB5E6F825F73F42985173F6C7FEBF5E55E468E099F8BF"> : tensor<3x3x1xf64>
    %a2 = stablehlo.constant dense<"0x000000000200000000000000"> : tensor<3xi32>
    %e0 = stablehlo.constant dense<"0x6342A66CB454DEBF2C0C1AA9B7720F40"> : tensor<2x1xf64>
    %r = call @main(%a0, %a1, %a2) : (tensor<2x3xf64>, tensor<3x3x1xf64>, tensor<3xi32>) -> (tensor<2x1xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 3.931014e-09 : tensor<2x1xf64>
    return
  }
}
// -----
// ragged_product: ragged_dot, seed 48, number 48
module @jit_ragged_dot attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2xf32>, %arg1: tensor<3x2x2xf32>, %arg2: tensor<3xi32>) -> (tensor<2x2xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<2x2xf32>) -> tensor<3x2x2xf32>
    %1 = stablehlo.iota dim = 1 : tensor<3x2x2xi32>
    %2 = call @cumsum(%arg2) : (tensor<3xi32>) -> tensor<3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %4 = stablehlo.slice %3 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %5 = stablehlo.slice %2 [0:2] : (tensor<3xi32>) -> tensor<2xi32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<3xi32>) -> tensor<3x2x2xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<3xi32>) -> tensor<3x2x2xi32>
    %9 = stablehlo.compare LE, %8, %1, SIGNED : (tensor<3x2x2xi32>, tensor<3x2x2xi32>) -> tensor<3x2x2xi1>
    %10 = stablehlo.compare LT, %1, %7, SIGNED : (tensor<3x2x2xi32>, tensor<3x2x2xi32>) -> tensor<3x2x2xi1>
    %11 = stablehlo.and %9, %10 : tensor<3x2x2xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2x2xf32>
    %13 = stablehlo.select %11, %0, %12 : tensor<3x2x2xi1>, tensor<3x2x2xf32>
    %14 = stablehlo.dot_general %13, %arg1, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<3x2x2xf32>, tensor<3x2x2xf32>) -> tensor<2x2xf32>
    return %14 : tensor<2x2xf32>
  }
  func.func private @cumsum(%arg0: tensor<3xi32>) -> tensor<3xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x06E155BFAA54A73F2F52AFBE1AED1BBE"> : tensor<2x2xf32>
    %a1 = stablehlo.constant dense<"0xDFCE68BFB6FBE5BEF85D9CBF4EFB42BFEF465E3FC042103F7D66593E8BB958BDC98F673E4570F0BF9B81E73B5B45D13C"> : tensor<3x2x2xf32>
    %a2 = stablehlo.constant dense<"0x000000000200000000000000"> : tensor<3xi32>
    %e0 = stablehlo.constant dense<"0x0A4FE5BE6F3B0ABF26C7A8BED1573DBE"> : tensor<2x2xf32>
    %r = call @main(%a0, %a1, %a2) : (tensor<2x2xf32>, tensor<3x2x2xf32>, tensor<3xi32>) -> (tensor<2x2xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 2.000000e-05 : tensor<2x2xf32>
    return
  }
}
// -----
// ragged_product: ragged_dot, seed 48, number 67
module @jit_ragged_dot attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4xf64>, %arg1: tensor<2x4x1xf64>, %arg2: tensor<2xi32>) -> (tensor<2x1xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<2x4xf64>) -> tensor<2x2x4xf64>
    %1 = stablehlo.iota dim = 1 : tensor<2x2x4xi32>
    %2 = call @cumsum(%arg2) : (tensor<2xi32>) -> tensor<2xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %4 = stablehlo.slice %3 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %5 = stablehlo.slice %2 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi32>) -> tensor<2x2x4xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi32>) -> tensor<2x2x4xi32>
    %9 = stablehlo.compare LE, %8, %1, SIGNED : (tensor<2x2x4xi32>, tensor<2x2x4xi32>) -> tensor<2x2x4xi1>
    %10 = stablehlo.compare LT, %1, %7, SIGNED : (tensor<2x2x4xi32>, tensor<2x2x4xi32>) -> tensor<2x2x4xi1>
    %11 = stablehlo.and %9, %10 : tensor<2x2x4xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x2x4xf64>
    %13 = stablehlo.select %11, %0, %12 : tensor<2x2x4xi1>, tensor<2x2x4xf64>
    %14 = stablehlo.dot_general %13, %arg1, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4xf64>, tensor<2x4x1xf64>) -> tensor<2x1xf64>
    return %14 : tensor<2x1xf64>
  }
  func.func private @cumsum(%arg0: tensor<2xi32>) -> tensor<2xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    return %1 : tensor<2xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x3050894C804FC4BF2ECA1275C1D2F63F8690D026CE4EFFBF74B45C82432FFFBF603FBA047FEDB8BF70469C4C12EBFABFD02403670590E4BF20C83E2A72CBBDBF"> : tensor<2x4xf64>
    %a1 = stablehlo.constant dense<"0x18CD53497ACED9BF905D3A6422AAC0BF60BE473AC7ACDEBF3093A6836D66F63FD08C01BA6C6BF0BFA882F9189B26E13F5883483019CCE4BFBCCF49BB1EE8EEBF"> : tensor<2x4x1xf64>
    %a2 = stablehlo.constant dense<"0x0100000001000000"> : tensor<2xi32>
    %e0 = stablehlo.constant dense<"0xC606A351C599FEBF9C2EAA202C64D1BF"> : tensor<2x1xf64>
    %r = call @main(%a0, %a1, %a2) : (tensor<2x4xf64>, tensor<2x4x1xf64>, tensor<2xi32>) -> (tensor<2x1xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.912542e-09 : tensor<2x1xf64>
    return
  }
}
// -----
// ragged_product: ragged_dot, seed 48, number 86
module @jit_ragged_dot attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x3xf32>, %arg1: tensor<1x3x4xf32>, %arg2: tensor<1xi32>) -> (tensor<8x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<8x3xf32>) -> tensor<1x8x3xf32>
    %1 = stablehlo.iota dim = 1 : tensor<1x8x3xi32>
    %2 = call @cumsum(%arg2) : (tensor<1xi32>) -> tensor<1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.slice %2 [0:0] : (tensor<1xi32>) -> tensor<0xi32>
    %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<1xi32>, tensor<0xi32>) -> tensor<1xi32>
    %6 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xi32>) -> tensor<1x8x3xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<1xi32>) -> tensor<1x8x3xi32>
    %8 = stablehlo.compare LE, %7, %1, SIGNED : (tensor<1x8x3xi32>, tensor<1x8x3xi32>) -> tensor<1x8x3xi1>
    %9 = stablehlo.compare LT, %1, %6, SIGNED : (tensor<1x8x3xi32>, tensor<1x8x3xi32>) -> tensor<1x8x3xi1>
    %10 = stablehlo.and %8, %9 : tensor<1x8x3xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x3xf32>
    %12 = stablehlo.select %10, %0, %11 : tensor<1x8x3xi1>, tensor<1x8x3xf32>
    %13 = stablehlo.dot_general %12, %arg1, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x3xf32>, tensor<1x3x4xf32>) -> tensor<8x4xf32>
    return %13 : tensor<8x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<1xi32>) -> tensor<1xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 1>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
    return %1 : tensor<1xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x2F2D85BFBFDAE1BFA1EEC8BFCA3863BF5FF9B73F8092AD3FAB8339BFF101483E8575CEBD4D3BE1BFF89F09BFC4EDF43FDE75FDBF3A46E43E6A9E63BF2FF6933E6FDAD7BF293FA63E3BDADD3F9C08E4BFCC1FE5BEA2FF783FE5CDF9BF151816BF"> : tensor<8x3xf32>
    %a1 = stablehlo.constant dense<"0xBD0E2DBF08F5D13FB0F9EC3F13BC35BF0D5BBE3FC14C753F0E79E1BE4F9A76BEF5D50FBFC0A8DC3FC50EDB3F8CC0D0BF"> : tensor<1x3x4xf32>
    %a2 = stablehlo.constant dense<"0x00000000"> : tensor<1xi32>
    %e0 = stablehlo.constant dense<"0x0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"> : tensor<8x4xf32>
    %r = call @main(%a0, %a1, %a2) : (tensor<8x3xf32>, tensor<1x3x4xf32>, tensor<1xi32>) -> (tensor<8x4xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 2.000000e-05 : tensor<8x4xf32>
    return
  }
}
// -----
// ragged_product: ragged_dot, seed 48, number 105
module @jit_ragged_dot attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x2xf64>, %arg1: tensor<1x2x1xf64>, %arg2: tensor<1xi32>) -> (tensor<6x1xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<6x2xf64>) -> tensor<1x6x2xf64>
    %1 = stablehlo.iota dim = 1 : tensor<1x6x2xi32>
    %2 = call @cumsum(%arg2) : (tensor<1xi32>) -> tensor<1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.slice %2 [0:0] : (tensor<1xi32>) -> tensor<0xi32>
    %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<1xi32>, tensor<0xi32>) -> tensor<1xi32>
    %6 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xi32>) -> tensor<1x6x2xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<1xi32>) -> tensor<1x6x2xi32>
    %8 = stablehlo.compare LE, %7, %1, SIGNED : (tensor<1x6x2xi32>, tensor<1x6x2xi32>) -> tensor<1x6x2xi1>
    %9 = stablehlo.compare LT, %1, %6, SIGNED : (tensor<1x6x2xi32>, tensor<1x6x2xi32>) -> tensor<1x6x2xi1>
    %10 = stablehlo.and %8, %9 : tensor<1x6x2xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x6x2xf64>
    %12 = stablehlo.select %10, %0, %11 : tensor<1x6x2xi1>, tensor<1x6x2xf64>
    %13 = stablehlo.dot_general %12, %arg1, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x6x2xf64>, tensor<1x2x1xf64>) -> tensor<6x1xf64>
    return %13 : tensor<6x1xf64>
  }
  func.func private @cumsum(%arg0: tensor<1xi32>) -> tensor<1xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 1>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
    return %1 : tensor<1xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x446D059E7CDFEB3F785EBAC3D03AFFBF346EF4D99640F83F76B61AAC2C65FDBFE8206045E288FA3F202EAE795AECBBBFE4CF16E3E3C6FBBFDCF83747C436EFBFC022DF63DDB7F2BF24548A7F827FEF3F18099382030CEC3FD476964B949EF03F"> : tensor<6x2xf64>
    %a1 = stablehlo.constant dense<"0xFCC0C940A9E4E9BF00385C63752B933F"> : tensor<1x2x1xf64>
    %a2 = stablehlo.constant dense<"0x06000000"> : tensor<1xi32>
    %e0 = stablehlo.constant dense<"0x6C0ADF781AB9E7BFD7E9C945A22CF4BF17CEE58BE980F5BFFB7C2F69122FF63F3F7DB2E3BFE1EE3F26A2870D8112E6BF"> : tensor<6x1xf64>
    %r = call @main(%a0, %a1, %a2) : (tensor<6x2xf64>, tensor<1x2x1xf64>, tensor<1xi32>) -> (tensor<6x1xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.386492e-09 : tensor<6x1xf64>
    return
  }
}
