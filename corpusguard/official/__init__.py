"""What each publisher's documents are: where they lie, and what an answer must look like."""

from corpusguard.official.interface import (
    Accepted,
    OfficialAnswer,
    Publisher,
    Version,
    WentBackwards,
)
from corpusguard.official.ontario_elaws import OntarioELaws
from corpusguard.official.publishers import publisher_of
from corpusguard.official.recognise import recognise

__all__ = [
    "Accepted",
    "OfficialAnswer",
    "OntarioELaws",
    "Publisher",
    "Version",
    "WentBackwards",
    "publisher_of",
    "recognise",
]
