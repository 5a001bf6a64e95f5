// order: sort 0, seed 48, number 14
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2xui8>) -> (tensor<2xui8> {jax.result_info = "result"}) {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<ui8>, %arg2: tensor<ui8>):
      %1 = stablehlo.compare LT, %arg1, %arg2, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<2xui8>) -> tensor<2xui8>
    return %0 : tensor<2xui8>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x0401"> : tensor<2xui8>
    %e0 = stablehlo.constant dense<"0x0104"> : tensor<2xui8>
    %r = call @main(%a0) : (tensor<2xui8>) -> (tensor<2xui8>)
    check.expect_eq %r, %e0 : tensor<2xui8>
    return
  }
}
// -----
// order: median 2, seed 48, number 33
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x6x3xf64>) -> (tensor<1x6xf64> {jax.result_info = "result"}) {
    %0 = call @median(%arg0) : (tensor<1x6x3xf64>) -> tensor<1x6xf64>
    return %0 : tensor<1x6xf64>
  }
  func.func private @median(%arg0: tensor<1x6x3xf64>) -> tensor<1x6xf64> {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %0 = call @quantile(%arg0, %cst) : (tensor<1x6x3xf64>, tensor<f64>) -> tensor<1x6xf64>
    return %0 : tensor<1x6xf64>
  }
  func.func private @quantile(%arg0: tensor<1x6x3xf64>, %arg1: tensor<f64>) -> tensor<1x6xf64> {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<1x6x3xf64>, tensor<1x6x3xf64>) -> tensor<1x6x3xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [2] : (tensor<1x6x3xi1>, tensor<i1>) -> tensor<1x6xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xi1>) -> tensor<1x6x1xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %3 = call @_where(%2, %cst, %arg0) : (tensor<1x6x1xi1>, tensor<f64>, tensor<1x6x3xf64>) -> tensor<1x6x3xf64>
    %4 = "stablehlo.sort"(%3) <{dimension = 2 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %22 = stablehlo.compare EQ, %arg2, %cst_9, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %23 = stablehlo.select %22, %cst_10, %arg2 : tensor<i1>, tensor<f64>
      %24 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %25 = stablehlo.select %24, %cst_11, %23 : tensor<i1>, tensor<f64>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %26 = stablehlo.compare EQ, %arg3, %cst_12, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %27 = stablehlo.select %26, %cst_13, %arg3 : tensor<i1>, tensor<f64>
      %28 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %29 = stablehlo.select %28, %cst_14, %27 : tensor<i1>, tensor<f64>
      %30 = stablehlo.compare LT, %25, %29, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %30 : tensor<i1>
    }) : (tensor<1x6x3xf64>) -> tensor<1x6x3xf64>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %5 = stablehlo.subtract %cst_0, %cst_1 : tensor<f64>
    %6 = stablehlo.multiply %arg1, %5 : tensor<f64>
    %7 = stablehlo.floor %6 : tensor<f64>
    %8 = stablehlo.ceil %6 : tensor<f64>
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<f64>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %9 = stablehlo.subtract %cst_2, %cst_3 : tensor<f64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %10 = stablehlo.clamp %cst_4, %7, %9 : tensor<f64>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f64>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %11 = stablehlo.subtract %cst_5, %cst_6 : tensor<f64>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %12 = stablehlo.clamp %cst_7, %8, %11 : tensor<f64>
    %13 = stablehlo.convert %10 : (tensor<f64>) -> tensor<i64>
    %14 = stablehlo.convert %12 : (tensor<f64>) -> tensor<i64>
    %15 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %16 = "stablehlo.gather"(%4, %15) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6, 1>}> : (tensor<1x6x3xf64>, tensor<1xi64>) -> tensor<1x6xf64>
    %17 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %18 = "stablehlo.gather"(%4, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6, 1>}> : (tensor<1x6x3xf64>, tensor<1xi64>) -> tensor<1x6xf64>
    %19 = stablehlo.add %16, %18 : tensor<1x6xf64>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<1x6xf64>
    %21 = stablehlo.multiply %19, %20 : tensor<1x6xf64>
    return %21 : tensor<1x6xf64>
  }
  func.func private @_where(%arg0: tensor<1x6x1xi1>, %arg1: tensor<f64>, %arg2: tensor<1x6x3xf64>) -> tensor<1x6x3xf64> {
    %0 = stablehlo.convert %arg1 : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<1x6x1xi1>) -> tensor<1x6x3xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<1x6x3xf64>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<1x6x3xi1>, tensor<1x6x3xf64>
    return %3 : tensor<1x6x3xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xC02B6AFDE1A3F93F68A232866D2AF13F3CDFB93AD50DE8BF60A57AA2CA3FFDBFA8368E249F44D0BF881319FD4D59FC3F3CFD76D598C4E9BF7036A7ED3200F6BF74ABBFAC6AEFECBF809E428EBB74BD3F0811AC203D29E0BFD043D0E8F9DBFA3FF2F53A535E99FF3F5C38F0DC91C8F9BF0097D7D906E580BFA8BBECCF2583E4BFB04271B37726DEBFC069DAFB5802DDBF"> : tensor<1x6x3xf64>
    %e0 = stablehlo.constant dense<"0x68A232866D2AF13FA8368E249F44D0BF74ABBFAC6AEFECBF809E428EBB74BD3F0097D7D906E580BFB04271B37726DEBF"> : tensor<1x6xf64>
    %r = call @main(%a0) : (tensor<1x6x3xf64>) -> (tensor<1x6xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.072858e-09 : tensor<1x6xf64>
    return
  }
}
// -----
// order: median 0, seed 48, number 52
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %0 = call @median(%arg0) : (tensor<2xf64>) -> tensor<f64>
    return %0 : tensor<f64>
  }
  func.func private @median(%arg0: tensor<2xf64>) -> tensor<f64> {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %0 = call @quantile(%arg0, %cst) : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
    return %0 : tensor<f64>
  }
  func.func private @quantile(%arg0: tensor<2xf64>, %arg1: tensor<f64>) -> tensor<f64> {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %3 = call @_where(%2, %cst, %arg0) : (tensor<1xi1>, tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
    %4 = "stablehlo.sort"(%3) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %21 = stablehlo.compare EQ, %arg2, %cst_9, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %22 = stablehlo.select %21, %cst_10, %arg2 : tensor<i1>, tensor<f64>
      %23 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %24 = stablehlo.select %23, %cst_11, %22 : tensor<i1>, tensor<f64>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %25 = stablehlo.compare EQ, %arg3, %cst_12, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %26 = stablehlo.select %25, %cst_13, %arg3 : tensor<i1>, tensor<f64>
      %27 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %28 = stablehlo.select %27, %cst_14, %26 : tensor<i1>, tensor<f64>
      %29 = stablehlo.compare LT, %24, %28, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %29 : tensor<i1>
    }) : (tensor<2xf64>) -> tensor<2xf64>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %5 = stablehlo.subtract %cst_0, %cst_1 : tensor<f64>
    %6 = stablehlo.multiply %arg1, %5 : tensor<f64>
    %7 = stablehlo.floor %6 : tensor<f64>
    %8 = stablehlo.ceil %6 : tensor<f64>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %9 = stablehlo.subtract %cst_2, %cst_3 : tensor<f64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %10 = stablehlo.clamp %cst_4, %7, %9 : tensor<f64>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %11 = stablehlo.subtract %cst_5, %cst_6 : tensor<f64>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %12 = stablehlo.clamp %cst_7, %8, %11 : tensor<f64>
    %13 = stablehlo.convert %10 : (tensor<f64>) -> tensor<i64>
    %14 = stablehlo.convert %12 : (tensor<f64>) -> tensor<i64>
    %15 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %16 = "stablehlo.gather"(%4, %15) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<2xf64>, tensor<1xi64>) -> tensor<f64>
    %17 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %18 = "stablehlo.gather"(%4, %17) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<2xf64>, tensor<1xi64>) -> tensor<f64>
    %19 = stablehlo.add %16, %18 : tensor<f64>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %20 = stablehlo.multiply %19, %cst_8 : tensor<f64>
    return %20 : tensor<f64>
  }
  func.func private @_where(%arg0: tensor<1xi1>, %arg1: tensor<f64>, %arg2: tensor<2xf64>) -> tensor<2xf64> {
    %0 = stablehlo.convert %arg1 : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<2xi1>, tensor<2xf64>
    return %3 : tensor<2xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x8A879EEAA571F0BF14E7A9A2F554EF3F"> : tensor<2xf64>
    %e0 = stablehlo.constant dense<"0x0080322963E598BF"> : tensor<f64>
    %r = call @main(%a0) : (tensor<2xf64>) -> (tensor<f64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.000000e-09 : tensor<f64>
    return
  }
}
// -----
// order: median 0, seed 48, number 71
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4xf64>) -> (tensor<4xf64> {jax.result_info = "result"}) {
    %0 = call @median(%arg0) : (tensor<5x4xf64>) -> tensor<4xf64>
    return %0 : tensor<4xf64>
  }
  func.func private @median(%arg0: tensor<5x4xf64>) -> tensor<4xf64> {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %0 = call @quantile(%arg0, %cst) : (tensor<5x4xf64>, tensor<f64>) -> tensor<4xf64>
    return %0 : tensor<4xf64>
  }
  func.func private @quantile(%arg0: tensor<5x4xf64>, %arg1: tensor<f64>) -> tensor<4xf64> {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<5x4xf64>, tensor<5x4xf64>) -> tensor<5x4xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<5x4xi1>, tensor<i1>) -> tensor<4xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xi1>) -> tensor<1x4xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %3 = call @_where(%2, %cst, %arg0) : (tensor<1x4xi1>, tensor<f64>, tensor<5x4xf64>) -> tensor<5x4xf64>
    %4 = "stablehlo.sort"(%3) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %22 = stablehlo.compare EQ, %arg2, %cst_9, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %23 = stablehlo.select %22, %cst_10, %arg2 : tensor<i1>, tensor<f64>
      %24 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %25 = stablehlo.select %24, %cst_11, %23 : tensor<i1>, tensor<f64>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %26 = stablehlo.compare EQ, %arg3, %cst_12, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %27 = stablehlo.select %26, %cst_13, %arg3 : tensor<i1>, tensor<f64>
      %28 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %29 = stablehlo.select %28, %cst_14, %27 : tensor<i1>, tensor<f64>
      %30 = stablehlo.compare LT, %25, %29, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %30 : tensor<i1>
    }) : (tensor<5x4xf64>) -> tensor<5x4xf64>
    %cst_0 = stablehlo.constant dense<5.000000e+00> : tensor<f64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %5 = stablehlo.subtract %cst_0, %cst_1 : tensor<f64>
    %6 = stablehlo.multiply %arg1, %5 : tensor<f64>
    %7 = stablehlo.floor %6 : tensor<f64>
    %8 = stablehlo.ceil %6 : tensor<f64>
    %cst_2 = stablehlo.constant dense<5.000000e+00> : tensor<f64>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %9 = stablehlo.subtract %cst_2, %cst_3 : tensor<f64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %10 = stablehlo.clamp %cst_4, %7, %9 : tensor<f64>
    %cst_5 = stablehlo.constant dense<5.000000e+00> : tensor<f64>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %11 = stablehlo.subtract %cst_5, %cst_6 : tensor<f64>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %12 = stablehlo.clamp %cst_7, %8, %11 : tensor<f64>
    %13 = stablehlo.convert %10 : (tensor<f64>) -> tensor<i64>
    %14 = stablehlo.convert %12 : (tensor<f64>) -> tensor<i64>
    %15 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %16 = "stablehlo.gather"(%4, %15) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf64>, tensor<1xi64>) -> tensor<4xf64>
    %17 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %18 = "stablehlo.gather"(%4, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf64>, tensor<1xi64>) -> tensor<4xf64>
    %19 = stablehlo.add %16, %18 : tensor<4xf64>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<4xf64>
    %21 = stablehlo.multiply %19, %20 : tensor<4xf64>
    return %21 : tensor<4xf64>
  }
  func.func private @_where(%arg0: tensor<1x4xi1>, %arg1: tensor<f64>, %arg2: tensor<5x4xf64>) -> tensor<5x4xf64> {
    %0 = stablehlo.convert %arg1 : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x4xi1>) -> tensor<5x4xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<5x4xf64>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<5x4xi1>, tensor<5x4xf64>
    return %3 : tensor<5x4xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x40E00BBB2F3DF0BFF866241D78FFFABF48FC5606490DE5BF6CFA2C41A236EE3FC0AB2EDDB65AC9BF008CE3BDBF30B5BF34BCE5976E78F73F5449BC205699F63FB08259C0DB97ED3F6CCB2386C063FDBFCEF6AE168B7CF83F649A6D3EEEEFEABFC61FB13742FFF83F32CE4F517C46F3BF507C4BF341CAE03F3830FD6E3728E23F60B2A9DFBB16BFBF10812BFAB5ABE9BF3A7CF1B3112FF93F50EEF82B4F6BCA3F"> : tensor<5x4xf64>
    %e0 = stablehlo.constant dense<"0x60B2A9DFBB16BFBF32CE4F517C46F3BF34BCE5976E78F73F3830FD6E3728E23F"> : tensor<4xf64>
    %r = call @main(%a0) : (tensor<5x4xf64>) -> (tensor<4xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.466902e-09 : tensor<4xf64>
    return
  }
}
// -----
// order: median 2, seed 48, number 90
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x1x5xf64>) -> (tensor<5x1xf64> {jax.result_info = "result"}) {
    %0 = call @median(%arg0) : (tensor<5x1x5xf64>) -> tensor<5x1xf64>
    return %0 : tensor<5x1xf64>
  }
  func.func private @median(%arg0: tensor<5x1x5xf64>) -> tensor<5x1xf64> {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %0 = call @quantile(%arg0, %cst) : (tensor<5x1x5xf64>, tensor<f64>) -> tensor<5x1xf64>
    return %0 : tensor<5x1xf64>
  }
  func.func private @quantile(%arg0: tensor<5x1x5xf64>, %arg1: tensor<f64>) -> tensor<5x1xf64> {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<5x1x5xf64>, tensor<5x1x5xf64>) -> tensor<5x1x5xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [2] : (tensor<5x1x5xi1>, tensor<i1>) -> tensor<5x1xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<5x1xi1>) -> tensor<5x1x1xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %3 = call @_where(%2, %cst, %arg0) : (tensor<5x1x1xi1>, tensor<f64>, tensor<5x1x5xf64>) -> tensor<5x1x5xf64>
    %4 = "stablehlo.sort"(%3) <{dimension = 2 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %22 = stablehlo.compare EQ, %arg2, %cst_9, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %23 = stablehlo.select %22, %cst_10, %arg2 : tensor<i1>, tensor<f64>
      %24 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %25 = stablehlo.select %24, %cst_11, %23 : tensor<i1>, tensor<f64>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %26 = stablehlo.compare EQ, %arg3, %cst_12, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %27 = stablehlo.select %26, %cst_13, %arg3 : tensor<i1>, tensor<f64>
      %28 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %29 = stablehlo.select %28, %cst_14, %27 : tensor<i1>, tensor<f64>
      %30 = stablehlo.compare LT, %25, %29, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %30 : tensor<i1>
    }) : (tensor<5x1x5xf64>) -> tensor<5x1x5xf64>
    %cst_0 = stablehlo.constant dense<5.000000e+00> : tensor<f64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %5 = stablehlo.subtract %cst_0, %cst_1 : tensor<f64>
    %6 = stablehlo.multiply %arg1, %5 : tensor<f64>
    %7 = stablehlo.floor %6 : tensor<f64>
    %8 = stablehlo.ceil %6 : tensor<f64>
    %cst_2 = stablehlo.constant dense<5.000000e+00> : tensor<f64>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %9 = stablehlo.subtract %cst_2, %cst_3 : tensor<f64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %10 = stablehlo.clamp %cst_4, %7, %9 : tensor<f64>
    %cst_5 = stablehlo.constant dense<5.000000e+00> : tensor<f64>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %11 = stablehlo.subtract %cst_5, %cst_6 : tensor<f64>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %12 = stablehlo.clamp %cst_7, %8, %11 : tensor<f64>
    %13 = stablehlo.convert %10 : (tensor<f64>) -> tensor<i64>
    %14 = stablehlo.convert %12 : (tensor<f64>) -> tensor<i64>
    %15 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %16 = "stablehlo.gather"(%4, %15) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2]>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1, 1>}> : (tensor<5x1x5xf64>, tensor<1xi64>) -> tensor<5x1xf64>
    %17 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %18 = "stablehlo.gather"(%4, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2]>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1, 1>}> : (tensor<5x1x5xf64>, tensor<1xi64>) -> tensor<5x1xf64>
    %19 = stablehlo.add %16, %18 : tensor<5x1xf64>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<5x1xf64>
    %21 = stablehlo.multiply %19, %20 : tensor<5x1xf64>
    return %21 : tensor<5x1xf64>
  }
  func.func private @_where(%arg0: tensor<5x1x1xi1>, %arg1: tensor<f64>, %arg2: tensor<5x1x5xf64>) -> tensor<5x1x5xf64> {
    %0 = stablehlo.convert %arg1 : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<5x1x1xi1>) -> tensor<5x1x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<5x1x5xf64>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<5x1x5xi1>, tensor<5x1x5xf64>
    return %3 : tensor<5x1x5xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x001114C3D15A933F3CAC4E80AF32F2BFC093A116CA65DF3F40BFB4004296A53F98E35EDDF1B9D03FB063EEA5EA3FF2BF127D6195CB22FE3F5AC9DB13C9D6F53F5EA3E7715837F3BFC4A521DA4802EEBF8A78AC47D9C5F9BFD8B510B33348F6BFDC0D3C8AFD11F4BF68772EFE4601E0BF743520ABFCBFFE3F0ED1EEFCA44AF3BF6082A8D23769B33FEA19F636254FFCBFA2C8F65CCFFCF23FD80A22610AF4D2BFD8C395081DCBED3FB82A0FF16A31DF3FC06F61C7517DA4BF3CB8FD58D4A8F43FFC512C904A20FF3F"> : tensor<5x1x5xf64>
    %e0 = stablehlo.constant dense<"0x40BFB4004296A53FC4A521DA4802EEBFDC0D3C8AFD11F4BFD80A22610AF4D2BFD8C395081DCBED3F"> : tensor<5x1xf64>
    %r = call @main(%a0) : (tensor<5x1x5xf64>) -> (tensor<5x1xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.254392e-09 : tensor<5x1xf64>
    return
  }
}
// -----
// order: searchsorted 1, seed 48, number 109
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x1x3xi64>) -> (tensor<21xi32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<7x1x3xi64>) -> tensor<21xi64>
    %1 = call @sort(%0) : (tensor<21xi64>) -> tensor<21xi64>
    %2 = stablehlo.reshape %arg0 : (tensor<7x1x3xi64>) -> tensor<21xi64>
    %3 = call @searchsorted(%1, %2) : (tensor<21xi64>, tensor<21xi64>) -> tensor<21xi32>
    return %3 : tensor<21xi32>
  }
  func.func private @sort(%arg0: tensor<21xi64>) -> tensor<21xi64> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %1 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<21xi64>) -> tensor<21xi64>
    return %0 : tensor<21xi64>
  }
  func.func private @searchsorted(%arg0: tensor<21xi64>, %arg1: tensor<21xi64>) -> tensor<21xi32> {
    %0 = call @_searchsorted_scan_impl(%arg0, %arg1) : (tensor<21xi64>, tensor<21xi64>) -> tensor<21xi32>
    return %0 : tensor<21xi32>
  }
  func.func private @_searchsorted_scan_impl(%arg0: tensor<21xi64>, %arg1: tensor<21xi64>) -> tensor<21xi32> {
    %0 = call @_searchsorted_scan_impl_0(%arg0, %arg1) : (tensor<21xi64>, tensor<21xi64>) -> tensor<21xi32>
    return %0 : tensor<21xi32>
  }
  func.func private @_searchsorted_scan_impl_0(%arg0: tensor<21xi64>, %arg1: tensor<21xi64>) -> tensor<21xi32> {
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<21xui32>
    %c_0 = stablehlo.constant dense<21> : tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<21xui32>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %2:5 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %arg1, %iterArg_3 = %c_1, %iterArg_4 = %0, %iterArg_5 = %1) : tensor<21xi64>, tensor<21xi64>, tensor<i64>, tensor<21xui32>, tensor<21xui32>
    cond {
      %c_6 = stablehlo.constant dense<5> : tensor<i64>
      %4 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_4, %iterArg_5) : (tensor<21xi64>, tensor<21xi64>, tensor<21xui32>, tensor<21xui32>) -> (tensor<21xui32>, tensor<21xui32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i64>
      %5 = stablehlo.add %iterArg_3, %c_6 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_2, %5, %4#0, %4#1 : tensor<21xi64>, tensor<21xi64>, tensor<i64>, tensor<21xui32>, tensor<21xui32>
    }
    %3 = stablehlo.convert %2#4 : (tensor<21xui32>) -> tensor<21xi32>
    return %3 : tensor<21xi32>
  }
  func.func private @closed_call(%arg0: tensor<21xi64>, %arg1: tensor<21xi64>, %arg2: tensor<21xui32>, %arg3: tensor<21xui32>) -> (tensor<21xui32>, tensor<21xui32>) {
    %0 = stablehlo.subtract %arg3, %arg2 : tensor<21xui32>
    %c = stablehlo.constant dense<2> : tensor<i64>
    %1 = call @floor_divide(%0, %c) : (tensor<21xui32>, tensor<i64>) -> tensor<21xui32>
    %2 = stablehlo.add %arg2, %1 : tensor<21xui32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<21xui32>) -> tensor<21x1xui32>
    %4 = "stablehlo.gather"(%arg0, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<21xi64>, tensor<21x1xui32>) -> tensor<21x1xi64>
    %5 = stablehlo.reshape %4 : (tensor<21x1xi64>) -> tensor<21xi64>
    %6 = stablehlo.compare LE, %arg1, %5, SIGNED : (tensor<21xi64>, tensor<21xi64>) -> tensor<21xi1>
    %7 = stablehlo.select %6, %arg2, %2 : tensor<21xi1>, tensor<21xui32>
    %8 = stablehlo.select %6, %2, %arg3 : tensor<21xi1>, tensor<21xui32>
    return %7, %8 : tensor<21xui32>, tensor<21xui32>
  }
  func.func private @floor_divide(%arg0: tensor<21xui32>, %arg1: tensor<i64>) -> tensor<21xui32> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<ui32>) -> tensor<21xui32>
    %2 = stablehlo.divide %arg0, %1 : tensor<21xui32>
    return %2 : tensor<21xui32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xF7FFFFFFFFFFFFFF09000000000000000700000000000000F7FFFFFFFFFFFFFFFAFFFFFFFFFFFFFFFBFFFFFFFFFFFFFFFBFFFFFFFFFFFFFF0300000000000000F7FFFFFFFFFFFFFFFCFFFFFFFFFFFFFFFCFFFFFFFFFFFFFF09000000000000000800000000000000FEFFFFFFFFFFFFFFF7FFFFFFFFFFFFFF0400000000000000FCFFFFFFFFFFFFFF030000000000000000000000000000000400000000000000F8FFFFFFFFFFFFFF"> : tensor<7x1x3xi64>
    %e0 = stablehlo.constant dense<"0x000000001300000011000000000000000500000006000000060000000D00000000000000080000000800000013000000120000000B000000000000000F000000080000000D0000000C0000000F00000004000000"> : tensor<21xi32>
    %r = call @main(%a0) : (tensor<7x1x3xi64>) -> (tensor<21xi32>)
    check.expect_eq %r, %e0 : tensor<21xi32>
    return
  }
}
