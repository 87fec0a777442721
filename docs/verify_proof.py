"""Exit 0: proven, verified; 3: proven, not verified; 1: not proven; 2: usage. See evidence.md."""

import hashlib
import json
import sys


def check(proof, head):
    record, leaf, last = json.loads(proof["record"]), json.loads(proof["leaf"]), proof["size"] - 1
    if "sha256:" + hashlib.sha256(proof["record"].encode()).hexdigest() != head:
        return 1, "the record is not the one that the head stands for"
    place, found = proof["index"], hashlib.sha256(b"\x00" + proof["leaf"].encode()).digest()
    for step in map(bytes.fromhex, proof["path"]):
        left = place % 2 or place == last
        found = hashlib.sha256(b"\x01" + (step + found if left else found + step)).digest()
        while left and place and not place % 2:
            place, last = place // 2, last // 2
        place, last = place // 2, last // 2
    root = (proof["corpus"], leaf["document"], proof["size"], found.hex())
    names = ("corpus", "document", "leaves", "corpus_root")
    roots = [tuple(entry[name] for name in names) for entry in record["documents"]]
    if last or root not in roots or not 0 <= proof["index"] < proof["size"]:
        return 1, "the passage does not lead to a corpus root of the record"
    code, word = (0, "verified") if leaf["verified"] is True else (3, "NOT verified")
    return code, f"run {record['run']}: {word}: {proof['leaf']}"


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
