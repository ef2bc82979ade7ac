"""The archive, and what is projected of it."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    _make_archive()
    _make_projections()
    _make_results()
    _make_ratings()


def _make_archive() -> None:
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
    op.create_table(
        "scoring_archive",
        sa.Column("position", sa.BigInteger, primary_key=True),
        sa.Column("match", sa.Text, nullable=False, unique=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("head_hash", sa.Text, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("unchecked", sa.Text, nullable=False),
        sa.Column("result", sa.JSON, nullable=False),
        sa.Column("results_version", sa.Integer, nullable=False),
    )


def _make_projections() -> None:
    op.create_table(
        "scoring_projection",
        sa.Column("projection", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True),
        sa.Column("is_live", sa.Boolean, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "scoring_rebuilt",
        sa.Column("projection", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True),
        sa.Column("rows", sa.Integer, nullable=False),
        sa.Column("differing", sa.Integer, nullable=False),
        sa.Column("differences", sa.JSON, nullable=False),
    )
    op.create_table(
        "scoring_put_aside",
        sa.Column("projection", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True),
        sa.Column("position", sa.BigInteger, primary_key=True),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
    )


def _make_results() -> None:
    op.create_table(
        "scoring_result",
        sa.Column("generation", sa.Integer, primary_key=True),
        sa.Column("position", sa.BigInteger, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("speed", sa.Text, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("is_rated", sa.Boolean, nullable=False),
        sa.Column("is_branch", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("started_at", sa.Text, nullable=False),
        sa.Column("ended_at", sa.Text, nullable=False),
        sa.Column("account", sa.Text),
        sa.Column("level", sa.Text),
        sa.Column("place", sa.Integer),
        sa.Column("score", sa.Integer),
        sa.Column("figures", sa.JSON, nullable=False),
        sa.Column("stay", sa.Text, nullable=False),
        sa.Column("flags", sa.Integer, nullable=False),
    )
    op.create_index("scoring_result_of", "scoring_result", ["generation", "account", "position"])


def _make_ratings() -> None:
    op.create_table(
        "scoring_rating",
        sa.Column("generation", sa.Integer, primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("deviation", sa.Integer, nullable=False),
        sa.Column("sure_points", sa.Integer, nullable=False),
    )
    op.create_index(
        "scoring_rating_best",
        "scoring_rating",
        ["generation", "game", "kind", "sure_points", "player"],
    )
    op.create_table(
        "scoring_rating_step",
        sa.Column("generation", sa.Integer, primary_key=True),
        sa.Column("position", sa.BigInteger, primary_key=True),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("deviation", sa.Integer, nullable=False),
        sa.Column("change", sa.Integer, nullable=False),
    )
    op.create_index(
        "scoring_rating_step_of",
        "scoring_rating_step",
        ["generation", "player", "game", "kind", "position"],
    )


def downgrade() -> None:
    """Take the tables away."""
    for table in (
        "scoring_rating_step",
        "scoring_rating",
        "scoring_result",
        "scoring_put_aside",
        "scoring_rebuilt",
        "scoring_projection",
        "scoring_archive",
        "projection_quarantine",
        "projection_checkpoint",
    ):
        op.drop_table(table)
