import unittest
from interest import grow


class Grow(unittest.TestCase):
    def test_one_year(self):
        self.assertEqual(grow(100, 0.05, 1), 105)

    def test_two_years(self):
        self.assertEqual(grow(100, 0.05, 2), 110.25)
