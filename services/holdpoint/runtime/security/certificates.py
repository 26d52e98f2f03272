"""TLS certificates of the broker's servers, from an authority that lives in the state folder.

A client needs the authority's certificate alone (`ca.crt`). `provision` renews what ends soon.
"""

import ipaddress
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from holdpoint.runtime.broker.nodes import Node
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import LOOPBACK
from holdpoint.runtime.errors import SetupError

AUTHORITY = "ca"
AUTHORITY_LIVES = timedelta(days=3650)
SERVER_LIVES = timedelta(days=365)
RENEWED_BEFORE_END = timedelta(days=60)
CLOCKS_DIFFER = timedelta(hours=1)


def make_certificates(folder: Path, nodes: Sequence[Node], now: datetime) -> None:
    """Make the authority and each server's certificate where one is missing or ends soon."""
    files.private_folder(folder)
    if not (folder / f"{AUTHORITY}.crt").exists():
        _make_authority(folder, now)
    for node in nodes:
        if not _is_good(folder, node, now):
            _make_server(folder, node, now)


def _make_authority(folder: Path, now: datetime) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = _named("Holdpoint broker authority")
    usage = x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    made = (
        _certificate(name, name, key, now, AUTHORITY_LIVES)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write(folder, AUTHORITY, key, made)


def _make_server(folder: Path, node: Node, now: datetime) -> None:
    """It is a server to clients, and to the other servers a client as well."""
    authority, signer = _authority(folder)
    key = ec.generate_private_key(ec.SECP256R1())
    usages = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    made = (
        _certificate(_named(node.name), authority.subject, key, now, SERVER_LIVES)
        .add_extension(x509.SubjectAlternativeName(_names(node)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage(usages), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        .sign(signer, hashes.SHA256())
    )
    _write(folder, node.name, key, made)


def _certificate(
    name: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    now: datetime,
    lives: timedelta,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS_DIFFER)
        .not_valid_after(now + lives)
    )


def _authority(folder: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = load_pem_private_key(files.read_secret(folder / f"{AUTHORITY}.key"), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise SetupError(f"{folder / AUTHORITY}.key is no key of the broker's authority.")
    return _read(folder / f"{AUTHORITY}.crt"), key


def _is_good(folder: Path, node: Node, now: datetime) -> bool:
    """Return whether the server has a certificate for its host that lasts for a while."""
    path = folder / f"{node.name}.crt"
    if not path.exists() or not (folder / f"{node.name}.key").exists():
        return False
    found = _read(path)
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    is_its = set(names) == set(_names(node))
    return is_its and found.not_valid_after_utc - now > RENEWED_BEFORE_END


def _names(node: Node) -> list[x509.GeneralName]:
    local = x509.IPAddress(ipaddress.ip_address(LOOPBACK))
    try:
        own: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(node.host))
    except ValueError:
        own = x509.DNSName(node.host)
    return [own] if own == local else [own, local]


def _named(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _read(path: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except ValueError as error:
        raise SetupError(f"{path} is no certificate: {error}.") from error


def _write(
    folder: Path, name: str, key: ec.EllipticCurvePrivateKey, made: x509.Certificate
) -> None:
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    files.replace(folder / f"{name}.key", secret, files.PRIVATE)
    files.replace(folder / f"{name}.crt", made.public_bytes(Encoding.PEM), files.PUBLIC)
