"""finding: tiny-kernels"""
import mlx.core as mx

rows = [mx.random.uniform(shape=(32,)) for _ in range(300)]
mx.eval(rows)
for _ in range(15):
    mx.eval([mx.softmax(row) for row in rows])  # here
