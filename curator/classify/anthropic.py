"""Classification by one of Anthropic's models, through their SDK's structured output."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import anthropic
import pydantic

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

DEFAULT_MODEL = "claude-haiku-5-5"


class AnthropicClassifier:
    """One question a call. The API takes no temperature; it holds the answer to the schema."""

    def __init__(
        self, *, key: str, model: str | None, url: str | None, domains: tuple[str, ...], zone: ZoneInfo
    ) -> None:
        """Keep the client. ``url`` is None for Anthropic's own address."""
        self.name = model or DEFAULT_MODEL
        self._domains = domains
        self._zone = zone
        # No retries here: the inbox postpones with a back-off of its own, between which the lane is served.
        self._client = anthropic.Anthropic(
            api_key=key, base_url=url, max_retries=0, timeout=ANSWER_SECONDS_MAX
        )

    def classify(self, question: Question) -> Classification:
        """Ask the model. See ``Classifier.classify``."""
        try:
            message = self._client.messages.parse(
                model=self.name,
                max_tokens=ANSWER_TOKENS_MAX,
                system=PROMPT,
                messages=[{"role": "user", "content": question_as_data(question, self._domains)}],
                output_format=Answer,
            )
        except anthropic.AnthropicError as fault:
            raise ClassifierUnavailable(type(fault).__name__) from fault
        except (pydantic.ValidationError, ValueError) as fault:
            raise ClassifierUnavailable("garbled") from fault
        if message.stop_reason != "end_turn" or message.parsed_output is None:
            raise ClassifierUnavailable(message.stop_reason or "no answer")
        return classification_of(message.parsed_output, self._domains, self._zone)
