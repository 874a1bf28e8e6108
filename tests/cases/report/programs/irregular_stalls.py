"""finding: irregular-stalls"""
import time

import mlx.core as mx

step = mx.compile(lambda x: mx.cos(mx.sin(x)))
x = mx.random.uniform(shape=(1 << 21,))
for number in range(40):
    x = step(x)
    mx.eval(x)  # here
    if number % 8 == 7:
        time.sleep(0.1)  # a checkpoint is written
