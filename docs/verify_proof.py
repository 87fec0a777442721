"""Check a proof: python verify_proof.py proof.json sha256:HEAD (see evidence.md). No dependency."""

import hashlib
import json
import sys


def sha(data):
    return hashlib.sha256(data).digest()


def check(proof, head):
    record, leaf = json.loads(proof["record"]), json.loads(proof["leaf"])
    if "sha256:" + sha(proof["record"].encode()).hex() != head:
        return "the record is not the one that the head stands for"
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
            return f"run {record['run']}: {proof['leaf']}" if last == 0 else "bad path"
    return "the passage does not lead to a corpus root of the record"


with open(sys.argv[1], encoding="utf-8") as stream:
    said = check(json.load(stream), sys.argv[2])
print(said)
sys.exit(not said.startswith("run "))
