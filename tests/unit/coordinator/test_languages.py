"""Answers in the language of the request; what was asked in German is understood again."""

import ast
import re
from pathlib import Path

import pytest

from holdpoint.coordinator import languages
from holdpoint.coordinator.intent_table import table
from holdpoint.coordinator.languages import answer_in, request_language, with_english_history
from holdpoint.coordinator.workflows import load_workflows
from holdpoint.messages.request import AgentRequest, ConversationMessage, Speaker

ROOT = Path(__file__).parents[3]
SPEAKING = (
    "agent_loop",
    "calls",
    "choices",
    "delegation",
    "intents",
    "nodes",
    "others_data",
    "periods",
)
"""Modules in which sentences for people stand."""

SENTENCE = re.compile(r"[A-Z][^{}]* .*[.?]")


def asked(message: str, *turns: tuple[Speaker, str]) -> AgentRequest:
    history = tuple(ConversationMessage(role=role, content=content) for role, content in turns)
    return AgentRequest(
        user_id="ann", message=message, conversation_history=history, request_id="r"
    )


def texts_of(module: str) -> set[str]:
    """Every text of a module that reads like an answer, with `X` for each value."""
    tree = ast.parse((ROOT / f"services/holdpoint/coordinator/{module}.py").read_text("utf-8"))
    docs = {id(it.value) for it in ast.walk(tree) if isinstance(it, ast.Expr)}
    parts = {id(v) for it in ast.walk(tree) if isinstance(it, ast.JoinedStr) for v in it.values}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            found.add(
                "".join(
                    str(getattr(it, "value", "")) if isinstance(it, ast.Constant) else "X"
                    for it in node.values
                )
            )
        elif isinstance(node, ast.Constant) and id(node) not in docs | parts:
            found.add(str(node.value))
    return {it.strip() for it in found if SENTENCE.fullmatch(it.strip())}


def untold(text: str) -> list[str]:
    """Return its sentences without German; one that begins with a value is put together."""
    said = re.split(r"(?<=[.?!])\s+(?=[A-Z])", text)
    return [it for it in said if not it.startswith("X") and answer_in("de", it) == it]


def test_every_sentence_of_the_coordinator_is_there_in_german() -> None:
    workflows = load_workflows(ROOT / "deploy" / "config").workflows
    texts = {text for module in SPEAKING for text in texts_of(module)}
    texts |= {question for it in workflows.values() for question in it.needs.values()}
    texts |= {f"{it.does} (“{it.example}”)" for it in workflows.values()}
    texts |= {it.says for it in table().answers}
    assert not {it for text in texts for it in untold(text)}
    assert len(texts) > 40


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("storniere meine letzte Überweisung", "de"),
        ("lösch Aufgabe 3", "de"),
        ("what's my balance", ""),
        ("transfer $20 to savings", ""),
    ],
)
def test_a_request_says_its_language(message: str, language: str) -> None:
    assert request_language(asked(message)) == language


def test_a_question_in_german_is_read_back_in_english() -> None:
    english = "So far I have USD 20.00. To which of your accounts?"
    german = answer_in("de", english)
    assert german == "Bis jetzt habe ich USD 20.00. Auf welches deiner Konten?"
    reply = asked("Sparkonto", (Speaker.USER, "überweise 20"), (Speaker.ASSISTANT, german))
    assert request_language(reply) == "de"
    assert with_english_history(reply).conversation_history[-1].content == english


def test_each_sentence_is_read_back_as_itself() -> None:
    for template in languages._templates("de", from_english=True):
        german = template.reads
        english = languages._in_english("de", german)
        assert template.pattern.fullmatch(english), german
