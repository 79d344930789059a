"""Which models run in `exact`: tiny ones of transformers and torchvision, with random weights.

    python tools/models.py [--only NAME ...] [--dtypes float32 bfloat16 float16 autocast] [--lengths 15 300] [--times] [--devices] [--full]
        [--accumulation exact] [--write FILE]

Of each model: forward; loss, backward, clipped gradients, and a step of SGD and of AdamW; the tokens that a causal model
generates. Where one runs, a batch of two rows of different lengths must give the bits of each row alone, and two threads
those of one. `--lengths`: the forward pass of causal models alone, of a row of each length and a shorter one in a padded batch.
`--devices`: the results of a GPU against the CPU's, and those of the compiled model, without dropout (whose random bits PyTorch
draws in another way on each device). `--times`: instead of this, the time of a forward and of a training step on one thread, PyTorch's and that in `exact`.
`--full`: the times of four models in full size on a GPU, for each accumulation.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import re
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch

import bitexact_kernels as bx
import bitexact_kernels.torch as bt

WORDS, LONG, SHORT, NEW = 96, 11, 7, 4
EXACT: dict[str, Any] = {"rounding": "ties-to-even", "accumulation": "exact"}
COMMON = {"vocab_size": WORDS, "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 64}
PLAIN = {**COMMON, "max_position_embeddings": 64, "tie_word_embeddings": True}
GROUPED = {**PLAIN, "num_key_value_heads": 2}
HEADS = {**GROUPED, "head_dim": 8}
SPARSE = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
IMAGES = {"image_size": 32, "patch_size": 8, **{key: COMMON[key] for key in COMMON if key != "vocab_size"}}
TOWER = {key: COMMON[key] for key in COMMON if key != "vocab_size"}
BART = {
    "vocab_size": WORDS, "d_model": 32, "encoder_layers": 3, "decoder_layers": 3, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "max_position_embeddings": 64,
}  # fmt: skip
#: Of each architecture of transformers: its class, its configuration, and what it is given.
ARCHITECTURES: dict[str, tuple[str, dict[str, Any], str]] = {
    "GPT2": ("LMHeadModel", {"vocab_size": WORDS, "n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 64}, "causal"),
    "Llama": ("ForCausalLM", GROUPED, "causal"),
    "Mistral": ("ForCausalLM", {**GROUPED, "sliding_window": 8}, "causal"),
    "Qwen2": ("ForCausalLM", GROUPED, "causal"),
    "Qwen3": ("ForCausalLM", HEADS, "causal"),
    "Gemma": ("ForCausalLM", HEADS, "causal"),
    "Gemma2": ("ForCausalLM", {**HEADS, "sliding_window": 8}, "causal"),
    "Gemma3": ("ForCausalLM", {**HEADS, "sliding_window": 8}, "causal"),
    "Phi": ("ForCausalLM", GROUPED, "causal"),
    "GPTNeoX": ("ForCausalLM", PLAIN, "causal"),
    "OPT": ("ForCausalLM", {**PLAIN, "ffn_dim": 64, "word_embed_proj_dim": 32}, "causal"),
    "Bloom": ("ForCausalLM", {"vocab_size": WORDS, "hidden_size": 32, "n_layer": 3, "n_head": 4}, "causal"),
    "Falcon": ("ForCausalLM", PLAIN, "causal"),
    "Olmo": ("ForCausalLM", GROUPED, "causal"),
    "Mixtral": ("ForCausalLM", {**GROUPED, "num_local_experts": 4}, "causal"),
    "Qwen2Moe": ("ForCausalLM", {**GROUPED, **SPARSE, "shared_expert_intermediate_size": 32}, "causal"),
    "Qwen3Moe": ("ForCausalLM", {**HEADS, **SPARSE}, "causal"),
    "Granite": ("ForCausalLM", GROUPED, "causal"),
    "Cohere": ("ForCausalLM", GROUPED, "causal"),
    "StableLm": ("ForCausalLM", GROUPED, "causal"),
    "SmolLM3": ("ForCausalLM", GROUPED, "causal"),
    "Starcoder2": ("ForCausalLM", GROUPED, "causal"),
    "DeepseekV3": (
        "ForCausalLM",
        {
            **PLAIN, "num_key_value_heads": 4, "moe_intermediate_size": 32, "n_routed_experts": 4, "num_experts_per_tok": 2,
            "n_group": 2, "topk_group": 1, "first_k_dense_replace": 1, "kv_lora_rank": 16, "q_lora_rank": 16,
            "qk_rope_head_dim": 8, "qk_nope_head_dim": 8, "v_head_dim": 8,
        },
        "causal",
    ),
    "Mamba": ("ForCausalLM", {**PLAIN, "state_size": 8}, "causal"),
    "Bert": ("ForMaskedLM", PLAIN, "text"),
    "Roberta": ("ForMaskedLM", PLAIN, "text"),
    "DistilBert": ("ForMaskedLM", {"vocab_size": WORDS, "dim": 32, "n_layers": 3, "n_heads": 4, "hidden_dim": 64}, "text"),
    "Electra": ("ForMaskedLM", {**PLAIN, "embedding_size": 32}, "text"),
    "Albert": ("ForMaskedLM", {**PLAIN, "embedding_size": 16}, "text"),
    "ModernBert": ("ForMaskedLM", {**PLAIN, "local_attention": 8}, "text"),
    "DebertaV2": ("ForMaskedLM", {**PLAIN, "relative_attention": True, "pos_att_type": ["p2c", "c2p"]}, "text"),
    "T5": (
        "ForConditionalGeneration",
        {"vocab_size": WORDS, "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 3, "num_heads": 4},
        "pairs",
    ),
    "Bart": ("ForConditionalGeneration", BART, "pairs"),
    "ViT": ("ForImageClassification", IMAGES, "images"),
    "Dinov2": ("ForImageClassification", IMAGES, "images"),
    "Swin": (
        "ForImageClassification",
        {"image_size": 32, "patch_size": 2, "embed_dim": 16, "depths": [2, 2], "num_heads": [2, 4], "window_size": 4},
        "images",
    ),
    "CLIP": (
        "Model",
        {"text_config": {**PLAIN, "projection_dim": 16}, "vision_config": {**IMAGES, "projection_dim": 16}, "projection_dim": 16},
        "both",
    ),
    "Whisper": ("ForConditionalGeneration", {**BART, "num_mel_bins": 8, "max_source_positions": 16}, "sounds"),
}  # fmt: skip
VISION = (
    "resnet18", "resnet50", "convnext_tiny", "mobilenet_v3_small", "efficientnet_b0", "shufflenet_v2_x0_5",
    "regnet_y_400mf", "densenet121", "vgg11", "vit_b_16",
)  # fmt: skip
Rows = list[torch.Tensor]


def tiny(name: str, **other: Any) -> Any:
    """A model of transformers, with random weights; `other` goes before its configuration."""
    import transformers

    suffix, given, kind = ARCHITECTURES[name]
    config = "Gemma3Text" if name == "Gemma3" else name
    marks = {} if kind in ("images", "both") else {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    if kind in ("pairs", "sounds"):
        marks["decoder_start_token_id"] = 0
    made = getattr(transformers, f"{config}Config")(**{**given, **marks, **other})
    return getattr(transformers, f"{name}{suffix}")(made)


class Case:
    """A model, with its operands as one batch and as single rows, and what it computes of them."""

    def __init__(self, name: str, dtype: torch.dtype, long: int = LONG, short: int = SHORT, device: str = "cpu", **other: Any) -> None:
        torch.manual_seed(0)
        # Weights in float32, and operators of bfloat16 where autocast has them.
        mixed = dtype is torch.autocast
        dtype = torch.float32 if mixed else dtype
        self.mixed = lambda: torch.autocast(device, torch.bfloat16, enabled=mixed, cache_enabled=False)
        self.name, self.dtype, self.long, self.short = name, dtype, long, short
        if name in VISION:
            import torchvision

            self.kind, size = "images", 32
            extra = {"image_size": size} if name == "vit_b_16" else {}
            self.model = getattr(torchvision.models, name)(weights=None, num_classes=5, **extra)
        else:
            self.kind, size = ARCHITECTURES[name][2], 32
            self.model = tiny(name, **other)
        self.model.to(dtype).to(device)
        self.words = torch.randint(3, WORDS, (2, long)).to(device)
        self.images = torch.randn(2, 3, size, size).to(dtype).to(device)
        self.sounds = torch.randn(2, 8, 32).to(dtype).to(device)

    def operands(self, row: int | None, left: bool = False) -> dict[str, Any]:
        """A row alone, or both, the second of which is shorter and padded."""
        rows = slice(None) if row is None else slice(row, row + 1)
        if self.name in VISION:
            return {"images": self.images[rows]}
        if self.kind == "images":
            return {"pixel_values": self.images[rows]}
        if self.kind == "sounds":
            return {"input_features": self.sounds[rows], "decoder_input_ids": self.words[rows]}
        words, mask = self.words.clone(), torch.ones_like(self.words)
        pad = slice(0, self.long - self.short) if left else slice(self.short, None)
        words[1, pad], mask[1, pad] = 0, 0
        if row is not None:
            kept = mask[row].bool()
            words, mask = words[row : row + 1, kept], mask[row : row + 1, kept]
        given = {"input_ids": words, "attention_mask": mask}
        if self.kind == "pairs":
            given["decoder_input_ids"] = self.words[rows]
        if self.kind == "both":
            given["pixel_values"] = self.images[rows]
        return given

    def forward(self, row: int | None = None) -> Rows:
        """The logits of each row, without those of its padding."""
        given = self.operands(row)
        with torch.no_grad(), self.mixed():
            if self.name in VISION:
                return list(self.model.eval()(given["images"]))
            made = self.model.eval()(**given)
        if self.kind == "both":
            return list(torch.cat([made.text_embeds, made.image_embeds], 1))
        lengths = given["attention_mask"].sum(1) if self.kind in ("causal", "text") else [None] * len(made.logits)
        return [one[:n] for one, n in zip(made.logits, lengths)]

    def generated(self, row: int | None = None) -> Rows:
        """The tokens that follow each row."""
        given = self.operands(row, left=True)
        with self.mixed():
            made = self.model.eval().generate(**given, max_new_tokens=NEW, min_new_tokens=NEW, do_sample=False)
        return list(made[:, -NEW:])

    def loss(self) -> torch.Tensor:
        given = self.operands(None)
        self.model.train()
        if self.name in VISION:
            made = self.model(given["images"])
            return torch.nn.functional.cross_entropy(made, torch.tensor([1, 3], device=made.device))
        if self.kind == "both":
            given["return_loss"] = True
        elif self.kind == "images":
            given["labels"] = torch.tensor([0, 1], device=self.words.device)
        else:
            given.pop("decoder_input_ids", None)
            given["labels"] = self.words.where(self.words % 5 != 0, -100)
            if hasattr(self.model.config, "output_router_logits"):
                given["output_router_logits"] = True
        made_loss: torch.Tensor = self.model(**given).loss
        return made_loss

    def trained(self) -> Rows:
        """Loss, gradients, and the weights after a step of each optimiser."""
        torch.manual_seed(1)
        before = {key: value.clone() for key, value in self.model.state_dict().items()}
        weights = list(self.model.parameters())
        made = []
        for kind in (torch.optim.SGD, torch.optim.AdamW):
            # float16 has no 1e-8, which is AdamW's own.
            how: dict[str, Any] = {"momentum": 0.9} if kind is torch.optim.SGD else {"eps": 1e-6}
            optimiser = kind(weights, lr=0.01, weight_decay=0.01, **how)
            optimiser.zero_grad()
            with self.mixed():
                loss = self.loss()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            made += [loss.detach(), *(one.grad for one in weights if one.grad is not None)]
            optimiser.step()
            made += [one.detach().clone() for one in weights]
        self.model.load_state_dict(before)
        return made


def equal(a: Rows, b: Rows) -> bool:
    """Whether all bits are the same."""

    def bits(one: torch.Tensor) -> torch.Tensor:
        kinds = {2: torch.int16, 4: torch.int32}
        return one.contiguous().view(kinds[one.element_size()]) if one.is_floating_point() else one

    return all(torch.equal(bits(x), bits(y)) for x, y in zip(a, b, strict=True))


def tried(function: Callable[[], Rows]) -> tuple[Rows | None, str]:
    """What a function makes within `exact`, and why it does not."""
    try:
        with bt.exact(**EXACT):
            return function(), ""
    except bt.NotTakenOver as error:
        found = re.search(r"does not define (?:aten\.)?(.*?);", str(error).replace("\n", " "))
        return None, found.group(1) if found else str(error)
    except Exception as error:  # noqa: BLE001
        return None, f"{type(error).__name__}: {str(error).splitlines()[0][:200]}"


def on_threads(function: Callable[[], Rows], count: int) -> Rows:
    torch.set_num_threads(count)
    bx.set_threads(count)
    with bt.exact(**EXACT):
        return function()


def measured(name: str, dtype: torch.dtype) -> tuple[list[str], str]:
    """The cells of a model: `equal` where it runs and all its checks hold."""
    case = Case(name, dtype)
    cells, stopped = [], ""
    modes: list[Callable[..., Rows]] = [case.forward, case.trained, case.generated]
    for mode in modes:
        if mode == case.generated and case.kind != "causal":
            cells.append("")
            continue
        made, why = tried(mode)
        if made is None:
            cells.append("no")
            stopped = stopped or why
            continue
        wrong = []
        if not all(bool(one.isfinite().all()) for one in made):
            wrong.append("not finite")
        if mode != case.trained and not equal(made, [one for row in (0, 1) for one in tried(lambda: mode(row))[0] or []]):
            wrong.append("batch differs")
        if not equal(on_threads(mode, 1), on_threads(mode, 2) if mode != case.trained else made):
            wrong.append("threads differ")
        cells.append(", ".join(wrong) or "equal")
    return cells, stopped


def seconds(function: Callable[[], Any]) -> float:
    """The least processor time of five calls, or of those that begin within three seconds."""
    made: list[float] = []
    while len(made) < 5 and sum(made) < 3:
        began = time.process_time()
        function()
        made.append(time.process_time() - began)
    return min(made)


def times(names: list[str], dtypes: list[str]) -> Iterator[str]:
    """What `exact` costs beside PyTorch's eager mode, on one thread."""
    yield "| model | format | forward, ms: PyTorch | exact | times | training, ms: PyTorch | exact | times |"
    yield "|---|---|---|---|---|---|---|---|"
    torch.set_num_threads(1)
    bx.set_threads(1)
    ratios: dict[str, list[list[float]]] = {dtype: [[], []] for dtype in dtypes}
    for name in names:
        for dtype in dtypes:
            case, cells = Case(name, getattr(torch, dtype)), []
            for at, mode in enumerate((case.forward, case.trained)):
                plain = seconds(mode)
                with bt.exact(**EXACT):
                    ours = seconds(mode)
                ratios[dtype][at].append(ours / plain)
                cells += [f"{1000 * plain:.1f}", f"{1000 * ours:.1f}", f"{ours / plain:.1f}"]
            yield f"| {name} | {dtype} | {' | '.join(cells)} |"
    yield ""
    for dtype, both in ratios.items():
        means = [statistics.geometric_mean(one) for one in both]
        yield f"{dtype}: in the geometric mean `exact` takes {means[0]:.1f} times PyTorch's time for a forward and {means[1]:.1f} for training."


