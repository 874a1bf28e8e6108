"""finding: none"""
import mlx.core as mx

step = mx.compile(lambda x: mx.log(mx.exp(mx.cos(mx.sin(x)))))
x = mx.random.uniform(shape=(1 << 23,))
for _ in range(15):
    x = step(x)
    mx.eval(x)
