// i32 graph, seed 48, number 2
module @jit_results attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x33xi32>, %arg1: tensor<7xi32>, %arg2: tensor<i32>) -> (tensor<1x5xi32> {jax.result_info = "result[0]"}, tensor<1x33xi32> {jax.result_info = "result[1]"}, tensor<1x17xi32> {jax.result_info = "result[2]"}, tensor<1x33xi32> {jax.result_info = "result[3]"}, tensor<1x33xi32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<1x33xi32>) -> tensor<33xi32>
    %1 = stablehlo.concatenate %0, %0, %0, %0, %0, dim = 0 : (tensor<33xi32>, tensor<33xi32>, tensor<33xi32>, tensor<33xi32>, tensor<33xi32>) -> tensor<165xi32>
    %2 = stablehlo.slice %1 [0:165] : (tensor<165xi32>) -> tensor<165xi32>
    %3 = stablehlo.reshape %2 : (tensor<165xi32>) -> tensor<33x5xi32>
    %4 = stablehlo.dot_general %arg0, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x33xi32>, tensor<33x5xi32>) -> tensor<1x5xi32>
    %5 = call @cumsum(%4) : (tensor<1x5xi32>) -> tensor<1x5xi32>
    %6 = stablehlo.reshape %arg0 : (tensor<1x33xi32>) -> tensor<33xi32>
    %7 = stablehlo.slice %6 [0:2] : (tensor<33xi32>) -> tensor<2xi32>
    %8 = stablehlo.abs %7 : tensor<2xi32>
    %c = stablehlo.constant dense<9> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %10 = stablehlo.remainder %8, %9 : tensor<2xi32>
    %11 = stablehlo.slice %10 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %12 = stablehlo.reshape %11 : (tensor<1xi32>) -> tensor<i32>
    %13 = stablehlo.slice %10 [1:2] : (tensor<2xi32>) -> tensor<1xi32>
    %14 = stablehlo.reshape %13 : (tensor<1xi32>) -> tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.compare LT, %12, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %16 = stablehlo.add %12, %c_1 : tensor<i32>
    %17 = stablehlo.select %15, %16, %12 : tensor<i1>, tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.compare LT, %14, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<33> : tensor<i32>
    %19 = stablehlo.add %14, %c_3 : tensor<i32>
    %20 = stablehlo.select %18, %19, %14 : tensor<i1>, tensor<i32>
    %21 = stablehlo.dynamic_slice %arg0, %17, %20, sizes = [1, 17] : (tensor<1x33xi32>, tensor<i32>, tensor<i32>) -> tensor<1x17xi32>
    %22 = stablehlo.reshape %arg0 : (tensor<1x33xi32>) -> tensor<33xi32>
    %23 = stablehlo.slice %22 [16:33] : (tensor<33xi32>) -> tensor<17xi32>
    %24 = stablehlo.reshape %23 : (tensor<17xi32>) -> tensor<1x17xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.compare LT, %14, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %26 = stablehlo.add %14, %c_5 : tensor<i32>
    %27 = stablehlo.select %25, %26, %14 : tensor<i1>, tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.compare LT, %12, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<33> : tensor<i32>
    %29 = stablehlo.add %12, %c_7 : tensor<i32>
    %30 = stablehlo.select %28, %29, %12 : tensor<i1>, tensor<i32>
    %31 = stablehlo.dynamic_update_slice %arg0, %24, %27, %30 : (tensor<1x33xi32>, tensor<1x17xi32>, tensor<i32>, tensor<i32>) -> tensor<1x33xi32>
    %32 = stablehlo.convert %arg0 : (tensor<1x33xi32>) -> tensor<1x33xi64>
    %c_8 = stablehlo.constant dense<0> : tensor<i64>
    %33 = stablehlo.reduce(%32 init: %c_8) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x33xi64>, tensor<i64>) -> tensor<i64>
    %c_9 = stablehlo.constant dense<0> : tensor<i64>
    %34 = stablehlo.add %c_9, %33 : tensor<i64>
    %35 = stablehlo.convert %arg1 : (tensor<7xi32>) -> tensor<7xi64>
    %c_10 = stablehlo.constant dense<0> : tensor<i64>
    %36 = stablehlo.reduce(%35 init: %c_10) applies stablehlo.add across dimensions = [0] : (tensor<7xi64>, tensor<i64>) -> tensor<i64>
    %37 = stablehlo.add %34, %36 : tensor<i64>
    %38 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<i64>
    %c_11 = stablehlo.constant dense<0> : tensor<i64>
    %39 = stablehlo.reduce(%38 init: %c_11) applies stablehlo.add across dimensions = [] : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %40 = stablehlo.add %37, %39 : tensor<i64>
    %41 = stablehlo.convert %40 : (tensor<i64>) -> tensor<i32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<i32>) -> tensor<1x33xi32>
    %43 = stablehlo.add %31, %42 : tensor<1x33xi32>
    return %5, %arg0, %21, %31, %43 : tensor<1x5xi32>, tensor<1x33xi32>, tensor<1x17xi32>, tensor<1x33xi32>, tensor<1x33xi32>
  }
  func.func private @cumsum(%arg0: tensor<1x5xi32>) -> tensor<1x5xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<1x5xi32>, tensor<i32>) -> tensor<1x5xi32>
    return %1 : tensor<1x5xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xFEFFFFFF01000000FCFFFFFF06000000FCFFFFFF0700000004000000F9FFFFFFFDFFFFFFFDFFFFFFFCFFFFFF09000000FCFFFFFF0700000004000000F9FFFFFFFDFFFFFF090000000700000002000000060000000000000009000000F9FFFFFF06000000FBFFFFFF0400000005000000080000000900000004000000FDFFFFFF04000000"> : tensor<1x33xi32>
    %a1 = stablehlo.constant dense<"0xFCFFFFFFF7FFFFFF0800000000000000FCFFFFFF0900000008000000"> : tensor<7xi32>
    %a2 = stablehlo.constant dense<"0x05000000"> : tensor<i32>
    %e0 = stablehlo.constant dense<"0x6101000049FFFFFF430000004D000000ADFFFFFF"> : tensor<1x5xi32>
    %e1 = stablehlo.constant dense<"0xFEFFFFFF01000000FCFFFFFF06000000FCFFFFFF0700000004000000F9FFFFFFFDFFFFFFFDFFFFFFFCFFFFFF09000000FCFFFFFF0700000004000000F9FFFFFFFDFFFFFF090000000700000002000000060000000000000009000000F9FFFFFF06000000FBFFFFFF0400000005000000080000000900000004000000FDFFFFFF04000000"> : tensor<1x33xi32>
    %e2 = stablehlo.constant dense<"0x01000000FCFFFFFF06000000FCFFFFFF0700000004000000F9FFFFFFFDFFFFFFFDFFFFFFFCFFFFFF09000000FCFFFFFF0700000004000000F9FFFFFFFDFFFFFF09000000"> : tensor<1x17xi32>
    %e3 = stablehlo.constant dense<"0xFEFFFFFF01000000FDFFFFFF090000000700000002000000060000000000000009000000F9FFFFFF06000000FBFFFFFF0400000005000000080000000900000004000000FDFFFFFF0400000002000000060000000000000009000000F9FFFFFF06000000FBFFFFFF0400000005000000080000000900000004000000FDFFFFFF04000000"> : tensor<1x33xi32>
    %e4 = stablehlo.constant dense<"0x4200000045000000410000004D0000004B000000460000004A000000440000004D0000003D0000004A0000003F00000048000000490000004C0000004D000000480000004100000048000000460000004A000000440000004D0000003D0000004A0000003F00000048000000490000004C0000004D000000480000004100000048000000"> : tensor<1x33xi32>
    %r:5 = call @main(%a0, %a1, %a2) : (tensor<1x33xi32>, tensor<7xi32>, tensor<i32>) -> (tensor<1x5xi32>, tensor<1x33xi32>, tensor<1x17xi32>, tensor<1x33xi32>, tensor<1x33xi32>)
    check.expect_eq %r#0, %e0 : tensor<1x5xi32>
    check.expect_eq %r#1, %e1 : tensor<1x33xi32>
    check.expect_eq %r#2, %e2 : tensor<1x17xi32>
    check.expect_eq %r#3, %e3 : tensor<1x33xi32>
    check.expect_eq %r#4, %e4 : tensor<1x33xi32>
    return
  }
}
// -----
// i32 graph, seed 48, number 8
module @jit_results attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x1xi32>, %arg1: tensor<2xi32>) -> (tensor<2xi32> {jax.result_info = "result[0]"}, tensor<4xi32> {jax.result_info = "result[1]"}, tensor<8xi32> {jax.result_info = "result[2]"}, tensor<2xi32> {jax.result_info = "result[3]"}, tensor<2xi32> {jax.result_info = "result[4]"}) {
    %0 = call @argmin(%arg0) : (tensor<2x1xi32>) -> tensor<2xi64>
    %1 = stablehlo.convert %0 : (tensor<2xi64>) -> tensor<2xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<2xi32>) -> tensor<3x2xi32>
    %3 = stablehlo.reshape %2 : (tensor<3x2xi32>) -> tensor<6xi32>
    %4 = stablehlo.slice %3 [0:4] : (tensor<6xi32>) -> tensor<4xi32>
    %5 = stablehlo.abs %4 : tensor<4xi32>
    %c = stablehlo.constant dense<5> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %7 = stablehlo.remainder %5, %6 : tensor<4xi32>
    %8 = call @cumsum(%7) : (tensor<4xi32>) -> tensor<4xi32>
    %c_0 = stablehlo.constant dense<7> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %10 = stablehlo.remainder %8, %9 : tensor<4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<i32>
    %12 = "stablehlo.reduce_window"(%10, %11) <{base_dilations = array<i64: 1>, padding = dense<[[0, 1]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %28 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %28 : tensor<i32>
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
    %13 = stablehlo.slice %10 [0:4] : (tensor<4xi32>) -> tensor<4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %c_3 = stablehlo.constant dense<0> : tensor<i64>
    %14:4 = stablehlo.while(%iterArg = %13, %iterArg_8 = %c_3, %iterArg_9 = %c_2, %iterArg_10 = %10) : tensor<4xi32>, tensor<i64>, tensor<i64>, tensor<4xi32>
    cond {
      %c_11 = stablehlo.constant dense<4> : tensor<i64>
      %28 = stablehlo.compare LT, %iterArg_8, %c_11, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %28 : tensor<i1>
    } do {
      %28:2 = func.call @closed_call(%iterArg, %iterArg_9, %iterArg_10) : (tensor<4xi32>, tensor<i64>, tensor<4xi32>) -> (tensor<i64>, tensor<4xi32>)
      %c_11 = stablehlo.constant dense<1> : tensor<i64>
      %29 = stablehlo.add %iterArg_8, %c_11 : tensor<i64>
      stablehlo.return %iterArg, %29, %28#0, %28#1 : tensor<4xi32>, tensor<i64>, tensor<i64>, tensor<4xi32>
    }
    %15 = stablehlo.concatenate %14#3, %14#3, dim = 0 : (tensor<4xi32>, tensor<4xi32>) -> tensor<8xi32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %17 = stablehlo.or %12, %16 : tensor<2xi32>
    %18 = stablehlo.remainder %12, %17 : tensor<2xi32>
    %19 = stablehlo.convert %arg0 : (tensor<2x1xi32>) -> tensor<2x1xi64>
    %c_5 = stablehlo.constant dense<0> : tensor<i64>
    %20 = stablehlo.reduce(%19 init: %c_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xi64>, tensor<i64>) -> tensor<i64>
    %c_6 = stablehlo.constant dense<0> : tensor<i64>
    %21 = stablehlo.add %c_6, %20 : tensor<i64>
    %22 = stablehlo.convert %arg1 : (tensor<2xi32>) -> tensor<2xi64>
    %c_7 = stablehlo.constant dense<0> : tensor<i64>
    %23 = stablehlo.reduce(%22 init: %c_7) applies stablehlo.add across dimensions = [0] : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
    %24 = stablehlo.add %21, %23 : tensor<i64>
    %25 = stablehlo.convert %24 : (tensor<i64>) -> tensor<i32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %27 = stablehlo.add %18, %26 : tensor<2xi32>
    return %12, %14#3, %15, %18, %27 : tensor<2xi32>, tensor<4xi32>, tensor<8xi32>, tensor<2xi32>, tensor<2xi32>
  }
  func.func private @argmin(%arg0: tensor<2x1xi32>) -> tensor<2xi64> {
    %0 = stablehlo.iota dim = 1 : tensor<2x1xi64>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [1] : (tensor<2x1xi32>, tensor<2x1xi64>, tensor<i32>, tensor<i64>) -> (tensor<2xi32>, tensor<2xi64>)
     reducer(%arg1: tensor<i32>, %arg3: tensor<i32>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<i32>, tensor<i64>
    }
    return %1#1 : tensor<2xi64>
  }
  func.func private @cumsum(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %0 = call @cumsum_0(%arg0) : (tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func private @closed_call(%arg0: tensor<4xi32>, %arg1: tensor<i64>, %arg2: tensor<4xi32>) -> (tensor<i64>, tensor<4xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %2 = stablehlo.multiply %arg2, %1 : tensor<4xi32>
    %3 = stablehlo.add %2, %arg0 : tensor<4xi32>
    %4 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %6 = stablehlo.add %3, %5 : tensor<4xi32>
    return %0, %6 : tensor<i64>, tensor<4xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xFBFFFFFF05000000"> : tensor<2x1xi32>
    %a1 = stablehlo.constant dense<"0xF7FFFFFF07000000"> : tensor<2xi32>
    %e0 = stablehlo.constant dense<"0x0000000000000000"> : tensor<2xi32>
    %e1 = stablehlo.constant dense<"0x12000000120000001200000012000000"> : tensor<4xi32>
    %e2 = stablehlo.constant dense<"0x1200000012000000120000001200000012000000120000001200000012000000"> : tensor<8xi32>
    %e3 = stablehlo.constant dense<"0x0000000000000000"> : tensor<2xi32>
    %e4 = stablehlo.constant dense<"0xFEFFFFFFFEFFFFFF"> : tensor<2xi32>
    %r:5 = call @main(%a0, %a1) : (tensor<2x1xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<4xi32>, tensor<8xi32>, tensor<2xi32>, tensor<2xi32>)
    check.expect_eq %r#0, %e0 : tensor<2xi32>
    check.expect_eq %r#1, %e1 : tensor<4xi32>
    check.expect_eq %r#2, %e2 : tensor<8xi32>
    check.expect_eq %r#3, %e3 : tensor<2xi32>
    check.expect_eq %r#4, %e4 : tensor<2xi32>
    return
  }
}
