"""What the notebooks share: play a scenario, open its tables, bound figures over settlement clusters, keep a figure.

Money stays in whole microUSDC (int64) until it is shown: `usdc` turns it into an exact Decimal.
"""

import json
import math
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from statistics import NormalDist

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.ipc

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

#: Where runs and figures are left; `notebooks/execute` sets both.
RUNS = Path(os.environ.get("PARLOR_NOTEBOOK_RUNS", ROOT / "runs" / "notebooks"))
FIGURES = Path(os.environ.get("PARLOR_NOTEBOOK_FIGURES", RUNS / "figures"))

#: Recorded market data beside the checkout (docs/data.md). It is in no repository, so notebooks must do without it.
RECORDED = Path(os.environ.get("PARLOR_RECORDED", ROOT.parent / "shared" / "data"))

LEVEL = 0.95

plt.style.use(HERE / "parlor.mplstyle")
pl.Config(tbl_rows=40, tbl_width_chars=170, fmt_str_lengths=110, tbl_hide_column_data_types=True, tbl_hide_dataframe_shape=True)


@dataclass(frozen=True)
class Run:
    """A finished run: its folder, and what is in it."""

    folder: Path

    @property
    def name(self):
        return self.folder.name

    @property
    def manifest(self):
        return json.loads((self.folder / "manifest.json").read_text())

    @property
    def summary(self):
        return json.loads((self.folder / "summary.json").read_text())

    @property
    def digest(self):
        return self.manifest["digest"]

    def arrow(self, table):
        """A table as pyarrow reads it, memory-mapped: types, units and descriptions are in its schema."""
        with pa.memory_map(str(self.folder / "tables" / f"{table}.arrow")) as source:
            return pa.ipc.open_file(source).read_all()

    def table(self, table):
        """A table as a polars frame, its dictionaries as plain text."""
        frame = pl.read_ipc(self.folder / "tables" / f"{table}.arrow")
        return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))

    def parquet(self, table):
        """Path of a table's Parquet twin, for DuckDB; it is there when the scenario says `record: { parquet: true }`."""
        return str(self.folder / "tables" / f"{table}.parquet")