#: In full size, with random weights: the class of transformers or torchvision, and what a call is given.
FULL: dict[str, tuple[str, Callable[[], Any]]] = {
    "BERT base, 16 x 256": ("BertModel", lambda: {"input_ids": torch.randint(1, 30000, (16, 256))}),
    "ViT base, 16": ("ViTModel", lambda: {"pixel_values": torch.randn(16, 3, 224, 224)}),
    "GPT-2 small, 8 x 512": ("GPT2LMHeadModel", lambda: {"input_ids": torch.randint(1, 50000, (8, 512)), "use_cache": False}),
    "ResNet-50, 32": ("resnet50", lambda: torch.randn(32, 3, 224, 224)),
}


def on_a_gpu(call: Callable[[], Any]) -> float:
    """The least time of ten calls, in milliseconds, after three."""
    for _ in range(3):
        call()
    made = []
    for _ in range(10):
        torch.cuda.synchronize()
        began = time.perf_counter()
        call()
        torch.cuda.synchronize()
        made.append(1000 * (time.perf_counter() - began))
    return min(made)


def recorded(call: Callable[[], Any], warm: Callable[[], Any] | None = None) -> tuple[Callable[[], None], Any]:
    """A CUDA graph of the call, after one of `warm`, and what it writes each time."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        (warm or call)()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        made = call()
    return graph.replay, made


def full(dtypes: list[str], accumulations: list[str]) -> Iterator[str]:
    """The times of forward passes of models in full size on a GPU, beside PyTorch's; and of both as CUDA graphs."""
    import torchvision
    import transformers

    yield "| model | format | accumulation | PyTorch, ms | exact, ms | times | as graphs: PyTorch | exact | times | elements that differ alone: PyTorch | exact |"
    yield "|---" * 11 + "|"
    for name, (kind, inputs) in FULL.items():
        for dtype in dtypes:
            torch.manual_seed(0)
            if kind == "resnet50":
                model = torchvision.models.resnet50()
            else:
                config = getattr(transformers, kind).config_class()
                model = getattr(transformers, kind)(config)
            model = model.cuda().eval().to(getattr(torch, dtype))
            given: Any = inputs()
            given = given if isinstance(given, dict) else {"x": given}
            for key, one in given.items():
                if isinstance(one, torch.Tensor):
                    given[key] = one.cuda().to(getattr(torch, dtype)) if one.is_floating_point() else one.cuda()
            alone = {key: one[:1] if isinstance(one, torch.Tensor) else one for key, one in given.items()}

            def call(given: dict[str, Any] = given) -> torch.Tensor:
                with torch.no_grad():
                    made = model(**given)
                return made if isinstance(made, torch.Tensor) else made[0]

            def differ() -> str:
                both, one = call()[:1], call(alone)
                return f"{int((both != one).sum()):,} of {one.numel():,}"

            plain, plain_graph, plain_differs = on_a_gpu(call), on_a_gpu(recorded(call)[0]), differ()
            for accumulation in accumulations:
                how: dict[str, Any] = {"rounding": "ties-to-even", "accumulation": tuple(accumulation.split(","))}
                with bt.exact(**how):
                    ours = on_a_gpu(call)
                    # Exact products within graphs are the definition's.
                    graph = float("nan") if accumulation == "exact" else on_a_gpu(recorded(call)[0])
                    differs = differ()
                cells = [f"{plain:.2f}", f"{ours:.2f}", f"{ours / plain:.1f}", f"{plain_graph:.2f}", f"{graph:.2f}", f"{graph / plain_graph:.1f}"]
                yield f"| {name} | {dtype} | {accumulation} | {' | '.join(cells)} | {plain_differs} | {differs} |"
            del model
            torch.cuda.empty_cache()


