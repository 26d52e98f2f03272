"""Money that is sent: coins by their wallets, charges and payouts by a payment service."""

import re2

from holdpoint.core.risk.shell.effects import HIGH, Tool, each, judged, tool
from holdpoint.core.risk.shell.model import Command, Danger

_VALUES = (
    "--url -u --rpc-url --network --cluster --keypair -k --private-key --from --account --chain -C "
    "--datadir --conf --testnet-magic -w --wallet"
)


def _sends(paths: str) -> Tool:
    sent = "sends money that nobody gets back"
    return tool(*each(paths, "", HIGH, "payment", sent), values=_VALUES)


_NODES = _sends("sendtoaddress,sendmany,sendall,sendfrom,send,z_sendmany,sendrawtransaction")
_CHAINS = _sends("tx bank,tx ibc-transfer,tx broadcast")

_WALLETS: dict[str, Tool] = {
    **dict.fromkeys(["bitcoin-cli", "litecoin-cli", "dogecoin-cli", "dash-cli", "zcash-cli",
                     "bitcoin-cash-cli", "elements-cli"], _NODES),
    **dict.fromkeys(["gaiad", "osmosisd", "junod", "seid", "injectived", "evmosd"], _CHAINS),
    "lncli": _sends("sendpayment,payinvoice,sendcoins,sendmany"),
    "lightning-cli": _sends("pay,xpay,sendpay,keysend,withdraw"),
    "electrum": _sends("paytomany,broadcast,lnpay,sweep"),
    "cast": _sends("send,publish"), "ledger-live": _sends("send"),
    "solana": _sends("transfer,pay,withdraw-stake,withdraw-from-vote-account"),
    "spl-token": _sends("transfer,burn"), "cleos": _sends("transfer"),
    "near": _sends("send,tokens * send-near,tokens * send-ft"),
    "cardano-cli": _sends("transaction submit,* transaction submit"),
    **dict.fromkeys(["octez-client", "tezos-client"], _sends("transfer")),
    "sui": _sends("client transfer,client transfer-sui,client pay,client pay-sui,"
                  "client pay-all-sui"),
    "aptos": _sends("account transfer"), "stellar": _sends("tx new payment"),
    "ethereal": _sends("ether transfer,ether sweep,token transfer"),
}  # fmt: skip
WALLETS = tuple(_WALLETS)


def coins(command: Command) -> list[Danger]:
    """`bitcoin-cli sendtoaddress`; where coins are worth nothing, nothing is sent."""
    if "--help" in command.args:
        return []
    found, _ = judged(_WALLETS[command.name], command)
    return [] if found and _play.search(" ".join(command.args)) else found


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
