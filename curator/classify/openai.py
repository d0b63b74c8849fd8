"""Classification by any server that speaks OpenAI's protocol: Ollama, vLLM, a gateway, OpenAI itself."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import openai
import pydantic
from openai.types.chat import ChatCompletionMessageParam, ParsedChatCompletion

from curator.classify import Question
from curator.classify.answer import (
    ANSWER_SECONDS_MAX,
    ANSWER_TOKENS_MAX,
    PROMPT,
    Answer,
    classification_of,
    question_as_data,
)
from policies.classification import Classification
from policies.errors import ClassifierUnavailable

KEYLESS = "none"
"""What a local server that wants no key is given: the SDK insists on one."""


class OpenAIClassifier:
    """One question a call, at temperature 0 where the model takes it, its answer held to a JSON schema."""

    def __init__(
        self, *, key: str | None, model: str, url: str | None, domains: tuple[str, ...], zone: ZoneInfo
    ) -> None:
        """Keep the client. ``url`` is None for OpenAI's own address."""
        self.name = model
        self._domains = domains
        self._zone = zone
        self._takes_temperature = True
        self._client = openai.OpenAI(
            api_key=key or KEYLESS, base_url=url, max_retries=0, timeout=ANSWER_SECONDS_MAX
        )

    def classify(self, question: Question) -> Classification:
        """Ask the model. See ``Classifier.classify``."""
        messages: list[ChatCompletionMessageParam] = [
            {"role": "system", "content": PROMPT},
            {"role": "user", "content": question_as_data(question, self._domains)},
        ]
        try:
            completion = self._complete(messages)
        except openai.OpenAIError as fault:
            raise ClassifierUnavailable(type(fault).__name__) from fault
        except (pydantic.ValidationError, ValueError) as fault:
            raise ClassifierUnavailable("garbled") from fault
        if not completion.choices:
            raise ClassifierUnavailable("no answer")
        choice = completion.choices[0]
        if choice.message.parsed is None:
            raise ClassifierUnavailable("refusal" if choice.message.refusal else "no answer")
        return classification_of(choice.message.parsed, self._domains, self._zone)

    def _complete(self, messages: list[ChatCompletionMessageParam]) -> ParsedChatCompletion[Answer]:
        """Complete at temperature 0, and once more without it if the model says that it takes none."""
        try:
            return self._client.chat.completions.parse(
                model=self.name,
                messages=messages,
                response_format=Answer,
                max_completion_tokens=ANSWER_TOKENS_MAX,
                temperature=0 if self._takes_temperature else openai.omit,
            )
        except openai.BadRequestError as fault:
            if fault.param != "temperature" or not self._takes_temperature:
                raise
            self._takes_temperature = False
            return self._complete(messages)
