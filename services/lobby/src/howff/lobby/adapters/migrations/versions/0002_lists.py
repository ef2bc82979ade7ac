"""Lists and feeds."""

import sqlalchemy as sa
from alembic import op

from howff.servicekit import ids

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, and let the numbers of feeds begin."""
    _make_projections()
    _make_tables()
    _make_tickets()
    _make_matches()
    _make_ratings()
    _make_feeds()
    epoch = sa.table("lobby_feed_epoch", sa.column("word", sa.Text))
    op.bulk_insert(epoch, [{"word": ids.new_id()}])


def _make_projections() -> None:
    op.create_table(
        "projection_checkpoint",
        sa.Column("projection", sa.Text, primary_key=True),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("created", sa.Text, nullable=False),
    )
    op.create_table(
        "projection_quarantine",
        sa.Column("projection", sa.Text, primary_key=True),
        sa.Column("position", sa.BigInteger, primary_key=True),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
    )


def _make_tables() -> None:
    op.create_table(
        "lobby_table",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("visibility", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("opened_at", sa.Text, nullable=False),
        sa.Column("folded", sa.JSON, nullable=False),
        sa.Column("summary", sa.JSON, nullable=False),
        sa.Index("lobby_table_open", "visibility", "phase", "opened_at", "id"),
    )
    op.create_table(
        "lobby_table_part",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, primary_key=True, index=True),
    )


def _make_tickets() -> None:
    op.create_table(
        "lobby_ticket",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, nullable=False, index=True),
        sa.Column("table_id", sa.Text),
        sa.Column("opened_at", sa.Text, nullable=False),
        sa.Column("expires_at", sa.Text, nullable=False),
        sa.Column("wish", sa.JSON, nullable=False),
    )


def _make_matches() -> None:
    op.create_table(
        "lobby_match",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("watch", sa.Text, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("started_at", sa.Text, nullable=False),
        sa.Column("ended_at", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("places", sa.JSON, nullable=False),
        sa.Column("is_begun", sa.Boolean, nullable=False),
        sa.Index("lobby_match_watched", "watch", "state", "started_at", "id"),
    )
    op.create_table(
        "lobby_match_part",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("match_id", sa.Text, primary_key=True, index=True),
    )
    op.create_table(
        "lobby_turn",
        sa.Column("match_id", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("waits_for", sa.JSON, nullable=False),
    )


def _make_ratings() -> None:
    op.create_table(
        "lobby_rating",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("speed", sa.Text, primary_key=True),
        sa.Column("rating", sa.Integer, nullable=False),
        sa.Column("deviation", sa.Integer, nullable=False),
    )
    op.create_table("lobby_rated_match", sa.Column("match_id", sa.Text, primary_key=True))


def _make_feeds() -> None:
    op.create_table("lobby_feed_epoch", sa.Column("word", sa.Text, primary_key=True))
    op.create_table(
        "lobby_feed",
        sa.Column("audience", sa.Text, primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "lobby_feed_entry",
        sa.Column("audience", sa.Text, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False, index=True),
    )


def downgrade() -> None:
    """Take the tables away."""
    for table in (
        "lobby_feed_entry",
        "lobby_feed",
        "lobby_feed_epoch",
        "lobby_rated_match",
        "lobby_rating",
        "lobby_turn",
        "lobby_match_part",
        "lobby_match",
        "lobby_ticket",
        "lobby_table_part",
        "lobby_table",
        "projection_quarantine",
        "projection_checkpoint",
    ):
        op.drop_table(table)
