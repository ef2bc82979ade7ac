"""The options and arguments that several commands have."""

from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from howff.match.events import OnFlag, OnLeave

Settings = Annotated[
    list[str],
    typer.Option(
        "--option", "-o", help="An option of the game, as name=value.", show_default=False
    ),
]
Seats = Annotated[
    int | None, typer.Option(help="How many seats the match has; by default as many as can be.")
]
Level = Annotated[
    Literal["random", "casual", "steady", "strong", "master"] | None,
    typer.Option("--level", help="How well the bots play; by default steady, on a server random."),
]
Token = Annotated[
    str | None, typer.Option(help="An access token for a server.", envvar="HOWFF_TOKEN")
]
Account = Annotated[
    str | None, typer.Option(help="The name of an account that `howff login` has kept.")
]
MatchUrl = Annotated[
    str,
    typer.Argument(
        help="The URL of a match, such as http://localhost:8000/v1/matches/ID, or of its page."
    ),
]
Viewer = Annotated[
    str | None, typer.Option("--as", help="Through whose eyes: seat:N of your own, or spectator.")
]
Port = Annotated[int, typer.Option(min=1, max=65535)]
Keys = Annotated[
    Path | None,
    typer.Option(help="Trust these public keys only (JSON list of JWKs).", readable=False),
]
Export = Annotated[Path, typer.Argument(help="An export, such as match.jsonl.", readable=False)]
Clock = Annotated[
    str | None,
    typer.Option("--clock", help="On a server: move=SECONDS, match=SECONDS+INCREMENT, days=DAYS."),
]
HERE: Final = "http://localhost:8000"
"""Where a server is, unless another is named."""
Server = Annotated[str, typer.Option(help="The address of a server.", envvar="HOWFF_SERVER")]
Flag = Annotated[
    OnFlag,
    typer.Option("--on-flag", help="What it means when the time of a seat has run out."),
]
Leave = Annotated[
    OnLeave, typer.Option("--on-leave", help="Who decides for seats that have resigned.")
]
Rated = Annotated[
    Literal["yes", "no", "either"], typer.Option("--rated", help="Whether the match counts.")
]
