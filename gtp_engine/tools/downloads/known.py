"""Public KataGo networks by short names. Plain data: the address and the license of each file."""

from dataclasses import dataclass

RELEASES = "https://github.com/lightvector/KataGo/releases/download/"
TRAINING = "https://media.katagotraining.org/uploaded/networks/"
SOURCES = "https://raw.githubusercontent.com/lightvector/KataGo/v1.17.2/cpp/tests/models/"

KATAGO = "KataGo's, like MIT: https://github.com/lightvector/KataGo/blob/master/LICENSE"
TRAINED = "that of the networks of KataGo's training run, see https://katagotraining.org"
UNTOLD = "not known to this program; see its web page"


class GetError(Exception):
    """A network that can't be downloaded; str() is one sentence that says what to do."""


@dataclass(frozen=True)
class KnownNetwork:
    """A network that can be fetched."""

    name: str
    url: str  # empty: from KaTrain's package, see wheel
    about: str  # its purpose
    megabytes: float | None = None  # of the file; None: unknown
    license: str = KATAGO
    sha256: str = ""  # empty: unknown; the digest of the first download is kept
    file_name: str = ""  # if it differs from the url's

    @property
    def file(self) -> str:
        """The name of its file."""
        return self.file_name or self.url.rpartition("/")[2]


STRONG = KnownNetwork(
    "strong",
    "",
    "the strongest for its speed on a processor, from KaTrain's package",
    38.2,
    KATAGO,
    "0ba27eced5180b3e3d0b898b280c541112989765e789d1eb6cd0d31b2b2c1229",
    "b10c384h6nbttflrs.bin.gz",
)
KNOWN = (
    STRONG,
    KnownNetwork("b10c512", RELEASES + "v1.17.1/b10c512h8nbt3tflrs-fson-silu-rsnh.bin.gz", "a larger transformer"),
    KnownNetwork(
        "b11c768", RELEASES + "v1.17.1/b11c768h12nbt3tflrs-fson-silu.bin.gz", "the largest transformer: for graphics cards", 211.7
    ),
    KnownNetwork(
        "b18c384nbt", TRAINING + "models/kata1/kata1-b18c384nbt-s9996604416-d4316597426.bin.gz", "the main run up to 2024", 98, TRAINED
    ),
    KnownNetwork(
        "b28c512nbt", TRAINING + "models/kata1/kata1-b28c512nbt-s8326494464-d4628051565.bin.gz", "larger: for graphics cards", None, TRAINED
    ),
    KnownNetwork("b40c256", TRAINING + "models/kata1/kata1-b40c256-s12350780416-d3055274313.bin.gz", "the run of 2021", None, TRAINED),
    KnownNetwork(
        "9x9", TRAINING + "models_extra/kata9x9-b18c384nbt-20231025.bin.gz", "trained further for 9x9: weaker elsewhere", 97.9, TRAINED
    ),
    KnownNetwork("human", RELEASES + "v1.15.0/b18c384nbt-humanv0.bin.gz", "plays like people: --human-rank, humanSLProfile", 99),
    KnownNetwork("g170-b40c256", RELEASES + "v1.4.5/g170-b40c256x2-s5095420928-d1229425124.bin.gz", "2020, no outside data"),
    KnownNetwork("g170-b30c320", RELEASES + "v1.4.5/g170-b30c320x2-s4824661760-d1229536699.bin.gz", "2020, no outside data"),
    KnownNetwork("g170-b20c256", RELEASES + "v1.4.5/g170e-b20c256x2-s5303129600-d1228401921.bin.gz", "2020, no outside data"),
    KnownNetwork("g170-b15c192", RELEASES + "v1.3.2/g170e-b15c192-s1672170752-d466197061.txt.gz", "2020, small"),
    KnownNetwork("g170-b10c128", SOURCES + "g170e-b10c128-s1141046784-d204142634.bin.gz", "2020, smaller"),
    KnownNetwork(
        "g170-b6c96",
        SOURCES + "g170-b6c96-s175395328-d26788732.bin.gz",
        "2020, the smallest: the fastest on any machine",
        3.8,
        KATAGO,
        "f5d32604e3675c480c7c8f6aa579a1ea857135628a0afccc8fa56330fbacd38d",
    ),
)


def find(name: str) -> KnownNetwork:
    """The network of this name, or at this URL. Raises GetError."""
    for network in KNOWN:
        if name == network.name:
            return network
    if not name.lower().startswith(("http://", "https://")):
        raise GetError(f"no network is called {name[:40]!r}: `gtp-engine networks get` lists them; or give a URL that begins with https://")
    file = name.partition("?")[0].partition("#")[0].rpartition("/")[2]
    return KnownNetwork(file, name, "", None, UNTOLD, file_name=file)
