"""What the pictures in docs/profiling.md show: ten steps of a small chain, op by op or compiled.

    picture_program.py [compiled]
"""

import sys

import mlx.core as mx


def step(x):
    return mx.log(mx.exp(mx.cos(mx.sin(x))))


def main():
    function = mx.compile(step) if "compiled" in sys.argv else step
    x = mx.random.normal(shape=(1024, 1024))
    mx.eval(function(x), x)
    for _ in range(10):
        y = function(x)
        mx.eval(y.sum(axis=1))


main()
