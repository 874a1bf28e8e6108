"""A chain of element-wise ops, op by op and fused by mx.compile.

    assay run guides/profile_fusion.py
"""

import time

import mlx.core as mx

SIZE = 1 << 24
ROUNDS = 10


def chain(x):
    return mx.log(mx.exp(mx.cos(mx.sin(x))))


def seconds(function, x):
    mx.synchronize()
    start = time.perf_counter()
    for _ in range(ROUNDS):
        mx.eval(function(x))
    mx.synchronize()
    return time.perf_counter() - start


def main():
    x = mx.random.uniform(shape=(SIZE,))
    compiled = mx.compile(chain)
    print("Warming up...")
    mx.eval(x, chain(x), compiled(x))

    print("Running Eager Mode (Capture this!)...")
    eager_time = seconds(chain, x)
    print(f"Eager Time: {eager_time:.4f}s")

    print("Running Compiled Mode (Capture this!)...")
    compiled_time = seconds(compiled, x)
    print(f"Compiled Time: {compiled_time:.4f}s")
    print(f"Speedup: {eager_time / compiled_time:.2f}x")


if __name__ == "__main__":
    main()
