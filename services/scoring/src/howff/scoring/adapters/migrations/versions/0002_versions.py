"""Generations say by which version of their rows' making they are made."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; what stands there is of the first version of all."""
    op.add_column(
        "scoring_projection", sa.Column("version", sa.Integer, nullable=False, server_default="2")
    )


def downgrade() -> None:
    """Take the column away."""
    with op.batch_alter_table("scoring_projection") as table:
        table.drop_column("version")
