# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plots with matplotlib, if it is installed. All return their axes."""

import numpy as np

_MOST_CALLS = 200_000


def _axes(ax):
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def _label_some(axis, labels, most):
    """Labels at most `most` of the places, evenly spaced."""
    step = max(1, -(-len(labels) // most))
    axis.set_ticks(range(0, len(labels), step), [str(label) for label in labels[::step]])


def matrix(matrix, metric, ax):
    """A heat map: senders downwards, receivers to the right; pairs without traffic stay empty."""
    if metric not in ("bytes", "calls"):
        raise ValueError(f"metric cannot be {metric!r}; it is 'bytes' or 'calls'")
    ax = _axes(ax)
    values = getattr(matrix, metric).astype(np.float64)
    image = ax.imshow(np.where(values == 0, np.nan, values), vmin=0, interpolation="nearest")
    _label_some(ax.xaxis, matrix.columns, 10)
    _label_some(ax.yaxis, matrix.rows, 20)
    ax.set(xlabel="to", ylabel="from", title=matrix.title)
    ax.figure.colorbar(image, ax=ax, label=metric)
    return ax


def timeline(trace, ranks, time, match, uses, colors, ax):
    """Calls as bars over time in the color of their activity; waits are hatched."""
    from matplotlib.collections import PolyCollection

    table = trace.calls(
        ranks=ranks,
        time=time,
        match=match,
        columns=["location", "begin", "duration", "call"],
    ).to_pandas()
    bars = table.dropna(subset=["begin", "duration"])
    if len(bars) > _MOST_CALLS:
        raise ValueError(
            f"{len(bars)} calls are more than the {_MOST_CALLS} that can be drawn; "
            "select ranks, a time window or names"
        )
    ax = _axes(ax)
    lines = list(dict.fromkeys(table["location"]))
    line_of = {label: i for i, label in enumerate(lines)}
    activity = bars["call"].map(lambda name: uses.get(name, "computation")).astype(str)
    for use in [use for use in colors if (activity == use).any()]:
        own = bars[activity == use]
        begin = own["begin"].to_numpy(np.float64) * 1e-9
        end = begin + own["duration"].to_numpy(np.float64) * 1e-9
        y = np.array([line_of[label] for label in own["location"]], np.float64)
        low, high = y - 0.4, y + 0.4
        corners = np.stack(
            [
                np.stack([begin, low], 1),
                np.stack([end, low], 1),
                np.stack([end, high], 1),
                np.stack([begin, high], 1),
            ],
            1,
        )
        waits = "///" if use.startswith("wait") else None
        bar = PolyCollection(
            corners, facecolor=colors[use], label=use, linewidth=0, hatch=waits, edgecolor="white"
        )
        ax.add_collection(bar)
    ax.autoscale_view()
    _label_some(ax.yaxis, lines, 20)
    ax.invert_yaxis()
    ax.set(xlabel="seconds", ylabel="location", title="calls")
    if len(bars) > 0:
        ax.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize="small")
    return ax


def steps(trace, ranks, ax):
    """A heat map of the time of each location per step."""
    table = trace.steps(ranks=ranks).to_pandas()
    frame = table.pivot_table(
        index="location", columns="step", values="duration", sort=False, observed=True
    )
    ax = _axes(ax)
    image = ax.imshow(
        frame.to_numpy(np.float64) * 1e-9, aspect="auto", interpolation="nearest"
    )
    _label_some(ax.xaxis, list(frame.columns), 10)
    _label_some(ax.yaxis, list(frame.index), 20)
    ax.set(xlabel="step", ylabel="location", title="time of the steps")
    ax.figure.colorbar(image, ax=ax, label="seconds")
    return ax
