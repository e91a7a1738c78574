"""Drawings of resvg's suite that may come out otherwise than its pictures, and why."""

ALLOWED: dict[str, str] = {}
