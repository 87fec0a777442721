"""Two snapshots of one document, provision by provision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.layers.differences import word_diff
from corpusguard.service.results import ProvisionChange

if TYPE_CHECKING:
    from corpusguard.model import Provision, Reading


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
        word_diff(before.text.split(), after.text.split()),
    )
