"""Errors that several modules raise."""


class NotTakenOver(NotImplementedError):
    """An operator of PyTorch's that this library does not define, in `exact`."""
