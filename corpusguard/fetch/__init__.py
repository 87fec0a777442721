"""Fetching official answers: politely, within limits, and with one family of errors."""

from corpusguard.fetch.answer import Answer, Validators
from corpusguard.fetch.client import Fetcher

__all__ = ["Answer", "Fetcher", "Validators"]
