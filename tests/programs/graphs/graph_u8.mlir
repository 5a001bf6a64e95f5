// u8 graph, seed 48, number 3
module @jit_results attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<ui8>, %arg1: tensor<1x2xui8>, %arg2: tensor<6x7xui8>, %arg3: tensor<4x7x33xui8>) -> (tensor<3x6x1x4xui8> {jax.result_info = "result[0]"}, tensor<3x6x1x4xi32> {jax.result_info = "result[1]"}, tensor<3x6x1x3xui8> {jax.result_info = "result[2]"}, tensor<3x6x2x4xui8> {jax.result_info = "result[3]"}, tensor<3x6x2x4xui8> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[3, 3, 4, 2]> : tensor<4xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<6xi32>
    %0 = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<1x2xui8>, tensor<1x2xui8>) -> tensor<2x2xui8>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x2xui8>) -> tensor<1x2x6xui8>
    %2 = stablehlo.reshape %1 : (tensor<1x2x6xui8>) -> tensor<12xui8>
    %3 = stablehlo.slice %2 [10:12] : (tensor<12xui8>) -> tensor<2xui8>
    %4 = stablehlo.reshape %3 : (tensor<2xui8>) -> tensor<1x2xui8>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %5:4 = stablehlo.while(%iterArg = %4, %iterArg_13 = %c_2, %iterArg_14 = %c_1, %iterArg_15 = %arg1) : tensor<1x2xui8>, tensor<i64>, tensor<i64>, tensor<1x2xui8>
    cond {
      %c_16 = stablehlo.constant dense<3> : tensor<i64>
      %66 = stablehlo.compare LT, %iterArg_13, %c_16, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %66 : tensor<i1>
    } do {
      %66:2 = func.call @closed_call(%iterArg, %iterArg_14, %iterArg_15) : (tensor<1x2xui8>, tensor<i64>, tensor<1x2xui8>) -> (tensor<i64>, tensor<1x2xui8>)
      %c_16 = stablehlo.constant dense<1> : tensor<i64>
      %67 = stablehlo.add %iterArg_13, %c_16 : tensor<i64>
      stablehlo.return %iterArg, %67, %66#0, %66#1 : tensor<1x2xui8>, tensor<i64>, tensor<i64>, tensor<1x2xui8>
    }
    %6 = stablehlo.reshape %arg2 : (tensor<6x7xui8>) -> tensor<42xui8>
    %7 = stablehlo.slice %6 [40:42] : (tensor<42xui8>) -> tensor<2xui8>
    %8 = stablehlo.reshape %7 : (tensor<2xui8>) -> tensor<1x2xui8>
    %9 = stablehlo.concatenate %5#3, %8, dim = 0 : (tensor<1x2xui8>, tensor<1x2xui8>) -> tensor<2x2xui8>
    %10 = stablehlo.slice %1 [0:1:2, 1:2:2, 1:5:2] : (tensor<1x2x6xui8>) -> tensor<1x1x2xui8>
    %11 = stablehlo.reshape %9 : (tensor<2x2xui8>) -> tensor<4xui8>
    %12 = stablehlo.slice %11 [0:4] : (tensor<4xui8>) -> tensor<4xui8>
    %13 = stablehlo.reshape %12 : (tensor<4xui8>) -> tensor<2x2xui8>
    %14 = stablehlo.concatenate %0, %13, dim = 0 : (tensor<2x2xui8>, tensor<2x2xui8>) -> tensor<4x2xui8>
    %15 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 3] : (tensor<1x1x2xui8>) -> tensor<1x1x6x2xui8>
    %16 = call @cumsum(%c) : (tensor<4xi32>) -> tensor<4xi32>
    %c_3 = stablehlo.constant dense<7> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %18 = stablehlo.remainder %16, %17 : tensor<4xi32>
    %19 = call @_take(%15, %c_0) : (tensor<1x1x6x2xui8>, tensor<6xi32>) -> tensor<6x1x6x2xui8>
    %20 = stablehlo.transpose %19, dims = [0, 2, 1, 3] : (tensor<6x1x6x2xui8>) -> tensor<6x6x1x2xui8>
    %21 = stablehlo.reshape %14 : (tensor<4x2xui8>) -> tensor<8xui8>
    %22 = stablehlo.concatenate %21, %21, %21, %21, %21, %21, %21, %21, %21, dim = 0 : (tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>) -> tensor<72xui8>
    %23 = stablehlo.slice %22 [0:72] : (tensor<72xui8>) -> tensor<72xui8>
    %24 = stablehlo.reshape %23 : (tensor<72xui8>) -> tensor<6x6x1x2xui8>
    %c_4 = stablehlo.constant dense<0> : tensor<i64>
    %c_5 = stablehlo.constant dense<0> : tensor<i64>
    %25:4 = stablehlo.while(%iterArg = %24, %iterArg_13 = %c_5, %iterArg_14 = %c_4, %iterArg_15 = %20) : tensor<6x6x1x2xui8>, tensor<i64>, tensor<i64>, tensor<6x6x1x2xui8>
    cond {
      %c_16 = stablehlo.constant dense<1> : tensor<i64>
      %66 = stablehlo.compare LT, %iterArg_13, %c_16, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %66 : tensor<i1>
    } do {
      %66:2 = func.call @closed_call_1(%iterArg, %iterArg_14, %iterArg_15) : (tensor<6x6x1x2xui8>, tensor<i64>, tensor<6x6x1x2xui8>) -> (tensor<i64>, tensor<6x6x1x2xui8>)
      %c_16 = stablehlo.constant dense<1> : tensor<i64>
      %67 = stablehlo.add %iterArg_13, %c_16 : tensor<i64>
      stablehlo.return %iterArg, %67, %66#0, %66#1 : tensor<6x6x1x2xui8>, tensor<i64>, tensor<i64>, tensor<6x6x1x2xui8>
    }
    %26 = stablehlo.slice %18 [0:3] : (tensor<4xi32>) -> tensor<3xi32>
    %27 = stablehlo.abs %26 : tensor<3xi32>
    %c_6 = stablehlo.constant dense<6> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %29 = stablehlo.remainder %27, %28 : tensor<3xi32>
    %30 = call @_take_2(%25#3, %29) : (tensor<6x6x1x2xui8>, tensor<3xi32>) -> tensor<3x6x1x2xui8>
    %31 = stablehlo.reshape %20 : (tensor<6x6x1x2xui8>) -> tensor<72xui8>
    %32 = stablehlo.concatenate %31, %31, dim = 0 : (tensor<72xui8>, tensor<72xui8>) -> tensor<144xui8>
    %33 = stablehlo.slice %32 [0:144] : (tensor<144xui8>) -> tensor<144xui8>
    %34 = stablehlo.reshape %33 : (tensor<144xui8>) -> tensor<3x6x2x4xui8>
    %35 = stablehlo.dot_general %30, %34, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<3x6x1x2xui8>, tensor<3x6x2x4xui8>) -> tensor<3x6x1x4xui8>
    %36 = stablehlo.reverse %35, dims = [3] : tensor<3x6x1x4xui8>
    %37 = stablehlo.concatenate %35, %36, dim = 2 : (tensor<3x6x1x4xui8>, tensor<3x6x1x4xui8>) -> tensor<3x6x2x4xui8>
    %38 = stablehlo.reshape %37 : (tensor<3x6x2x4xui8>) -> tensor<144xui8>
    %39 = stablehlo.slice %38 [72:144] : (tensor<144xui8>) -> tensor<72xui8>
    %40 = stablehlo.reshape %39 : (tensor<72xui8>) -> tensor<3x6x1x4xui8>
    %41 = stablehlo.concatenate %35, %40, dim = 3 : (tensor<3x6x1x4xui8>, tensor<3x6x1x4xui8>) -> tensor<3x6x1x8xui8>
    %c_7 = stablehlo.constant dense<0> : tensor<ui8>
    %42 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<ui8>) -> tensor<ui8>
    %43 = "stablehlo.reduce_window"(%41, %42) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 1, 2>, window_strides = array<i64: 1, 1, 1, 2>}> ({
    ^bb0(%arg4: tensor<ui8>, %arg5: tensor<ui8>):
      %66 = stablehlo.maximum %arg4, %arg5 : tensor<ui8>
      stablehlo.return %66 : tensor<ui8>
    }) : (tensor<3x6x1x8xui8>, tensor<ui8>) -> tensor<3x6x1x4xui8>
    %44 = stablehlo.convert %36 : (tensor<3x6x1x4xui8>) -> tensor<3x6x1x4xi32>
    %45 = stablehlo.reshape %37 : (tensor<3x6x2x4xui8>) -> tensor<144xui8>
    %46 = stablehlo.concatenate %45, %45, dim = 0 : (tensor<144xui8>, tensor<144xui8>) -> tensor<288xui8>
    %47 = stablehlo.slice %46 [0:216] : (tensor<288xui8>) -> tensor<216xui8>
    %48 = stablehlo.reshape %47 : (tensor<216xui8>) -> tensor<3x6x4x3xui8>
    %49 = stablehlo.dot_general %43, %48, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<3x6x1x4xui8>, tensor<3x6x4x3xui8>) -> tensor<3x6x1x3xui8>
    %50 = stablehlo.negate %37 : tensor<3x6x2x4xui8>
    %51 = stablehlo.convert %arg0 : (tensor<ui8>) -> tensor<ui64>
    %c_8 = stablehlo.constant dense<0> : tensor<ui64>
    %52 = stablehlo.reduce(%51 init: %c_8) applies stablehlo.add across dimensions = [] : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
    %c_9 = stablehlo.constant dense<0> : tensor<ui64>
    %53 = stablehlo.add %c_9, %52 : tensor<ui64>
    %54 = stablehlo.convert %arg1 : (tensor<1x2xui8>) -> tensor<1x2xui64>
    %c_10 = stablehlo.constant dense<0> : tensor<ui64>
    %55 = stablehlo.reduce(%54 init: %c_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x2xui64>, tensor<ui64>) -> tensor<ui64>
    %56 = stablehlo.add %53, %55 : tensor<ui64>
    %57 = stablehlo.convert %arg2 : (tensor<6x7xui8>) -> tensor<6x7xui64>
    %c_11 = stablehlo.constant dense<0> : tensor<ui64>
    %58 = stablehlo.reduce(%57 init: %c_11) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x7xui64>, tensor<ui64>) -> tensor<ui64>
    %59 = stablehlo.add %56, %58 : tensor<ui64>
    %60 = stablehlo.convert %arg3 : (tensor<4x7x33xui8>) -> tensor<4x7x33xui64>
    %c_12 = stablehlo.constant dense<0> : tensor<ui64>
    %61 = stablehlo.reduce(%60 init: %c_12) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x7x33xui64>, tensor<ui64>) -> tensor<ui64>
    %62 = stablehlo.add %59, %61 : tensor<ui64>
    %63 = stablehlo.convert %62 : (tensor<ui64>) -> tensor<ui8>
    %64 = stablehlo.broadcast_in_dim %63, dims = [] : (tensor<ui8>) -> tensor<3x6x2x4xui8>
    %65 = stablehlo.add %50, %64 : tensor<3x6x2x4xui8>
    return %43, %44, %49, %50, %65 : tensor<3x6x1x4xui8>, tensor<3x6x1x4xi32>, tensor<3x6x1x3xui8>, tensor<3x6x2x4xui8>, tensor<3x6x2x4xui8>
  }
  func.func private @closed_call(%arg0: tensor<1x2xui8>, %arg1: tensor<i64>, %arg2: tensor<1x2xui8>) -> (tensor<i64>, tensor<1x2xui8>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<3> : tensor<ui8>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui8>) -> tensor<1x2xui8>
    %2 = stablehlo.multiply %arg2, %1 : tensor<1x2xui8>
    %3 = stablehlo.add %2, %arg0 : tensor<1x2xui8>
    %4 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<ui8>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<ui8>) -> tensor<1x2xui8>
    %6 = stablehlo.add %3, %5 : tensor<1x2xui8>
    return %0, %6 : tensor<i64>, tensor<1x2xui8>
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
  func.func private @_take(%arg0: tensor<1x1x6x2xui8>, %arg1: tensor<6xi32>) -> tensor<6x1x6x2xui8> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 6, 2>}> : (tensor<1x1x6x2xui8>, tensor<6x1xi32>) -> tensor<6x1x6x2xui8>
    return %1 : tensor<6x1x6x2xui8>
  }
  func.func private @closed_call_1(%arg0: tensor<6x6x1x2xui8>, %arg1: tensor<i64>, %arg2: tensor<6x6x1x2xui8>) -> (tensor<i64>, tensor<6x6x1x2xui8>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<3> : tensor<ui8>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui8>) -> tensor<6x6x1x2xui8>
    %2 = stablehlo.multiply %arg2, %1 : tensor<6x6x1x2xui8>
    %3 = stablehlo.add %2, %arg0 : tensor<6x6x1x2xui8>
    %4 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<ui8>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<ui8>) -> tensor<6x6x1x2xui8>
    %6 = stablehlo.add %3, %5 : tensor<6x6x1x2xui8>
    return %0, %6 : tensor<i64>, tensor<6x6x1x2xui8>
  }
  func.func private @_take_2(%arg0: tensor<6x6x1x2xui8>, %arg1: tensor<3xi32>) -> tensor<3x6x1x2xui8> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6, 1, 2>}> : (tensor<6x6x1x2xui8>, tensor<3x1xi32>) -> tensor<3x6x1x2xui8>
    return %1 : tensor<3x6x1x2xui8>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x07"> : tensor<ui8>
    %a1 = stablehlo.constant dense<"0x0509"> : tensor<1x2xui8>
    %a2 = stablehlo.constant dense<"0x060604090301010900050001030602040206030907080603050704000102050808040204000103040905"> : tensor<6x7xui8>
    %a3 = stablehlo.constant dense<"0x030008010600050502070605070301070904080005090905030304090909040609040605070109010804090605000902070601000108060504050005090902080307050606010800000909080207060606080803000702080408030500090308010309060704000906000108070406010209080402040505050305030003010304030400040203040109020303070604030406000806080302040400050401050407030408050104070403040609050006050900030400090505030905090607030506010500010305000209070007030809000101030308020803060707090605040905080108040708050200040309050603000704000709000706040105040300020006070808060603020203090503080702060303040102040900080101020900040609060209010504020209060604030603080008080005070904060007010504020808040708040307040407020007060600000203010004080201030100040501000600060304030505040605070708060704060702090602030103070701070700070908090906030309050002020805090900090703060900080308080205010700000105060108070802020704040401090909050501090401070802040803010605070102000003040806030206070907070507020206020503050106020406060108080004050405040404080504070609030005070703090806010902040004080700070909090605020804030003030407060405010307040209000909070606070600040105090902070703070904000705030107020906050605050706050906020907030608030104030207000901030603080703020908050206040301040906030301010501060705000900090601080503090100010105080003000708050306020008030608070309030106030703040105000804030205000402060706020508020900080504090704010401000904090202040808060809020301080800060901030702050104020906060008060001020206040305070200060309010500000300000102030902040302010206050502010003050103010608020801080805070209080402040109070908020900020101030809020207020901050800050008060405020408060501090205010502020309000004000809040905080901030608010905050300050707040502010603080207010602080102010403080603080805040100030605050806090003060605070805050907090004090203070803050600070907090506030606020906"> : tensor<4x7x33xui8>
    %e0 = stablehlo.constant dense<"0xC4C46464646464646464646464646464C4C46464646464646464C4C46464C4C4C4C46464646464646464646464646464C4C46464646464646464C4C46464C4C4C4C4646464646464"> : tensor<3x6x1x4xui8>
    %e1 = stablehlo.constant dense<"0xC4000000C4000000C4000000C4000000640000006400000064000000640000006400000064000000640000006400000064000000640000006400000064000000C4000000C4000000C4000000C4000000640000006400000064000000640000006400000064000000640000006400000064000000640000006400000064000000C4000000C4000000C4000000C4000000640000006400000064000000640000006400000064000000640000006400000064000000640000006400000064000000C4000000C4000000C4000000C4000000640000006400000064000000640000006400000064000000640000006400000064000000640000006400000064000000C4000000C4000000C4000000C400000064000000640000006400000064000000"> : tensor<3x6x1x4xi32>
    %e2 = stablehlo.constant dense<"0xC0C040404040C0C04040C0C040404040C0C0404040404040C0C040404040C0C04040C0C0C0C040404040C0C04040C0C040404040C0C0"> : tensor<3x6x1x3xui8>
    %e3 = stablehlo.constant dense<"0x3C3C3C3C3C3C3C3C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C3C3C3C3C3C3C3C3C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C3C3C3C3C3C3C3C3C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C3C3C3C3C3C3C3C3C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C9C3C3C3C3C3C3C3C3C9C9C9C9C9C9C9C9C"> : tensor<3x6x2x4xui8>
    %e4 = stablehlo.constant dense<"0x9292929292929292F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F29292929292929292F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F29292929292929292F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F29292929292929292F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F2F29292929292929292F2F2F2F2F2F2F2F2"> : tensor<3x6x2x4xui8>
    %r:5 = call @main(%a0, %a1, %a2, %a3) : (tensor<ui8>, tensor<1x2xui8>, tensor<6x7xui8>, tensor<4x7x33xui8>) -> (tensor<3x6x1x4xui8>, tensor<3x6x1x4xi32>, tensor<3x6x1x3xui8>, tensor<3x6x2x4xui8>, tensor<3x6x2x4xui8>)
    check.expect_eq %r#0, %e0 : tensor<3x6x1x4xui8>
    check.expect_eq %r#1, %e1 : tensor<3x6x1x4xi32>
    check.expect_eq %r#2, %e2 : tensor<3x6x1x3xui8>
    check.expect_eq %r#3, %e3 : tensor<3x6x2x4xui8>
    check.expect_eq %r#4, %e4 : tensor<3x6x2x4xui8>
    return
  }
}
// -----
// u8 graph, seed 48, number 9
module @jit_results attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x16xui8>, %arg1: tensor<7x16x3xui8>, %arg2: tensor<6x1xui8>, %arg3: tensor<4x5x33xui8>) -> (tensor<4x16xi32> {jax.result_info = "result[0]"}, tensor<13x33xui8> {jax.result_info = "result[1]"}, tensor<1x7xui8> {jax.result_info = "result[2]"}, tensor<6x16xui8> {jax.result_info = "result[3]"}, tensor<6x16xui8> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[3, 1, 1, 0]> : tensor<4xi32>
    %c_0 = stablehlo.constant dense<[3, 8]> : tensor<2xi32>
    %0 = stablehlo.reshape %arg2 : (tensor<6x1xui8>) -> tensor<6xui8>
    %1 = stablehlo.concatenate %0, %0, %0, dim = 0 : (tensor<6xui8>, tensor<6xui8>, tensor<6xui8>) -> tensor<18xui8>
    %2 = stablehlo.slice %1 [0:16] : (tensor<18xui8>) -> tensor<16xui8>
    %3 = stablehlo.reshape %2 : (tensor<16xui8>) -> tensor<1x16xui8>
    %4 = stablehlo.dot_general %arg2, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x1xui8>, tensor<1x16xui8>) -> tensor<6x16xui8>
    %5 = stablehlo.reshape %4 : (tensor<6x16xui8>) -> tensor<96xui8>
    %6 = stablehlo.slice %5 [32:96] : (tensor<96xui8>) -> tensor<64xui8>
    %7 = stablehlo.reshape %6 : (tensor<64xui8>) -> tensor<4x16xui8>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %9 = stablehlo.compare LT, %c, %8, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %11 = stablehlo.add %c, %10 : tensor<4xi32>
    %12 = stablehlo.select %9, %11, %c : tensor<4xi1>, tensor<4xi32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %14 = "stablehlo.scatter"(%arg0, %13, %7) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<ui8>, %arg5: tensor<ui8>):
      %56 = stablehlo.minimum %arg4, %arg5 : tensor<ui8>
      stablehlo.return %56 : tensor<ui8>
    }) : (tensor<4x16xui8>, tensor<4x1xi32>, tensor<4x16xui8>) -> tensor<4x16xui8>
    %15 = stablehlo.convert %arg0 : (tensor<4x16xui8>) -> tensor<4x16xi32>
    %16 = stablehlo.reshape %14 : (tensor<4x16xui8>) -> tensor<64xui8>
    %17 = stablehlo.slice %16 [63:64] : (tensor<64xui8>) -> tensor<1xui8>
    %18 = stablehlo.reshape %17 : (tensor<1xui8>) -> tensor<ui8>
    %19 = stablehlo.pad %4, %18, low = [1, 0], high = [1, 2], interior = [1, 1] : (tensor<6x16xui8>, tensor<ui8>) -> tensor<13x33xui8>
    %20 = stablehlo.slice %c_0 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %21 = stablehlo.reshape %20 : (tensor<1xi32>) -> tensor<i32>
    %22 = stablehlo.slice %c_0 [1:2] : (tensor<2xi32>) -> tensor<1xi32>
    %23 = stablehlo.reshape %22 : (tensor<1xi32>) -> tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.compare LT, %21, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<6> : tensor<i32>
    %25 = stablehlo.add %21, %c_4 : tensor<i32>
    %26 = stablehlo.select %24, %25, %21 : tensor<i1>, tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.compare LT, %23, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<16> : tensor<i32>
    %28 = stablehlo.add %23, %c_6 : tensor<i32>
    %29 = stablehlo.select %27, %28, %23 : tensor<i1>, tensor<i32>
    %30 = stablehlo.dynamic_slice %4, %26, %29, sizes = [1, 7] : (tensor<6x16xui8>, tensor<i32>, tensor<i32>) -> tensor<1x7xui8>
    %31 = stablehlo.reshape %14 : (tensor<4x16xui8>) -> tensor<64xui8>
    %32 = stablehlo.slice %31 [57:64] : (tensor<64xui8>) -> tensor<7xui8>
    %33 = stablehlo.reshape %32 : (tensor<7xui8>) -> tensor<1x7xui8>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.compare LT, %23, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<6> : tensor<i32>
    %35 = stablehlo.add %23, %c_8 : tensor<i32>
    %36 = stablehlo.select %34, %35, %23 : tensor<i1>, tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %37 = stablehlo.compare LT, %21, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_10 = stablehlo.constant dense<16> : tensor<i32>
    %38 = stablehlo.add %21, %c_10 : tensor<i32>
    %39 = stablehlo.select %37, %38, %21 : tensor<i1>, tensor<i32>
    %40 = stablehlo.dynamic_update_slice %4, %33, %36, %39 : (tensor<6x16xui8>, tensor<1x7xui8>, tensor<i32>, tensor<i32>) -> tensor<6x16xui8>
    %41 = stablehlo.convert %arg0 : (tensor<4x16xui8>) -> tensor<4x16xui64>
    %c_11 = stablehlo.constant dense<0> : tensor<ui64>
    %42 = stablehlo.reduce(%41 init: %c_11) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xui64>, tensor<ui64>) -> tensor<ui64>
    %c_12 = stablehlo.constant dense<0> : tensor<ui64>
    %43 = stablehlo.add %c_12, %42 : tensor<ui64>
    %44 = stablehlo.convert %arg1 : (tensor<7x16x3xui8>) -> tensor<7x16x3xui64>
    %c_13 = stablehlo.constant dense<0> : tensor<ui64>
    %45 = stablehlo.reduce(%44 init: %c_13) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x16x3xui64>, tensor<ui64>) -> tensor<ui64>
    %46 = stablehlo.add %43, %45 : tensor<ui64>
    %47 = stablehlo.convert %arg2 : (tensor<6x1xui8>) -> tensor<6x1xui64>
    %c_14 = stablehlo.constant dense<0> : tensor<ui64>
    %48 = stablehlo.reduce(%47 init: %c_14) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x1xui64>, tensor<ui64>) -> tensor<ui64>
    %49 = stablehlo.add %46, %48 : tensor<ui64>
    %50 = stablehlo.convert %arg3 : (tensor<4x5x33xui8>) -> tensor<4x5x33xui64>
    %c_15 = stablehlo.constant dense<0> : tensor<ui64>
    %51 = stablehlo.reduce(%50 init: %c_15) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x5x33xui64>, tensor<ui64>) -> tensor<ui64>
    %52 = stablehlo.add %49, %51 : tensor<ui64>
    %53 = stablehlo.convert %52 : (tensor<ui64>) -> tensor<ui8>
    %54 = stablehlo.broadcast_in_dim %53, dims = [] : (tensor<ui8>) -> tensor<6x16xui8>
    %55 = stablehlo.add %40, %54 : tensor<6x16xui8>
    return %15, %19, %30, %40, %55 : tensor<4x16xi32>, tensor<13x33xui8>, tensor<1x7xui8>, tensor<6x16xui8>, tensor<6x16xui8>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x05080209050206020608060901090502060709090201010709060901030902080803020104020402080800010407090908010302080401020506050608040605"> : tensor<4x16xui8>
    %a1 = stablehlo.constant dense<"0x000607070301000303090700080901000706030209040501030502080503030401040503030108030303060500030901000506070707060307090603070901090900050209000703080601070304010504040705010102080102030807090207060205000406070809000106060809030602070403000605030409040602080203080603030203050007010708010308030602030800010307090807000303010305040502060905040309070308020307000308070805070207020708020603010601010408050305080200060206090204030802060607020800080809030908080406060601070501010408080107030105020805090105090601000207020008020500040202070307060901020102020404010208060903020503070704000508090502080305050207080006060601080005000205070601080005040507070807060507030002050904070202"> : tensor<7x16x3xui8>
    %a2 = stablehlo.constant dense<"0x060808030105"> : tensor<6x1xui8>
    %a3 = stablehlo.constant dense<"0x000707040900040505080905040306030002090007030501050701000709050502000809040902060509030902060703050805040808090601010505040406050703060300020608040502080005030808060102050407050205050201090202060001010304060708020709090107070709070106060506040209050409010508070106010508070909030903070001020402020506010102090809080204040809070504020603080504000803080502090300040806030709020200000402080706020202060006000409010607040702060001030005000800050303000902030101090706020102030308080808040203030109010807000204060602020409070401020508060707000403060704070209070703090709000806090902060704080704090904060609010900000201060108070201060807090108010300000705050001090304090005090308090101000709030205030708070704070806000402070500030406040100040208050605020400020105090707070305080501090801050001060209020104050006040907070208030000050508080301010104020702070400080901020401010606070507060005000503050806070501050803060207040104040008030709050708000904030809000504080204030107090709030507060609050907020802070501010006020301000800060106010806050107010403090706010107080105010806050109030708050006070602030408070402030606050106070300050502040507080700000405030704050504050104050505090303010001030707040109040500090503090903050208090501090309020907000600090604030509020305010906040805050509090507020301030103050906030704060204060707"> : tensor<4x5x33xui8>
    %e0 = stablehlo.constant dense<"0x05000000080000000200000009000000050000000200000006000000020000000600000008000000060000000900000001000000090000000500000002000000060000000700000009000000090000000200000001000000010000000700000009000000060000000900000001000000030000000900000002000000080000000800000003000000020000000100000004000000020000000400000002000000080000000800000000000000010000000400000007000000090000000900000008000000010000000300000002000000080000000400000001000000020000000500000006000000050000000600000008000000040000000600000005000000"> : tensor<4x16xi32>
    %e1 = stablehlo.constant dense<"0x050505050505050505050505050505050505050505050505050505050505050505240530053005120506051E05240530053005120506051E05240530053005120505050505050505050505050505050505050505050505050505050505050505050505300540054005180508052805300540054005180508052805300540054005180505050505050505050505050505050505050505050505050505050505050505050505300540054005180508052805300540054005180508052805300540054005180505050505050505050505050505050505050505050505050505050505050505050505120518051805090503050F05120518051805090503050F051205180518050905050505050505050505050505050505050505050505050505050505050505050505050605080508050305010505050605080508050305010505050605080508050305050505050505050505050505050505050505050505050505050505050505050505051E05280528050F05050519051E05280528050F05050519051E05280528050F0505050505050505050505050505050505050505050505050505050505050505050505"> : tensor<13x33xui8>
    %e2 = stablehlo.constant dense<"0x1809030F121818"> : tensor<1x7xui8>
    %e3 = stablehlo.constant dense<"0x24303012061E24303012061E24303012304040180828304040180828304040183040401808283040401808283040401812181809030F12181809030F12181809060808030105060808030105060808031E28280605060804060505191E28280F"> : tensor<6x16xui8>
    %e4 = stablehlo.constant dense<"0x606C6C4E425A606C6C4E425A606C6C4E6C7C7C5444646C7C7C5444646C7C7C546C7C7C5444646C7C7C5444646C7C7C544E5454453F4B4E5454453F4B4E5454454244443F3D414244443F3D414244443F5A64644241424440424141555A64644B"> : tensor<6x16xui8>
    %r:5 = call @main(%a0, %a1, %a2, %a3) : (tensor<4x16xui8>, tensor<7x16x3xui8>, tensor<6x1xui8>, tensor<4x5x33xui8>) -> (tensor<4x16xi32>, tensor<13x33xui8>, tensor<1x7xui8>, tensor<6x16xui8>, tensor<6x16xui8>)
    check.expect_eq %r#0, %e0 : tensor<4x16xi32>
    check.expect_eq %r#1, %e1 : tensor<13x33xui8>
    check.expect_eq %r#2, %e2 : tensor<1x7xui8>
    check.expect_eq %r#3, %e3 : tensor<6x16xui8>
    check.expect_eq %r#4, %e4 : tensor<6x16xui8>
    return
  }
}
