"""Every setting of a service is explained to whoever sets it up."""

from pathlib import Path
from typing import Final

import pytest
from pydantic_settings import BaseSettings

from howff.bots.settings import Settings as BotsSettings
from howff.game.settings import Settings as GameSettings
from howff.lobby.settings import Settings as LobbySettings
from howff.scoring.settings import DrillSettings
from howff.servicekit.web.front import Settings as FrontSettings

DOCS: Final = Path(__file__).parents[2] / "docs"
ALL: Final = (BotsSettings, GameSettings, LobbySettings, DrillSettings, FrontSettings)


@pytest.mark.parametrize("settings", ALL, ids=lambda each: each.__module__)
def test_each_setting_stands_in_the_documents(settings: type[BaseSettings]) -> None:
    text = "".join(each.read_text() for each in DOCS.glob("*.md"))
    names = {f"HOWFF_{name.upper()}" for name in settings.model_fields}
    assert {name for name in names if f"`{name}`" not in text} == set()
