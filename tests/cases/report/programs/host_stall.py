"""finding: host-stall"""
import time

import mlx.core as mx

step = mx.compile(lambda x: mx.cos(mx.sin(x)))
x = mx.random.uniform(shape=(1 << 20,))
for _ in range(25):
    x = step(x)
    mx.eval(x)  # here
    time.sleep(0.02)  # the program reads its next batch, for example
