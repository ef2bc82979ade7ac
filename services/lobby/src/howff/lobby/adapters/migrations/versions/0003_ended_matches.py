"""Matches that have ended, by their end."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index that they are listed by."""
    op.create_index("lobby_match_ended", "lobby_match", ["watch", "state", "ended_at", "id"])


def downgrade() -> None:
    """Take it away."""
    op.drop_index("lobby_match_ended", "lobby_match")
