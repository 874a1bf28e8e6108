"""finding: compile-in-window"""
import mlx.core as mx

OPS = (mx.sin, mx.tanh, mx.sigmoid, mx.erf, mx.log1p, mx.expm1, mx.rsqrt, mx.cosh)
x = mx.random.uniform(shape=(1 << 18,))
mx.eval(x)
for number in range(48):
    op = mx.cos if number < 8 else OPS[number // 6]
    mx.eval(op(x))  # here
