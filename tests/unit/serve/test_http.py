"""The HTTP service as a client sees it, over a real socket."""

from __future__ import annotations

import json
from importlib import resources
from urllib.parse import quote

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from prometheus_client.parser import text_string_to_metric_families

from tests.unit.cli.conftest import call
from tests.unit.serve.conftest import FALSE, FEES, LAW, QUOTED, timeless

OPENAPI = json.loads(resources.files("corpusguard.serve").joinpath("openapi.json").read_text())


def valid(response, name):
    """Return the body of a response, which must be as the description says."""
    schema = {
        "$ref": f"#/components/schemas/{name}",
        "components": OPENAPI["components"],
    }
    body = response.json()
    Draft202012Validator(schema).validate(body)
    return body


def test_a_quotation_ships_and_is_what_the_command_line_says(client, shared_server):
    """The decision has the same members and values as that of `check-answer`, and its own number."""
    response = client.post("/v1/check", json={"answer": QUOTED, "citations": [FEES]})
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    body = valid(response, "Decision")
    assert (body["outcome"], body["text"], body["shadow"]) == ("shipped", QUOTED, False)

    request = shared_server.folder / "answer.json"
    request.write_text(json.dumps({"answer": QUOTED, "citations": [FEES]}))
    config = shared_server.folder / "corpusguard.toml"
    result = call("check-answer", request, "--format", "json", "-c", config)
    assert result.exit_code == 0, result.output
    other = json.loads(result.stdout)
    assert other["decision"] > body["decision"]
    for record in (body, other):
        for name in ("decision", "checked"):
            del record[name]
        for passage in record["passages"]:
            del passage["age_seconds"]
    assert body == other


def test_a_false_sentence_is_withheld_and_the_decision_can_be_read_again(client):
    """Its text is empty, and history gives the same decision with its place in the chain."""
    body = valid(client.post("/v1/check", json={"answer": FALSE}), "Decision")
    assert (body["outcome"], body["text"]) == ("withheld", "")
    response = client.get(f"/v1/decisions/{body['decision']}")
    again = valid(response, "StoredDecision")
    assert again["sentences"] == body["sentences"]
    assert again["newest_run"] == 1


def test_shadow_returns_the_answer_unchanged_and_says_so(client):
    """The outcome is what it would have been."""
    body = valid(client.post("/v1/check", json={"answer": FALSE, "shadow": True}), "Decision")
    assert (body["outcome"], body["text"], body["shadow"]) == ("withheld", FALSE, True)
    # And it is forgotten by the next.
    body = client.post("/v1/check", json={"answer": FALSE}).json()
    assert (body["text"], body["shadow"]) == ("", False)


def quoted(client, passage, text):
    return client.get(f"/v1/passages/{quote(passage, safe='')}/quote", params={"text": text})


@pytest.mark.parametrize(
    ("passage", "text", "reason"),
    [
        (FEES, LAW, ""),
        (FEES, LAW.removesuffix(" before the closing bell.") + ".", "truncated"),
        (FEES, "Quay dues shall be paid before the closing bell. [12]", None),
        (FEES, "No quay dues are payable.", None),
        ("nowhere", LAW, "unknown_passage"),
        ("../../etc/passwd", LAW, "unknown_passage"),
        ("a/quote?x=1#y\x00\ud7ff", LAW, "unknown_passage"),
    ],
)
def test_a_quotation_is_looked_for_in_one_passage(client, passage, text, reason):
    """Whole clauses of a verified passage are quoted; all else is not, with a reason."""
    body = valid(quoted(client, passage, text), "Quote")
    assert body["quoted"] is (reason == "")
    assert body["passage"]["id"] == passage
    if reason is not None:
        assert body["reason"] == reason
    else:
        assert body["reason"]


def test_looking_for_a_quotation_stores_nothing(client):
    """The next decision has the next number."""
    first = client.post("/v1/check", json={"answer": QUOTED}).json()["decision"]
    assert quoted(client, FEES, LAW).json()["quoted"]
    assert client.post("/v1/check", json={"answer": QUOTED}).json()["decision"] == first + 1


def test_status_is_what_the_command_line_says(client, shared_server):
    """Each law with its verdict and its last good run."""
    body = valid(client.get("/v1/status"), "Status")
    config = shared_server.folder / "corpusguard.toml"
    said = json.loads(call("status", "-f", "json", "-c", config).stdout)
    assert timeless(body) == timeless(said)
    assert {one["verdict"] for one in body["documents"]} == {"verified"}


def test_health_is_ok_and_tells_no_names(client, shared_server):
    """A probe learns how it stands, and nothing of laws, files or versions."""
    response = client.get("/healthz")
    assert response.status_code == 200
    body = valid(response, "Health")
    assert (body["status"], body["documents"]) == ("ok", 2)
    assert str(shared_server.folder) not in response.text
    assert "ca-on" not in response.text


def test_metrics_count_what_happened(client):
    """Prometheus' own parser reads them; a check counts as one more."""

    def figures():
        response = client.get("/metrics")
        assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
        samples = [
            sample
            for family in text_string_to_metric_families(response.text)
            for sample in family.samples
        ]
        return {(one.name, *sorted(one.labels.items())): one.value for one in samples}

    name = ("corpusguard_serve_decisions_total", ("outcome", "withheld"), ("shadow", "false"))
    client.post("/v1/check", json={"answer": FALSE})
    before = figures()
    client.post("/v1/check", json={"answer": FALSE})
    after = figures()
    assert after[name] == before[name] + 1
    count = ("corpusguard_serve_check_seconds_count",)
    assert after[count] == before[count] + 1
    assert after["corpusguard_serve_check_seconds_bucket", ("le", "+Inf")] == after[count]


def test_the_description_is_valid_openapi_and_names_every_route(client):
    """An independent validator accepts it, and each path that it names is there."""
    response = client.get("/openapi.json")
    assert response.json() == OPENAPI
    OpenAPIV31SpecValidator(OPENAPI).validate()
    for path, item in OPENAPI["paths"].items():
        given = path.replace("{number}", "1").replace("{passage}", "p")
        for method in item:
            answer = client.request(method, given)
            assert answer.status_code not in {405, 500}, (method, path)
            wanted = item[method]["responses"]
            assert str(answer.status_code) in wanted, (method, path, answer.text)


def test_every_response_carries_the_headers_that_keep_browsers_out(client):
    """No page, no frame, no store, no other origin; errors too."""
    for response in (
        client.get("/healthz"),
        client.get("/nothing"),
        client.post("/v1/check", content=b"{", headers={"content-type": "application/json"}),
        client.get("/v1/status", headers={"origin": "https://elsewhere.example"}),
    ):
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert not [name for name in response.headers if name.startswith("access-control")]
        assert "server" not in response.headers
