"""LangChain's own fake model, which takes tools as well."""

from typing import Any

from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel


class FakeModel(FakeMessagesListChatModel):
    """Says what it was given, in order."""

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        """Take them."""
        del tools
        return self
