// unary_gradient: exp, seed 48, number 1
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x1x4xf64>) -> (tensor<3x3x1x4xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.exponential %arg0 : tensor<3x3x1x4xf64>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x3x1x4xf64>
    %2 = stablehlo.multiply %0, %1 : tensor<3x3x1x4xf64>
    %3 = stablehlo.multiply %1, %arg0 : tensor<3x3x1x4xf64>
    %4 = stablehlo.multiply %3, %0 : tensor<3x3x1x4xf64>
    %5 = stablehlo.add %2, %4 : tensor<3x3x1x4xf64>
    return %5 : tensor<3x3x1x4xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xC8980C716A9EF03F86F72B1B241703401BD913CC13F70240E6990A590FB400409CBB3DF03435EA3FCA83A2503F6AEA3FE39DF31A8960F53F4FA2FB720235F53F9303CF0DED9FD53F9DF9C7290053F03F3FB5C84DC78DE23F57EC17C4DA96F63F8D86653F767DF53F68F0A840AC61E33F26747F741B11024026AAFF1C5EA6F03FBF138C3F5BF4FA3F0BD8D3307B26F63F35F1600B3CB3FB3FF66BAE45A0C8E83F3CD884AF7CC60140043B3C934772E53F8A26C72CC28A0240A6DEFCB76C57F13F1AF8664D41A0FB3FB8BFD397A15AE13F84DD58FD1F29DB3FCA3DF1B138D1F83F8DADAF68E3FA03403A6C3465CF18EE3F5C0107C27484F23F96A5FB244BF2E63FEEC048312D59FF3FCF3F24ECC406F93FDC07B723920AE43F5A4835AB01D9FA3F"> : tensor<3x3x1x4xf64>
    %e0 = stablehlo.constant dense<"0x8A1F17E0770A1740BEDDCEBEF0684240FD8DF50C470A424019B7B8D0E7E938403ACC0471E6801040EE2436DA7AAB10405E7ED04BE8C52140706243F75581214002964236D402FE3F12BB2D978F6A1640FDD4A8538391064061A51A792ECB234027A9CB5201F42140B2DD401BFA8907407BD4F41F782C3F40FF1072EE8E1B174007CEE3E59FF12C40DF156439F909234029361BF3D8D92E4072F065DC40CC0E403371A1FEE1B83D4069063981F11D0A40E4FD8134A1D740402BBB66F2B8A31840DCC884CCFFA72E4018D65008D538054095316D8F496B0140697183BF8B102840F2B0150A45404540BDB3CBC3A1E113406A66791531741B40158ED33B7A230C40800CFCA458FE3440FC73752199812840212A208E7E56084022F0EFDA01AE2C40"> : tensor<3x3x1x4xf64>
    %r = call @main(%a0) : (tensor<3x3x1x4xf64>) -> (tensor<3x3x1x4xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 4.250211e-08 : tensor<3x3x1x4xf64>
    return
  }
}
// -----
// unary_gradient: erf, seed 48, number 20
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4x4x4xf64>) -> (tensor<1x4x4x4xf64> {jax.result_info = "result"}) {
    %0 = chlo.erf %arg0 : tensor<1x4x4x4xf64> -> tensor<1x4x4x4xf64>
    %1 = chlo.square %arg0 : tensor<1x4x4x4xf64> -> tensor<1x4x4x4xf64>
    %2 = stablehlo.negate %1 : tensor<1x4x4x4xf64>
    %3 = stablehlo.exponential %2 : tensor<1x4x4x4xf64>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x4x4x4xf64>
    %5 = stablehlo.multiply %0, %4 : tensor<1x4x4x4xf64>
    %6 = stablehlo.multiply %4, %arg0 : tensor<1x4x4x4xf64>
    %cst_0 = stablehlo.constant dense<1.1283791670955126> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<1x4x4x4xf64>
    %8 = stablehlo.multiply %7, %6 : tensor<1x4x4x4xf64>
    %9 = stablehlo.multiply %8, %3 : tensor<1x4x4x4xf64>
    %10 = stablehlo.add %5, %9 : tensor<1x4x4x4xf64>
    return %10 : tensor<1x4x4x4xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x25FDCB22F746FA3F250DA32DFD16F13F611CA295B7AAF63F1830F3E9AC41EF3FA86F0E459B28F23F78DAD029F73BD73F894446AA7456F43F7D12986095F802406C49E242C73AE33F05B690FC4861034000F117345129FC3FCF4796D60FFA0140FACFF592AE4E0140E17FBFCAD372F73F916421D092D2F03FDD41C4DD08EEFD3FB6C322B0172BE43F849AA9496EF5FE3FA4D2FE339944FD3F9F5E74DCD6CCF63F13A3DE97EF17D53FBE468BCBD1BFDD3F644C8AC88471F03F5BB3BEAD4D0DD43FC3060F4660B70040A6ED559505D203406E8C7E1215150340920CE7341CFEF13FDC5F66C4CF62F83FF1A7F51085AC02400C4653E2CD50F53FED47B19DD6C4F03FDB7203B96E7AD93FA6819E6A135DF13F32511121538AE63FFE32BFAA6A75E23F478A34B106C60040498CE9F5011A034017CA9C939DCC0140BA6E4BEDB7D7FB3F9F83C3B9489FFF3F580EEF07F862DC3FA41AA9C82B73FB3FA205B9686D55DD3F9CF154C45F9C0340C1ACB6BFBC810040F08C0B75BAF8F13F207ACEBFA81FFD3F1A7FEB790889DC3F5A35087D7BB10240F91550ABE0B1FB3F20859AD3C241F43FF50D781A43B7F93FB4E690435897ED3FB1310CDBD0FE0340FD4078BCF6D9F13F22B113C34048DD3F749ECFC9182AE33F6D00E99F878CD93F51D7064A312EFD3FFAAFE364E44AD53F65DB00B6E2EFF23F2BD050723311FD3FEDCC2C9DE3B4FB3F"> : tensor<1x4x4x4xf64>
    %e0 = stablehlo.constant dense<"0x6BBEB69FCCACF13F48C85F5D4711F43F6D16EB7B22B7F23F49E3F8C61A1EF43FC89633BF5EEAF33F1CB188356B0BE83F822D6D13BC67F33F608391CA5224F03FD5A4E0D3EF3BF13FD92BFCB4241DF03FCFEA061DC93AF13FB7950D61863CF03FDA92574FAA53F03FD61D6F853B7AF23F7A0D2AEE7417F43F917B4CD4DEE3F03F7CBA03883AAFF13FCF8F384028BAF03FC85AE48A1A02F13F15751417B7ACF23F37421FD5C328E63F250F0E4B2F2CED3FF9247373711DF43F788FF6627B35E53F16AC9DE3D76DF03FB781C30BD716F03F26CF1ADF3A22F03FE31A3680C3F1F33FC9CE7C4DB932F23FDDEED1C2772AF03F429D1B04CC1FF33F721DA8A98118F43FE42322F5F3EAE93F75BF0DDC6109F43FDC6525E7D8A2F23F9FD045AE17D5F03F9D0CABCF0B6BF03F4D8DF30BE121F03FFB036D330E42F03F26CBA78E8B4CF13F4B9025D584A2F03F28BF52E0FE2DEC3F3E1988344D63F13FAA27D753D7DFEC3F90BED89DAB19F03F819E5A099978F03FB4A06ED4AAF2F33FA2A5DDAB0E09F13FBD1EE011454AEC3F10D129800A2AF03F4BF11A3AFF54F13FAE068F346D6DF33FA54F679CBFD2F13FEF809873440BF43FA50E9167B114F03F1D9C7F04B0F7F33F0DC5D7BA50D6EC3F7CF42D988733F13FF4F0BFC59AF9E93FBC9DF14E4E06F13F4A207D2AA456E63FA72C1E8E1FC2F33F168D4C89D00BF13FE31CEBC15154F13F"> : tensor<1x4x4x4xf64>
    %r = call @main(%a0) : (tensor<1x4x4x4xf64>) -> (tensor<1x4x4x4xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.257350e-09 : tensor<1x4x4x4xf64>
    return
  }
}
// -----
// unary_gradient: logistic, seed 48, number 39
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x2x1x5xf64>) -> (tensor<3x2x1x5xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.negate %arg0 : tensor<3x2x1x5xf64>
    %1 = stablehlo.exponential %0 : tensor<3x2x1x5xf64>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x2x1x5xf64>
    %3 = stablehlo.add %2, %1 : tensor<3x2x1x5xf64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x2x1x5xf64>
    %5 = stablehlo.divide %4, %3 : tensor<3x2x1x5xf64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<3x2x1x5xf64>
    %7 = stablehlo.subtract %6, %5 : tensor<3x2x1x5xf64>
    %8 = stablehlo.multiply %5, %7 : tensor<3x2x1x5xf64>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<3x2x1x5xf64>
    %10 = stablehlo.multiply %5, %9 : tensor<3x2x1x5xf64>
    %11 = stablehlo.multiply %9, %arg0 : tensor<3x2x1x5xf64>
    %12 = stablehlo.multiply %11, %8 : tensor<3x2x1x5xf64>
    %13 = stablehlo.add %10, %12 : tensor<3x2x1x5xf64>
    return %13 : tensor<3x2x1x5xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xCE957DCDB7900240198E8DE689F5E13F3988FCF5269D0240F6D6E7B90F7FEE3F4C2EC05FDF0CEB3F2334C132C0F40340E0F8EA84E074F03FEB9DCF64161EF03F966AD31F8203E13F2FD2A7F859A5024006F90DADD4E9DC3FCA083415A051EC3FF07D9594ACA9FF3F78B8719DD2DEE63F5B6488B229B4FA3F0B40375F807BF63F56C0BF209A45DB3FC7754BD31C0FF13F92A60D4E806C03406627375D6485EF3FFAF691E601D9F63F82B81F9819CDEF3F9BC5B3C51016FE3FA830571CCBADD33FA53E58E9190AFC3F007B072580B8F03F72739054243CFF3F1CF64AAD3B80F33FF0CA0343834BED3FBE24FE629C6FDB3F"> : tensor<3x2x1x5xf64>
    %e0 = stablehlo.constant dense<"0x51C089B6BA97F13F9C638E369087E83F3A14CAA4E997F13FA08944A34D38ED3F6082A1E25E12EC3FB6EC77235597F13F9DC899FC20F5ED3F573449889AC1ED3F3B8DADB5571FE83F239C17690698F13F9A12602563FDE63F72D146C6EA81EC3FDF3C50BF616FF13F3309E3550D88EA3FD137FB309C06F13FAAA86A7D8E67F03F613DEA9CFB9DE63F07C99116E64DEE3F2AC37D6CCA98F13F8BEEBF361F8AED3FFDBC13434078F03FFCED49A709A0ED3FB7D9C0325756F13F1B886461E1D7E43FF9E6D443AB2AF13F7AF88B707D1CEE3FA7C57FE24569F13FE97032C83E91EF3FBEFF69E51AD5EC3F94ABF47291A7E63F"> : tensor<3x2x1x5xf64>
    %r = call @main(%a0) : (tensor<3x2x1x5xf64>) -> (tensor<3x2x1x5xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.099802e-09 : tensor<3x2x1x5xf64>
    return
  }
}
// -----
// unary_gradient: erf, seed 48, number 58
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = chlo.erf %arg0 : tensor<f32> -> tensor<f32>
    %1 = chlo.square %arg0 : tensor<f32> -> tensor<f32>
    %2 = stablehlo.negate %1 : tensor<f32>
    %3 = stablehlo.exponential %2 : tensor<f32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.multiply %0, %cst : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.multiply %cst_0, %arg0 : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.12837923> : tensor<f32>
    %6 = stablehlo.multiply %cst_1, %5 : tensor<f32>
    %7 = stablehlo.multiply %6, %3 : tensor<f32>
    %8 = stablehlo.add %4, %7 : tensor<f32>
    return %8 : tensor<f32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xA7601340"> : tensor<f32>
    %e0 = stablehlo.constant dense<"0xE382813F"> : tensor<f32>
    %r = call @main(%a0) : (tensor<f32>) -> (tensor<f32>)
    check.expect_almost_eq %r, %e0, tolerance = 2.023614e-05 : tensor<f32>
    return
  }
}
// -----
// unary_gradient: log, seed 48, number 77
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %0 = stablehlo.log %arg0 : tensor<f64>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %1 = stablehlo.multiply %0, %cst : tensor<f64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %2 = stablehlo.multiply %cst_0, %arg0 : tensor<f64>
    %3 = stablehlo.divide %2, %arg0 : tensor<f64>
    %4 = stablehlo.add %1, %3 : tensor<f64>
    return %4 : tensor<f64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x142EDE7FA819E93F"> : tensor<f64>
    %e0 = stablehlo.constant dense<"0x4CBEB6C37F3AE83F"> : tensor<f64>
    %r = call @main(%a0) : (tensor<f64>) -> (tensor<f64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.000000e-09 : tensor<f64>
    return
  }
}
// -----
// unary_gradient: sqrt, seed 48, number 96
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4xf32>) -> (tensor<1x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.sqrt %arg0 : tensor<1x4xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %2 = stablehlo.divide %1, %0 : tensor<1x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %4 = stablehlo.multiply %0, %3 : tensor<1x4xf32>
    %5 = stablehlo.multiply %3, %arg0 : tensor<1x4xf32>
    %6 = stablehlo.multiply %5, %2 : tensor<1x4xf32>
    %7 = stablehlo.add %4, %6 : tensor<1x4xf32>
    return %7 : tensor<1x4xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x7F2E253F2953E93F4D55613F5AE4C13F"> : tensor<1x4xf32>
    %e0 = stablehlo.constant dense<"0x443A9A3FCA9C01401B22B43F894EEC3F"> : tensor<1x4xf32>
    %r = call @main(%a0) : (tensor<1x4xf32>) -> (tensor<1x4xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 4.050389e-05 : tensor<1x4xf32>
    return
  }
}
// -----
// unary_gradient: atan, seed 48, number 115
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %0 = chlo.atan %arg0 : tensor<f64> -> tensor<f64>
    %1 = chlo.square %arg0 : tensor<f64> -> tensor<f64>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %2 = stablehlo.add %cst, %1 : tensor<f64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %3 = stablehlo.multiply %0, %cst_0 : tensor<f64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %4 = stablehlo.multiply %cst_1, %arg0 : tensor<f64>
    %5 = stablehlo.divide %4, %2 : tensor<f64>
    %6 = stablehlo.add %3, %5 : tensor<f64>
    return %6 : tensor<f64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x97957A43824BD43F"> : tensor<f64>
    %e0 = stablehlo.constant dense<"0xFEC79714FB0BE33F"> : tensor<f64>
    %r = call @main(%a0) : (tensor<f64>) -> (tensor<f64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.000000e-09 : tensor<f64>
    return
  }
}
