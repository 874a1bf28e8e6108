"""Chains of element-wise ops for fusion_bench.py.

    fusion_programs.py CHAIN eager STEPS      # one mode only: what a user records
    fusion_programs.py CHAIN both STEPS       # eager and compiled in turns; prints seconds of steps
"""

import statistics
import sys
import time

import mlx.core as mx


def traffic(x):
    return mx.maximum((x * 1.5 + 2.0 - x) * 0.25, x)


def guide(x):
    return mx.log(mx.exp(mx.cos(mx.sin(x))))


def mixed(x):
    return 0.5 * x * (1.0 + mx.tanh(0.8 * (x + 0.045 * x * x * x)))


def small(x):
    for _ in range(8):
        x = mx.abs(x - 0.5)
    return x


CHAINS = {
    "traffic": (traffic, 1 << 24),
    "guide": (guide, 1 << 24),
    "mixed": (mixed, 1 << 18),
    "small": (small, 1000),
}


def seconds(function, x):
    start = time.perf_counter()
    mx.eval(function(x))
    return time.perf_counter() - start


def main():
    chain, size = CHAINS[sys.argv[1]]
    steps = int(sys.argv[3])
    x = mx.random.uniform(shape=(size,))
    compiled = mx.compile(chain)
    mx.eval(x, chain(x))
    if sys.argv[2] == "eager":
        for _ in range(steps):
            seconds(chain, x)
        return
    mx.eval(compiled(x))
    eager_s, compiled_s = [], []
    for _ in range(steps):
        eager_s.append(seconds(chain, x))
        compiled_s.append(seconds(compiled, x))
    print(statistics.median(eager_s), statistics.median(compiled_s))


if __name__ == "__main__":
    main()
