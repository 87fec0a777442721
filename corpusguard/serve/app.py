"""The HTTP service as an ASGI application; ``openapi.json`` beside it describes it."""

from __future__ import annotations

import asyncio
import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Route

from corpusguard.errors import ConfigError, CorpusguardError
from corpusguard.gate.request import answer_of, parse_json
from corpusguard.serve.desk import NoSuchThing
from corpusguard.serve.guard import Guard
from corpusguard.serve.limits import DRAINED, Limits
from corpusguard.serve.metrics import CONTENT_TYPE, Metrics
from corpusguard.serve.problems import Refusal, internal_error, json_response
from corpusguard.service.opening import is_busy

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection
    from concurrent.futures import Future

    from starlette.requests import Request

    from corpusguard.serve.desk import Desk

    P = ParamSpec("P")
    T = TypeVar("T")

_JSON: Final = "application/json"
_AGAIN: Final = {"retry-after": "5"}
_SNAKE: Final = re.compile(r"(?<!^)(?=[A-Z])")
_QUOTE_PARAMETERS: Final = frozenset({"text"})


def application(
    desk: Desk,
    *,
    token: str = "",
    local: bool = True,
    names: Collection[str] = (),
    limits: Limits | None = None,
) -> Guard:
    """Return the service.

    Args:
        desk: What is asked; the caller closes it.
        token: What clients must show; empty: none is needed.
        local: Whether it is reached through a loopback address; see ``Guard``.
        names: What it may be called by besides; see ``Guard``.
        limits: Bounds.
    """
    bounds = limits or Limits()
    metrics = Metrics()
    handlers = _Handlers(desk, bounds, metrics)
    routes = [
        Route("/v1/check", handlers.check, methods=["POST"]),
        Route("/v1/status", handlers.status),
        Route("/v1/decisions/{number}", handlers.decision),
        Route("/v1/passages/{passage:path}/quote", handlers.quote),
        Route("/healthz", handlers.healthz),
        Route("/metrics", handlers.metrics),
        Route("/openapi.json", handlers.openapi),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={
            CorpusguardError: _refused,
            Refusal: _refused,
            HTTPException: _unrouted,
            Exception: _crashed,
        },
        lifespan=handlers.lifespan,
    )
    app.router.redirect_slashes = False
    return Guard(app, bounds, metrics, token=token, local=local, names=names)


