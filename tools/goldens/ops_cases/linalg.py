"""Calls of the functions in cornu/tensor/ops/linalg.h."""

import keras
from ops_goldens import case, t


def add():
    for x, y in (((3, 4), (4, 5)), ((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 5)), ((2, 3, 4), (4, 5)), ((2, 3, 4), (2, 4, 5)),
                 ((2, 1, 3, 4), (5, 4, 2)), ((4,), (2, 4, 5)), ((2, 3, 4), (4,)), ((3, 4), (2, 4, 5))):
        case("matmul", t(x), t(y), grad=True)
    case("matmul", t((3, 4), "i8", -9, 9), t((4, 5), "i8", -9, 9))
    case("matmul", t((3, 4), "i32", -9, 9), t((4, 5)))
    case("matmul", t((3, 4), "f16"), t((4, 5), "f16"))
    for x, y in (((3, 4), (4, 5)), ((4,), (4,)), ((), (2, 3)), ((2, 3, 4), (4,)), ((2, 3, 4), (5, 4, 2))):
        case("dot", t(x), t(y), grad=True)
    for x, y in (((4,), (4,)), ((3, 4), (2, 4)), ((), (3,)), ((2, 3, 4), (5, 4))):
        case("inner", t(x), t(y), grad=True)
    case("outer", t((3,)), t((2,)), grad=True)
    case("outer", t((3, 2), "i32", -5, 5), t((2,)))
    case("vdot", t((2, 3)), t((3, 2)), grad=True)
    case("tensordot", t((2, 3, 4)), t((3, 4, 5)), grad=True)
    case("tensordot", t((2, 3)), t((4, 5)), axes=0)
    case("tensordot", t((2, 3, 4)), t((4, 5, 3)), axes=[[1, 2], [2, 0]], grad=True)
    case("tensordot", t((2, 3)), t((3, 5)), axes=1)
    case("kron", t((2, 3)), t((3, 2)), grad=True)
    case("kron", t((2,)), t((2, 2)))
    case("cross", t((3,)), t((3,)), grad=True)
    case("cross", t((4, 3)), t((3,)))
    case("cross", t((4, 2)), t((4, 3)), grad=True)
    case("cross", t((4, 2)), t((4, 2)))
    case("cross", t((3, 4)), t((3, 4)), axis=0)
    case("cross", t((3, 4)), t((4, 3)), axisa=0, axisb=1, axisc=0)

    def einsum(*operands, subscripts):
        return keras.ops.einsum(subscripts, *operands)

    for subscripts, *shapes in (
            ("ij,jk->ik", (3, 4), (4, 5)), ("ij,jk", (3, 4), (4, 5)), ("ba", (3, 4)), ("ij->", (3, 4)), ("ij->j", (3, 4)), ("ii->i", (4, 4)),
            ("ii", (4, 4)), ("ii->", (4, 4)), ("iij->ij", (3, 3, 2)), ("i,i->", (4,), (4,)), ("i,j->ij", (4,), (3,)), ("i,i->i", (4,), (4,)),
            ("bqhd,bkhd->bhqk", (2, 3, 2, 4), (2, 5, 2, 4)), ("bhqk,bkhd->bqhd", (2, 2, 3, 5), (2, 5, 2, 4)), ("...ij,...jk->...ik", (2, 3, 4), (2, 4, 5)),
            ("...ij,jk->...ik", (2, 2, 3, 4), (4, 5)), ("...i,...i->...", (5, 2, 4), (2, 4)), ("...i,...i->...", (5, 1, 4), (2, 4)),
            ("i...->...", (3, 2, 4)), ("i...", (3, 2)), ("...a,...b", (2, 3), (2, 4)), ("ab,bc,cd->ad", (2, 3), (3, 4), (4, 5)),
            ("ab,ab,ab->a", (2, 3), (2, 3), (2, 3)), ("ab,b,c->ca", (2, 3), (3,), (4,)), ("aab,bc->ac", (2, 2, 3), (3, 4)),
            ("ij,kl->", (2, 3), (3, 2)), ("a,ab,abc->abc", (2,), (2, 3), (2, 3, 4)), (" i j , j -> i ", (2, 3), (3,)), ("ab,cd->dcba", (2, 3), (4, 5)),
            ("b...,b...->b", (2, 3, 4), (2, 3, 4)), ("ij,ij->ij", (1, 3), (1, 3)), (",ab->ba", (), (2, 3))):
        case("einsum", *[t(shape) for shape in shapes], subscripts=subscripts, function=einsum, grad=True)
    case("einsum", t((3, 4), "i8", -9, 9), t((4, 5), "i8", -9, 9), subscripts="ij,jk->ik", function=einsum)
    case("einsum", t((3, 4), "i32", -9, 9), t((4,)), subscripts="ij,j->i", function=einsum)
