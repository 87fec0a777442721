"""A stand-in for the official publisher: serves one invented Act the way Ontario's e-Laws would.

Only for this example. It listens on a loopback address and speaks the three calls that
corpusguard makes: the text, the list of versions, and the currency date.

Run it alone with ``python elaws.py [--amended]``; ``story.py`` starts it for you.
"""

import argparse
import html
import json
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

LAW = Path(__file__).parent / "law"
CODE, TITLE, NUMBER = "26k77", "Kite Flying Act, 2026", "S.O. 2026, c. 77"
PORT = 8931
_API = "/laws/api/v2/legislation/en/"


def markup(path):
    """Return a master's paragraphs as the publisher marks them up."""
    paragraphs = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, number, words = (part.strip() for part in line.split("|"))
        lead, _, rest = number.partition(" ") if name == "section" else ("", "", number)
        bold = f"<b>{lead} </b>" if lead else ""
        said = html.escape(f"{rest} {words}".strip(), quote=False)
        paragraphs.append(f'<p class="{name}">{bold}{said}</p>')
    return '<div class="WordSection1">\r \n' + "\r \n".join(paragraphs) + "\r \n</div>"


class Publisher:
    """Serves the Act; ``amend()`` changes it between two requests, as a legislature does."""

    def __init__(self, port=0):
        today = datetime.now(UTC).date()
        self._editions = [(today - timedelta(days=90), LAW / "kite-flying-act.txt")]
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.answer(self)

            def log_message(self, *_):
                """Say nothing: the story is told by others."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def serve_forever(self):
        """Serve until interrupted."""
        self._server.serve_forever()

    def amend(self):
        """Publish the amended Act, consolidated from yesterday."""
        yesterday = datetime.now(UTC).date() - timedelta(days=1)
        self._editions.append((yesterday, LAW / "kite-flying-act-amended.txt"))

    def answer(self, request):
        """Answer one request."""
        answers = {
            f"{_API}doc-search/statute/{CODE}": _json(self._payload()),
            f"{_API}act-versions/statute/{CODE}": _json(self._versions()),
            f"{_API}currency-date": f"{_long(self._currency())}\n".encode(),
        }
        body = answers.get(request.path)
        text = request.path.endswith("currency-date")
        request.send_response(404 if body is None else 200)
        request.send_header("content-type", "text/plain" if text else "application/json")
        body = body or b'{"error":"not found"}'
        request.send_header("content-length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def _currency(self):
        """Return the day up to which the text is current; it moves on when the Act is amended."""
        return datetime.now(UTC).date() - timedelta(days=0 if len(self._editions) > 1 else 2)

    def _payload(self):
        since, path = self._editions[-1]
        return {
            "volume": 0,
            "content": markup(path),
            "title": f"{TITLE}, {NUMBER}",
            "actName": {"en": TITLE, "fr": ""},
            "alias": f"statute/{CODE}",
            "state": "current",
            "description": f"Consolidation Period:  From {_long(since)} to the currency date.",
            "updatedAt": f"{since}T20:00:01.000Z",
            "tabMode": "Versions",
            "actAlias": "",
            "actTitle": "",
            "docSource": f"elaws/{CODE}_e.html",
            "dateFrom": f"{since}T05:00:00.000Z",
            "comments": {"consolidationPeriod": _long(since), "comment": ""},
            "shortTitle": f'<p class="shorttitle">{TITLE}</p>',
            "chapter": f'<p class="chapter">{NUMBER}</p>',
            "history": "",
            "contentTable": "",
            "hlCount": 0,
        }

    def _versions(self):
        hits = []
        for age, (since, _) in enumerate(reversed(self._editions)):
            number = len(self._editions) - age
            source = {
                "act": {"en": TITLE},
                "alias": {"en": f"statute/{CODE}" + (f"/v{number}" if age else "")},
                "state": {"en": "historical" if age else "current"},
                "title": {"en": f"{TITLE}, {NUMBER}"},
                "dateFrom": {"en": f"{since}T05:00:00.000Z"},
                "version": number if age else 0,
            }
            if age:
                until = self._editions[number][0] - timedelta(days=1)
                source["dateTo"] = {"en": f"{until}T05:00:00.000Z"}
            hits.append({"_source": source})
        inner = {"hits": {"total": {"value": len(hits), "relation": "eq"}, "hits": hits}}
        versions = {"doc_count": len(hits), "hits": inner}
        return {"aggregations": {"all": {"doc_count": len(hits), "versions": versions}}}


def _long(day):
    return f"{day:%B} {day.day}, {day.year}"


def _json(value):
    return json.dumps(value, ensure_ascii=False).encode()


def main():
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--amended", action="store_true", help="serve the Act as amended")
    asked = parser.parse_args()
    publisher = Publisher(asked.port)
    if asked.amended:
        publisher.amend()
    print(f"{TITLE} at {publisher.base_url}, until interrupted")
    publisher.serve_forever()


if __name__ == "__main__":
    main()
