"""KataGo's networks: its file format read, converted to ONNX, shown our positions, and its answers understood."""

__all__ = ["backend", "conversion", "file_names", "inputs", "model", "opening", "outputs", "players", "reader", "scratch"]
