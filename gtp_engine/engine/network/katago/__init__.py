"""KataGo's networks: reading, writing and converting their files to ONNX, encoding positions and decoding answers."""

__all__ = [
    "backend",
    "conversion",
    "file_names",
    "graph",
    "input_planes",
    "inputs",
    "model",
    "opening",
    "players",
    "reader",
    "scratch",
    "writer",
]
