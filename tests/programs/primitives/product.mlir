// product: dot_general (((1,), (1,)), ((), ())), seed 48, number 9
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x5xf32>, %arg1: tensor<2x5xf32>) -> (tensor<5x2xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf32>, tensor<2x5xf32>) -> tensor<5x2xf32>
    return %0 : tensor<5x2xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x843069BF068E463E3317DD3F8B2D96BD25E2FB3D1BB460BF526F223E7094D53E3D58D93EF13E1D3FD77BC2BF255C913E0F81FC3E52E0D83F539E7EBF83E7C1BF56DAEB3F179EF63F08D524BF3D4D61BFD0A6B73F031781BF41D408BE680BC1BE432B9D3F"> : tensor<5x5xf32>
    %a1 = stablehlo.constant dense<"0x6C1FDABFC8D30CBEB5A6EB3FBFDFA63F6FE508BF41B99D3F5F83A7BF6F70A33D725DBE3EC57FB53F"> : tensor<2x5xf32>
    %e0 = stablehlo.constant dense<"0xBD69914099AC8BBF57E11D40EB8668BE385DC64062063FC03E34B0407292B3C01ED46CC07CB29540"> : tensor<5x2xf32>
    %r = call @main(%a0, %a1) : (tensor<5x5xf32>, tensor<2x5xf32>) -> (tensor<5x2xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 1.239776e-04 : tensor<5x2xf32>
    return
  }
}
// -----
// product: dot_general (((1,), (1,)), ((0,), (0,))), seed 48, number 28
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x6x2xi8>, %arg1: tensor<3x6x6xi8>) -> (tensor<3x2x6xi8> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x6x2xi8>, tensor<3x6x6xi8>) -> tensor<3x2x6xi8>
    return %0 : tensor<3x2x6xi8>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x080905FE060301000707F806FCFC08F80303040506FCFBF901FE020207FC04FBF8050309"> : tensor<3x6x2xi8>
    %a1 = stablehlo.constant dense<"0xF70808FAFAFAFC02FA09060409FF0801FDF8FF0302FDFDFAF7FA070101FCF900050709FF06000402FA05FDFD0304030002000500FDF7FA0509F900FE08F9FD050603F7FC00FC0804FAFDFEFCFBFBFDFA0108050303FA06F9FAFA01FA03030409FEF9F900FD020204F903F9F9"> : tensor<3x6x6xi8>
    %e0 = stablehlo.constant dense<"0xD21D5DCF989A6917BBECF2881BE6292E23C7076920BDA79F23F359F0EED6FD317D40CAC6"> : tensor<3x2x6xi8>
    %r = call @main(%a0, %a1) : (tensor<3x6x2xi8>, tensor<3x6x6xi8>) -> (tensor<3x2x6xi8>)
    check.expect_eq %r, %e0 : tensor<3x2x6xi8>
    return
  }
}
// -----
// product: dot_general (((1,), (2,)), ((0,), (0,))), seed 48, number 47
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x6x2xi8>, %arg1: tensor<3x4x6xi8>) -> (tensor<3x2x4xi8> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<3x6x2xi8>, tensor<3x4x6xi8>) -> tensor<3x2x4xi8>
    return %0 : tensor<3x2x4xi8>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x020809FD0005F9FBFA0805FE0609FD08FBFC06060902FFFD00FDFA05F902F80309FDFD07"> : tensor<3x6x2xi8>
    %a1 = stablehlo.constant dense<"0xF9F900060405F906F7FCF8FA090105FC0409F7FC060404080200FAFB0307FF0709080901FAFC0005FE04FFF8FA00070306FF05F8FC02F804FBFE02FCFF01FD04FC02F9F7FA03FB01"> : tensor<3x4x6xi8>
    %e0 = stablehlo.constant dense<"0x8A564CBED56980DE2038F06CFD4AB8D4F939C518F5FA28FB"> : tensor<3x2x4xi8>
    %r = call @main(%a0, %a1) : (tensor<3x6x2xi8>, tensor<3x4x6xi8>) -> (tensor<3x2x4xi8>)
    check.expect_eq %r, %e0 : tensor<3x2x4xi8>
    return
  }
}
// -----
// product: dot_general (((0,), (1,)), ((), ())), seed 48, number 66
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x3xf32>, %arg1: tensor<1x6xf32>) -> (tensor<3x1xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x3xf32>, tensor<1x6xf32>) -> tensor<3x1xf32>
    return %0 : tensor<3x1xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x0D47733F7846B23F160A213FE2388E3FFA8BFF3DBA65B2BFB03A77BF1D8AC0BFC633DE3F4E1465BF70D48BBF8E4362BFD0C06CBF159DC23FEC503B3F7EB4F23E4DAFE5BFC14AB43F"> : tensor<6x3xf32>
    %a1 = stablehlo.constant dense<"0x5BB9EEBFF07EE9BE8082C7BD497AEA3DCDACF0BF61A5603F"> : tensor<1x6xf32>
    %e0 = stablehlo.constant dense<"0x6FBB07BE6420E2C05D9C72BF"> : tensor<3x1xf32>
    %r = call @main(%a0, %a1) : (tensor<6x3xf32>, tensor<1x6xf32>) -> (tensor<3x1xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 1.413291e-04 : tensor<3x1xf32>
    return
  }
}
// -----
// product: dot_general (((1,), (0,)), ((), ())), seed 48, number 85
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3xf16>, %arg1: tensor<3x1xf16>) -> (tensor<3x1xf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf16>, tensor<3x1xf16>) -> tensor<3x1xf16>
    return %0 : tensor<3x1xf16>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xF3BB8239793E7C36773E51BCA43AAF3CA23D"> : tensor<3x3xf16>
    %a1 = stablehlo.constant dense<"0x8AB7243E9F3A"> : tensor<3x1xf16>
    %e0 = stablehlo.constant dense<"0xBB41973D2541"> : tensor<3x1xf16>
    %r = call @main(%a0, %a1) : (tensor<3x3xf16>, tensor<3x1xf16>) -> (tensor<3x1xf16>)
    check.expect_almost_eq %r, %e0, tolerance = 2.865234e-02 : tensor<3x1xf16>
    return
  }
}
// -----
// product: dot_general (((3,), (3,)), ((0, 1), (0, 1))), seed 48, number 104
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x3x3x4xf32>, %arg1: tensor<1x3x5x4xf32>) -> (tensor<1x3x3x5xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x3x3x4xf32>, tensor<1x3x5x4xf32>) -> tensor<1x3x3x5xf32>
    return %0 : tensor<1x3x3x5xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x6C32A33F64ADF7BE5B26833EC01DD33FE224DB3F5272003FFBB49C3FFEDE713F45F8C9BF675CD33F5B6DF63C51DF6DBF8994783EC6726C3EED11073E9716EDBFC2FBDABEA166DF3FAD44FE3FB24DD4BF79A1553F3085E43F990B97BEBC788A3FFB60933F812DA73FD6566EBDE2C83E3FA7584EBF1EB366BEE1BAFC3FD1B9C1BFA3AEEEBD9DF650BFBB1F33BE2467CBBF"> : tensor<1x3x3x4xf32>
    %a1 = stablehlo.constant dense<"0xB8CACBBFDDED023F2D43A2BFB258BCBD195C203E8D7C28BCB998E03EBB99CCBF60E7213F6CA8C7BF409CA23FB872CDBF042A783F9A42B4BF7DE3BFBE5BC793BFE63D0A3E5DFECD3D52E1FA3F78C739BF220CCA3F3B6BE63F8AFD3B3F5E7EA5BFC121863F5B60C7BF3AA3AF3F3C2CFEBFD669C43F7553ED3E4EC47BBF1360C1BF377EFF3F77DD7BBFBA5B13BF96F3B9BF361325BFDBFD94BEF94EB23FC539943F8AECBABE54E4353E448FAC3E8DF6C9BF8AA556BF145CA63F755BCBBF49C8CABD34DE103FD716A63FCEFFB1BE5112DB3FDBF2933F7FDFD93FDE9A8B3FA12626BF10839A3F4AA1B8BFB540E23F1DEE26BD"> : tensor<1x3x5x4xf32>
    %e0 = stablehlo.constant dense<"0x193D30C0B77014C03FD042BFFDFEA9BD884712BF587583C03FD135BF228DAD3E4AB918BF726DFF3FC2DB5940CFFF9D3F65D002C045C932C01FB42F3FFA975240D73D70404A7A4940AED3374098D50BC0B23CC240D0903640F06F343F7C01A7BFF24A1D3F999B3A401DB38EC0D38B433FAE0CBFBFB6045DBE5622B1BF5530403FD8166940786F40400E9420BFF1B15340B9A726C08CCE80C0F909E93F38D6394086231640662507BF3C2D72C047FB2EBF9DD24A3F"> : tensor<1x3x3x5xf32>
    %r = call @main(%a0, %a1) : (tensor<1x3x3x4xf32>, tensor<1x3x5x4xf32>) -> (tensor<1x3x3x5xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 1.213982e-04 : tensor<1x3x3x5xf32>
    return
  }
}