class _Handlers:
    """One method for each route."""

    def __init__(self, desk: Desk, limits: Limits, metrics: Metrics) -> None:
        self._desk = desk
        self._limits = limits
        self._metrics = metrics
        self._pool = ThreadPoolExecutor(limits.threads, thread_name_prefix="corpusguard-serve")
        # Of its own: a probe must not wait behind long answers.
        self._probes = ThreadPoolExecutor(1, thread_name_prefix="corpusguard-health")
        self._asked = 0

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Let the threads go at the end."""
        yield
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._probes.shutdown(wait=False, cancel_futures=True)

    async def check(self, request: Request) -> Response:
        began = time.monotonic()
        body = await self._ask(self._checked, await self._body(request))
        seconds = time.monotonic() - began
        self._metrics.decided(body["outcome"], seconds, shadow=body["shadow"])
        return json_response(body)

    def _checked(self, body: bytes) -> dict[str, Any]:
        """Read a request and check its answer; in a thread, for either takes time."""
        try:
            value = parse_json(body.decode("utf-8"))
        except (UnicodeDecodeError, ConfigError) as error:
            told = error.message if isinstance(error, ConfigError) else f"not UTF-8: {error.reason}"
            raise Refusal(400, "not_json", told, then='send {"answer": "…"} as UTF-8') from error
        if not isinstance(value, dict):
            raise ConfigError("the request is not a JSON object", hint='send {"answer": "…"}')
        shadow = value.pop("shadow", False)
        if not isinstance(shadow, bool):
            raise ConfigError(
                "the request's shadow is neither true nor false", hint="leave it out, or send true"
            )
        answer, citations = answer_of(value)
        return self._desk.check(answer, citations, shadow=shadow)

    async def status(self, _: Request) -> Response:
        return json_response(await self._ask(self._desk.status))

    async def decision(self, request: Request) -> Response:
        given = request.path_params["number"]
        if not (given.isascii() and given.isdigit() and len(given) <= 20):
            raise NoSuchThing("a decision is named by its number", hint="ask /v1/decisions/1")
        return json_response(await self._ask(self._desk.decision, int(given)))

    async def quote(self, request: Request) -> Response:
        texts = request.query_params.getlist("text")
        unknown = sorted(set(request.query_params) - _QUOTE_PARAMETERS)
        if unknown or len(texts) != 1:
            what = (
                f"there is no parameter {unknown[0][:80]!r}"
                if unknown
                else f"the parameter text is given {len(texts)} times"
                if texts
                else "the parameter text is missing"
            )
            raise ConfigError(what, hint="ask /v1/passages/ID/quote?text=WORDS")
        passage = request.path_params["passage"]
        return json_response(await self._ask(self._desk.verify_quote, passage, texts[0]))

    async def healthz(self, _: Request) -> Response:
        loop = asyncio.get_running_loop()
        health = await loop.run_in_executor(self._probes, self._desk.health)
        return json_response(asdict(health), 200 if health.serves else 503)

    async def metrics(self, _: Request) -> Response:
        return Response(self._metrics.text(), headers={"content-type": CONTENT_TYPE})

    async def openapi(self, _: Request) -> Response:
        page = resources.files("corpusguard.serve").joinpath("openapi.json").read_bytes()
        return Response(page, media_type=_JSON)

    async def _ask(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call the desk in a thread; not more at once than there may be.

        A thread cannot be stopped, so what ran out of time still counts until it has ended.
        """
        if self._asked >= self._limits.at_once:
            raise Refusal(
                503,
                "busy",
                f"{self._limits.at_once} questions are being answered",
                then="ask again in a few seconds",
                headers=_AGAIN,
            )
        loop = asyncio.get_running_loop()

        def ended(_: Future[T]) -> None:
            with suppress(RuntimeError):  # the loop is gone: so is the count
                loop.call_soon_threadsafe(self._end)

        self._asked += 1
        future = self._pool.submit(function, *args, **kwargs)
        future.add_done_callback(ended)
        return await asyncio.wrap_future(future)

    def _end(self) -> None:
        self._asked -= 1

    async def _body(self, request: Request) -> bytes:
        """Read a JSON body.

        Raises:
            Refusal: It is not JSON by its name, too large, too slow, or not all there.
        """
        kind, _, rest = request.headers.get("content-type", "").partition(";")
        charset = rest.strip().lower().replace('"', "")
        if kind.strip().lower() != _JSON or charset not in {"", "charset=utf-8"}:
            # A browser sends this kind to a strange origin only after asking, and we never agree.
            raise Refusal(
                415,
                "content_type",
                "the Content-Type is not application/json",
                then="send the header Content-Type: application/json",
            )
        if "content-encoding" in request.headers:
            raise Refusal(
                415, "content_encoding", "the body has a Content-Encoding", then="send it without"
            )
        large = Refusal(
            413,
            "too_large",
            f"the body is over the limit of {self._limits.body_bytes} bytes",
            then="check the answer in parts, or cite passages by id without their texts",
            headers={"connection": "close"},
        )
        most = self._limits.body_bytes
        declared = int(request.headers.get("content-length", "0"))
        if declared > DRAINED * most or (declared > most and "expect" in request.headers):
            raise large
        body = bytearray()
        size = 0
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                async for chunk in request.stream():
                    size += len(chunk)
                    # A client that is still sending may not read: let it finish, to a point.
                    if size > DRAINED * most:
                        raise large
                    if size <= most:
                        body += chunk
        except TimeoutError:
            raise Refusal(
                408, "slow_body", "the body did not come in time", headers={"connection": "close"}
            ) from None
        except ClientDisconnect:
            raise Refusal(400, "cut_body", "the body ended before it should") from None
        if size > most:
            raise large
        return bytes(body)


def _refused(request: Request, error: Exception) -> Response:
    """Turn an error of ours into a response."""
    return _refusal(error).response(request.scope["request_id"])


def _refusal(error: Exception) -> Refusal:
    if isinstance(error, Refusal):
        return error
    if isinstance(error, NoSuchThing):
        return Refusal(404, "not_found", error.message, then=error.hint)
    if isinstance(error, ConfigError):
        return Refusal(422, "wrong_request", error.message, then=error.hint)
    if not isinstance(error, CorpusguardError):
        raise error
    # What cannot be read or stored now may be so soon; it is never a decision.
    code = _SNAKE.sub("_", type(error).__name__).lower()
    then = error.hint or "`corpusguard doctor` says what is wrong"
    busy = is_busy(error)
    return Refusal(503, "locked" if busy else code, error.message, then=then, headers=_AGAIN)


def _crashed(request: Request, _: Exception) -> Response:
    """Say that it failed; Starlette raises the error again, for the guard to log."""
    return internal_error().response(request.scope["request_id"])


def _unrouted(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    code = {404: "not_found", 405: "method"}.get(error.status_code, "refused")
    refusal = Refusal(
        error.status_code,
        code,
        "there is nothing here" if code == "not_found" else "this path does not answer that method",
        then="/openapi.json describes what there is",
        headers=error.headers,
    )
    return refusal.response(request.scope["request_id"])
