"""Money that is sent: coins by their wallets, charges and payouts by a payment service."""

import re2

from holdpoint.core.risk.shell.model import HIGH, Command, Danger


def without_play_money(dangers: list[Danger], command: Command) -> list[Danger]:
    """Leave out payments where coins are worth nothing."""
    if not any(danger.rule == _SENT.rule for danger in dangers):
        return dangers
    return [] if _play.search(" ".join(command.args)) else dangers


def sent(command: Command) -> list[Danger]:
    """`geth attach --exec 'eth.sendTransaction(…)'`: a wallet's own console is told to pay."""
    text = " ".join((*command.args, (command.stdin.text or "") if command.stdin else ""))
    pays = _transfers.search(text) and not _play.search(text)
    return [_SENT] if pays else []


_transfers = re2.compile(r"\b(?:eth|personal)\s*\.\s*send(?:Raw|Signed)?Transaction\b")
_SENT = Danger("shell.payment", HIGH, "sends money that nobody gets back", "pay")
_play = re2.compile(
    r"(?i)(?:^|\s)-{1,2}(?:regtest|signet|testnet\d?|testnet-magic)(?:[= ]|$)"
    r"|(?:url|-u|network|cluster|chain)[= ]\S*(?:localhost|127\.0\.0\.1|devnet|testnet|sepolia"
    r"|holesky|signet|regtest|anvil|hardhat)"
)
"""Networks for practice, where coins are worth nothing."""

_charged = re2.compile(
    r"(?i)^(?:https?://)?(?:[^/\s]*@)?(?:(?:api\.stripe\.com|[\w.-]*\.paypal\.com|api\.mollie\.com"
    r"|[\w.-]*\.adyen\.com|connect\.squareup\.com|api\.gocardless\.com|api\.(?:transfer)?wise\.com"
    r"|api\.razorpay\.com|api\.paystack\.co|[\w.-]*\.checkout\.com)(?:/[^?\s]*)?"
    r"/(?:charges?|payment_intents|payments?|refunds?|transfers?|payouts?|topups)"
    r"(?:/[\w-]+/(?:capture|confirm|refunds?|pay))?"
    r"|(?:api\.coinbase\.com|api\.alpaca\.markets|api\d?\.binance\.com|api\.kraken\.com)"
    r"(?:/[^?\s]*)?/(?:orders?|addorder|withdraw|transactions|transfers?))/?(?:\?|$)"
)
"""Where a POST charges, pays or trades."""

_practised = re2.compile(r"(?i)\b[sr]k_test_|\bsandbox\b|\bpaper-api\b")


def charges(words: tuple[str, ...], text: str) -> bool:
    """Whether what is posted to any of these addresses moves money; not with a key for practice."""
    return any(map(_charged.search, words)) and not _practised.search(text)


PAID = Danger("shell.payment", HIGH, "tells a payment service to move money", "pay")
