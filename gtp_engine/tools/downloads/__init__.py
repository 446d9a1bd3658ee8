"""Networks from elsewhere, fetched only when a person asks for one: which there are, and how their files come into the user's folder."""

__all__ = ["get", "known", "transfer", "wheel"]
