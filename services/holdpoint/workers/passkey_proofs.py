"""A worker's own look at the passkeys of a yes: at the highest level it takes nobody's word for it.

Anyone who has the gate's key can sign a grant, and can sign no yes of a person's passkey.
"""

from collections.abc import Mapping, Sequence

from holdpoint.core.digest import passkey_challenge
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.hold import Hold, Voice
from holdpoint.runtime.errors import SignatureError
from holdpoint.runtime.security.passkeys import verified


def is_signed_by_passkeys(hold: Hold, pins: Mapping[str, Sequence[str]], origin: str) -> bool:
    """Return whether a passkey that is believed signed each yes to exactly this action.

    `pins` are each person's public keys; `origin` is the console's address, empty where the
    worker does not know it.
    """
    return bool(hold.voices) and all(_signed(hold, it, pins, origin) for it in hold.voices)


def _signed(hold: Hold, voice: Voice, pins: Mapping[str, Sequence[str]], origin: str) -> bool:
    proof = voice.passkey
    if proof is None or proof.public_key not in pins.get(voice.person, ()):
        return False
    said = Answer(
        hold_id=hold.hold_id,
        digest=hold.digest,
        render_digest=hold.render_digest,
        answer=Choice.PROCEED,
    )
    challenge = passkey_challenge(said, proof.nonce)
    try:
        verified(proof.assertion, challenge, origin or proof.origin, proof.public_key, 0)
    except SignatureError:
        return False
    return True
