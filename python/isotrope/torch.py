"""Flows for PyTorch: ``iso.torch.Flow.apply(f, n, x0, p)`` has exact gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

if TYPE_CHECKING:
    from .stepper import Stepper


class Flow(torch.autograd.Function):
    """What a motion begins with, after ``n`` steps of ``f`` from ``x0`` with the inputs ``p``.

    ``x0`` has ``f.moving`` numbers, or a row of them for each of many motions; ``p`` are the inputs of ``f``, or a row of
    them for each, or ``None`` for those of the model. Steps are made in double precision on the processor; the answer
    has the type and the place of ``x0``.
    """

    @staticmethod
    def forward(ctx: Any, f: Stepper, n: int, x0: Any, p: Any = None) -> Any:
        x = x0.detach().cpu().numpy().astype(np.float64)
        given = f.usual if p is None else p.detach().cpu().numpy().astype(np.float64)
        shape = np.broadcast_shapes(x.shape[:-1], given.shape[:-1])
        x = np.broadcast_to(x, (*shape, x.shape[-1])).reshape(-1, x.shape[-1])
        u = np.broadcast_to(given, (*shape, given.shape[-1])).reshape(-1, given.shape[-1])
        ctx.several = (x0.ndim > 1, p is not None and p.ndim > 1)
        if any(ctx.needs_input_grad):
            end, *derivatives = f.derivatives(x, u, n)
            ctx.save_for_backward(*(torch.from_numpy(d).to(x0) for d in derivatives))
        else:
            states = np.array([f.initial(row, own) for row, own in zip(x, u, strict=True)])
            end = f.batch(states.reshape(len(x), f.size), u, n=n)[:, : f.moving]
        return torch.from_numpy(np.ascontiguousarray(end).reshape((*shape, f.moving))).to(x0)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        rows = gradient.reshape(-1, gradient.shape[-1])
        found: list[Any] = []
        for own, derivative, needed in zip(
            ctx.several, ctx.saved_tensors, ctx.needs_input_grad[2:], strict=True
        ):
            product = torch.einsum("bi,bij->bj", rows, derivative) if needed else None
            if product is not None:
                # One row for all motions has the sum of their gradients.
                product = product if own else product.sum(0)
            found.append(product)
        return None, None, found[0], found[1]
