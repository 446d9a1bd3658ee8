"""Computes a KataGo network by onnxruntime or OpenVINO, on the processor or a graphics card, compiled for each board size."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from gtp_engine.engine.network.compiled_sizes import CompiledSizes
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.human_profile import HumanProfile
from gtp_engine.engine.network.katago.graph import HEIGHT, WIDTH
from gtp_engine.engine.network.katago.model import GLOBALS, PLANES
from gtp_engine.engine.network.katago.players import players_of, players_of_rank
from gtp_engine.engine.network.session import CUDA_LEAVES, open_session, reason_of

INT8 = "int8"

Arrays = dict[str, np.ndarray]  # by the names of a network's inputs or outputs


class KataBatch:
    """The arrays of a batch of B leaves on a board of S lines, and of its answers; see graph.build."""

    def __init__(self, size: int, leaves: int, compiled: "Compiled", metadata: np.ndarray | None) -> None:
        self.planes = np.zeros((leaves, PLANES, size, size), np.float32)
        self.globals = np.zeros((leaves, GLOBALS), np.float32)
        self.policy = np.zeros((leaves, compiled.policies, size * size + 1), np.float32)
        self.value = np.zeros((leaves, 3), np.float32)
        self.score = np.zeros((leaves, compiled.scores), np.float32)
        self.ownership = np.zeros((leaves, size * size), np.float32)
        inputs = {"planes": self.planes, "globals": self.globals}
        self._metadata = None if metadata is None else np.repeat(metadata.astype(np.float32)[None], leaves, axis=0)
        if self._metadata is not None:
            inputs["metadata"] = self._metadata
        outputs = {"policy": self.policy, "value": self.value, "score": self.score, "ownership": self.ownership}
        self._run = compiled.bind(inputs, outputs)

    @property
    def knows_players(self) -> bool:
        """True if the batch is for a human network, which has the players as an input."""
        return self._metadata is not None

    def tell_players(self, profile: HumanProfile, color: int) -> None:
        """Set the players of all leaves, with `color` to move. Raises NetworkError if the network has no such input."""
        self._tell(players_of(profile, color, self.points))

    def tell_ranks(self, ranks: Sequence[int]) -> None:
        """Set the players of leaf i to two persons of the rank ranks[i]. Raises NetworkError if the network has no such input."""
        self._tell(np.array([players_of_rank(rank, self.points) for rank in ranks]))

    def repeat_first(self) -> None:
        """Make every leaf the one in row 0, which must be encoded."""
        self.planes[1:], self.globals[1:] = self.planes[0], self.globals[0]

    @property
    def points(self) -> int:
        """Of the board."""
        return int(self.planes.shape[2] * self.planes.shape[3])

    def _tell(self, players: np.ndarray) -> None:
        """Set the players: [METADATA] for all leaves, or [B, METADATA]. Raises NetworkError if the network has no such input."""
        if self._metadata is None:
            raise NetworkError("this network does not know ranks; they need a human network")
        self._metadata[:] = players

    def run(self) -> None:
        """Compute the answer."""
        self._run()


class OnnxCompiled:
    """A network compiled for one board size by onnxruntime, so that all that depends only on the size is computed once.

    policies -- channels of the policy
    scores -- numbers in `score`
    """

    def __init__(self, name: str, content: bytes, size: int, with_cuda: bool) -> None:
        self._session = open_session(name, content, with_cuda=with_cuda, sizes={HEIGHT: size, WIDTH: size})
        shapes = {item.name: item.shape for item in self._session.get_outputs()}
        self.policies, self.scores = shapes["policy"][1], shapes["score"][1]

    def bind(self, inputs: Arrays, outputs: Arrays) -> Callable[[], None]:
        """A function that computes the outputs from the inputs; the arrays must live as long as it."""
        binding = self._session.io_binding()
        for name, array in inputs.items():
            binding.bind_input(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)
        for name, array in outputs.items():
            binding.bind_output(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)
        return partial(self._session.run_with_iobinding, binding)


class OpenVinoCompiled:
    """See OnnxCompiled; by OpenVINO."""

    def __init__(self, name: str, content: bytes, size: int, precision: str, threads: int) -> None:
        try:
            import openvino
        except ImportError as error:
            raise NetworkError(f"{name}: OpenVINO is not installed; try `pip install openvino`, or --backend onnxruntime") from error
        core = openvino.Core()
        try:
            model = core.read_model(content, b"")
            shapes = {item.get_any_name(): item.get_partial_shape() for item in model.inputs}
            for shape in shapes.values():
                if len(shape) == 4:
                    shape[2] = shape[3] = size
            model.reshape(shapes)
            settings = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": threads, "INFERENCE_PRECISION_HINT": precision}
            self._compiled = core.compile_model(model, "CPU", settings)
        except Exception as error:  # as above
            raise NetworkError(f"{name}: OpenVINO cannot compute this network: {reason_of(error)}") from error
        # by name: an output has several names, in no fixed order
        self.policies, self.scores = (self._compiled.output(key).get_partial_shape()[1].get_length() for key in ("policy", "score"))

    def bind(self, inputs: Arrays, outputs: Arrays) -> Callable[[], None]:
        """See OnnxCompiled."""
        request = self._compiled.create_infer_request()

        def run() -> None:
            """Compute the outputs from the inputs."""
            results = request.infer(inputs, share_inputs=True, share_outputs=True)
            for name, array in outputs.items():
                array[:] = results[name]

        return run


Compiled = OnnxCompiled | OpenVinoCompiled


class KataBackend:
    """See AnyBackend: one network, compiled for a board size at the first batch on it."""

    def __init__(self, name: str, content: bytes, settings: tuple[str, str, int], metadata: np.ndarray | None = None) -> None:
        """`content`: the ONNX file; `settings`: backend, precision and threads; `metadata`: a human network's players, [METADATA]."""
        self._name, self._content, self._metadata = name, content, metadata
        self._backend, self._precision, self._threads = settings
        if self._precision == INT8 and self._backend != "onnxruntime":
            raise NetworkError(f"{name}: --precision {INT8} needs --backend onnxruntime")
        if self._precision not in ("f32", INT8) and self._backend != "openvino":
            raise NetworkError(f"{name}: onnxruntime computes in f32 or {INT8}; --precision {self._precision} needs --backend openvino")
        self.leaves = CUDA_LEAVES if self._backend == "cuda" else 1
        self._compiled: CompiledSizes[Compiled] = CompiledSizes(self._compile)

    def _compile(self, size: int) -> Compiled:
        """The network for boards of `size` lines. Raises NetworkError."""
        if self._backend == "openvino":
            return OpenVinoCompiled(self._name, self._content, size, self._precision, self._threads)
        return OnnxCompiled(self._name, self._content, size, self._backend == "cuda")

    def new_batch(self, size: int, leaves: int = 1) -> KataBatch:
        """See AnyBackend. Raises NetworkError."""
        return KataBatch(size, leaves, self._compiled.get(size), self._metadata)
