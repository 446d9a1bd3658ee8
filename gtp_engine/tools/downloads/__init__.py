"""Downloads public networks into the user's folder, only on request."""

__all__ = ["get", "known", "wheel"]
