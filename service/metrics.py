"""Counters and durations in the Prometheus text format: names of tools, codes and numbers, nothing else."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator

_BOUNDS_US = (5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000)


class Metrics:
    """What one process counts; safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: Counter[tuple[str, str]] = Counter()
        self._buckets: Counter[tuple[str, int]] = Counter()
        self._duration_us: Counter[str] = Counter()
        self._refused: Counter[int] = Counter()

    def count_call(self, name: str, result: str, duration_us: int) -> None:
        """One call: its tool or method, ``ok`` or an error's code, and how long it took."""
        with self._lock:
            self._calls[name, result] += 1
            self._duration_us[name] += duration_us
            for bound_us in _BOUNDS_US:
                if duration_us <= bound_us:
                    self._buckets[name, bound_us] += 1

    def count_refusal(self, status: int) -> None:
        """One request that was refused before it became a call, by HTTP status."""
        with self._lock:
            self._refused[status] += 1

    def text(self, ready: dict[str, bool]) -> str:
        """Everything counted so far, and what is ready."""
        with self._lock:
            lines = [*self._lines(), *_ready_lines(ready)]
        return "\n".join(lines) + "\n"

    def _lines(self) -> Iterator[str]:
        yield "# HELP mnemo_calls_total Calls by tool or method and result."
        yield "# TYPE mnemo_calls_total counter"
        for (name, result), count in sorted(self._calls.items()):
            yield f'mnemo_calls_total{{call="{name}",result="{result}"}} {count}'
        yield "# HELP mnemo_call_seconds How long calls took, the log entry not included."
        yield "# TYPE mnemo_call_seconds histogram"
        for name in sorted(self._duration_us):
            total = sum(count for (called, _), count in self._calls.items() if called == name)
            for bound_us in _BOUNDS_US:
                count = self._buckets[name, bound_us]
                yield f'mnemo_call_seconds_bucket{{call="{name}",le="{bound_us / 1_000_000:g}"}} {count}'
            yield f'mnemo_call_seconds_bucket{{call="{name}",le="+Inf"}} {total}'
            yield f'mnemo_call_seconds_sum{{call="{name}"}} {self._duration_us[name] / 1_000_000:.6f}'
            yield f'mnemo_call_seconds_count{{call="{name}"}} {total}'
        yield "# HELP mnemo_refused_total Requests refused before they became calls, by HTTP status."
        yield "# TYPE mnemo_refused_total counter"
        for status, count in sorted(self._refused.items()):
            yield f'mnemo_refused_total{{status="{status}"}} {count}'


def _ready_lines(ready: dict[str, bool]) -> Iterator[str]:
    yield "# HELP mnemo_ready Whether a part answers."
    yield "# TYPE mnemo_ready gauge"
    for part, answers in ready.items():
        yield f'mnemo_ready{{part="{part}"}} {int(answers)}'
