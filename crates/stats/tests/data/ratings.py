"""An independent fit of the logistic model of points, for crates/stats/src/rating/tests.rs.

Makes the table of results ratings.csv (if it is not there) and prints the figures that the test expects.
The model is fitted by statsmodels: a draw is half a success (L. E. Papke and J. M. Wooldridge 1996, "Econometric methods
for fractional response variables", Journal of Applied Econometrics 11); the covariance is clustered by pair of games.

    pip install statsmodels && python3 crates/stats/tests/data/ratings.py
"""

import csv
import math
import os
import random

import numpy
import statsmodels.api

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ratings.csv")
BOTS = 5
STRENGTHS = [0.0, 0.3, 0.8, 1.5, 2.2]


def make_table():
    """Pairs of games whose opening favours one side, so that a pair's games depend on each other."""
    rng = random.Random(1970)
    rows = []
    for first in range(BOTS):
        for second in range(first + 1, BOTS):
            # Not equally many: the fit must weigh them.
            for _ in range(20 + 7 * first + 3 * second):
                bias = rng.choice([-1.0, 1.0]) * 0.9
                games = []
                for sign in (1, -1):
                    half = (STRENGTHS[first] - STRENGTHS[second] + sign * bias) / 2
                    weights = [math.exp(-half), 0.8, math.exp(half)]
                    games.append(rng.choices([0, 1, 2], weights)[0])
                rows.append([first, second] + games)
    rng.shuffle(rows)
    with open(TABLE, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["first", "second", "half_points_1", "half_points_2"])
        writer.writerows(rows)


def main():
    if not os.path.exists(TABLE):
        make_table()
    with open(TABLE) as file:
        pairs = [[int(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    points, design, clusters = [], [], []
    for number, (first, second, *games) in enumerate(pairs):
        for half_points in games:
            # Columns: strengths of all but bot 0.
            row = numpy.zeros(BOTS - 1)
            for bot, sign in ((first, 1), (second, -1)):
                if bot > 0:
                    row[bot - 1] = sign
            points.append(half_points / 2)
            design.append(row)
            clusters.append(number)
    fit = statsmodels.api.GLM(
        numpy.array(points),
        numpy.array(design),
        family=statsmodels.api.families.Binomial(),
    ).fit(
        tol=1e-14,
        maxiter=200,
        cov_type="cluster",
        cov_kwds={"groups": numpy.array(clusters), "use_correction": False},
    )
    elo = 400 / math.log(10)
    covariance = numpy.asarray(fit.cov_params())
    print("ratings against bot 0:", [round(float(elo * value), 6) for value in fit.params[: BOTS - 1]])
    print("deviations:", [round(float(elo * value), 6) for value in fit.bse[: BOTS - 1]])
    between = covariance[2, 2] + covariance[3, 3] - 2 * covariance[2, 3]
    print("deviation between bots 3 and 4:", round(elo * math.sqrt(between), 6))
    expected = fit.predict()
    drawn = sum(value == 0.5 for value in points)
    print("draws between equals:", round(drawn / float(numpy.sum(2 * numpy.minimum(expected, 1 - expected))), 9))


main()
