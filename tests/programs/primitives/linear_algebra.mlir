// linear_algebra: cholesky, seed 48, number 17
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x1x1xf32>) -> (tensor<3x1x1xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
    %1 = stablehlo.dot_general %arg0, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x1x1xf32>, tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
    %2 = stablehlo.iota dim = 0 : tensor<1x1xi64>
    %3 = stablehlo.iota dim = 1 : tensor<1x1xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<1x1xi64>
    %5 = stablehlo.add %2, %4 : tensor<1x1xi64>
    %6 = stablehlo.compare EQ, %5, %3, SIGNED : (tensor<1x1xi64>, tensor<1x1xi64>) -> tensor<1x1xi1>
    %7 = stablehlo.convert %6 : (tensor<1x1xi1>) -> tensor<1x1xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<1x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1, 2] : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<3x1x1xf32>
    %12 = stablehlo.add %1, %11 : tensor<3x1x1xf32>
    %13 = call @cholesky(%12) : (tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
    return %13 : tensor<3x1x1xf32>
  }
  func.func private @cholesky(%arg0: tensor<3x1x1xf32>) -> tensor<3x1x1xf32> {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<3x1x1xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<3x1x1xf32>
    %4:2 = stablehlo.custom_call @lapack_spotrf_ffi(%3) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=3, j=1, k=1, l=1, m=1}, custom>} : (tensor<3x1x1xf32>) -> (tensor<3x1x1xf32>, tensor<3xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %6 = stablehlo.compare EQ, %4#1, %5, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<3xi1>) -> tensor<3x1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x1x1xf32>
    %9 = stablehlo.select %7, %4#0, %8 : tensor<3x1x1xi1>, tensor<3x1x1xf32>
    %10 = stablehlo.iota dim = 0 : tensor<1x1xi64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<1x1xi64>
    %12 = stablehlo.add %10, %11 : tensor<1x1xi64>
    %13 = stablehlo.iota dim = 1 : tensor<1x1xi64>
    %14 = stablehlo.compare GE, %12, %13, SIGNED : (tensor<1x1xi64>, tensor<1x1xi64>) -> tensor<1x1xi1>
    %15 = stablehlo.broadcast_in_dim %14, dims = [1, 2] : (tensor<1x1xi1>) -> tensor<3x1x1xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x1x1xf32>
    %17 = stablehlo.select %15, %9, %16 : tensor<3x1x1xi1>, tensor<3x1x1xf32>
    return %17 : tensor<3x1x1xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x883E33BFA683043F2CAE25BF"> : tensor<3x1x1xf32>
    %e0 = stablehlo.constant dense<"0x8BFDC93F9EC3C03FF812C73F"> : tensor<3x1x1xf32>
    %r = call @main(%a0) : (tensor<3x1x1xf32>) -> (tensor<3x1x1xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 3.156100e-05 : tensor<3x1x1xf32>
    return
  }
}
// -----
// linear_algebra: cholesky, seed 48, number 36
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x3xf32>) -> (tensor<2x3x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %1 = stablehlo.dot_general %arg0, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %2 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %3 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %5 = stablehlo.add %2, %4 : tensor<3x3xi64>
    %6 = stablehlo.compare EQ, %5, %3, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %7 = stablehlo.convert %6 : (tensor<3x3xi1>) -> tensor<3x3xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<3x3xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<1x3x3xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x3x3xf32>) -> tensor<2x3x3xf32>
    %12 = stablehlo.add %1, %11 : tensor<2x3x3xf32>
    %13 = call @cholesky(%12) : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    return %13 : tensor<2x3x3xf32>
  }
  func.func private @cholesky(%arg0: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<2x3x3xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x3x3xf32>
    %4:2 = stablehlo.custom_call @lapack_spotrf_ffi(%3) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=2, j=3, k=3, l=3, m=3}, custom>} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %6 = stablehlo.compare EQ, %4#1, %5, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %10 = stablehlo.select %9, %4#0, %8 : tensor<2x3x3xi1>, tensor<2x3x3xf32>
    %11 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %12 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %13 = stablehlo.add %11, %12 : tensor<3x3xi64>
    %14 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %15 = stablehlo.compare GE, %13, %14, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %16 = stablehlo.broadcast_in_dim %15, dims = [1, 2] : (tensor<3x3xi1>) -> tensor<2x3x3xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %18 = stablehlo.select %16, %10, %17 : tensor<2x3x3xi1>, tensor<2x3x3xf32>
    return %18 : tensor<2x3x3xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x52475A3FCEEC983E5E15FD3E5CE90DBF0640193E2A9D103FB9F352BD5D11F0BE011C3B3F28A58FBE408BA4BE4685303FA835113EF5C1453FDB62793F71DE173F11FF043FAADC173E"> : tensor<2x3x3xf32>
    %e0 = stablehlo.constant dense<"0xD6EDDF3F00000000000000003D1CAEBD9409D03F000000001F96CF3D6C566F3E9701D23F60A9D03F00000000000000000602713ECCD2EF3F00000000A83011BE6941B53E1A52CA3F"> : tensor<2x3x3xf32>
    %r = call @main(%a0) : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 3.747241e-05 : tensor<2x3x3xf32>
    return
  }
}
// -----
// linear_algebra: triangular_solve, seed 48, number 55
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x3x3xf32>) -> (tensor<1x3x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<3xi64>
    %c = stablehlo.constant dense<1> : tensor<i64>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<3xi64>
    %2 = stablehlo.add %1, %0 : tensor<3xi64>
    %3 = stablehlo.convert %2 : (tensor<3xi64>) -> tensor<3xf64>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %5 = stablehlo.multiply %4, %3 : tensor<3xf64>
    %6 = call @_diag(%5) : (tensor<3xf64>) -> tensor<3x3xf64>
    %7 = stablehlo.convert %6 : (tensor<3x3xf64>) -> tensor<3x3xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<1x3x3xf32>
    %9 = stablehlo.add %arg0, %8 : tensor<1x3x3xf32>
    %10 = stablehlo.custom_call @lapack_strsm_ffi(%9, %arg0) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=1, j=3, k=3, l=3, m=3, n=3, o=3}, custom>} : (tensor<1x3x3xf32>, tensor<1x3x3xf32>) -> tensor<1x3x3xf32>
    return %10 : tensor<1x3x3xf32>
  }
  func.func private @_diag(%arg0: tensor<3xf64>) -> tensor<3x3xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.pad %arg0, %cst, low = [0], high = [0], interior = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
    %1 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %2 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %4 = stablehlo.add %1, %3 : tensor<3x3xi64>
    %5 = stablehlo.compare EQ, %4, %2, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %6 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %7 = call @_where(%5, %6, %cst_0) : (tensor<3x3xi1>, tensor<3x1xf64>, tensor<f64>) -> tensor<3x3xf64>
    return %7 : tensor<3x3xf64>
  }
  func.func private @_where(%arg0: tensor<3x3xi1>, %arg1: tensor<3x1xf64>, %arg2: tensor<f64>) -> tensor<3x3xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x3xf64>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<3x3xi1>, tensor<3x3xf64>
    return %2 : tensor<3x3xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x76BEAD3DDDC1353F60320E3F0CA029BFB6DF9DBE8F021B3D4A21713E51FC6ABFA5794FBE"> : tensor<1x3x3xf32>
    %e0 = stablehlo.constant dense<"0x60D8B43AA537643ECFD33A3E2D94E5BDC56991BD9E55403B3346DB3CCDAFD5BD79ABBCBC"> : tensor<1x3x3xf32>
    %r = call @main(%a0) : (tensor<1x3x3xf32>) -> (tensor<1x3x3xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 2.000000e-05 : tensor<1x3x3xf32>
    return
  }
}
// -----
// linear_algebra: triangular_solve, seed 48, number 74
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<2xi64>
    %c = stablehlo.constant dense<1> : tensor<i64>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<2xi64>
    %2 = stablehlo.add %1, %0 : tensor<2xi64>
    %3 = stablehlo.convert %2 : (tensor<2xi64>) -> tensor<2xf64>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %5 = stablehlo.multiply %4, %3 : tensor<2xf64>
    %6 = call @_diag(%5) : (tensor<2xf64>) -> tensor<2x2xf64>
    %7 = stablehlo.convert %6 : (tensor<2x2xf64>) -> tensor<2x2xcomplex<f64>>
    %8 = stablehlo.add %arg0, %7 : tensor<2x2xcomplex<f64>>
    %9 = stablehlo.custom_call @lapack_ztrsm_ffi(%8, %arg0) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=2, j=2, k=2, l=2, m=2, n=2}, custom>} : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
    return %9 : tensor<2x2xcomplex<f64>>
  }
  func.func private @_diag(%arg0: tensor<2xf64>) -> tensor<2x2xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.pad %arg0, %cst, low = [0], high = [0], interior = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
    %1 = stablehlo.iota dim = 0 : tensor<2x2xi64>
    %2 = stablehlo.iota dim = 1 : tensor<2x2xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<2x2xi64>
    %4 = stablehlo.add %1, %3 : tensor<2x2xi64>
    %5 = stablehlo.compare EQ, %4, %2, SIGNED : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi1>
    %6 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<2xf64>) -> tensor<2x1xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %7 = call @_where(%5, %6, %cst_0) : (tensor<2x2xi1>, tensor<2x1xf64>, tensor<f64>) -> tensor<2x2xf64>
    return %7 : tensor<2x2xf64>
  }
  func.func private @_where(%arg0: tensor<2x2xi1>, %arg1: tensor<2x1xf64>, %arg2: tensor<f64>) -> tensor<2x2xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<2x1xf64>) -> tensor<2x2xf64>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<2x2xf64>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<2x2xi1>, tensor<2x2xf64>
    return %2 : tensor<2x2xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xD432E4E07A7EEDBF923BD39A855CEE3F707935ED7EFBC2BF10D11ADAC15FD6BFD629C9895846E4BF1067D43D8240C63F16717CED9D1AEABF14A7BF713413DEBF"> : tensor<2x2xcomplex<f64>>
    %e0 = stablehlo.constant dense<"0x848E132504E2CBBF5367D50C3E57E23FC136922A9953C6BF769ED25746A1BBBF58A45B2DB6CDBFBF5B57D2F17CCE963FFD9FC82108EFC2BF8DF6E5DE2AA3BABF"> : tensor<2x2xcomplex<f64>>
    %r = call @main(%a0) : (tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>)
    check.expect_almost_eq %r, %e0, tolerance = 1.000000e-09 : tensor<2x2xcomplex<f64>>
    return
  }
}
// -----
// linear_algebra: cholesky, seed 48, number 93
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5x5xcomplex<f64>>) -> (tensor<3x5x5xcomplex<f64>> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xcomplex<f64>>
    %1 = stablehlo.real %0 : (tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xf64>
    %2 = stablehlo.imag %0 : (tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xf64>
    %3 = stablehlo.negate %2 : tensor<3x5x5xf64>
    %4 = stablehlo.complex %1, %3 : tensor<3x5x5xcomplex<f64>>
    %5 = stablehlo.dot_general %arg0, %4, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x5x5xcomplex<f64>>, tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xcomplex<f64>>
    %6 = stablehlo.iota dim = 0 : tensor<5x5xi64>
    %7 = stablehlo.iota dim = 1 : tensor<5x5xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<5x5xi64>
    %9 = stablehlo.add %6, %8 : tensor<5x5xi64>
    %10 = stablehlo.compare EQ, %9, %7, SIGNED : (tensor<5x5xi64>, tensor<5x5xi64>) -> tensor<5x5xi1>
    %11 = stablehlo.convert %10 : (tensor<5x5xi1>) -> tensor<5x5xcomplex<f64>>
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<5x5xcomplex<f64>>
    %13 = stablehlo.multiply %12, %11 : tensor<5x5xcomplex<f64>>
    %14 = stablehlo.broadcast_in_dim %13, dims = [1, 2] : (tensor<5x5xcomplex<f64>>) -> tensor<1x5x5xcomplex<f64>>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x5x5xcomplex<f64>>) -> tensor<3x5x5xcomplex<f64>>
    %16 = stablehlo.add %5, %15 : tensor<3x5x5xcomplex<f64>>
    %17 = call @cholesky(%16) : (tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xcomplex<f64>>
    return %17 : tensor<3x5x5xcomplex<f64>>
  }
  func.func private @cholesky(%arg0: tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xcomplex<f64>> {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xcomplex<f64>>
    %1 = stablehlo.real %0 : (tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xf64>
    %2 = stablehlo.imag %0 : (tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xf64>
    %3 = stablehlo.negate %2 : tensor<3x5x5xf64>
    %4 = stablehlo.complex %1, %3 : tensor<3x5x5xcomplex<f64>>
    %5 = stablehlo.add %arg0, %4 : tensor<3x5x5xcomplex<f64>>
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<3x5x5xcomplex<f64>>
    %7 = stablehlo.divide %5, %6 : tensor<3x5x5xcomplex<f64>>
    %8:2 = stablehlo.custom_call @lapack_zpotrf_ffi(%7) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=3, j=5, k=5, l=5, m=5}, custom>} : (tensor<3x5x5xcomplex<f64>>) -> (tensor<3x5x5xcomplex<f64>>, tensor<3xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %10 = stablehlo.compare EQ, %8#1, %9, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<3xi1>) -> tensor<3x1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<3x5x5xcomplex<f64>>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<3x1x1xi1>) -> tensor<3x5x5xi1>
    %14 = stablehlo.select %13, %8#0, %12 : tensor<3x5x5xi1>, tensor<3x5x5xcomplex<f64>>
    %15 = stablehlo.iota dim = 0 : tensor<5x5xi64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %16 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<5x5xi64>
    %17 = stablehlo.add %15, %16 : tensor<5x5xi64>
    %18 = stablehlo.iota dim = 1 : tensor<5x5xi64>
    %19 = stablehlo.compare GE, %17, %18, SIGNED : (tensor<5x5xi64>, tensor<5x5xi64>) -> tensor<5x5xi1>
    %20 = stablehlo.broadcast_in_dim %19, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<3x5x5xi1>
    %cst_2 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f64>>) -> tensor<3x5x5xcomplex<f64>>
    %22 = stablehlo.select %20, %14, %21 : tensor<3x5x5xi1>, tensor<3x5x5xcomplex<f64>>
    return %22 : tensor<3x5x5xcomplex<f64>>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x10EB11DC8A10C7BF0668AC682509EEBF8005F6F3E741A73F7AC50136157FE63F4C30BF13AD71E6BF827569EB26F7E33F523A1F4B0E69EABF96D15257836BE63FD45667040D25DD3FAC80B3FEF8CDD8BF303D5FA0DAA3EEBFF8B9E9EC130BE63F40F4B115A3B6D43F2081D847975CCCBFAC42B47172DFEE3F70D46EF758D0BBBFDEF0E8094A77E03F70CF82F2E157CA3F88434A3AD4CCC43FB04214D26BB8E53F2248819837A5E8BF54EBF50EB982E73F44327B75434DED3FA0FC59D9A886EEBFDE7CB23A269AE6BF7870A20A5228C53F58AE68D042E9D7BFF2BBA6F8FB15E13F0C2013A483D6D13F60AE80140ACDE73FB43666A1DFA1EF3F5CB89231AF3FE5BFEE857DEE7275E63FC4A67EE0AB2AD23FE8B08334819FEF3F8C39F5F5AE4EEDBF128362A4C444E63FC0F33C1439A0B0BFF2B7CC42EFD1EFBF6C8DDE8B0366E73F009ED6B6E7A9843FD4E1D264BB68D0BFF67E10065803E13F006A072D9782B63F845F77C2113AD43F782E3154F254EFBF30D3D959EE9EDC3F4882CA9E5D3DCB3F5686AF097D3FE83FCC8A296EFAFAE7BF4A6CB6D884ECE13F646B8D189CEADBBFC0514F950CAED2BFB06A1B1A2E48BE3F60013490F13ECFBFBCA6D6C16677EE3F3A5FDA1B2A1AEDBF10AAF72261C9DEBFA05D6684C19FDC3FEA318F6BD965E8BF74AB248BE1F0DB3F50025803D79EE9BF1A50F2750DC3E3BF50E059676A85B23FE8B9CED2C5B9DB3F8258ACA80F4CE4BFB4E24C76741AE9BFD45EEC7CF4D4D43F80B6D83DDB61E53F9CEB0C188175D93F94731CA5BEB0EA3F6AED7DB40C00EABF945F5C7696BCD3BFD08C5E531A41EDBFBC4A5F29951CD83FA4834836EDEEEFBF5CAE9B410799D13FD030E2F8E336C63FFA4A4F061F58EABF402E73C3BE4E953F481BA5F380F7E83F1472B24C917DEFBFB6B30E6C22DDE93F707040877FA1DD3F9C36E47C1606D53F04BBE7E39DF1D6BFBEE69819537DEF3F38160D679FEFC23F029AED394F3CE03F8010CD21AC76923FF0D9869F2B52B1BFB01D1FE39BF4E43F6470517A8A0CDE3FECC1C4983743EBBF161991A68D29E33FFA39470413B3ED3F289CEE5C03E0D8BF001E6AD6CC4C92BF4EEDF39F3D70E13F6057513B086CE63F1C316E4ED0F6D0BF92DA4F9AEA1AEEBFAAC47CAEDD22E93F74626D26DCF3D6BF329C6334B0E3E1BFA0FA39D9BBF8AF3F4287EBFC86C3E1BF28F2964C596DE83FC05D4185B263EC3F0085BB40D5A479BFDCC1E781C86CD03F28BD4A0A76B0D93F30F1546C33DCDE3F8831470C02EEE43F22F53DACAB37EEBFBE657A08F3D2E8BF94FC3EB51BC3D3BFA0DF7B49F106B33F58731CC89326C0BF82C04631A911E0BF040536EADDBAED3F7C186D36B492DE3F3CE280B9EDDED83FE8C9D769F02AE93F30D1C696AEECBFBF30F857FDC57FC4BFDC1EDDB09DBAE83F3E329C9ABDCFEFBFAEBBEB9483F2ED3FD8BDACB28E8CC8BF2C474DA00338EBBFC00F328080A8AC3F5CDF192458E9EBBF4C93910F7814D13F5CBB812A4095D1BFE06040784BE2B1BF38E340CA2F70DABF785217279B35DD3FA02EDD11B316C33FA0686FDF16B8D93F80361AD3D1C0EC3FC040A21BC882C2BF80E88A0403DE8CBF96625651307CEC3F303811704ED5B8BFA0CC9C7E357AAABF86FCF835440AE7BF9C1817566142E2BF8201CEB83916E4BFB2F66F9A7F2DEDBF"> : tensor<3x5x5xcomplex<f64>>
    %e0 = stablehlo.constant dense<"0x3CE535C9FB4C0340000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000BC716A23CE42E8BF0881725C84CAE9BF3548F839671D00400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000292B4B7E589299BFA86FC5D4F331D9BF35640FF8C9CCE23FF48DB6A60849B8BFD279980A0D85034000000000000000000000000000000000000000000000000000000000000000000000000000000000A522DFEEF4C8E9BF46CAEAC42B94A63F6B3C9BBF1C03A5BF1F12ABE22411D73F0703C446A348E6BFC665C903CBFAE83FDE8BC44E02800340000000000000000000000000000000000000000000000000F073D5F7BF92A3BF09B910C75428C3BF078DA67D9694AD3F62B586811C7DE3BF3A1026156722D3BFF1AD56CCE318D23F2B809FED6FFDCC3FA3469939433CD5BF00833639282200400000000000000000D62CF1521B9B024000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000075BA4B4E7135D13F9BBA482857C0C8BF0C14FD8FBAEE014000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004BC76E4D2B50DABF0F8DCA75DD1ACEBF3FC2F8DFF78BE23F9819839B0F8EDB3F7BD6D9D4B0B20240000000000000000000000000000000000000000000000000000000000000000000000000000000007CBDCEE10BEECABFC6B6071247709D3F2A09949E3E79D43F22A8B66A8BAFD3BFAACBACC6D888DB3F7961EB35D08ED63F09D0A4AF538D0240000000000000000000000000000000000000000000000000FCA90528F442BB3F1E17D3B37810C03FC117C7B458F7C0BF8881F5B7D750EA3F261872F47135E3BFE5A176E3520EDE3FF6E2A29048A8CDBF8E1248DD88FCB1BF41EC804E6A5A004000000000000000005E1F0E168C1703400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007D5D0B0CBCE5BF3F85E68907B37EDC3FB3BAFF06C909014000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000147224B78FDD9BF221206FF31C4E23FDF94FED3B1EAD83F344BDD8B012FC93F1DFAB981FD1903400000000000000000000000000000000000000000000000000000000000000000000000000000000087D76903B6ACBA3F68E17C2E0FBDC7BFF688BBCE9350ACBF8307E3AB49C8DA3F73E7E20E34AAE3BF88A4D77A6661E23F2ADD1068A2EFFC3F000000000000000000000000000000000000000000000000AEC32FAEFAF8D9BF33FFFE08DC57E63F9E7414593414E43FB79F9A5580E9BABFCFA035387923BE3F51E6A6B9FFA0ECBF7EB5C6BA6C3FA6BF995DCF08949EC0BF6AB01FAE8E3DFF3F0000000000000000"> : tensor<3x5x5xcomplex<f64>>
    %r = call @main(%a0) : (tensor<3x5x5xcomplex<f64>>) -> (tensor<3x5x5xcomplex<f64>>)
    check.expect_almost_eq %r, %e0, tolerance = 2.439966e-09 : tensor<3x5x5xcomplex<f64>>
    return
  }
}
// -----
// linear_algebra: triangular_solve, seed 48, number 112
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x1x1xcomplex<f32>>) -> (tensor<3x1x1xcomplex<f32>> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<1xi64>
    %c = stablehlo.constant dense<1> : tensor<i64>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %2 = stablehlo.add %1, %0 : tensor<1xi64>
    %3 = stablehlo.convert %2 : (tensor<1xi64>) -> tensor<1xf64>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %5 = stablehlo.multiply %4, %3 : tensor<1xf64>
    %6 = call @_diag(%5) : (tensor<1xf64>) -> tensor<1x1xf64>
    %7 = stablehlo.convert %6 : (tensor<1x1xf64>) -> tensor<1x1xcomplex<f32>>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<1x1xcomplex<f32>>) -> tensor<1x1x1xcomplex<f32>>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xcomplex<f32>>) -> tensor<3x1x1xcomplex<f32>>
    %10 = stablehlo.add %arg0, %9 : tensor<3x1x1xcomplex<f32>>
    %11 = stablehlo.custom_call @lapack_ctrsm_ffi(%10, %arg0) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=3, j=1, k=1, l=1, m=1, n=1, o=1}, custom>} : (tensor<3x1x1xcomplex<f32>>, tensor<3x1x1xcomplex<f32>>) -> tensor<3x1x1xcomplex<f32>>
    return %11 : tensor<3x1x1xcomplex<f32>>
  }
  func.func private @_diag(%arg0: tensor<1xf64>) -> tensor<1x1xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.pad %arg0, %cst, low = [0], high = [0], interior = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<1xf64>
    %1 = stablehlo.iota dim = 0 : tensor<1x1xi64>
    %2 = stablehlo.iota dim = 1 : tensor<1x1xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<1x1xi64>
    %4 = stablehlo.add %1, %3 : tensor<1x1xi64>
    %5 = stablehlo.compare EQ, %4, %2, SIGNED : (tensor<1x1xi64>, tensor<1x1xi64>) -> tensor<1x1xi1>
    %6 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<1xf64>) -> tensor<1x1xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %7 = call @_where(%5, %6, %cst_0) : (tensor<1x1xi1>, tensor<1x1xf64>, tensor<f64>) -> tensor<1x1xf64>
    return %7 : tensor<1x1xf64>
  }
  func.func private @_where(%arg0: tensor<1x1xi1>, %arg1: tensor<1x1xf64>, %arg2: tensor<f64>) -> tensor<1x1xf64> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x1xi1>, tensor<1x1xf64>
    return %1 : tensor<1x1xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x73B91F3E1EC2503E600174BEE0106BBF7EB94F3FBF7E3CBF"> : tensor<3x1x1xcomplex<f32>>
    %e0 = stablehlo.constant dense<"0x989E5A3D29777A3D6FFBB23C3D83A6BEFDFF763EC31A16BE"> : tensor<3x1x1xcomplex<f32>>
    %r = call @main(%a0) : (tensor<3x1x1xcomplex<f32>>) -> (tensor<3x1x1xcomplex<f32>>)
    check.expect_almost_eq %r, %e0, tolerance = 2.000000e-05 : tensor<3x1x1xcomplex<f32>>
    return
  }
}
