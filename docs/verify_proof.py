"""Check a proof: python verify_proof.py proof.json sha256:HEAD (see evidence.md). No dependency.

Exit 0: the passage stood in that run, verified. 3: it stood there, not verified. 1: not proven.
The leaf's digest is "sha256:" and the SHA-256 of the stored text as UTF-8, not a byte more or less.
"""

import hashlib
import json
import sys


def sha(data):
    return hashlib.sha256(data).digest()


def check(proof, head):
    record, leaf = json.loads(proof["record"]), json.loads(proof["leaf"])
    if "sha256:" + sha(proof["record"].encode()).hex() != head:
        return 1, "the record is not the one that the head stands for"
    place, last = proof["index"], proof["size"] - 1
    found = sha(b"\x00" + proof["leaf"].encode())
    for step in map(bytes.fromhex, proof["path"]):
        if place % 2 or place == last:
            found = sha(b"\x01" + step + found)
            while place and not place % 2:
                place, last = place // 2, last // 2
        else:
            found = sha(b"\x01" + found + step)
        place, last = place // 2, last // 2
    for entry in record["documents"]:
        same = entry["corpus"] == proof["corpus"] and entry["document"] == leaf["document"]
        if (
            same
            and entry["leaves"] == proof["size"] > proof["index"] >= 0
            and entry["corpus_root"] == found.hex()
        ):
            if last:
                return 1, "bad path"
            code, word = (0, "verified") if leaf["verified"] is True else (3, "NOT verified")
            return code, f"run {record['run']}: {word}: {proof['leaf']}"
    return 1, "the passage does not lead to a corpus root of the record"


if len(sys.argv) != 3:
    print("usage: python verify_proof.py proof.json sha256:HEAD", file=sys.stderr)
    sys.exit(2)
try:
    with open(sys.argv[1], encoding="utf-8") as stream:
        code, said = check(json.load(stream), sys.argv[2])
except OSError as error:
    code, said = 2, f"cannot read {sys.argv[1]}: {error.strerror}"
except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
    code, said = 1, f"this is no proof: {type(error).__name__}: {error}"
print(said)
sys.exit(code)
