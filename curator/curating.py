"""The curator of one store, put together: what the worker's loop and the commands drive."""

from __future__ import annotations

import threading
from functools import partial

from curator.classify.careful import CarefulClassifier, choose_classifier
from curator.draft import Authority
from curator.known import Known
from curator.leadership import Leadership
from curator.nightly import STAGES, Pass, retry_failed, serve_lane
from curator.settle import RunReport, Settler
from curator.verify import Verified, verify
from curator.witnesses import call_witnesses
from cypher.committer import Committer
from cypher.console_urls import relying_party
from cypher.graph import Graph
from cypher.inbox import Inbox, Run
from cypher.keys import read_key
from cypher.reader import Reader
from cypher.rebuild import is_current, mark_outdated, rebuild
from cypher.settings import Settings
from policies.errors import ClassifierUnavailable
from policies.parameters import parameters
from policies.ports import Clock, IdFactory
from policies.terms import Instant, Outcome, RunId

DRY_RUN_PROPOSALS_MAX = 1_000


class Curator:
    """One process's curator. Writes only while it leads (see ``Leadership``)."""

    def __init__(self, settings: Settings, graph: Graph, clock: Clock, ids: IdFactory) -> None:
        """Put it together from the settings; nothing is written yet.

        Raises:
            StoreInvalid: a key of the store is missing.
            SettingInvalid: the classifier lacks what it needs.
        """
        rules = parameters()
        self._graph = graph
        self._clock = clock
        self._ids = ids
        self._handle = settings.facts.handle
        self._rules = rules
        self._classifier: CarefulClassifier = choose_classifier(settings, tuple(rules.domains))
        reader = Reader(graph, rules)
        self.witnesses = call_witnesses(settings, reader)
        self.committer = Committer(graph, self.witnesses.machine_key, ids, rules)
        self.inbox = Inbox(graph, rules)
        self.settler = Settler(
            committer=self.committer,
            last_entry=self.witnesses.last_entry,
            reader=reader,
            inbox=self.inbox,
            classifier=self._classifier,
            known=Known(reader, settings.zone),
            parameters=rules,
            zone=settings.zone,
            authority=Authority(
                owner_key=read_key(settings.keys_dir, "owner"),
                machine_key=self.witnesses.machine_key,
                party=partial(relying_party, settings),
            ),
            clock=clock,
            ids=ids,
        )
        self.leadership = Leadership(self.committer, clock, settings.store_dir)

    def serve_lane(self, stop: threading.Event) -> None:
        """Take up the owner's directives. Raises as ``Settler.settle``."""
        serve_lane(self.settler, self.leadership, stop, RunReport(RunId(""), self._handle))

    def retry_failed(self, stop: threading.Event) -> None:
        """Try again what failed and whose delay is over. Raises as ``Settler.settle``."""
        self._classifier.refresh()
        retry_failed(self.settler, self.leadership, stop, RunReport(RunId(""), self._handle))

    def asked_run(self) -> Run | None:
        """A run that somebody waits for, now begun; None when nobody does."""
        return self.committer.next_run(self._clock.now())

    def request_run(self) -> RunId:
        """Ask the curator that leads for a run, or join one that somebody else asked for."""
        return self.inbox.request_run(RunId(self._ids.new("run")), self._clock.now()).id

    def is_alive(self) -> bool:
        """Whether some curator leads."""
        return self.inbox.curator().alive_until > self._clock.now()

    def last_nightly_at(self) -> Instant | None:
        """When the last nightly run began; None before the first."""
        last = self.committer.last_nightly_run()
        return None if last is None else last.started_at

    def run(self, asked: Run | None, stop: threading.Event) -> RunReport:
        """One run over the inbox: one that was asked for, or a nightly one. Raises as ``Settler.settle``.

        Stopped in the middle, it stays open, and is begun anew by the next curator.
        """
        run = asked or self.committer.begin_run(RunId(self._ids.new("run")), self._clock.now())
        report = RunReport(run.id, self._handle)
        work = Pass(
            settler=self.settler,
            lead=self.leadership,
            classifier=self._classifier,
            graph=self._graph,
            witnesses=self.witnesses,
            report=report,
            stop=stop,
        )
        for stage in STAGES:
            stage(work)
        if not stop.is_set():
            summary = {**report.to_json(), "findings": report.findings}
            self.committer.finish_run(run.id, summary, self._clock.now())
        return report

    def rehearse(self) -> RunReport:
        """What a run would decide now; nothing is written."""
        report = RunReport(RunId(self._ids.new("run")), self._handle)
        for proposal in self.committer.pending(self._clock.now(), DRY_RUN_PROPOSALS_MAX):
            try:
                report.note_all(self.settler.decide(proposal).settlements)
            except ClassifierUnavailable as fault:
                report.note(proposal.id, Outcome.ERROR, fault.code)
        return report

    def verify(self) -> Verified:
        """Whether the ledger is what was recorded."""
        return verify(self._graph, self.witnesses, self._rules)

    def ask_rebuild(self) -> None:
        """Have the projection made anew by the curator that leads, or by the next that will."""
        mark_outdated(self._graph)

    def is_rebuilt(self) -> bool:
        """Whether the projection is complete and up to today's rules."""
        return is_current(self._graph, self._rules)

    def keep_projection(self) -> None:
        """Make the projection anew if somebody asked for it.

        Raises:
            StaleLease: this curator does not lead.
        """
        if not self.is_rebuilt():
            rebuild(self._graph, self.leadership.lease, self._rules)
