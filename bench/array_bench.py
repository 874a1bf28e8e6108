"""Arrays beside PyTorch and NumPy: the rows of one table, measured in turns in one run.

    PYTHONPATH=build/release/python /usr/bin/python3 bench/array_bench.py [--rounds N] [--json]

Times are the best of the rounds. A peer that is not installed is left out of its rows.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import assay.core as mx

try:
    import torch
except ImportError:
    torch = None

SIDE = 4096
CHAIN = 20000


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def best(contestants, rounds):
    """Runs everybody once per round, so that a busy moment of the machine hits all alike."""
    times = {name: [] for name in contestants}
    for name, function in contestants.items():
        function()
    for _ in range(rounds):
        for name, function in contestants.items():
            times[name].append(seconds(function))
    return {name: min(values) for name, values in times.items()}


def rows():
    generator = np.random.default_rng(1)
    flat = generator.random(SIDE * SIDE, dtype=np.float32)
    square = flat.reshape(SIDE, SIDE)
    a, m = mx.array(flat), mx.array(square)
    small = mx.ones((8,))
    n = mx.array(generator.random((2048, 2048), dtype=np.float32))
    mx.eval(a, m, small, n)
    t = torch.from_numpy(flat) if torch else None
    tm = torch.from_numpy(square) if torch else None
    tn = torch.from_numpy(np.array(n)) if torch else None
    ts = torch.ones(8) if torch else None

    chain = mx.compile(lambda x: mx.log(mx.exp(mx.cos(mx.sin(x)))))
    target = np.empty_like(flat)

    def op_chain(x):
        for _ in range(CHAIN):
            x = x + x
        return x

    yield ("chain log(exp(cos(sin x))), 16.7M, compiled", 1, "copy", 0.5, {
        "assay": lambda: mx.eval(chain(a)),
        "copy": lambda: np.copyto(target, flat),
        "numpy": lambda: np.log(np.exp(np.cos(np.sin(flat)))),
        "torch": torch and (lambda: torch.log(torch.exp(torch.cos(torch.sin(t))))),
    })
    yield ("softmax rows 4096²", 1, "torch", 2.0, {
        "assay": lambda: mx.eval(mx.softmax(m, axis=-1)),
        "torch": torch and (lambda: torch.softmax(tm, -1)),
    })
    yield ("sum of 4096²", 1, "torch", 1.0, {
        "assay": lambda: mx.eval(mx.sum(m)),
        "numpy": lambda: square.sum(),
        "torch": torch and (lambda: tm.sum()),
    })
    yield ("sum of 4096² along axis 0", 1, "torch", 1.0, {
        "assay": lambda: mx.eval(mx.sum(m, axis=0)),
        "numpy": lambda: square.sum(axis=0),
        "torch": torch and (lambda: tm.sum(0)),
    })
    yield ("add 4096²", 1, "torch", 2.0, {
        "assay": lambda: mx.eval(m + m),
        "numpy": lambda: square + square,
        "torch": torch and (lambda: tm + tm),
    })
    yield ("matmul 2048²", 1, "torch", 1.0, {
        "assay": lambda: mx.eval(n @ n),
        "torch": torch and (lambda: tn @ tn),
    })
    yield from attention_rows(generator)
    yield from short_rows(generator)
    yield ("tiny op and eval", 1000, "torch", None, {
        "assay": lambda: [mx.eval(small + small) for _ in range(1000)],
        "torch": torch and (lambda: [ts + ts for _ in range(1000)]),
    })
    yield (f"op in a chain of {CHAIN}", CHAIN, "torch", None, {
        "assay": lambda: mx.eval(op_chain(small)),
        "torch": torch and (lambda: op_chain(ts)),
    })


def attention_rows(generator):
    for queries, keys, mask in ((1, 2048, None), (512, 512, None), (512, 512, "causal")):
        shapes = [(1, 8, length, 64) for length in (queries, keys, keys)]
        q, k, v = (mx.array(generator.random(shape, dtype=np.float32)) for shape in shapes)
        mx.eval(q, k, v)
        tq, tk, tv = (torch.from_numpy(np.array(a)) for a in (q, k, v)) if torch else (None,) * 3
        hidden = torch and torch.ones(queries, keys, dtype=torch.bool).triu(1 + keys - queries)

        def attend(tq=tq, tk=tk, tv=tv, hidden=hidden, mask=mask):
            scores = (tq * 0.125) @ tk.transpose(-1, -2)
            if mask:
                scores = scores.masked_fill(hidden, float("-inf"))
            return torch.softmax(scores, -1) @ tv

        yield (f"attention 8x{queries}x{keys}x64 {mask or ''}".rstrip(), 1, "torch", 1.0, {
            "assay": lambda q=q, k=k, v=v, mask=mask: mx.eval(
                mx.fast.scaled_dot_product_attention(q, k, v, scale=0.125, mask=mask)),
            "torch": torch and attend,
        })


def short_rows(generator):
    for length in (8, 50):
        rows = generator.random((SIDE * 1024 // length, length), dtype=np.float32)
        m, t = mx.array(rows), torch and torch.from_numpy(rows)
        mx.eval(m)
        yield (f"softmax rows of {length}, 4.2M", 1, "torch", 1.0, {
            "assay": lambda m=m: mx.eval(mx.softmax(m, axis=-1)),
            "torch": torch and (lambda t=t: torch.softmax(t, -1)),
        })
        yield (f"sum rows of {length}, 4.2M", 1, "torch", 1.0, {
            "assay": lambda m=m: mx.eval(mx.sum(m, axis=-1)),
            "torch": torch and (lambda t=t: t.sum(-1)),
        })
        yield (f"layer_norm rows of {length}, 4.2M", 1, "torch", 1.0, {
            "assay": lambda m=m: mx.eval(mx.fast.layer_norm(m, None, None, 1e-5)),
            "torch": torch and (lambda t=t, n=length: torch.layer_norm(t, (n,))),
        })


def text(value):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


START = "import assay.core as mx; mx.eval(mx.exp(mx.array([1.0, 2.0])) + 1)"


def cold_start(rounds):
    """A fresh process up to its first result: with an empty kernel cache, then with a warm one."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, ASSAY_CACHE_DIR=folder)
        run = lambda: subprocess.run([sys.executable, "-c", START], env=environment, check=True)
        cold = seconds(run)
        return cold, min(seconds(run) for _ in range(rounds))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = []
    for title, count, peer, aim, contestants in rows():
        present = {name: function for name, function in contestants.items() if function}
        times = {name: value / count for name, value in best(present, options.rounds).items()}
        ratio = times[peer] / times["assay"] if peer in times else None
        results.append({"work": title, "seconds": times, "peer": peer, "ratio": ratio, "aim": aim})
    cold, warm = cold_start(options.rounds)
    if options.json:
        print(json.dumps({"rows": results, "cold_start_s": cold, "warm_start_s": warm}, indent=2))
        return
    for row in results:
        others = "  ".join(
            f"{name} {text(value)}" for name, value in row["seconds"].items() if name != "assay"
        )
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}x {row['peer']}"
        aim = "" if row["aim"] is None else f"aim {row['aim']:g}x"
        print(f"{row['work']:<46} {text(row['seconds']['assay']):>9}  {ratio:<12} {aim:<9} {others}")
    print(f"import and first result: {text(cold)} with an empty cache (aim 500 ms), "
          f"{text(warm)} with a warm one (aim 150 ms)")


if __name__ == "__main__":
    main()
