"""Code for NVIDIA GPUs: archives that `bitexact_kernels.torch` loads."""

__version__ = "0.1.0"
