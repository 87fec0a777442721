"""Two snapshots of one document, provision by provision."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from corpusguard.service.results import ProvisionChange

if TYPE_CHECKING:
    from corpusguard.model import Provision, Reading

_MOST_WORDS: Final = 3_000


def changes(before: Reading, after: Reading) -> list[ProvisionChange]:
    """Provisions added, removed, reworded, or of another status; in the order of the newer text."""
    old = {node.pid: node for node in before.provisions}
    new = {node.pid: node for node in after.provisions}
    found = []
    for pid, node in new.items():
        earlier = old.get(pid)
        if earlier is None:
            if node.text:
                found.append(ProvisionChange(pid, node.section, "added", "", node.text, ""))
        elif earlier.text != node.text:
            found.append(_reworded(earlier, node))
        elif earlier.status is not node.status:
            found.append(
                ProvisionChange(
                    pid,
                    node.section,
                    "status",
                    f"{earlier.status.value}: {earlier.text}",
                    f"{node.status.value}: {node.text}",
                    f"[-{earlier.status.value}-]{{+{node.status.value}+}}",
                )
            )
    found += [
        ProvisionChange(pid, node.section, "removed", node.text, "", "")
        for pid, node in old.items()
        if pid not in new and node.text
    ]
    return found


def _reworded(before: Provision, after: Provision) -> ProvisionChange:
    return ProvisionChange(
        after.pid,
        after.section,
        "changed",
        before.text,
        after.text,
        _word_diff(before.text.split(), after.text.split()),
    )


def _word_diff(before: list[str], after: list[str]) -> str:
    if max(len(before), len(after)) > _MOST_WORDS:
        return f"[-{len(before)} words-]{{+{len(after)} words+}}"
    pieces = []
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, added = " ".join(before[a1:a2]), " ".join(after[b1:b2])
        if tag == "equal":
            pieces.append(gone)
        else:
            pieces.append((f"[-{gone}-]" if gone else "") + (f"{{+{added}+}}" if added else ""))
    return " ".join(pieces)
