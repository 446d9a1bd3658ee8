"""KataGo's networks: its file format read, written, and converted to ONNX, shown our positions, and its answers understood."""

__all__ = [
    "backend",
    "conversion",
    "file_names",
    "graph",
    "input_planes",
    "inputs",
    "model",
    "opening",
    "outputs",
    "players",
    "reader",
    "scratch",
    "writer",
]
