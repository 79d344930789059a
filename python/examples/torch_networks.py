"""The networks of seeds 2 and 5 in PyTorch, as reported, and with one line added.

Needs PyTorch. The E8M0 codes depend on every ulp upstream: PyTorch's own results change with the number of
images in a batch, the number of threads, and torch.compile. With `bitexact.torch.exact` none does.
"""

import torch
from torch import nn

import bitexact
import bitexact.torch as exact_torch

torch.manual_seed(0)


class Seed2(nn.Module):
    """Scales by ceil(log2 x)."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1), nn.Conv2d(32, 64, 1), nn.BatchNorm2d(64), nn.GELU(),
            nn.Conv2d(64, 128, 1), nn.BatchNorm2d(128), nn.GELU(),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.features(x).abs() + 1e-7
        # The encoder is this library's in both runs: the differences are the network's.
        return exact_torch.e8m0_encode(x, policy="ceil").view(torch.uint8)


class Seed5(nn.Module):
    """Scales by bits."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(),
            nn.AdaptiveAvgPool2d(8),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        code = self.features(x).view(torch.int32)
        exponent = ((code >> 23) & 0xFF) + ((code & 0x7FFFFF) != 0)
        return exponent.clamp(0, 255).to(torch.uint8)


@torch.no_grad()
def main() -> None:
    for model, size in ((Seed2().eval(), 32), (Seed5().eval(), 64)):
        batch = torch.randn(4, 3, size, size)
        name = type(model).__name__

        def differ() -> tuple[int, int]:
            whole = model(batch)
            parts = torch.cat([model(image[None]) for image in batch])
            threads = torch.get_num_threads()
            torch.set_num_threads(1)
            bitexact.set_threads(1)
            alone = model(batch)
            torch.set_num_threads(threads)
            bitexact.set_threads(0)
            return int((whole != parts).sum()), int((whole != alone).sum())

        reported = differ()
        # One line:
        with exact_torch.exact(rounding="ties-to-even", accumulation="exact"):
            right = differ()
        print(f"{name}: {model(batch).numel()} codes differ between a batch of 4 and 4 of 1, and by threads:")
        print(f"  PyTorch {reported}, bitexact {right}")
        assert right == (0, 0)
        for record in exact_torch.coverage(model, batch[:1]):
            assert record["taken_over"], record
    print("every operator of both networks is taken over")


if __name__ == "__main__":
    main()
