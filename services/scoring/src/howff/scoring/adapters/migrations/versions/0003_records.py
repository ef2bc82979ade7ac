"""Records, streaks and statistics."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    _make_records()
    _make_streaks()
    _make_statistics()


def _make_records() -> None:
    kept = ("matches", "firsts", "places", "left")
    _make_counts("scoring_seat_record", *_of_a_player(), _key("seats"), _key("seat"), counts=kept)
    _make_counts(
        "scoring_option_record",
        *_of_a_player(),
        _key("name", sa.Text),
        _key("value", sa.Text),
        counts=kept,
    )
    _make_counts(
        "scoring_head_to_head",
        _key("player", sa.Text),
        _key("opponent", sa.Text),
        _key("game", sa.Text),
        _key("is_public", sa.Boolean),
        counts=("matches", "ahead", "behind", "level"),
    )
    _make_counts("scoring_recorded", _key("position", sa.BigInteger), counts=())


def _make_streaks() -> None:
    op.create_table(
        "scoring_streak",
        _key("generation"),
        _key("game", sa.Text),
        _key("kind", sa.Text),
        _key("player", sa.Text),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("is_won", sa.Boolean, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("since", sa.Text, nullable=False),
        sa.Column("longest", sa.Integer, nullable=False),
        sa.Column("longest_since", sa.Text),
    )
    op.create_index("scoring_streak_of", "scoring_streak", ["generation", "player"])


def _make_statistics() -> None:
    _make_counts(
        "scoring_statistic",
        _key("game", sa.Text),
        _key("seats"),
        _key("who", sa.Text),
        _key("measure", sa.Text),
        _key("about", sa.Text),
        _key("value", sa.BigInteger),
        counts=("count",),
    )
    _make_counts("scoring_statistic_counted", _key("position", sa.BigInteger), counts=())


def _make_counts(name: str, *keys: sa.Column[Any], counts: tuple[str, ...]) -> None:
    numbers = (sa.Column(each, sa.Integer, nullable=False) for each in counts)
    op.create_table(name, _key("generation"), *keys, *numbers)


def _of_a_player() -> tuple[sa.Column[Any], ...]:
    return _key("player", sa.Text), _key("game", sa.Text), _key("is_public", sa.Boolean)


def _key(name: str, kind: type[sa.types.TypeEngine[Any]] = sa.Integer) -> sa.Column[Any]:
    # One that counts up by itself would have no key of several parts.
    return sa.Column(name, kind, primary_key=True, autoincrement=False)


def downgrade() -> None:
    """Take the tables away."""
    for table in (
        "scoring_statistic_counted",
        "scoring_statistic",
        "scoring_streak",
        "scoring_recorded",
        "scoring_head_to_head",
        "scoring_option_record",
        "scoring_seat_record",
    ):
        op.drop_table(table)
