"""The two request and answer formats that nearly every model server speaks; no I/O here.

OpenAI chat completions: ``{"model", "messages": [{"role", "content"}]}`` is answered by
``choices[0].message.content`` with a ``finish_reason`` of ``stop`` where the reply is whole
(``length`` and ``content_filter`` are cuts), and ``usage.prompt_tokens``/``completion_tokens``
(https://platform.openai.com/docs/api-reference/chat/object).

Anthropic messages: ``{"model", "max_tokens", "system", "messages"}`` with ``x-api-key`` and
``anthropic-version`` is answered by ``content`` blocks of type ``text`` with a ``stop_reason`` of
``end_turn``, and ``usage.input_tokens``/``output_tokens``
(https://platform.claude.com/docs/en/api/messages).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from corpusguard.gate.judges.model import MAX_TEXT, Completion, ModelError, estimated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusguard.config.gate import JudgeSpec
    from corpusguard.gate.judges.prompt import Messages

_DEFAULT_MAX_TOKENS: Final = 1024
"""Anthropic's format requires a cap; a reply of any of our schemas has at most some hundred."""

_MODEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,119}")
"""A name; anything else in its place is a server's prose, which nobody has to keep."""


def request(spec: JudgeSpec, messages: Messages, key: str) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers of a request."""
    body: dict[str, Any] = {"model": spec.model} if spec.model else {}
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    user = {"role": "user", "content": messages.user}
    if spec.kind == "anthropic":
        body |= {"max_tokens": _DEFAULT_MAX_TOKENS, "system": messages.system, "messages": [user]}
        headers["anthropic-version"] = "2023-06-01"
        if key:
            headers["x-api-key"] = key
    else:
        body["messages"] = [{"role": "system", "content": messages.system}, user]
        if key:
            headers["Authorization"] = f"Bearer {key}"
    body |= dict(spec.parameters)
    return json.dumps(body, ensure_ascii=True).encode("ascii"), headers


def reply(spec: JudgeSpec, answer: bytes, messages: Messages) -> Completion:
    """Return the reply that an answer with status 200 holds.

    Raises:
        ModelError: It is not JSON, is an error, is cut, or is of no known shape.
    """
    try:
        value = json.loads(answer.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{spec.name}: the answer is not JSON in UTF-8") from error
    if not isinstance(value, dict):
        raise ModelError(f"{spec.name}: the answer is JSON, but not an object")
    if value.get("error") or value.get("type") == "error":
        raise ModelError(f"{spec.name}: status 200, but the answer is an error")
    take = _anthropic if spec.kind == "anthropic" else _openai
    text, asked, written = take(spec.name, value)
    if len(text) > MAX_TEXT:
        raise ModelError(f"{spec.name}: the reply has {len(text)} characters, over {MAX_TEXT}")
    counted = all(_is_count(number) for number in (asked, written))
    model = value.get("model")
    return Completion(
        text,
        asked if counted else estimated(messages.system + messages.user),
        written if counted else estimated(text),
        counted,
        model=model if isinstance(model, str) and _MODEL.fullmatch(model) else "",
    )


def _openai(name: str, value: Mapping[str, Any]) -> tuple[str, Any, Any]:
    choices = value.get("choices")
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], dict):
        raise ModelError(f"{name}: the answer does not hold exactly one choice")
    choice = choices[0]
    message = choice.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(content, str):
        raise ModelError(f"{name}: the answer holds no text")
    if message.get("tool_calls") or message.get("refusal"):
        raise ModelError(f"{name}: the model called a tool or refused")
    if choice.get("finish_reason") != "stop":
        raise _cut(name, choice.get("finish_reason"))
    usage = value.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return content, usage.get("prompt_tokens"), usage.get("completion_tokens")


def _anthropic(name: str, value: Mapping[str, Any]) -> tuple[str, Any, Any]:
    blocks = value.get("content")
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise ModelError(f"{name}: the answer holds no content")
    kinds = {block.get("type") for block in blocks}
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise ModelError(f"{name}: the answer holds no text")
    if kinds - {"text", "thinking", "redacted_thinking"}:
        raise ModelError(f"{name}: the model called a tool or answered with something else")
    if value.get("stop_reason") != "end_turn":
        raise _cut(name, value.get("stop_reason"))
    usage = value.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return "".join(map(str, texts)), usage.get("input_tokens"), usage.get("output_tokens")


def _cut(name: str, reason: object) -> ModelError:
    return ModelError(
        f"{name}: the reply is not known to be whole (it ended with {str(reason)[:40]!r})",
        hint="a larger max_tokens in [[judge]] parameters may help; a cut reply is never used",
    )


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9
