"""A model behind an HTTP endpoint: the only module of the gate that opens a socket outward.

One call is one POST. No redirect is followed (a judge that moves is another judge, and the key
would go with it), nothing is unpacked (``identity`` is asked for and insisted on), at most
``MAX_ANSWER`` bytes are read, and one deadline covers all attempts, which no slow drip stretches.
"""

from __future__ import annotations

import asyncio
import os
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import httpx

from corpusguard import __version__
from corpusguard.config.gate import LOOPBACK
from corpusguard.gate.judges import dialects
from corpusguard.gate.judges.model import MAX_ANSWER, Completion, Fault, ModelError
from corpusguard.gate.judges.prompt import Messages, Prompt, render
from corpusguard.logs import keep_secret, redacted, without_secrets
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from corpusguard.config.gate import JudgeSpec

ATTEMPTS: Final = 3
_AGAIN: Final = frozenset({408, 429, 500, 502, 503, 504, 529})
"""Statuses that say "not now"; 529 is Anthropic's for overloaded."""


class _Again(Exception):
    """This attempt failed in a way that another may not."""


class Endpoint:
    """Completes prompts over HTTP.

    Args:
        spec: a ``[[judge]]`` of kind ``openai`` or ``anthropic``.
        pause: seconds before the second attempt; the third waits twice as long. Both vary by half,
            so that many callers do not come back at once.
    """

    def __init__(self, spec: JudgeSpec, *, pause: float = 1.0) -> None:
        self.label = spec.label
        self._spec = spec
        self._pause = pause

    async def complete(self, prompt: Prompt) -> Completion:
        """Ask once, and again only after a failed transport, 429 or a server's own fault.

        Raises:
            ModelError: No whole reply came within the time.
        """
        messages = render(prompt)
        body, headers = dialects.request(self._spec, messages, self._key())
        headers |= {"User-Agent": f"corpusguard/{__version__}", "Accept-Encoding": "identity"}
        loopback = urlsplit(self._spec.url).hostname in LOOPBACK
        try:
            async with (
                asyncio.timeout(self._spec.timeout_seconds),
                httpx.AsyncClient(
                    timeout=self._spec.timeout_seconds,
                    follow_redirects=False,
                    trust_env=not loopback,  # a proxy has no business on loopback
                ) as client,
            ):
                return await self._attempts(client, body, headers, messages)
        except TimeoutError as error:
            raise ModelError(
                f"{self._spec.name}: no whole answer within {self._spec.timeout_seconds:g} s",
                hint="raise `timeout` of the [[judge]], or look at what keeps the server",
                fault=Fault.TIMEOUT,
            ) from error

    def _key(self) -> str:
        if not self._spec.key:
            return ""
        key = os.environ.get(self._spec.key, "").strip()
        if not key or not key.isascii() or not key.isprintable():
            raise ModelError(
                f"{self._spec.name}: environment variable {self._spec.key} holds no key",
                hint=f"Set {self._spec.key} where corpusguard runs.",
                fault=Fault.UNREACHABLE,
            )
        keep_secret(key)
        return key

    async def _attempts(
        self, client: httpx.AsyncClient, body: bytes, headers: dict[str, str], messages: Messages
    ) -> Completion:
        last = ""
        for attempt in range(1, ATTEMPTS + 1):
            if attempt > 1:
                await asyncio.sleep(self._pause * (attempt - 1) * random.uniform(0.5, 1.5))  # noqa: S311
            try:
                answer = await self._once(client, body, headers)
            except _Again as error:
                last = str(error)
                continue
            found = dialects.reply(self._spec, answer, messages)
            # A server may repeat the key that it was sent.
            text, model = without_secrets(found.text), without_secrets(found.model)
            return replace(found, text=text, model=model, attempts=attempt)
        raise ModelError(
            f"{self._spec.name}: {last}, {ATTEMPTS} times",
            hint="see whether the server runs, and whether the address and the limits are right",
            fault=Fault.UNREACHABLE,
        )

    async def _once(self, client: httpx.AsyncClient, body: bytes, headers: dict[str, str]) -> bytes:
        name = self._spec.name
        found = bytearray()
        try:
            async with client.stream(
                "POST", self._spec.url, content=body, headers=headers
            ) as response:
                if response.status_code in _AGAIN:
                    raise _Again(f"it answered {response.status_code}")
                self._check_head(response)
                async for chunk in response.aiter_raw():
                    found += chunk
                    if len(found) > MAX_ANSWER:
                        raise ModelError(f"{name}: the answer exceeds {MAX_ANSWER} bytes")
        except httpx.InvalidURL as error:
            raise ModelError(f"{name}: its address is not one") from error
        except (httpx.HTTPError, httpx.StreamError) as error:
            why = f"{type(error).__name__}: {error}".rstrip(": ")
            raise _Again(clip(safe(redacted(why)), 200)) from error
        return bytes(found)

    def _check_head(self, response: httpx.Response) -> None:
        name, status = self._spec.name, response.status_code
        if 300 <= status < 400:
            raise ModelError(
                f"{name}: it answered {status}, a redirect, which is not followed",
                hint="write the final address into `url`",
            )
        if status != 200:
            raise ModelError(
                f"{name}: it answered {status}",
                hint="401 and 403: look at the key; 400, 404 and 422: at `url`, `kind`, `model`",
                fault=Fault.UNREACHABLE,
            )
        kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise ModelError(f"{name}: the answer is {kind[:60]!r}, not application/json")
        if response.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            raise ModelError(f"{name}: the answer is packed, which was not asked for")
