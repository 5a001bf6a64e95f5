// eigenvalues: right eigenvectors, seed 184, number 0
module @jit_from_right attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2xcomplex<f32>>) -> (tensor<2x2xcomplex<f32>> {jax.result_info = "result"}) {
    %0:4 = stablehlo.custom_call @lapack_cgeev_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k], [l, m], [n, o], []) {i=2, j=2, k=2, l=2, m=2, n=2, o=2}, custom>} : (tensor<2x2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#3, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<2xi1>, tensor<2xcomplex<f32>>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<2x2xcomplex<f32>>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<2x2xi1>
    %10 = stablehlo.select %9, %0#2, %8 : tensor<2x2xi1>, tensor<2x2xcomplex<f32>>
    %11 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<2xcomplex<f32>>) -> tensor<1x2xcomplex<f32>>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    %13 = stablehlo.multiply %10, %12 : tensor<2x2xcomplex<f32>>
    %14 = call @inv(%10) : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    %15 = stablehlo.dot_general %13, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    return %15 : tensor<2x2xcomplex<f32>>
  }
  func.func private @inv(%arg0: tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>> {
    %0 = stablehlo.iota dim = 0 : tensor<2x2xi64>
    %1 = stablehlo.iota dim = 1 : tensor<2x2xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<2x2xi64>
    %3 = stablehlo.add %0, %2 : tensor<2x2xi64>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi1>
    %5 = stablehlo.convert %4 : (tensor<2x2xi1>) -> tensor<2x2xcomplex<f32>>
    %6 = call @solve(%arg0, %5) : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    return %6 : tensor<2x2xcomplex<f32>>
  }
  func.func private @solve(%arg0: tensor<2x2xcomplex<f32>>, %arg1: tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>> {
    %0:3 = stablehlo.custom_call @lapack_cgetrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {i=2, j=2, k=2, l=2, m=2}, custom>} : (tensor<2x2xcomplex<f32>>) -> (tensor<2x2xcomplex<f32>>, tensor<2xi32>, tensor<i32>)
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %2 = stablehlo.subtract %0#1, %1 : tensor<2xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<i32>
    %4 = stablehlo.compare GE, %0#2, %3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<2x2xcomplex<f32>>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<2x2xi1>
    %8 = stablehlo.select %7, %0#0, %6 : tensor<2x2xi1>, tensor<2x2xcomplex<f32>>
    %9 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %10:4 = stablehlo.while(%iterArg = %2, %iterArg_3 = %c_2, %iterArg_4 = %c_1, %iterArg_5 = %9) : tensor<2xi32>, tensor<i64>, tensor<i64>, tensor<2xi32>
    cond {
      %c_6 = stablehlo.constant dense<2> : tensor<i64>
      %14 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %14:2 = func.call @closed_call(%iterArg, %iterArg_4, %iterArg_5) : (tensor<2xi32>, tensor<i64>, tensor<2xi32>) -> (tensor<i64>, tensor<2xi32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i64>
      %15 = stablehlo.add %iterArg_3, %c_6 : tensor<i64>
      stablehlo.return %iterArg, %15, %14#0, %14#1 : tensor<2xi32>, tensor<i64>, tensor<i64>, tensor<2xi32>
    }
    %11 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    %12 = call @_lu_solve(%8, %10#3, %11) : (tensor<2x2xcomplex<f32>>, tensor<2xi32>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    return %13 : tensor<2x2xcomplex<f32>>
  }
  func.func private @closed_call(%arg0: tensor<2xi32>, %arg1: tensor<i64>, %arg2: tensor<2xi32>) -> (tensor<i64>, tensor<2xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i64>
    %c_1 = stablehlo.constant dense<2> : tensor<i64>
    %3 = stablehlo.add %2, %c_1 : tensor<i64>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i64>
    %5 = stablehlo.dynamic_slice %arg0, %4, sizes = [1] : (tensor<2xi32>, tensor<i64>) -> tensor<1xi32>
    %6 = stablehlo.reshape %5 : (tensor<1xi32>) -> tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %7 = stablehlo.compare LT, %arg1, %c_2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %8 = stablehlo.convert %arg1 : tensor<i64>
    %c_3 = stablehlo.constant dense<2> : tensor<i64>
    %9 = stablehlo.add %8, %c_3 : tensor<i64>
    %10 = stablehlo.select %7, %9, %arg1 : tensor<i1>, tensor<i64>
    %11 = stablehlo.dynamic_slice %arg2, %10, sizes = [1] : (tensor<2xi32>, tensor<i64>) -> tensor<1xi32>
    %12 = stablehlo.reshape %11 : (tensor<1xi32>) -> tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.compare LT, %6, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<2> : tensor<i32>
    %14 = stablehlo.add %6, %c_5 : tensor<i32>
    %15 = stablehlo.select %13, %14, %6 : tensor<i1>, tensor<i32>
    %16 = stablehlo.dynamic_slice %arg2, %15, sizes = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.reshape %16 : (tensor<1xi32>) -> tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i64>
    %18 = stablehlo.compare LT, %arg1, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<2> : tensor<i64>
    %19 = stablehlo.add %arg1, %c_7 : tensor<i64>
    %20 = stablehlo.select %18, %19, %arg1 : tensor<i1>, tensor<i64>
    %21 = stablehlo.convert %20 : (tensor<i64>) -> tensor<i32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %23 = "stablehlo.scatter"(%arg2, %22, %17) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<2xi32>, tensor<1xi32>, tensor<i32>) -> tensor<2xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.compare LT, %6, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_9 = stablehlo.constant dense<2> : tensor<i32>
    %25 = stablehlo.add %6, %c_9 : tensor<i32>
    %26 = stablehlo.select %24, %25, %6 : tensor<i1>, tensor<i32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %28 = "stablehlo.scatter"(%23, %27, %12) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<2xi32>, tensor<1xi32>, tensor<i32>) -> tensor<2xi32>
    return %0, %28 : tensor<i64>, tensor<2xi32>
  }
  func.func private @_lu_solve(%arg0: tensor<2x2xcomplex<f32>>, %arg1: tensor<2xi32>, %arg2: tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<2x2xcomplex<f32>>) -> tensor<2x2x1xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %4 = stablehlo.add %arg1, %3 : tensor<2xi32>
    %5 = stablehlo.select %2, %4, %arg1 : tensor<2xi1>, tensor<2xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %7 = "stablehlo.gather"(%0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 1, 1>}> : (tensor<2x2x1xcomplex<f32>>, tensor<2x1xi32>) -> tensor<2x2x1xcomplex<f32>>
    %8 = stablehlo.transpose %7, dims = [1, 2, 0] : (tensor<2x2x1xcomplex<f32>>) -> tensor<2x1x2xcomplex<f32>>
    %9 = stablehlo.reshape %8 : (tensor<2x1x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    %10 = stablehlo.custom_call @lapack_ctrsm_ffi(%arg0, %9) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=2, j=2, k=2, l=2, m=2, n=2}, custom>} : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    %11 = stablehlo.reshape %10 : (tensor<2x2xcomplex<f32>>) -> tensor<2x1x2xcomplex<f32>>
    %12 = stablehlo.reshape %11 : (tensor<2x1x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    %13 = stablehlo.custom_call @lapack_ctrsm_ffi(%arg0, %12) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=2, j=2, k=2, l=2, m=2, n=2}, custom>} : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    %14 = stablehlo.reshape %13 : (tensor<2x2xcomplex<f32>>) -> tensor<2x1x2xcomplex<f32>>
    %15 = stablehlo.transpose %14, dims = [2, 0, 1] : (tensor<2x1x2xcomplex<f32>>) -> tensor<2x2x1xcomplex<f32>>
    %16 = stablehlo.reshape %15 : (tensor<2x2x1xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    return %16 : tensor<2x2xcomplex<f32>>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x6E91423F582A5EBE5FBDF73F3FFF5CBE69CF1A3F8E3A08BF8D7D06BFC610D63E"> : tensor<2x2xcomplex<f32>>
    %e0 = stablehlo.constant dense<"0x7291423F5C2A5EBE62BDF73F38FF5CBE67CF1A3F8E3A08BF8E7D06BFC810D63E"> : tensor<2x2xcomplex<f32>>
    %r = call @main(%a0) : (tensor<2x2xcomplex<f32>>) -> (tensor<2x2xcomplex<f32>>)
    check.expect_almost_eq %r, %e0, tolerance = 3.894925e-05 : tensor<2x2xcomplex<f32>>
    return
  }
}
// -----
// eigenvalues: eigenvalues, seed 184, number 1
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x2xf32>) -> (tensor<complex<f32>> {jax.result_info = "result[0]"}, tensor<complex<f32>> {jax.result_info = "result[1]"}, tensor<complex<f32>> {jax.result_info = "result[2]"}) {
    %0 = call @eigvals(%arg0) : (tensor<2x2x2xf32>) -> tensor<2x2xcomplex<f32>>
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %2 = call @eigvals(%arg0) : (tensor<2x2x2xf32>) -> tensor<2x2xcomplex<f32>>
    %3 = stablehlo.multiply %2, %2 : tensor<2x2xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %5 = call @eigvals(%arg0) : (tensor<2x2x2xf32>) -> tensor<2x2xcomplex<f32>>
    %6 = stablehlo.multiply %5, %5 : tensor<2x2xcomplex<f32>>
    %7 = stablehlo.multiply %6, %5 : tensor<2x2xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    return %1, %4, %8 : tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>
  }
  func.func private @eigvals(%arg0: tensor<2x2x2xf32>) -> tensor<2x2xcomplex<f32>> {
    %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l], [i, m], [i, n, o], [i, p, q], [i]) {i=2, j=2, k=2, l=2, m=2, n=2, o=2, p=2, q=2}, custom>} : (tensor<2x2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2x2xcomplex<f32>>, tensor<2x2x2xcomplex<f32>>, tensor<2xi32>)
    %1 = stablehlo.complex %0#0, %0#1 : tensor<2x2xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %3 = stablehlo.compare EQ, %0#4, %2, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<2x2xcomplex<f32>>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x2xi1>
    %7 = stablehlo.select %6, %1, %5 : tensor<2x2xi1>, tensor<2x2xcomplex<f32>>
    return %7 : tensor<2x2xcomplex<f32>>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x6DC8C6BEE29C073F536770BF1C4E493EC19883BD5F341140693901BE6BE4683E"> : tensor<2x2x2xf32>
    %e0 = stablehlo.constant dense<"0xA855E9BC00000000"> : tensor<complex<f32>>
    %e1 = stablehlo.constant dense<"0xD041A9BF00000000"> : tensor<complex<f32>>
    %e2 = stablehlo.constant dense<"0x4900DA3D0FB9DE31"> : tensor<complex<f32>>
    %r:3 = call @main(%a0) : (tensor<2x2x2xf32>) -> (tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>)
    check.expect_almost_eq %r#0, %e0, tolerance = 2.000000e-05 : tensor<complex<f32>>
    check.expect_almost_eq %r#1, %e1, tolerance = 2.644642e-05 : tensor<complex<f32>>
    check.expect_almost_eq %r#2, %e2, tolerance = 2.000000e-05 : tensor<complex<f32>>
    return
  }
}
// -----
// eigenvalues: left eigenvectors, seed 184, number 3
module @jit_from_left attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x2xf32>) -> (tensor<2x2x2xcomplex<f32>> {jax.result_info = "result"}) {
    %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l], [i, m], [i, n, o], [i, p, q], [i]) {i=2, j=2, k=2, l=2, m=2, n=2, o=2, p=2, q=2}, custom>} : (tensor<2x2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2x2xcomplex<f32>>, tensor<2x2x2xcomplex<f32>>, tensor<2xi32>)
    %1 = stablehlo.complex %0#0, %0#1 : tensor<2x2xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %3 = stablehlo.compare EQ, %0#4, %2, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<2x2xcomplex<f32>>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x2xi1>
    %7 = stablehlo.select %6, %1, %5 : tensor<2x2xi1>, tensor<2x2xcomplex<f32>>
    %8 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x2x2xi1>
    %11 = stablehlo.select %10, %0#2, %9 : tensor<2x2x2xi1>, tensor<2x2x2xcomplex<f32>>
    %12 = stablehlo.transpose %11, dims = [0, 2, 1] : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %13 = stablehlo.real %12 : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xf32>
    %14 = stablehlo.imag %12 : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xf32>
    %15 = stablehlo.negate %14 : tensor<2x2x2xf32>
    %16 = stablehlo.complex %13, %15 : tensor<2x2x2xcomplex<f32>>
    %17 = call @inv(%16) : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %18 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x2xcomplex<f32>>) -> tensor<2x2x1xcomplex<f32>>
    %19 = stablehlo.transpose %11, dims = [0, 2, 1] : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %20 = stablehlo.real %19 : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xf32>
    %21 = stablehlo.imag %19 : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xf32>
    %22 = stablehlo.negate %21 : tensor<2x2x2xf32>
    %23 = stablehlo.complex %20, %22 : tensor<2x2x2xcomplex<f32>>
    %24 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x2x1xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %25 = stablehlo.multiply %24, %23 : tensor<2x2x2xcomplex<f32>>
    %26 = stablehlo.dot_general %17, %25, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x2xcomplex<f32>>, tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    return %26 : tensor<2x2x2xcomplex<f32>>
  }
  func.func private @inv(%arg0: tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>> {
    %0 = stablehlo.iota dim = 0 : tensor<2x2xi64>
    %1 = stablehlo.iota dim = 1 : tensor<2x2xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<2x2xi64>
    %3 = stablehlo.add %0, %2 : tensor<2x2xi64>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi1>
    %5 = stablehlo.convert %4 : (tensor<2x2xi1>) -> tensor<2x2xcomplex<f32>>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %7 = call @solve(%arg0, %6) : (tensor<2x2x2xcomplex<f32>>, tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    return %7 : tensor<2x2x2xcomplex<f32>>
  }
  func.func private @solve(%arg0: tensor<2x2x2xcomplex<f32>>, %arg1: tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>> {
    %0:3 = stablehlo.custom_call @lapack_cgetrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=2, k=2, l=2, m=2, n=2}, custom>} : (tensor<2x2x2xcomplex<f32>>) -> (tensor<2x2x2xcomplex<f32>>, tensor<2x2xi32>, tensor<2xi32>)
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %2 = stablehlo.subtract %0#1, %1 : tensor<2x2xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %4 = stablehlo.compare GE, %0#2, %3, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x2x2xi1>
    %8 = stablehlo.select %7, %0#0, %6 : tensor<2x2x2xi1>, tensor<2x2x2xcomplex<f32>>
    %9 = stablehlo.iota dim = 1 : tensor<2x2xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %10:4 = stablehlo.while(%iterArg = %2, %iterArg_3 = %c_2, %iterArg_4 = %c_1, %iterArg_5 = %9) : tensor<2x2xi32>, tensor<i64>, tensor<i64>, tensor<2x2xi32>
    cond {
      %c_6 = stablehlo.constant dense<2> : tensor<i64>
      %14 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %14:2 = func.call @closed_call(%iterArg, %iterArg_4, %iterArg_5) : (tensor<2x2xi32>, tensor<i64>, tensor<2x2xi32>) -> (tensor<i64>, tensor<2x2xi32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i64>
      %15 = stablehlo.add %iterArg_3, %c_6 : tensor<i64>
      stablehlo.return %iterArg, %15, %14#0, %14#1 : tensor<2x2xi32>, tensor<i64>, tensor<i64>, tensor<2x2xi32>
    }
    %11 = stablehlo.transpose %arg1, dims = [0, 2, 1] : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %12 = call @_lu_solve(%8, %10#3, %11) : (tensor<2x2x2xcomplex<f32>>, tensor<2x2xi32>, tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %13 = stablehlo.transpose %12, dims = [0, 2, 1] : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    return %13 : tensor<2x2x2xcomplex<f32>>
  }
  func.func private @closed_call(%arg0: tensor<2x2xi32>, %arg1: tensor<i64>, %arg2: tensor<2x2xi32>) -> (tensor<i64>, tensor<2x2xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i64>
    %c_1 = stablehlo.constant dense<2> : tensor<i64>
    %3 = stablehlo.add %2, %c_1 : tensor<i64>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i64>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x2xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %7 = stablehlo.reshape %6 : (tensor<2x1xi32>) -> tensor<2xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %8 = stablehlo.compare LT, %arg1, %c_2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %9 = stablehlo.convert %arg1 : tensor<i64>
    %c_3 = stablehlo.constant dense<2> : tensor<i64>
    %10 = stablehlo.add %9, %c_3 : tensor<i64>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<i1>, tensor<i64>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %13 = "stablehlo.gather"(%arg2, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x2xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %14 = stablehlo.reshape %13 : (tensor<2x1xi32>) -> tensor<2xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %16 = stablehlo.compare LT, %7, %15, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_5 = stablehlo.constant dense<2> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %18 = stablehlo.add %7, %17 : tensor<2xi32>
    %19 = stablehlo.select %16, %18, %7 : tensor<2xi1>, tensor<2xi32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %21 = "stablehlo.gather"(%arg2, %20) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
    %22 = stablehlo.reshape %21 : (tensor<2x1xi32>) -> tensor<2xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i64>
    %23 = stablehlo.compare LT, %arg1, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<2> : tensor<i64>
    %24 = stablehlo.add %arg1, %c_7 : tensor<i64>
    %25 = stablehlo.select %23, %24, %arg1 : tensor<i1>, tensor<i64>
    %26 = stablehlo.convert %25 : (tensor<i64>) -> tensor<i32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %28 = "stablehlo.scatter"(%arg2, %27, %22) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<2x2xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<2x2xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %30 = stablehlo.compare LT, %7, %29, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_9 = stablehlo.constant dense<2> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %32 = stablehlo.add %7, %31 : tensor<2xi32>
    %33 = stablehlo.select %30, %32, %7 : tensor<2xi1>, tensor<2xi32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %35 = "stablehlo.scatter"(%28, %34, %14) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<2x2xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x2xi32>
    return %0, %35 : tensor<i64>, tensor<2x2xi32>
  }
  func.func private @_lu_solve(%arg0: tensor<2x2x2xcomplex<f32>>, %arg1: tensor<2x2xi32>, %arg2: tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2] : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2x1xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %4 = stablehlo.add %arg1, %3 : tensor<2x2xi32>
    %5 = stablehlo.select %2, %4, %arg1 : tensor<2x2xi1>, tensor<2x2xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %7 = "stablehlo.gather"(%0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 1, 1>}> : (tensor<2x2x2x1xcomplex<f32>>, tensor<2x2x1xi32>) -> tensor<2x2x2x1xcomplex<f32>>
    %8 = stablehlo.transpose %7, dims = [0, 2, 3, 1] : (tensor<2x2x2x1xcomplex<f32>>) -> tensor<2x2x1x2xcomplex<f32>>
    %9 = stablehlo.reshape %8 : (tensor<2x2x1x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %10 = stablehlo.custom_call @lapack_ctrsm_ffi(%arg0, %9) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=2, k=2, l=2, m=2, n=2, o=2}, custom>} : (tensor<2x2x2xcomplex<f32>>, tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %11 = stablehlo.reshape %10 : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x1x2xcomplex<f32>>
    %12 = stablehlo.reshape %11 : (tensor<2x2x1x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %13 = stablehlo.custom_call @lapack_ctrsm_ffi(%arg0, %12) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=2, k=2, l=2, m=2, n=2, o=2}, custom>} : (tensor<2x2x2xcomplex<f32>>, tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    %14 = stablehlo.reshape %13 : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x1x2xcomplex<f32>>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x2x1x2xcomplex<f32>>) -> tensor<2x2x2x1xcomplex<f32>>
    %16 = stablehlo.reshape %15 : (tensor<2x2x2x1xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
    return %16 : tensor<2x2x2xcomplex<f32>>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x5E08673FB9EF18402E8C9E3EFC2F0E3FFEC08DBE3CAC0840C09342BE531BC73E"> : tensor<2x2x2xf32>
    %e0 = stablehlo.constant dense<"0x5A08673F00000000B9EF1840000000002E8C9E3E00000000FE2F0E3F00000000F9C08DBED1300AB23AAC0840C43C8533BE9342BE000000004E1BC73E00000000"> : tensor<2x2x2xcomplex<f32>>
    %r = call @main(%a0) : (tensor<2x2x2xf32>) -> (tensor<2x2x2xcomplex<f32>>)
    check.expect_almost_eq %r, %e0, tolerance = 4.779263e-05 : tensor<2x2x2xcomplex<f32>>
    return
  }
}
// -----
// eigenvalues: schur, seed 184, number 4
module @jit_from_schur attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3xf64>) -> (tensor<3x3xf64> {jax.result_info = "result[0]"}, tensor<3x3xf64> {jax.result_info = "result[1]"}, tensor<3x3xf64> {jax.result_info = "result[2]"}) {
    %0:6 = stablehlo.custom_call @lapack_dgees_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m, n], [o], [p], [], []) {i=3, j=3, k=3, l=3, m=3, n=3, o=3, p=3}, custom>} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<i32>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#5, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<3x3xi1>, tensor<3x3xf64>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %10 = stablehlo.select %9, %0#1, %8 : tensor<3x3xi1>, tensor<3x3xf64>
    %11 = stablehlo.dot_general %10, %6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %12 = stablehlo.transpose %10, dims = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
    %13 = stablehlo.dot_general %11, %12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %14 = stablehlo.transpose %10, dims = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
    %15 = stablehlo.dot_general %10, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %16 = call @tril(%6) : (tensor<3x3xf64>) -> tensor<3x3xf64>
    return %13, %15, %16 : tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>
  }
  func.func private @tril(%arg0: tensor<3x3xf64>) -> tensor<3x3xf64> {
    %0 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %c = stablehlo.constant dense<-2> : tensor<i64>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %2 = stablehlo.add %0, %1 : tensor<3x3xi64>
    %3 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<3x3xi1>, tensor<3x3xf64>
    return %6 : tensor<3x3xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x683A176C61DCE93F568B658D69E502401C494B6DFE4EE5BF58525B528D0BEF3F24913949E9EEEBBF245953AE055C0140B09E504C4D89D1BF40768BD15A04A83F206ED688EAF9EBBF"> : tensor<3x3xf64>
    %e0 = stablehlo.constant dense<"0x703A176C61DCE93F588B658D69E502401E494B6DFE4EE5BF5A525B528D0BEF3F26913949E9EEEBBF245953AE055C0140B19E504C4D89D1BF51768BD15A04A83F206ED688EAF9EBBF"> : tensor<3x3xf64>
    %e1 = stablehlo.constant dense<"0x040000000000F03F9C75FA0DB8B4833C028A210B41577ABC9C75FA0DB8B4833CFFFFFFFFFFFFEF3FBE955BB1F601783C028A210B41577ABCBE955BB1F601783C020000000000F03F"> : tensor<3x3xf64>
    %e2 = stablehlo.constant dense<"0x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"> : tensor<3x3xf64>
    %r:3 = call @main(%a0) : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>)
    check.expect_almost_eq %r#0, %e0, tolerance = 2.362018e-09 : tensor<3x3xf64>
    check.expect_almost_eq %r#1, %e1, tolerance = 1.000000e-09 : tensor<3x3xf64>
    check.expect_almost_eq %r#2, %e2, tolerance = 1.000000e-09 : tensor<3x3xf64>
    return
  }
}
