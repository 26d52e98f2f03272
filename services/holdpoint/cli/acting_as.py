"""Settings of the command line: the person or agent that its commands act as."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from holdpoint.runtime.config.settings import PREFIX


class Who(BaseSettings):
    """Person or agent at this command line."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True)

    person: str = Field(default="", description="The person that commands act as without --as.")
    agent: str = Field(default="", description="The agent that commands act as without --as.")