def parlor(*words):
    """Runs a command of parlor in the repository, and says what it said where it fails."""
    done = subprocess.run([str(ROOT / "bin" / "parlor.mjs"), *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"parlor {' '.join(map(str, words))} failed ({done.returncode}):\n{done.stderr}")


def play(name, scenario, *settings, seed="1"):
    """Plays a scenario with `parlor run` and opens the run. `settings` are PATH=VALUE, as `--set` takes them."""
    folder = RUNS / name
    parlor("run", scenario, "--seed", seed, "--out", folder, "--force", "--quiet", *[word for setting in settings for word in ("--set", setting)])
    return Run(folder)


def play_all(plays):
    """Plays several, two at a time. `plays` is {name: (scenario, settings, seed)}; returns {name: Run} in that order."""
    with ThreadPoolExecutor(2) as pool:
        waiting = {name: pool.submit(play, name, scenario, *settings, seed=seed) for name, (scenario, settings, seed) in plays.items()}
        return {name: run.result() for name, run in waiting.items()}


def league(name, scenario, *settings):
    """Plays the league of a scenario: (its sums by session, maker and cluster as a frame, what it found as league.json has it)."""
    folder = RUNS / name
    parlor("league", scenario, "--out", folder, "--tasks", RUNS / "tasks", "--quiet", *[word for setting in settings for word in ("--set", setting)])
    frame = pl.read_ipc(folder / "league.arrow").with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    return frame, json.loads((folder / "league.json").read_text())


@cache
def season(nights=20):
    """The scenario of made-up nights; makes its price store where it is not there."""
    if not (ROOT / "store" / "season" / "store.json").exists():
        node = ROOT / "node_modules" / ".bin" / "node"
        subprocess.run([str(node) if node.exists() else "node", "notebooks/season.ts", "store/season", str(nights)], cwd=ROOT, check=True, capture_output=True)
    return HERE / "season.yaml"


def recorded(name):
    """Folder of recorded data, or None, which it says: the cell that asked is then skipped."""
    folder = RECORDED / name
    if folder.is_dir():
        return folder
    print(f"SKIPPED: no recorded data at {folder}.")
    return None


def usdc(micros):
    """microUSDC as an exact number of USDC."""
    return Decimal(int(micros)) / 1_000_000


@dataclass(frozen=True)
class Interval:
    estimate: float
    low: float
    high: float
    clusters: int

    @property
    def width(self):
        return self.high - self.low

    def __str__(self):
        if np.isnan(self.low):
            return f"{self.estimate:,.2f} (no interval: {self.clusters} clusters)"
        return f"{self.estimate:,.2f} [{self.low:,.2f}, {self.high:,.2f}]/{self.clusters}"


def cluster_sums(frame, *columns, by="cluster", over=None):
    """Sums of columns per cluster, as a matrix clusters × columns in order of the clusters' names.

    `over` names the clusters where some may be without a row: these are sums of zero. Clusters with nothing in any column are
    left out otherwise, since they have nothing of what is estimated.
    """
    sums = frame.group_by(by).agg([pl.col(column).sum() for column in columns]).sort(by)
    if over is None:
        sums = sums.filter(pl.any_horizontal(pl.col(column) != 0 for column in columns))
    else:
        sums = pl.DataFrame({by: sorted(over)}).join(sums, on=by, how="left").fill_null(0)
    return sums.select(columns).to_numpy().astype(float)


def resampled(cells, replications=1000, rng=None):
    """Totals over clusters drawn with replacement, as many as there are: replications × columns."""
    rng = np.random.default_rng(1) if rng is None else rng
    clusters = len(cells)
    drawn = rng.multinomial(clusters, np.full(clusters, 1 / clusters), size=replications)
    return drawn @ cells


def student_below(x, freedom):
    """How likely Student's t with whole degrees of freedom lies below x: the finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4."""
    angle = math.atan(x / math.sqrt(freedom))
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    inner = 0.0
    for k in range(odd, freedom - 1, 2):
        inner += term
        term *= math.cos(angle) ** 2 * (k + 1) / (k + 2)
    between = 2 / math.pi * (angle + math.sin(angle) * inner) if odd else math.sin(angle) * inner
    return 0.5 + between / 2


@cache
def student_point(freedom):
    """What Student's t exceeds with half of what is left of LEVEL, by bisection."""
    low, high = 0.0, 1000.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if student_below(middle, freedom) < (1 + LEVEL) / 2 else (low, middle)
    return high


def tails(clusters):
    """Shares at which percentiles of resamples of so many clusters are taken: expanded ones (Hesterberg, The American Statistician 69, 2015)."""
    upper = NormalDist().cdf(math.sqrt(clusters / (clusters - 1)) * student_point(clusters - 1))
    return 1 - upper, upper


def percentiles(cells, statistic, replications=4000, rng=None):
    """A statistic of totals and its 95 % interval by expanded percentiles of resampled clusters, beside which `interval` is held."""
    low, high = np.nanquantile(statistic(resampled(cells, replications, rng)), tails(len(cells)))
    return Interval(float(statistic(cells.sum(axis=0))), float(low), float(high), len(cells))


#: By how much parlor takes the skewness of few clusters for more than they show (docs/validation.md).
SKEWNESS_SCALE = 1.1


def interval(cells, statistic):
    """A statistic of totals and its 95 % interval as parlor makes it (docs/metrics.md): on the jackknife over whole clusters, the farther end on
    each side of Student's, and of Student's with the skewness taken out (Hall, J. R. Statist. Soc. B 54, 1992).

    `statistic` maps (…, columns) to (…). Clusters with nothing in any column are left out. There is no interval of a single cluster, and none of
    clusters that are all alike, or of which one alone defines the statistic.
    """
    cells = cells[(cells != 0).any(axis=1)]
    n, totals = len(cells), cells.sum(axis=0)
    estimate = float(statistic(totals))
    none = Interval(estimate, np.nan, np.nan, n)
    if n < 2:
        return none
    without = statistic((totals - cells) * (n / (n - 1)))
    if not np.isfinite(without).all():
        return none
    influence = (n - 1) * (without.mean() - without)
    deviation = math.sqrt((influence**2).sum() / (n - 1))
    if deviation <= 1e-12 * abs(estimate):
        return none if estimate != 0 else Interval(0.0, 0.0, 0.0, n)
    t = student_point(n - 1) / math.sqrt(n)
    if n == 2:
        return Interval(estimate, estimate - deviation * t, estimate + deviation * t, n)
    skewness = SKEWNESS_SCALE * n * ((influence / deviation) ** 3).sum() / ((n - 1) * (n - 2))

    def corrected(x):
        u = x - skewness / (6 * n)
        root = np.cbrt(1 + skewness * u)
        return 3 * u / (root * root + root + 1)

    return Interval(estimate, float(estimate - deviation * max(t, corrected(t))), float(estimate + deviation * max(t, -corrected(-t))), n)


def ratio(scale=1.0):
    """`scale` · first column over second, NaN where the second is nothing."""
    def of(totals):
        with np.errstate(divide="ignore", invalid="ignore"):
            return scale * np.asarray(totals[..., 0] / totals[..., 1])
    return of


def total(scale=1.0):
    """`scale` · the first column."""
    return lambda totals: scale * totals[..., 0]


def wilson(successes, trials, z=1.959964):
    """Wilson's 95 % interval of a share, trials taken as independent: arrays (low, high)."""
    n, k = np.asarray(trials, float), np.asarray(successes, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = k / n
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return middle - half, middle + half


#: One colour and one marker for each maker, the same in every figure of a notebook.
COLOURS = [entry["color"] for entry in plt.rcParams["axes.prop_cycle"]]
MARKERS = ["o", "s", "D", "^", "v", "P"]


def looks(names):
    """{name: {color, marker}} in the order given."""
    return {name: {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)]} for i, name in enumerate(names)}


def keep(figure, name):
    """Leaves a figure as NAME.png. The notebook's metadata must declare it: `notebooks/execute` checks both ways."""
    FIGURES.mkdir(parents=True, exist_ok=True)
    figure.savefig(FIGURES / f"{name}.png")
