"""Verbs of tools that are named in other languages, by what they do."""

from types import MappingProxyType

from holdpoint.core.risk.calls.leaf import words_of
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.wording import Form, Kind, Verb

_WORDS = {
    Kind.READ: (
        "zeigen anzeigen abrufen suchen suche finden lesen auflisten berechnen prüfen pruefen "
        "afficher lister chercher rechercher obtenir consulter lire calculer vérifier verifier "
        "buscar obtener listar mostrar consultar leer calcular cerca cercare ottieni mostra leggi "
        "zoeken zoek ophalen tonen bekijken hent søg vis hämta sök visa pobierz szukaj pokaz "
        "pokaż wyszukaj показать найти получить прочитать список getir göster listele "
        "ara عرض بحث جلب"
    ),
    Kind.DELETE: (
        "loeschen löschen entfernen kuendigen kündigen stornieren storniere "
        "vernichten leeren supprimer supprime effacer resilier résilier annuler cloturer clôturer "
        "retirer eliminar borrar cancelar cerrar anular suprimir cancellare eliminare rimuovere "
        "chiudere annullare elimina excluir apagar remover encerrar deletar verwijderen verwijder "
        "wissen annuleren opzeggen slet slette fjern radera usun usunac "
        "usuń usunąć skasuj skasować anuluj anulować zamknij zamknąć wyczyść odwołaj "
        "sil kald\u0131r kaldir iptal kapat temizle удалить удали стереть отменить отмени закрыть "
        "закрой уничтожить очистить аннулировать отозвать сбросить видалити скасувати "
        "حذف احذف إزالة ازالة إلغاء الغاء مسح إغلاق اغلاق"
    ),
    Kind.PAYMENT: (
        "ueberweisen überweisen ueberweisung überweisung bezahlen zahlen kaufen payer virement "
        "acheter rembourser pagar transferir comprar reembolsar pagare bonifico acquistare betalen "
        "overmaken overboeken kopen betal betala zaplac przelew "
        "zapłać opłać przelej wypłać öde ode ödeme satinal оплатить заплатить перевести "
        "купить выплатить ادفع دفع تحويل شراء"
    ),
    Kind.CREATE: (
        "ausfuehren ausführen senden erstellen envoyer creer créer enviar crear inviare wyślij "
        "gönder отправить послать أرسل إرسال"
    ),
}
_UNBROKEN = {
    Kind.DELETE: (
        "删除 刪除 移除 清空 清除 取消 注销 关闭 關閉 销毁 撤销 吊销 削除 消去 解約 取り消し 破棄 "
        "退会 閉鎖 キャンセル 삭제 취소 해지 탈퇴"
    ),
    Kind.PAYMENT: (
        "支付 付款 转账 轉帳 汇款 购买 退款 提现 送金 支払 支払い 振込 購入 返金 송금 결제 환불"
    ),
    Kind.CREATE: "发送 發送 送信 发布 전송",
}
"""The same in languages that write their words without a sign between them."""

_SAID = {Kind.READ: "read", Kind.DELETE: "delete", Kind.PAYMENT: "pay", Kind.CREATE: "make"}
"""What people are told that it does."""

FOREIGN: MappingProxyType[str, Verb] = MappingProxyType(
    {
        one: Verb(base=_SAID[kind], kind=kind, form=Form.BASE)
        for kind, words in (*_WORDS.items(), *_UNBROKEN.items())
        for word in words.split()
        for one in (word, *words_of(word))
    }
)
"""Infinitives and orders of European languages, Turkish, Arabic, Chinese, Japanese and Korean."""

_DEEDS = tuple(sorted(" ".join(_UNBROKEN.values()).split(), key=len, reverse=True))
_TOLD_OF = tuple(
    word_set(
        "列表 清单 记录 紀錄 日志 历史 歷史 状态 一覧 履歴 記録 状況 ポリシー 規約 フラグ 目录 "
        "내역 목록 收藏 关注 点赞 窗口 草稿 提醒 弹窗 标签 下書き お気に入り"
    )
)
"""What a name ends in that only speaks of a deed, or of one's own marks."""

_MOOD = ("する", "します", "して", "하기")


def unbroken(word: str) -> tuple[str, ...]:
    """A deed and its thing where a name begins or ends with one; else nothing: `删除用户`."""
    if word.endswith(_TOLD_OF):
        return ()
    for mood in _MOOD:
        word = word.removesuffix(mood)
    deed = next((one for one in _DEEDS if word.startswith(one) or word.endswith(one)), "")
    rest = word.removeprefix(deed) if word.startswith(deed) else word.removesuffix(deed)
    return tuple(part for part in (deed, rest) if part) if deed else ()
