"""Pictures in matplotlib, with the palette of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .answer import Table
    from .result import Run

PALETTE = ("#1f6fb4", "#c2571a", "#2e8b57", "#8e44ad", "#b8860b", "#c0392b", "#16808a", "#555555")


def axes(ax: Any = None) -> Any:
    """The axes to draw in: those that are given, or new ones."""
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.figure(figsize=(6.4, 4.0), layout="constrained").add_subplot()
    ax.set_prop_cycle(color=list(PALETTE))
    ax.grid(visible=True, linewidth=0.4, alpha=0.5)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def run(found: Run, what: tuple[str, ...], ax: Any) -> Any:
    """Columns against time, or one against the other."""
    ax = axes(ax)
    names = what or tuple(found.model.coordinates[:8])
    if len(names) == 1 and ":" in names[0]:
        x, y = (part.strip() for part in names[0].split(":", 1))
        ax.plot(found[x], found[y])
        ax.set_xlabel(x)
        ax.set_ylabel(y)
    else:
        for name in names:
            ax.plot(found.t, found[name], label=name)
        ax.set_xlabel("t")
        if len(names) == 1:
            ax.set_ylabel(names[0])
        else:
            # Beside the curves, never on them.
            ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    ax.set_title(f"{found.json['model']}: {found.json['method']}", fontsize=10)
    return ax


def table(found: Table, ax: Any) -> Any:
    """Errors against steps where they were measured; otherwise the errors of methods."""
    ax = axes(ax)
    rows = [row.json for row in found.rows]
    if rows and isinstance(rows[0].get("steps"), list):
        for row in rows:
            errors = row["errors"].get("solution") or []
            pairs = [(h, e) for h, e in zip(row["steps"], errors, strict=False) if e]
            if pairs:
                ax.loglog(*zip(*pairs, strict=True), marker="o", markersize=3, label=row["method"])
        ax.set_xlabel("step")
        ax.set_ylabel("error")
        ax.legend(frameon=False)
        return ax
    named = [(row.get("method", "?"), row.get("reference_max")) for row in rows]
    known = [(name, value) for name, value in named if value]
    ax.barh([name for name, _ in known], [value for _, value in known], color=PALETTE[0])
    if known:
        ax.set_xscale("log")
    ax.invert_yaxis()
    ax.set_xlabel("distance from the reference")
    return ax


def _points(found: Run) -> tuple[list[str], Any, list[list[int]], list[str]]:
    """Points of the scene: names, places (points, axes, times), links, names of axes."""
    from .expr import Expr

    scene = found.model.scene().json
    values = found.model.derive().json["parameters"]
    known = {name: float(Expr(text).lambdify()()) for name, text in values.items()}
    places = []
    for point in scene["points"]:
        place = []
        for text in point["at"]:
            expression = Expr(text)
            here = {name: known[name] for name in expression.symbols if name in known}
            function = expression.lambdify(**here)
            columns = [found.t if name == "t" else found[name] for name in function.names]
            place.append(np.broadcast_to(function(*columns), found.t.shape))
        places.append(place)
    names = [point["name"] for point in scene["points"]]
    return names, np.array(places, dtype=np.float64), scene["links"], scene["axes"]


def animate(found: Run, seconds: float, frames: int) -> Any:
    """An animation of the scene, which a notebook plays."""
    from matplotlib import animation, pyplot

    _, places, links, names = _points(found)
    if places.size == 0:
        raise ValueError("the scene of the model has no points to draw")
    figure = pyplot.figure(figsize=(4.8, 4.8), layout="constrained")
    ax = axes(figure.add_subplot())
    flat = places[:, :2]
    low, high = flat.min(axis=(0, 2)), flat.max(axis=(0, 2))
    if any(0 in link for link in links):
        low, high = np.minimum(low, 0), np.maximum(high, 0)
    margin = 0.08 * max(float((high - low).max()), 1e-9)
    ax.set_xlim(low[0] - margin, high[0] + margin)
    ax.set_ylim(low[1] - margin, high[1] + margin)
    ax.set_aspect("equal")
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    rods = [ax.plot([], [], color=PALETTE[7], linewidth=1.5)[0] for _ in links]
    dots = ax.plot([], [], "o", color=PALETTE[0])[0]
    trail = ax.plot([], [], color=PALETTE[0], linewidth=0.7, alpha=0.4)[0]
    chosen = np.linspace(0, len(found.t) - 1, min(frames, len(found.t))).astype(np.int64)

    def draw(number: int) -> list[Any]:
        k = chosen[number]
        dots.set_data(flat[:, 0, k], flat[:, 1, k])
        trail.set_data(flat[-1, 0, : k + 1], flat[-1, 1, : k + 1])
        for line, link in zip(rods, links, strict=True):
            ends = [np.zeros(2) if end == 0 else flat[end - 1, :, k] for end in link]
            line.set_data([end[0] for end in ends], [end[1] for end in ends])
        ax.set_title(f"t = {found.t[k]:.2f}", fontsize=10)
        return [dots, trail, *rods]

    interval = 1000 * seconds / len(chosen)
    moving = animation.FuncAnimation(figure, draw, frames=len(chosen), interval=interval)
    pyplot.close(figure)
    return Animation(moving)


class Animation:
    """A matplotlib animation that a notebook plays as it stands."""

    def __init__(self, animation: Any) -> None:
        self.animation = animation

    def _repr_html_(self) -> str:
        return str(self.animation.to_jshtml())

    def save(self, path: Any, **options: Any) -> None:
        """Writes it as matplotlib can: ``.gif`` with pillow, ``.html``."""
        self.animation.save(path, **({"writer": "pillow"} if str(path).endswith(".gif") else {}) | options)
