// comparison: lt, seed 48, number 4
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x2xi16>, %arg1: tensor<3x3x2xi16>) -> (tensor<3x3x2xi1> {jax.result_info = "result[0]"}, tensor<3x3x2xi16> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.compare LT, %arg0, %arg1, SIGNED : (tensor<3x3x2xi16>, tensor<3x3x2xi16>) -> tensor<3x3x2xi1>
    %1 = stablehlo.reverse %arg0, dims = [0] : tensor<3x3x2xi16>
    %2 = stablehlo.compare LT, %arg0, %1, SIGNED : (tensor<3x3x2xi16>, tensor<3x3x2xi16>) -> tensor<3x3x2xi1>
    %3 = call @_where(%2, %arg0, %arg1) : (tensor<3x3x2xi1>, tensor<3x3x2xi16>, tensor<3x3x2xi16>) -> tensor<3x3x2xi16>
    return %0, %3 : tensor<3x3x2xi1>, tensor<3x3x2xi16>
  }
  func.func private @_where(%arg0: tensor<3x3x2xi1>, %arg1: tensor<3x3x2xi16>, %arg2: tensor<3x3x2xi16>) -> tensor<3x3x2xi16> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3x3x2xi1>, tensor<3x3x2xi16>
    return %0 : tensor<3x3x2xi16>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xFBFFFEFFFFFF01000600030007000100FCFFFDFFF9FFFFFF0400F8FFFDFFF8FFFEFF0000"> : tensor<3x3x2xi16>
    %a1 = stablehlo.constant dense<"0xF8FF0200FCFFFFFF010002000100FBFFFEFF03000900F9FF0800FFFFF7FF040008000900"> : tensor<3x3x2xi16>
    %e0 = stablehlo.constant dense<[[[false,  true],
  [false, false],
  [false, false]],

 [[false, false],
  [ true,  true],
  [ true, false]],

 [[ true,  true],
  [false,  true],
  [ true,  true]]]> : tensor<3x3x2xi1>
    %e1 = stablehlo.constant dense<"0xFBFF0200FCFFFFFF010002000100FBFFFEFF03000900F9FF0800F8FFFDFFF8FFFEFF0000"> : tensor<3x3x2xi16>
    %r:2 = call @main(%a0, %a1) : (tensor<3x3x2xi16>, tensor<3x3x2xi16>) -> (tensor<3x3x2xi1>, tensor<3x3x2xi16>)
    check.expect_eq %r#0, %e0 : tensor<3x3x2xi1>
    check.expect_eq %r#1, %e1 : tensor<3x3x2xi16>
    return
  }
}
// -----
// comparison: le, seed 48, number 23
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x5x5xi1>, %arg1: tensor<3x3x5x5xi1>) -> (tensor<3x3x5x5xi1> {jax.result_info = "result[0]"}, tensor<3x3x5x5xi1> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.compare LE, %arg0, %arg1, UNSIGNED : (tensor<3x3x5x5xi1>, tensor<3x3x5x5xi1>) -> tensor<3x3x5x5xi1>
    %1 = stablehlo.reverse %arg0, dims = [0] : tensor<3x3x5x5xi1>
    %2 = stablehlo.compare LE, %arg0, %1, UNSIGNED : (tensor<3x3x5x5xi1>, tensor<3x3x5x5xi1>) -> tensor<3x3x5x5xi1>
    %3 = call @_where(%2, %arg0, %arg1) : (tensor<3x3x5x5xi1>, tensor<3x3x5x5xi1>, tensor<3x3x5x5xi1>) -> tensor<3x3x5x5xi1>
    return %0, %3 : tensor<3x3x5x5xi1>, tensor<3x3x5x5xi1>
  }
  func.func private @_where(%arg0: tensor<3x3x5x5xi1>, %arg1: tensor<3x3x5x5xi1>, %arg2: tensor<3x3x5x5xi1>) -> tensor<3x3x5x5xi1> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3x3x5x5xi1>, tensor<3x3x5x5xi1>
    return %0 : tensor<3x3x5x5xi1>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<[[[[ true,  true, false,  true, false],
   [ true, false,  true, false,  true],
   [false, false,  true,  true,  true],
   [ true, false,  true, false, false],
   [ true, false,  true, false,  true]],

  [[false, false, false,  true, false],
   [ true,  true,  true, false,  true],
   [ true, false,  true, false, false],
   [false, false,  true,  true,  true],
   [ true,  true, false, false, false]],

  [[false, false, false, false,  true],
   [false, false, false,  true, false],
   [ true,  true,  true,  true,  true],
   [ true, false, false, false,  true],
   [ true, false,  true, false,  true]]],


 [[[false, false,  true, false,  true],
   [false,  true, false,  true,  true],
   [ true,  true, false, false, false],
   [ true, false, false,  true, false],
   [ true, false,  true, false,  true]],

  [[false, false, false,  true, false],
   [ true, false, false,  true,  true],
   [false,  true,  true, false, false],
   [ true, false, false,  true, false],
   [ true, false,  true, false,  true]],

  [[false, false,  true, false, false],
   [false,  true, false,  true,  true],
   [false, false,  true,  true,  true],
   [false, false,  true, false, false],
   [false, false,  true, false,  true]]],


 [[[ true, false, false,  true,  true],
   [false, false, false,  true,  true],
   [false,  true, false, false,  true],
   [false, false, false,  true, false],
   [ true,  true, false, false, false]],

  [[false,  true, false,  true, false],
   [ true, false,  true, false,  true],
   [false,  true,  true, false,  true],
   [false, false,  true, false, false],
   [false, false, false, false, false]],

  [[false, false, false,  true,  true],
   [ true,  true, false, false,  true],
   [ true,  true,  true,  true,  true],
   [ true, false,  true,  true,  true],
   [false, false,  true,  true,  true]]]]> : tensor<3x3x5x5xi1>
    %a1 = stablehlo.constant dense<[[[[ true, false, false,  true,  true],
   [false, false,  true,  true, false],
   [ true, false, false, false, false],
   [ true, false, false, false, false],
   [false,  true,  true, false,  true]],

  [[false,  true, false,  true,  true],
   [ true,  true,  true,  true, false],
   [ true,  true, false, false, false],
   [false, false,  true, false, false],
   [ true,  true,  true, false,  true]],

  [[false, false, false, false,  true],
   [false,  true, false,  true,  true],
   [false, false, false, false,  true],
   [ true, false, false,  true,  true],
   [false, false, false,  true,  true]]],


 [[[false, false,  true, false, false],
   [ true, false, false, false, false],
   [false,  true, false, false, false],
   [ true, false,  true,  true,  true],
   [ true, false,  true, false, false]],

  [[false, false,  true, false, false],
   [false,  true, false, false, false],
   [false,  true,  true, false,  true],
   [ true, false,  true, false,  true],
   [false, false, false,  true, false]],

  [[ true,  true,  true, false,  true],
   [false, false,  true, false, false],
   [ true, false,  true,  true, false],
   [false,  true,  true, false, false],
   [ true, false, false,  true, false]]],


 [[[false, false, false,  true,  true],
   [false, false, false, false,  true],
   [false,  true, false, false, false],
   [ true,  true, false,  true, false],
   [false, false,  true, false,  true]],

  [[false, false,  true, false,  true],
   [ true,  true,  true, false,  true],
   [ true,  true,  true, false, false],
   [ true, false,  true, false,  true],
   [false, false, false,  true,  true]],

  [[ true, false,  true, false, false],
   [false,  true,  true,  true,  true],
   [false, false, false,  true,  true],
   [false, false, false, false, false],
   [ true,  true, false,  true,  true]]]]> : tensor<3x3x5x5xi1>
    %e0 = stablehlo.constant dense<[[[[ true, false,  true,  true,  true],
   [false,  true,  true,  true, false],
   [ true,  true, false, false, false],
   [ true,  true, false,  true,  true],
   [false,  true,  true,  true,  true]],

  [[ true,  true,  true,  true,  true],
   [ true,  true,  true,  true, false],
   [ true,  true, false,  true,  true],
   [ true,  true,  true, false, false],
   [ true,  true,  true,  true,  true]],

  [[ true,  true,  true,  true,  true],
   [ true,  true,  true,  true,  true],
   [false, false, false, false,  true],
   [ true,  true,  true,  true,  true],
   [false,  true, false,  true,  true]]],


 [[[ true,  true,  true,  true, false],
   [ true, false,  true, false, false],
   [false,  true,  true,  true,  true],
   [ true,  true,  true,  true,  true],
   [ true,  true,  true,  true, false]],

  [[ true,  true,  true, false,  true],
   [false,  true,  true, false, false],
   [ true,  true,  true,  true,  true],
   [ true,  true,  true, false,  true],
   [false,  true, false,  true, false]],

  [[ true,  true,  true,  true,  true],
   [ true, false,  true, false, false],
   [ true,  true,  true,  true, false],
   [ true,  true,  true,  true,  true],
   [ true,  true, false,  true, false]]],


 [[[false,  true,  true,  true,  true],
   [ true,  true,  true, false,  true],
   [ true,  true,  true,  true, false],
   [ true,  true,  true,  true,  true],
   [false, false,  true,  true,  true]],

  [[ true, false,  true, false,  true],
   [ true,  true,  true,  true,  true],
   [ true,  true,  true,  true, false],
   [ true,  true,  true,  true,  true],
   [ true,  true,  true,  true,  true]],

  [[ true,  true,  true, false, false],
   [false,  true,  true,  true,  true],
   [false, false, false,  true,  true],
   [false,  true, false, false, false],
   [ true,  true, false,  true,  true]]]]> : tensor<3x3x5x5xi1>
    %e1 = stablehlo.constant dense<[[[[ true, false, false,  true, false],
   [false, false,  true, false,  true],
   [false, false, false, false,  true],
   [ true, false, false, false, false],
   [ true, false,  true, false,  true]],

  [[false, false, false,  true, false],
   [ true,  true,  true, false,  true],
   [ true, false,  true, false, false],
   [false, false,  true, false, false],
   [ true,  true, false, false, false]],

  [[false, false, false, false,  true],
   [false, false, false,  true, false],
   [ true,  true,  true,  true,  true],
   [ true, false, false, false,  true],
   [false, false,  true, false,  true]]],


 [[[false, false,  true, false,  true],
   [false,  true, false,  true,  true],
   [ true,  true, false, false, false],
   [ true, false, false,  true, false],
   [ true, false,  true, false,  true]],

  [[false, false, false,  true, false],
   [ true, false, false,  true,  true],
   [false,  true,  true, false, false],
   [ true, false, false,  true, false],
   [ true, false,  true, false,  true]],

  [[false, false,  true, false, false],
   [false,  true, false,  true,  true],
   [false, false,  true,  true,  true],
   [false, false,  true, false, false],
   [false, false,  true, false,  true]]],


 [[[ true, false, false,  true,  true],
   [false, false, false, false,  true],
   [false,  true, false, false,  true],
   [false, false, false,  true, false],
   [ true, false, false, false, false]],

  [[false, false, false,  true, false],
   [ true, false,  true, false,  true],
   [false,  true,  true, false, false],
   [false, false,  true, false, false],
   [false, false, false, false, false]],

  [[false, false, false, false,  true],
   [false,  true, false, false,  true],
   [ true,  true,  true,  true,  true],
   [ true, false, false, false,  true],
   [false, false,  true,  true,  true]]]]> : tensor<3x3x5x5xi1>
    %r:2 = call @main(%a0, %a1) : (tensor<3x3x5x5xi1>, tensor<3x3x5x5xi1>) -> (tensor<3x3x5x5xi1>, tensor<3x3x5x5xi1>)
    check.expect_eq %r#0, %e0 : tensor<3x3x5x5xi1>
    check.expect_eq %r#1, %e1 : tensor<3x3x5x5xi1>
    return
  }
}
// -----
// comparison: le, seed 48, number 42
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x3x3xf16>, %arg1: tensor<3x3x3x3xf16>) -> (tensor<3x3x3x3xi1> {jax.result_info = "result[0]"}, tensor<3x3x3x3xf16> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.compare LE, %arg0, %arg1, FLOAT : (tensor<3x3x3x3xf16>, tensor<3x3x3x3xf16>) -> tensor<3x3x3x3xi1>
    %1 = stablehlo.reverse %arg0, dims = [0] : tensor<3x3x3x3xf16>
    %2 = stablehlo.compare LE, %arg0, %1, FLOAT : (tensor<3x3x3x3xf16>, tensor<3x3x3x3xf16>) -> tensor<3x3x3x3xi1>
    %3 = call @_where(%2, %arg0, %arg1) : (tensor<3x3x3x3xi1>, tensor<3x3x3x3xf16>, tensor<3x3x3x3xf16>) -> tensor<3x3x3x3xf16>
    return %0, %3 : tensor<3x3x3x3xi1>, tensor<3x3x3x3xf16>
  }
  func.func private @_where(%arg0: tensor<3x3x3x3xi1>, %arg1: tensor<3x3x3x3xf16>, %arg2: tensor<3x3x3x3xf16>) -> tensor<3x3x3x3xf16> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3x3x3x3xi1>, tensor<3x3x3x3xf16>
    return %0 : tensor<3x3x3x3xf16>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x75BD38A1B53E863C0F3FD9B32B347A3A013E183FC03A9737C1BDA3B34C3C3B381BB74D3B46BCD537D53D4BB4FE38D8BD3DBE83B5F2B461BC69390ABF19BC61BFB43DEEBD1EBF973FD1B63E3D75BD50BD8B3BD92C21BD61BF5AAE19B3373E6FB879B849BB89BEF83F01395739B1BB1737CAAB4DBC793BF3B910BC5FBC153CCFBA753CC13C38B8D9BE09B8013FD73F783563B53039E935613F3EBE39BA7D30F03495BF"> : tensor<3x3x3x3xf16>
    %a1 = stablehlo.constant dense<"0xD838853EAF3DC03C8EBA1C373633B23C85B9F5BF6E3E94B561BD1E3EE5BA9D3D77B87F3581359A3FF9BE7D3DAC350E3D6C3D1B3B2B3F8B3FB7BE093A702E2FB91CBDC63F0FBC5E33A61ADBB84ABE333EFEBF3E39DE3B29BD022A26BF0938F7BDAC3CBABE863DB2BFC4B72BABEE3C47B990BF0BBE463FAEBA792D903FEBBC8BBCC4BFAF3CC83CCC385BBF35BDAFB4093B12BD573AC1BF4CBFFDBFAC3850B4D2B7D43F"> : tensor<3x3x3x3xf16>
    %e0 = stablehlo.constant dense<[[[[ true,  true, false],
   [ true, false,  true],
   [false,  true, false]],

  [[false,  true, false],
   [ true,  true, false],
   [ true, false, false]],

  [[ true,  true, false],
   [ true, false,  true],
   [ true,  true,  true]]],


 [[[ true, false,  true],
   [ true,  true, false],
   [ true,  true, false]],

  [[ true, false, false],
   [ true, false,  true],
   [ true,  true,  true]],

  [[false, false, false],
   [ true, false,  true],
   [false, false, false]]],


 [[[ true, false, false],
   [false,  true, false],
   [ true,  true, false]],

  [[false, false, false],
   [ true,  true, false],
   [false, false,  true]],

  [[false,  true, false],
   [false, false,  true],
   [false, false,  true]]]]> : tensor<3x3x3x3xi1>
    %e1 = stablehlo.constant dense<"0x75BD38A1AF3DC03C8EBA1C373633B23C85B9F5BFC03A9737C1BD1E3EE5BA3B381BB77F3546BCD537F9BE4BB4AC35D8BD3DBE83B52B3F61BC69390ABF19BC61BFB43DEEBD1EBF973FD1B63E3D75BD50BD8B3BD92C21BD61BF5AAE19B3373E6FB879B849BB89BEF83F01395739EE3C47B9CAAB4DBC793BF3B910BC5FBC153CCFBAC4BFAF3CC83CD9BE09B835BDAFB4783512BD573AE9354CBF3EBEAC3850B4D2B795BF"> : tensor<3x3x3x3xf16>
    %r:2 = call @main(%a0, %a1) : (tensor<3x3x3x3xf16>, tensor<3x3x3x3xf16>) -> (tensor<3x3x3x3xi1>, tensor<3x3x3x3xf16>)
    check.expect_eq %r#0, %e0 : tensor<3x3x3x3xi1>
    check.expect_almost_eq %r#1, %e1, tolerance = 1.992188e-02 : tensor<3x3x3x3xf16>
    return
  }
}
// -----
// comparison: le, seed 48, number 61
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) -> (tensor<3xi1> {jax.result_info = "result[0]"}, tensor<3xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.compare LE, %arg0, %arg1, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %1 = stablehlo.reverse %arg0, dims = [0] : tensor<3xf32>
    %2 = stablehlo.compare LE, %arg0, %1, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %3 = call @_where(%2, %arg0, %arg1) : (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %0, %3 : tensor<3xi1>, tensor<3xf32>
  }
  func.func private @_where(%arg0: tensor<3xi1>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3xi1>, tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xD9AB153F6A3A85BFBA4CB9BF"> : tensor<3xf32>
    %a1 = stablehlo.constant dense<"0x6C06553F492E9CBF4193023F"> : tensor<3xf32>
    %e0 = stablehlo.constant dense<[ true, false,  true]> : tensor<3xi1>
    %e1 = stablehlo.constant dense<"0x6C06553F6A3A85BFBA4CB9BF"> : tensor<3xf32>
    %r:2 = call @main(%a0, %a1) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xi1>, tensor<3xf32>)
    check.expect_eq %r#0, %e0 : tensor<3xi1>
    check.expect_almost_eq %r#1, %e1, tolerance = 2.895308e-05 : tensor<3xf32>
    return
  }
}
// -----
// comparison: le, seed 48, number 80
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<ui8>, %arg1: tensor<ui8>) -> (tensor<i1> {jax.result_info = "result[0]"}, tensor<ui8> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.compare LE, %arg0, %arg1, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %1 = stablehlo.compare LE, %arg0, %arg1, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %2 = call @_where(%1, %arg0, %arg1) : (tensor<i1>, tensor<ui8>, tensor<ui8>) -> tensor<ui8>
    return %0, %2 : tensor<i1>, tensor<ui8>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<ui8>, %arg2: tensor<ui8>) -> tensor<ui8> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<ui8>
    return %0 : tensor<ui8>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x04"> : tensor<ui8>
    %a1 = stablehlo.constant dense<"0x04"> : tensor<ui8>
    %e0 = stablehlo.constant dense<true> : tensor<i1>
    %e1 = stablehlo.constant dense<"0x04"> : tensor<ui8>
    %r:2 = call @main(%a0, %a1) : (tensor<ui8>, tensor<ui8>) -> (tensor<i1>, tensor<ui8>)
    check.expect_eq %r#0, %e0 : tensor<i1>
    check.expect_eq %r#1, %e1 : tensor<ui8>
    return
  }
}
// -----
// comparison: ge, seed 48, number 99
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4x5xi1>, %arg1: tensor<5x4x5xi1>) -> (tensor<5x4x5xi1> {jax.result_info = "result[0]"}, tensor<5x4x5xi1> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.compare GE, %arg0, %arg1, UNSIGNED : (tensor<5x4x5xi1>, tensor<5x4x5xi1>) -> tensor<5x4x5xi1>
    %1 = stablehlo.reverse %arg0, dims = [0] : tensor<5x4x5xi1>
    %2 = stablehlo.compare GE, %arg0, %1, UNSIGNED : (tensor<5x4x5xi1>, tensor<5x4x5xi1>) -> tensor<5x4x5xi1>
    %3 = call @_where(%2, %arg0, %arg1) : (tensor<5x4x5xi1>, tensor<5x4x5xi1>, tensor<5x4x5xi1>) -> tensor<5x4x5xi1>
    return %0, %3 : tensor<5x4x5xi1>, tensor<5x4x5xi1>
  }
  func.func private @_where(%arg0: tensor<5x4x5xi1>, %arg1: tensor<5x4x5xi1>, %arg2: tensor<5x4x5xi1>) -> tensor<5x4x5xi1> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<5x4x5xi1>, tensor<5x4x5xi1>
    return %0 : tensor<5x4x5xi1>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<[[[ true, false, false, false, false],
  [false,  true, false,  true, false],
  [ true,  true,  true, false, false],
  [false, false,  true,  true,  true]],

 [[ true,  true, false, false,  true],
  [false,  true,  true,  true, false],
  [false,  true, false,  true,  true],
  [ true,  true,  true,  true, false]],

 [[ true, false,  true,  true,  true],
  [ true, false, false,  true, false],
  [ true, false, false,  true,  true],
  [false,  true, false,  true,  true]],

 [[ true,  true,  true,  true, false],
  [ true, false, false, false,  true],
  [ true, false, false, false,  true],
  [ true,  true,  true,  true,  true]],

 [[false, false, false, false, false],
  [ true,  true, false,  true, false],
  [ true, false,  true, false, false],
  [false, false, false, false,  true]]]> : tensor<5x4x5xi1>
    %a1 = stablehlo.constant dense<[[[false, false,  true, false,  true],
  [false,  true, false,  true,  true],
  [false,  true,  true,  true, false],
  [ true, false, false, false,  true]],

 [[false, false,  true, false,  true],
  [ true, false, false,  true,  true],
  [ true, false, false,  true, false],
  [ true,  true,  true,  true, false]],

 [[false, false,  true, false, false],
  [ true, false, false, false,  true],
  [false,  true, false, false,  true],
  [ true,  true,  true, false,  true]],

 [[ true, false, false,  true, false],
  [false,  true, false, false, false],
  [false,  true, false,  true, false],
  [false, false,  true, false,  true]],

 [[ true,  true,  true, false, false],
  [ true, false, false, false, false],
  [ true,  true, false,  true,  true],
  [false,  true,  true,  true, false]]]> : tensor<5x4x5xi1>
    %e0 = stablehlo.constant dense<[[[ true,  true, false,  true, false],
  [ true,  true,  true,  true, false],
  [ true,  true,  true, false,  true],
  [false,  true,  true,  true,  true]],

 [[ true,  true, false,  true,  true],
  [false,  true,  true,  true, false],
  [false,  true,  true,  true,  true],
  [ true,  true,  true,  true,  true]],

 [[ true,  true,  true,  true,  true],
  [ true,  true,  true,  true, false],
  [ true, false,  true,  true,  true],
  [false,  true, false,  true,  true]],

 [[ true,  true,  true,  true,  true],
  [ true, false,  true,  true,  true],
  [ true, false,  true, false,  true],
  [ true,  true,  true,  true,  true]],

 [[false, false, false,  true,  true],
  [ true,  true,  true,  true,  true],
  [ true, false,  true, false, false],
  [ true, false, false, false,  true]]]> : tensor<5x4x5xi1>
    %e1 = stablehlo.constant dense<[[[ true, false, false, false, false],
  [false,  true, false,  true, false],
  [ true,  true,  true, false, false],
  [false, false,  true,  true,  true]],

 [[ true,  true,  true, false,  true],
  [ true,  true,  true,  true,  true],
  [ true,  true, false,  true,  true],
  [ true,  true,  true,  true, false]],

 [[ true, false,  true,  true,  true],
  [ true, false, false,  true, false],
  [ true, false, false,  true,  true],
  [false,  true, false,  true,  true]],

 [[ true,  true,  true,  true, false],
  [ true,  true, false, false,  true],
  [ true,  true, false,  true,  true],
  [ true,  true,  true,  true,  true]],

 [[ true, false, false, false, false],
  [ true,  true, false,  true, false],
  [ true,  true,  true, false, false],
  [false, false,  true,  true,  true]]]> : tensor<5x4x5xi1>
    %r:2 = call @main(%a0, %a1) : (tensor<5x4x5xi1>, tensor<5x4x5xi1>) -> (tensor<5x4x5xi1>, tensor<5x4x5xi1>)
    check.expect_eq %r#0, %e0 : tensor<5x4x5xi1>
    check.expect_eq %r#1, %e1 : tensor<5x4x5xi1>
    return
  }
}
