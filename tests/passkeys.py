"""A security key for tests: signs what a browser would, and whatever else it is told to."""

import hashlib
import json
import os
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from tests.actors import PersonVoice
from tests.running_system import TENANT
from webauthn.helpers import bytes_to_base64url as text

from holdpoint.core.digest import enrolment_challenge, passkey_challenge
from holdpoint.messages.answer import Answer, Choice, Proof
from holdpoint.messages.card import Card
from holdpoint.messages.codec import encode
from holdpoint.messages.envelope import Envelope
from holdpoint.messages.policy import Method
from holdpoint.messages.state import EnrolPasskey, NewPasskey
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import seal

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


@dataclass(kw_only=True)
class SecurityKey:
    """One passkey of one console."""

    origin: str
    party: str = "localhost"
    count: int = 0
    flags: int = PRESENT | VERIFIED
    _id: bytes = field(default_factory=lambda: os.urandom(16))
    _key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def made(self, challenge: bytes) -> dict[str, Any]:
        """What `navigator.credentials.create` answers."""
        about = bytes(16) + len(self._id).to_bytes(2, "big") + self._id + self._cose()
        statement = {
            "fmt": "none",
            "attStmt": {},
            "authData": self._data(self.flags | ATTESTED) + about,
        }
        response = {
            "clientDataJSON": text(self._client("webauthn.create", challenge)),
            "attestationObject": text(cbor2.dumps(statement)),
        }
        return self._credential(response)

    @property
    def public_key(self) -> str:
        """COSE, as the gate keeps it."""
        return text(self._cose())

    def _cose(self) -> bytes:
        public = self._key.public_key().public_numbers()
        points = {-2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")}
        return cbor2.dumps({1: 2, 3: -7, -1: 1, **points})

    def signs(self, challenge: bytes) -> dict[str, Any]:
        """What `navigator.credentials.get` answers."""
        self.count += 1
        client, data = self._client("webauthn.get", challenge), self._data(self.flags)
        signed = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "clientDataJSON": text(client),
            "authenticatorData": text(data),
            "signature": text(signed),
        }
        return self._credential(response)

    def _credential(self, response: dict[str, str]) -> dict[str, Any]:
        name = text(self._id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response,
                "clientExtensionResults": {}}  # fmt: skip

    def _client(self, kind: str, challenge: bytes) -> bytes:
        said = {"type": kind, "challenge": text(challenge), "origin": self.origin}
        return json.dumps({**said, "crossOrigin": False}).encode()

    def _data(self, flags: int) -> bytes:
        party = hashlib.sha256(self.party.encode()).digest()
        return party + bytes([flags]) + self.count.to_bytes(4, "big")


def yes_to(card: Card) -> Answer:
    """A yes to just this card."""
    return Answer(
        hold_id=card.hold_id,
        digest=card.digest,
        render_digest=card.render_digest,
        answer=Choice.PROCEED,
    )


def proof_by(key: SecurityKey, said: Answer, code: str = "") -> Proof:
    """The key signs this answer."""
    nonce = clock.new_nonce()
    return Proof(
        method=Method.PASSKEY,
        hold_id=said.hold_id,
        code=code,
        assertion=key.signs(passkey_challenge(said, nonce)),
        nonce=nonce,
    )


async def sends(person: PersonVoice, card: Card, proof: Proof) -> Envelope:
    """Answer this card with a proof, and hear whether it counted."""
    sealed = seal(card.seal_key, encode(proof))
    return await person.heard(card, await person.answer(card, Choice.PROCEED, proof=sealed))


async def add_passkey(
    person: PersonVoice, key: SecurityKey, code: str, seal_key: str, whose: str = ""
) -> Envelope:
    """Add it, as the console does."""
    nonce, name = clock.new_nonce(), whose or person.name
    made = key.made(enrolment_challenge(TENANT, name, nonce))
    wanted = NewPasskey(person=name, registration=made, nonce=nonce, code=code)
    order = EnrolPasskey(sealed=seal(seal_key, encode(wanted)))
    return await person.told(await person.order(order, "passkey"))
