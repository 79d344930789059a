"""Errors that several modules raise."""


class NotTakenOver(NotImplementedError):
    """An operator of PyTorch's that this library does not define, in `exact`."""


class AdoptedError(RuntimeError):
    """An adopted product had other bits than this library's kernel: it is not taken any more."""
