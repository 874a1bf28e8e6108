"""Random numbers: the generator against published vectors, the distributions by their moments."""

import threading
import unittest

import assay.core as mx
import numpy as np


def threefry(key, count):
    """Threefry 2x32 with 20 rounds, after Salmon et al. 2011."""
    rotations = ((13, 15, 26, 6), (17, 29, 16, 24))
    keys = (key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDA)
    x, y = (count[0] + keys[0]) & 0xFFFFFFFF, (count[1] + keys[1]) & 0xFFFFFFFF
    for i in range(5):
        for r in rotations[i % 2]:
            x = (x + y) & 0xFFFFFFFF
            y = ((y << r) | (y >> (32 - r))) & 0xFFFFFFFF ^ x
        x = (x + keys[(i + 1) % 3]) & 0xFFFFFFFF
        y = (y + keys[(i + 2) % 3] + i + 1) & 0xFFFFFFFF
    return x, y


class Threads(unittest.TestCase):
    def in_thread(self, work):
        results = []
        thread = threading.Thread(target=lambda: results.append(work()))
        thread.start()
        thread.join()
        return results[0]

    def test_seeds_belong_to_their_thread(self):
        mx.random.seed(7)
        expected = [mx.random.uniform(shape=(3,)).tolist() for _ in range(2)]
        mx.random.seed(7)
        self.assertEqual(mx.random.uniform(shape=(3,)).tolist(), expected[0])

        def other():
            mx.random.seed(1)
            return mx.random.uniform(shape=(3,)).tolist()

        self.assertNotEqual(self.in_thread(other), expected[1])
        self.assertEqual(mx.random.uniform(shape=(3,)).tolist(), expected[1])

    def test_threads_begin_with_different_numbers(self):
        draw = lambda: tuple(mx.random.uniform(shape=(3,)).tolist())
        self.assertEqual(len({self.in_thread(draw) for _ in range(4)}), 4)

    def test_compiled_functions_use_the_state_of_the_thread_that_calls(self):
        compiled = mx.compile(lambda: mx.random.uniform(shape=(3,)), inputs=mx.random.state,
                              outputs=mx.random.state)

        def draw():
            mx.random.seed(5)
            return [compiled().tolist() for _ in range(2)]

        here = draw()
        self.assertEqual(self.in_thread(draw), here)
        self.assertNotEqual(here[0], here[1])
        self.assertEqual(len(mx.random.state), 1)
        self.assertEqual(mx.random.state[0].shape, (2,))


class Mistakes(unittest.TestCase):
    def test_shapes_name_the_function(self):
        for call, name in ((lambda: mx.random.uniform(0, 1, (2, -3)), "uniform"),
                           (lambda: mx.random.normal((-1,)), "normal"),
                           (lambda: mx.random.bernoulli(0.5, (-1,)), "bernoulli"),
                           (lambda: mx.random.randint(0, 4, (-1,)), "randint")):
            with self.assertRaisesRegex(ValueError, rf"\[{name}\] Negative dimensions"):
                call()
        with self.assertRaisesRegex(ValueError, r"\[tile\]"):
            mx.tile(mx.ones((2,)), -1)


class Generator(unittest.TestCase):
    def test_reference_matches_published_vectors(self):
        self.assertEqual(threefry((0, 0), (0, 0)), (0x6B200159, 0x99BA4EFE))
        self.assertEqual(threefry((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3)),
                         (0xC4923A9C, 0x483DF7A0))

    def test_keys(self):
        self.assertEqual(mx.random.key(0).tolist(), [0, 0])
        self.assertEqual(mx.random.key(2**40 + 5).tolist(), [256, 5])
        self.assertEqual(mx.random.split(mx.random.key(0), 3).shape, (3, 2))

    def test_bits_are_threefry(self):
        bits = mx.random.bits((2,), key=mx.random.key(7)).tolist()
        self.assertEqual(set(bits), set(threefry((0, 7), (0, 1))))

    def test_seed_repeats(self):
        mx.random.seed(3)
        first = mx.random.uniform(shape=(5,)).tolist()
        second = mx.random.uniform(shape=(5,)).tolist()
        mx.random.seed(3)
        self.assertEqual(mx.random.uniform(shape=(5,)).tolist(), first)
        self.assertNotEqual(first, second)

    def test_state_is_captured(self):
        mx.random.seed(1)
        expected = [mx.random.uniform().item() for _ in range(3)]
        mx.random.seed(1)
        draw = mx.compile(lambda: mx.random.uniform(), inputs=mx.random.state,
                          outputs=mx.random.state)
        self.assertEqual([draw().item() for _ in range(3)], expected)


class Distributions(unittest.TestCase):
    def setUp(self):
        mx.random.seed(0)

    def test_moments(self):
        n = (20000,)
        for name, sample, mean, deviation in [
            ("uniform", mx.random.uniform(-1, 3, n), 1, 4 / np.sqrt(12)),
            ("normal", mx.random.normal(n, loc=2.0, scale=3.0), 2, 3),
            ("laplace", mx.random.laplace(n), 0, np.sqrt(2)),
            ("gumbel", mx.random.gumbel(n), 0.5772, np.pi / np.sqrt(6)),
            ("bernoulli", mx.random.bernoulli(0.25, n).astype(mx.float32), 0.25, np.sqrt(3) / 4),
            ("randint", mx.random.randint(0, 10, n).astype(mx.float32), 4.5, np.sqrt(8.25)),
        ]:
            with self.subTest(name):
                values = np.array(sample)
                self.assertAlmostEqual(values.mean(), mean, delta=0.1)
                self.assertAlmostEqual(values.std(), deviation, delta=0.1)

    def test_shapes_and_types(self):
        self.assertEqual(mx.random.normal((2, 3), mx.float16).dtype, mx.float16)
        self.assertEqual(mx.random.uniform().shape, ())
        values = np.array(mx.random.truncated_normal(-1, 1, (1000,)))
        self.assertTrue((np.abs(values) <= 1).all())

    def test_permutation(self):
        self.assertEqual(sorted(mx.random.permutation(13).tolist()), list(range(13)))
        rows = mx.random.permutation(mx.array([[1, 2], [3, 4], [5, 6]]))
        self.assertEqual(sorted(rows.tolist()), [[1, 2], [3, 4], [5, 6]])

    def test_categorical(self):
        logits = mx.array([0.0, -np.inf, -np.inf])
        self.assertEqual(mx.random.categorical(logits, num_samples=5).tolist(), [0] * 5)
        with self.assertRaises(ValueError):
            mx.random.categorical(logits, shape=(5,), num_samples=5)


if __name__ == "__main__":
    unittest.main()
