"""Tiny networks in KataGo's file format, and a slow forward pass through them. See kata_layers.py and kata_blocks.py."""

import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from kata_blocks import Tip, write_blocks
from kata_layers import GLOBALS, METADATA, PLANES, Act, Array, Bias, Conv, File, Maker, Matrix, Norm, Part, in_turn, pooled, write_all


@dataclass
class Output:
    """What a network says: as graph.build gives it out, for one board."""

    policy: Array  # [1 or 2, H * W + 1]
    value: Array
    score: Array
    ownership: Array


class Twin:
    """A whole network. `kinds`: its blocks; `tip`: "norm", "points" or "board"; `has_metadata`: a human network."""

    def __init__(
        self, version: int, kinds: tuple[Any, ...], act: str = "MISH", tip: str = "norm", has_metadata: bool = False, seed: int = 1
    ) -> None:
        make = Maker(version, seed, act)
        self.version, self.has_metadata, channels = version, has_metadata, 6
        self.scales = (20.0, 21.0, 22.0, 23.0, 40.0, 0.3, 30.0)
        self.tip_kind, self.channels = tip, channels
        self.conv, self.from_globals = Conv(make, 3, PLANES, channels), Matrix(make, GLOBALS, channels)
        self.told: list[Part] = [
            Matrix(make, METADATA, 4),
            Bias(make, 4),
            Act(make),
            Matrix(make, 4, 3),
            Bias(make, 3),
            Act(make),
            Matrix(make, 3, channels),
        ]
        self.blocks = [kind(make, channels) for kind in kinds]
        self.tip: Part = Norm(make, channels) if tip == "norm" else Tip(make, channels, tip == "board")
        self._make_policy(make, channels)
        self._make_value(make, channels)

    def _make_policy(self, make: Maker, channels: int) -> None:
        """The layers of the policy head."""
        self.policies = 1 if make.version < 12 else 4 if make.version >= 16 else 2
        self.moves, self.seen, self.seen_norm = Conv(make, 1, channels, 5), Conv(make, 1, channels, 3), Norm(make, 3)
        self.to_bias, self.moves_norm, self.to_moves = Matrix(make, 9, 5), Norm(make, 5), Conv(make, 1, 5, self.policies)
        if make.version >= 15:
            self.to_pass: list[Part] = [Matrix(make, 9, 5), Bias(make, 5), Act(make), Matrix(make, 5, self.policies)]
        else:
            self.to_pass = [Matrix(make, 9, self.policies)]

    def _make_value(self, make: Maker, channels: int) -> None:
        """The layers of the value head."""
        self.value_conv, self.value_norm = Conv(make, 1, channels, 4), Norm(make, 4)
        self.hidden: list[Part] = [Matrix(make, 12, 6), Bias(make, 6), Act(make)]
        self.value: list[Part] = [Matrix(make, 6, 3), Bias(make, 3)]
        scores = 4 if make.version == 8 else 6
        self.owners = Conv(make, 1, 4, 1)
        self.score: list[Part] = [Matrix(make, 6, scores), Bias(make, scores)]

    def content(self, is_binary: bool = True, version: int | None = None) -> bytes:
        """The file, not packed; `version`: what it says of itself where that is not true."""
        file = File(self.version, is_binary)
        file.words("tiny-twin", version or self.version, PLANES, GLOBALS)
        if self.version >= 13:
            file.words(*self.scales)
        if self.version >= 15:
            file.words(int(self.has_metadata), 0, *[0] * 6)
        file.words("trunk", len(self.blocks), self.channels, 5, 5, 5, 3)
        if self.version >= 15:
            file.words(int(self.tip_kind != "norm"), *[0] * 5)
        self.conv.write(file)
        self.from_globals.write(file)
        if self.has_metadata:
            file.words("metadata", METADATA)
            write_all(file, *self.told)
        write_blocks(file, self.blocks)
        self.tip.write(file)
        self._write_heads(file)
        return b"".join(file.parts)

    def _write_heads(self, file: File) -> None:
        """Policy and value."""
        file.words("policy", *([self.policies, 0, 0, 0] if self.version >= 17 else []))
        write_all(file, self.moves, self.seen, self.seen_norm, self.to_bias, self.moves_norm, self.to_moves, *self.to_pass)
        file.words("value", *([0, 0, 0] if self.version >= 17 else []))
        write_all(file, self.value_conv, self.value_norm, *self.hidden, *self.value, *self.score, self.owners)

    def save(self, path: Path, is_binary: bool = True, version: int | None = None) -> Path:
        """Write the file, packed, under a name that says what it is."""
        path = path.with_name(path.name + (".bin.gz" if is_binary else ".txt.gz"))
        path.write_bytes(gzip.compress(self.content(is_binary, version)))
        return path

    def run(self, planes: Array, numbers: Array, metadata: Array | None = None) -> Output:
        """The forward pass: `planes` [PLANES, H, W], `numbers` [GLOBALS], `metadata` [METADATA] for a human network."""
        bias = self.from_globals.apply(numbers)
        if self.has_metadata:
            bias = bias + in_turn(metadata, *self.told)
        tip = in_turn(self.conv.apply(np.moveaxis(planes, 0, 2)) + bias, *self.blocks, self.tip)
        seen = pooled(in_turn(tip, self.seen, self.seen_norm))
        moves = in_turn(self.moves.apply(tip) + self.to_bias.apply(seen), self.moves_norm, self.to_moves)
        passing = in_turn(seen, *self.to_pass)
        policy = np.concatenate([moves.reshape(-1, self.policies), passing[None]]).T
        valued = in_turn(tip, self.value_conv, self.value_norm)
        hidden = in_turn(pooled(valued, of_value=True), *self.hidden)
        owners = np.tanh(self.owners.apply(valued)).ravel()
        return Output(policy[:2], in_turn(hidden, *self.value), in_turn(hidden, *self.score), owners)