def without_dropout(model: Any) -> None:
    for module in model.modules():
        for key, value in list(vars(module).items()):
            if isinstance(value, float) and (key == "p" or "drop" in key):
                setattr(module, key, 0.0)
    for key, value in list(vars(getattr(model, "config", object)).items()):
        if isinstance(value, float) and "drop" in key:
            setattr(model.config, key, 0.0)


def devices(names: list[str], dtypes: list[str]) -> Iterator[str]:
    """Whether a GPU has the CPU's bits, and the compiled model those of the eager one, on both."""
    yield "| model | format | forward | training | generation | compiled forward | what stops it |"
    yield "|---|---|---|---|---|---|---|"
    total: dict[str, list[int]] = {dtype: [0] * 4 for dtype in dtypes}
    for name in names:
        for dtype in dtypes:
            cases = [Case(name, getattr(torch, dtype), device=device) for device in ("cpu", "cuda")]
            for case in cases:
                without_dropout(case.model)
            cells, stopped = [], ""
            for at, mode in enumerate(("forward", "trained", "generated", "compiled")):
                if mode == "generated" and cases[0].kind != "causal":
                    cells.append("")
                    continue
                if mode == "compiled":
                    for case in cases:
                        case.model.compile(backend=bt.backend(**EXACT), dynamic=False)
                made = [tried(getattr(case, "forward" if mode == "compiled" else mode)) for case in cases]
                stopped = stopped or " / ".join(why for _, why in made if why)
                ran = [[one.cpu() for one in rows] for rows, _ in made if rows is not None]
                cells.append("no" if len(ran) < 2 else "equal" if equal(*ran) else "differs")
                total[dtype][at] += cells[-1] == "equal"
            torch._dynamo.reset()
            yield f"| {name} | {dtype} | {' | '.join(cells)} | {stopped and f'`{stopped}`'} |"
    yield ""
    for dtype, (forward, training, generation, compiled) in total.items():
        yield (
            f"{dtype}: of {len(names)} models the GPU has the CPU's bits in {forward} forward, {training} in training, "
            f"{generation} in generation, {compiled} compiled."
        )


