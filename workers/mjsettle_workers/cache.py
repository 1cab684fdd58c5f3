"""Answers kept in a worker's memory, by everything that they can depend on.

The key is the whole canonical round without ``id`` and ``ended_at``, rule set, edition and switches included; a cache
belongs to one state of the judge (its ``stamp``: every rule set, edition and fingerprint), and a worker with another
stamp starts empty. What passes between processes that do not share memory is the *inputs* only: a new worker judges
them itself, so a damaged or forged blob can cost time but never change an answer.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import msgspec
import redis

Answer = tuple[bytes, str]
"""The answer's JSON from behind the id on, and its status."""

SEAL_BYTES = 16

_pack = msgspec.msgpack.Encoder().encode
_unpack_answers = msgspec.msgpack.Decoder(list[tuple[bytes, bytes, str]]).decode
_unpack_inputs = msgspec.msgpack.Decoder(list[bytes]).decode


def seal(stamp: str, payload: bytes) -> bytes:
    """Tells damage, and the answers of a judge in another state, from what this judge may use."""
    return hashlib.blake2b(payload, digest_size=SEAL_BYTES, key=stamp.encode()[:64]).digest()


class AnswerCache:
    """A bounded cache in two generations: when the young one is full, the old one is dropped and they swap.

    That keeps what was used lately, like an LRU list, at the price of a dictionary look-up.
    """

    def __init__(self, rounds_max: int, stamp: str = "") -> None:
        self.stamp = stamp
        self.hits = 0
        self.misses = 0
        self._half = rounds_max // 2
        self._young: dict[bytes, Answer] = {}
        self._old: dict[bytes, Answer] = {}
        self._fresh: list[bytes] = []

    def __len__(self) -> int:
        return len(self._young.keys() | self._old.keys())

    def get(self, key: bytes) -> Answer | None:
        """The answer to ``key``, or None."""
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                self.misses += 1
                return None
            self._keep(key, found)
        self.hits += 1
        return found

    def peek(self, key: bytes) -> Answer | None:
        """The answer to ``key`` without counting it as a use."""
        return self._young.get(key) or self._old.get(key)

    def put(self, key: bytes, answer: Answer) -> None:
        """Keep an answer of this process's own judge."""
        if self._half:
            self._keep(key, answer)
            if len(self._fresh) < self._half:
                self._fresh.append(key)

    def _keep(self, key: bytes, answer: Answer) -> None:
        if len(self._young) >= self._half:
            self._old = self._young
            self._young = {}
        self._young[key] = answer

    def export_fresh(self) -> bytes:
        """What was judged since the last export, for the parent process that forked this one."""
        fresh = [(key, *self._young[key]) for key in self._fresh if key in self._young]
        self._fresh = []
        payload = _pack(fresh)
        return seal(self.stamp, payload) + payload

    def absorb(self, blob: bytes) -> int:
        """Take over what a child process exported; returns the number of answers.

        0 if the blob was cut short or damaged, or comes from a judge in another state.
        """
        payload = blob[SEAL_BYTES:]
        if not hmac.compare_digest(seal(self.stamp, payload), blob[:SEAL_BYTES]):
            return 0
        try:
            answers = _unpack_answers(payload)
        except msgspec.DecodeError:
            return 0
        for key, tail, status in answers:
            self._keep(key, (tail, status))
        return len(answers)

    def export_inputs(self, rounds_max: int) -> bytes:
        """The inputs used lately, for workers elsewhere to warm up with."""
        return _pack(list(self._young)[-rounds_max:])


class SharedAnswers:
    """Answers in Redis, shared by all workers: worth its while only for what costs more than fetching it.

    An entry lies under a digest of the judge's stamp and the whole input, and is sealed together with that input: one
    that is damaged, belongs to another input or comes from another edition is not used. Whoever can write to the server
    can forge results anyway; the seal is against damage, not against them.
    """

    def __init__(self, connection: redis.Redis, prefix: str, stamp: str, costly_s: float, keep_s: int) -> None:
        self.connection = connection
        self.prefix = prefix
        self.stamp = stamp
        self.costly_s = costly_s
        self.keep_s = keep_s
        self.rejected = 0

    def _name(self, key: bytes) -> str:
        return f"{self.prefix}:{seal(self.stamp, key).hex()}"

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Answer]:
        """The answers to those keys that have a sound one; none if the server does not answer."""
        if not keys:
            return {}
        try:
            values = cast(Any, self.connection).mget([self._name(key) for key in keys])
        except redis.RedisError:
            return {}
        found = {}
        for key, value in zip(keys, values, strict=True):
            if value is not None and (answer := self._opened(key, value)) is not None:
                found[key] = answer
        return found

    def _opened(self, key: bytes, value: bytes) -> Answer | None:
        payload = value[SEAL_BYTES:]
        if not hmac.compare_digest(seal(self.stamp, key + payload), value[:SEAL_BYTES]):
            self.rejected += 1
            return None
        status, _, tail = payload.partition(b" ")
        return tail, status.decode()

    def put(self, answers: Mapping[bytes, Answer], cost_s: float) -> None:
        """Share answers that took ``cost_s`` each, if that is costly."""
        if cost_s < self.costly_s or not answers:
            return
        try:
            with self.connection.pipeline(transaction=False) as pipe:
                for key, (tail, status) in answers.items():
                    payload = status.encode() + b" " + tail
                    pipe.set(self._name(key), seal(self.stamp, key + payload) + payload, ex=self.keep_s)
                pipe.execute()
        except redis.RedisError:
            return  # nothing depends on it


def read_inputs(blob: bytes | None) -> Iterable[bytes]:
    """The inputs of a blob made by ``export_inputs``; nothing if it cannot be read."""
    if not blob:
        return []
    try:
        return _unpack_inputs(blob)
    except msgspec.DecodeError:
        return []
