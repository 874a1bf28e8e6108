"""Einstein summation and its order, beside NumPy's."""

import random
import unittest

import assay.core as mx
import numpy as np

SIZES = {letter: 2 + i % 5 for i, letter in enumerate("abcdefgAB")}


def make_case(generator):
    """Subscripts of 1 to 5 operands, with labels that stand twice in one, and a result."""
    letters = generator.sample(sorted(SIZES), generator.randint(2, 6))
    terms = ["".join(generator.choices(letters, k=generator.randint(1, 3)))
             for _ in range(generator.randint(1, 5))]
    used = sorted(set("".join(terms)))
    output = "".join(generator.sample(used, generator.randint(0, min(3, len(used)))))
    return ",".join(terms) + "->" + output


class Einsum(unittest.TestCase):
    def setUp(self):
        self.generator = random.Random(7)
        self.numbers = np.random.default_rng(7)

    def operands(self, case):
        shapes = [[SIZES[label] for label in term] for term in case.split("->")[0].split(",")]
        return [self.numbers.integers(-3, 4, shape).astype(np.float32) for shape in shapes]

    def test_values_and_paths_are_those_of_numpy(self):
        for _ in range(150):
            case = make_case(self.generator)
            operands = self.operands(case)
            arrays = [mx.array(a) for a in operands]
            with self.subTest(case):
                np.testing.assert_allclose(np.array(mx.einsum(case, *arrays)),
                                           np.einsum(case, *operands), rtol=1e-5, atol=1e-3)
                self.assertEqual(mx.einsum_path(case, *arrays)[0],
                                 np.einsum_path(case, *operands)[0][1:])

    def test_ellipsis(self):
        a, b = self.operands("abc,cd->abd")
        np.testing.assert_allclose(np.array(mx.einsum("...c,cd", mx.array(a), mx.array(b))), a @ b)

    def test_a_chain_starts_where_it_is_thin(self):
        a, b, c = (mx.zeros(shape) for shape in ((5, 8), (8, 10), (10, 7)))
        path, text = mx.einsum_path("ij,jk,kl", a, b, c)
        self.assertEqual(path, [(1, 2), (0, 1)])
        self.assertIn("ij,jk,kl->il", text)

    def test_mistakes(self):
        a = mx.zeros((2, 3))
        for subscripts, operands in [("ij->ik", [a]), ("ij", []), ("ijk", [a]), ("i1", [a])]:
            for function in (mx.einsum, mx.einsum_path):
                with self.assertRaises(ValueError):
                    function(subscripts, *operands)


if __name__ == "__main__":
    unittest.main()