def lengths(names: list[str], dtypes: list[str], sizes: list[int]) -> Iterator[str]:
    """Whether rows of each length are the same alone and in a padded batch."""
    yield "| model | format | " + " | ".join(map(str, sizes)) + " |"
    yield "|---" * (2 + len(sizes)) + "|"
    for name in names:
        for dtype in dtypes:
            cells = []
            for size in sizes:
                case = Case(name, getattr(torch, dtype), size, -(-size // 2), max_position_embeddings=size)
                both, why = tried(case.forward)
                alone = [one for row in (0, 1) for one in tried(lambda: case.forward(row))[0] or []]
                cells.append(why or ("equal" if equal(both or [], alone) else "differs"))
            yield f"| {name} | {dtype} | {' | '.join(cells)} |"


def lines(names: list[str], dtypes: list[str]) -> Iterator[str]:
    """The table, and its totals."""
    yield "| model | format | forward | training | generation | the first operator that is not taken over |"
    yield "|---|---|---|---|---|---|"
    totals: dict[str, list[int]] = {dtype: [0, 0] for dtype in dtypes}
    for name in names:
        for dtype in dtypes:
            cells, stopped = measured(name, getattr(torch, dtype))
            yield f"| {name} | {dtype} | {' | '.join(cells)} | {stopped and f'`{stopped}`'} |"
            for at in range(2):
                totals[dtype][at] += cells[at] == "equal"
    yield ""
    for dtype, (forward, training) in totals.items():
        yield f"{dtype}: of {len(names)} models {forward} run forward and {training} train, with equal bits."


def main() -> None:
    warnings.filterwarnings("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[*ARCHITECTURES, *VISION])
    parser.add_argument("--dtypes", nargs="*", default=["float32", "bfloat16"])
    parser.add_argument("--lengths", nargs="*", type=int)
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--devices", action="store_true")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--accumulation", nargs="*", default=["exact"], help="an order, or units and an order, as in hopper-bf16/1,exact")
    parser.add_argument("--write")
    given = parser.parse_args()
    EXACT["accumulation"] = tuple(given.accumulation[0].split(","))
    import torchvision
    import transformers

    transformers.logging.set_verbosity_error()
    versions = f"PyTorch {torch.__version__}, transformers {transformers.__version__}, torchvision {torchvision.__version__}"
    text = [
        "# Models in `exact`",
        "",
        f"Written by `python tools/{' '.join(sys.argv[0].split('/')[-1:] + sys.argv[1:])}` on {datetime.date.today()}. "
        f"{versions}, Python {platform.python_version()}, {platform.machine()}, {torch.cuda.get_device_name() if given.devices or given.full else 'CPU'}.",
        "",
    ]
    if given.devices:
        made = devices(given.only, given.dtypes)
    elif given.full:
        made = full(given.dtypes, given.accumulation)
    elif given.times:
        made = times(given.only, given.dtypes)
    elif given.lengths:
        made = lengths(given.only, given.dtypes, given.lengths)
    else:
        text += [
            "`equal`: it runs, and a batch of two padded rows gives the bits of each row alone (forward and generation), two threads",
            "those of one, and all results are finite.",
            "",
        ]
        made = lines(given.only, given.dtypes)
    for line in made:
        print(line, flush=True)
        text.append(line)
    if given.write:
        with open(given.write, "w") as file:
            file.write("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
