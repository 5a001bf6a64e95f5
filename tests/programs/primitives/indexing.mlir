// indexing: dynamic_slice, seed 48, number 32
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2xi32>, %arg1: tensor<5xi32>, %arg2: tensor<5x2xi32>) -> (tensor<2x1xi32> {jax.result_info = "result[0]"}, tensor<2x2xi32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg1 [0:1] : (tensor<5xi32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    %2 = stablehlo.slice %arg1 [0:1] : (tensor<5xi32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %2 : (tensor<1xi32>) -> tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.multiply %3, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %6 = stablehlo.add %1, %c_1 : tensor<i32>
    %7 = stablehlo.select %5, %6, %1 : tensor<i1>, tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %4, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %9 = stablehlo.add %4, %c_3 : tensor<i32>
    %10 = stablehlo.select %8, %9, %4 : tensor<i1>, tensor<i32>
    %11 = stablehlo.dynamic_slice %arg0, %7, %10, sizes = [2, 1] : (tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> tensor<2x1xi32>
    %12 = stablehlo.slice %arg2 [0:1, 0:2] : (tensor<5x2xi32>) -> tensor<1x2xi32>
    %13 = stablehlo.slice %arg1 [0:1] : (tensor<5xi32>) -> tensor<1xi32>
    %14 = stablehlo.reshape %13 : (tensor<1xi32>) -> tensor<i32>
    %15 = stablehlo.slice %arg1 [0:1] : (tensor<5xi32>) -> tensor<1xi32>
    %16 = stablehlo.reshape %15 : (tensor<1xi32>) -> tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.multiply %16, %c_4 : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.compare LT, %14, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<2> : tensor<i32>
    %19 = stablehlo.add %14, %c_6 : tensor<i32>
    %20 = stablehlo.select %18, %19, %14 : tensor<i1>, tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.compare LT, %17, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<2> : tensor<i32>
    %22 = stablehlo.add %17, %c_8 : tensor<i32>
    %23 = stablehlo.select %21, %22, %17 : tensor<i1>, tensor<i32>
    %24 = stablehlo.dynamic_update_slice %arg0, %12, %20, %23 : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<i32>, tensor<i32>) -> tensor<2x2xi32>
    return %11, %24 : tensor<2x1xi32>, tensor<2x2xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xFFFFFFFF07000000FDFFFFFF05000000"> : tensor<2x2xi32>
    %a1 = stablehlo.constant dense<"0xFEFFFFFF00000000FEFFFFFF01000000FFFFFFFF"> : tensor<5xi32>
    %a2 = stablehlo.constant dense<"0x030000000400000001000000FFFFFFFFF7FFFFFFF8FFFFFF04000000F8FFFFFFFCFFFFFFF8FFFFFF"> : tensor<5x2xi32>
    %e0 = stablehlo.constant dense<"0xFFFFFFFFFDFFFFFF"> : tensor<2x1xi32>
    %e1 = stablehlo.constant dense<"0x0300000004000000FDFFFFFF05000000"> : tensor<2x2xi32>
    %r:2 = call @main(%a0, %a1, %a2) : (tensor<2x2xi32>, tensor<5xi32>, tensor<5x2xi32>) -> (tensor<2x1xi32>, tensor<2x2xi32>)
    check.expect_eq %r#0, %e0 : tensor<2x1xi32>
    check.expect_eq %r#1, %e1 : tensor<2x2xi32>
    return
  }
}
// -----
// indexing: add, seed 48, number 51
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4xi32>, %arg1: tensor<4xi32>, %arg2: tensor<4x4xi32>) -> (tensor<5x4xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4xi1>, tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %7 = stablehlo.add %arg3, %arg4 : tensor<i32>
      stablehlo.return %7 : tensor<i32>
    }) : (tensor<5x4xi32>, tensor<4x1xi32>, tensor<4x4xi32>) -> tensor<5x4xi32>
    return %6 : tensor<5x4xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x05000000F7FFFFFF0200000007000000F8FFFFFF0200000000000000FBFFFFFF06000000FAFFFFFF02000000FDFFFFFFFFFFFFFFFBFFFFFF080000000200000006000000F9FFFFFFF8FFFFFFFAFFFFFF"> : tensor<5x4xi32>
    %a1 = stablehlo.constant dense<"0x0200000001000000FDFFFFFFFEFFFFFF"> : tensor<4xi32>
    %a2 = stablehlo.constant dense<"0x07000000000000000500000000000000F7FFFFFF0000000004000000010000000200000003000000F9FFFFFFF7FFFFFFF9FFFFFF04000000F7FFFFFFF7FFFFFF"> : tensor<4x4xi32>
    %e0 = stablehlo.constant dense<"0x05000000F7FFFFFF0200000007000000EFFFFFFF0200000004000000FCFFFFFF0F000000FDFFFFFF00000000F4FFFFFFF8FFFFFFFFFFFFFFFFFFFFFFF9FFFFFF06000000F9FFFFFFF8FFFFFFFAFFFFFF"> : tensor<5x4xi32>
    %r = call @main(%a0, %a1, %a2) : (tensor<5x4xi32>, tensor<4xi32>, tensor<4x4xi32>) -> (tensor<5x4xi32>)
    check.expect_eq %r, %e0 : tensor<5x4xi32>
    return
  }
}
// -----
// indexing: add, seed 48, number 108
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x3xi32>, %arg1: tensor<5xi32>, %arg2: tensor<5x3xi32>) -> (tensor<5x3xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<5xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<5xi1>, tensor<5xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %7 = stablehlo.add %arg3, %arg4 : tensor<i32>
      stablehlo.return %7 : tensor<i32>
    }) : (tensor<5x3xi32>, tensor<5x1xi32>, tensor<5x3xi32>) -> tensor<5x3xi32>
    return %6 : tensor<5x3xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x0300000003000000F7FFFFFF05000000F7FFFFFF08000000090000000900000003000000000000000400000008000000FFFFFFFF0100000008000000"> : tensor<5x3xi32>
    %a1 = stablehlo.constant dense<"0xFEFFFFFFFDFFFFFFFCFFFFFF04000000FEFFFFFF"> : tensor<5xi32>
    %a2 = stablehlo.constant dense<"0x0600000003000000FCFFFFFFFAFFFFFFFCFFFFFF050000000400000000000000FBFFFFFF09000000F9FFFFFF04000000F9FFFFFF0300000004000000"> : tensor<5x3xi32>
    %e0 = stablehlo.constant dense<"0x0300000003000000F7FFFFFF09000000F7FFFFFF03000000030000000500000008000000FFFFFFFF0A0000000800000008000000FAFFFFFF0C000000"> : tensor<5x3xi32>
    %r = call @main(%a0, %a1, %a2) : (tensor<5x3xi32>, tensor<5xi32>, tensor<5x3xi32>) -> (tensor<5x3xi32>)
    check.expect_eq %r, %e0 : tensor<5x3xi32>
    return
  }
}
