"""The names of everything the workers keep in Redis, all under one prefix."""

from __future__ import annotations

from dataclasses import dataclass

GROUP = "settle"
"""The consumer group of the rounds and the parts."""
DAY_S = 86_400
"""A shard of the result store holds the rounds of one UTC day."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Key names under ``prefix``."""

    prefix: str = "mjsettle"

    @property
    def rounds(self) -> str:
        """Stream of rounds that wait: field ``round`` (JSON), perhaps ``to``, ``room`` and ``seq``."""
        return f"{self.prefix}:rounds"

    @property
    def parts(self) -> str:
        """Stream of parts of large batches: fields ``batch``, ``part``, ``at``, ``rounds``."""
        return f"{self.prefix}:parts"

    @property
    def results(self) -> str:
        """Stream of answers: fields ``id``, ``result`` (JSON) and, for an answer given before, ``again``."""
        return f"{self.prefix}:results"

    @property
    def dead(self) -> str:
        """Stream of dead letters: fields ``entry``, ``id``, ``reason``, ``deliveries``, ``round`` (the bytes)."""
        return f"{self.prefix}:dead"

    @property
    def shards(self) -> str:
        """Sorted set of the days that the result store holds, as days since 1970."""
        return f"{self.prefix}:shards"

    @property
    def floor(self) -> str:
        """The first day that is still remembered; a round that ended earlier is too old."""
        return f"{self.prefix}:floor"

    @property
    def counters(self) -> str:
        """Hash of counters since the first start."""
        return f"{self.prefix}:counters"

    @property
    def metrics(self) -> str:
        """Hash of what drains counted: answers by rule set and status, histograms; see ``tally``."""
        return f"{self.prefix}:metrics"

    @property
    def workers(self) -> str:
        """Sorted set of live workers by the server's time when last seen."""
        return f"{self.prefix}:workers"

    @property
    def parked(self) -> str:
        """Hash of entries that wait for a worker with their rule set or edition: entry -> rule@edition."""
        return f"{self.prefix}:parked"

    @property
    def warm(self) -> str:
        """One blob of judged inputs with which a new worker warms its cache."""
        return f"{self.prefix}:warm"

    @property
    def shared(self) -> str:
        """First part of the keys of answers that were costly to compute, where the shared tier is switched on."""
        return f"{self.prefix}:costly"

    @property
    def condemned(self) -> str:
        """Set of the ids among the dead letters."""
        return f"{self.prefix}:condemned"

    @property
    def suspects(self) -> str:
        """Hash of rounds that are tried alone only: digest of the body -> solo attempts under way or cut short."""
        return f"{self.prefix}:suspects"

    def shard(self, day: int) -> str:
        """Hash of one day: id -> body, newline, answer."""
        return f"{self.prefix}:seen:{day}"

    def reply(self, to: str) -> str:
        """A room's own stream of answers."""
        return f"{self.prefix}:results:{to}"

    def order(self, room: str) -> str:
        """Hash of an ordered room: ``last`` sequence number given, ``turn`` of the next to be applied."""
        return f"{self.prefix}:order:{room}"

    def batch(self, batch: str) -> str:
        """Hash of a large batch: ``rounds``, ``total``, ``done`` and ``out:<part>``."""
        return f"{self.prefix}:batch:{batch}"
