"""Downloads public networks into the user's folder, only when a person asks for one."""

__all__ = ["get", "known", "transfer", "wheel"]
