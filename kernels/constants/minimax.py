"""Polynomials of least greatest error (Remez), by mpmath, deterministic."""

from mpmath import mp, mpf, matrix, lu_solve, cos, pi


def minimax(f, top, count, weight=None):
    """Coefficients, constant term first, of the polynomial of `count` terms nearest to f on
    [0, top], the error divided by `weight` (by default f: relative error)."""
    weight = weight or f
    points = [top * (1 - cos(pi * k / count)) / 2 for k in range(count + 1)]
    grid = [top * (1 - cos(pi * k / 400)) / 2 for k in range(401)]
    for _ in range(12):
        a = matrix(count + 1, count + 1)
        b = matrix(count + 1, 1)
        for i, x in enumerate(points):
            for j in range(count):
                a[i, j] = x ** j if j else mpf(1)
            a[i, count] = (-1) ** i * weight(x)
            b[i] = f(x)
        solution = lu_solve(a, b)
        coefficients = [solution[j] for j in range(count)]

        def error(x):
            total = mpf(0)
            for c in reversed(coefficients):
                total = total * x + c
            return (total - f(x)) / weight(x)

        # One extremum in each run of errors of one sign.
        runs = []
        for x in grid:
            e = error(x)
            if runs and (runs[-1][1] > 0) == (e > 0):
                if abs(e) > abs(runs[-1][1]):
                    runs[-1] = (x, e)
            else:
                runs.append((x, e))
        if len(runs) != count + 1:
            break
        points = [x for x, _ in runs]
    return coefficients, max(abs(error(x)) for x in grid)


def centred(f, low, high, count, weight):
    """`minimax` on [low, high], as a polynomial about 0, constant term first."""
    moved, error = minimax(lambda u: f(u + low), high - low, count, lambda u: weight(u + low))
    about = [mpf(0)] * count
    for k in reversed(range(count)):  # Horner in (x - low)
        about = [(about[j - 1] if j else mpf(0)) - low * about[j] for j in range(count)]
        about[0] += moved[k]
    return about, error
