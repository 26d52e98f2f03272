"""Verbs of tools that are named in other languages, by what they do."""

from types import MappingProxyType

from holdpoint.core.risk.wording import Form, Kind, Verb

_WORDS = {
    Kind.READ: (
        "zeigen anzeigen abrufen suchen suche finden lesen auflisten berechnen prüfen pruefen "
        "afficher lister chercher rechercher obtenir consulter lire calculer vérifier verifier "
        "buscar obtener listar mostrar consultar leer calcular cerca cercare ottieni mostra leggi "
        "zoeken zoek ophalen tonen bekijken hent søg vis hämta sök visa pobierz szukaj pokaz"
    ),
    Kind.DELETE: (
        "loeschen löschen entfernen kuendigen kündigen stornieren storniere "
        "vernichten leeren supprimer supprime effacer resilier résilier annuler cloturer clôturer "
        "retirer eliminar borrar cancelar cerrar anular suprimir cancellare eliminare rimuovere "
        "chiudere annullare elimina excluir apagar remover encerrar deletar verwijderen verwijder "
        "wissen annuleren opzeggen slet slette fjern radera usun usunac"
    ),
    Kind.PAYMENT: (
        "ueberweisen überweisen ueberweisung überweisung bezahlen zahlen kaufen payer virement "
        "acheter rembourser pagar transferir comprar reembolsar pagare bonifico acquistare betalen "
        "overmaken overboeken kopen betal betala zaplac przelew"
    ),
    Kind.CREATE: "ausfuehren ausführen senden erstellen envoyer creer créer enviar crear inviare",
}
_SAID = {Kind.READ: "read", Kind.DELETE: "delete", Kind.PAYMENT: "pay", Kind.CREATE: "make"}
"""What people are told that it does."""

FOREIGN: MappingProxyType[str, Verb] = MappingProxyType(
    {
        word: Verb(base=_SAID[kind], kind=kind, form=Form.BASE)
        for kind, words in _WORDS.items()
        for word in words.split()
    }
)
"""German, French, Spanish, Italian, Portuguese, Dutch, Scandinavian and Polish infinitives."""
