"""Accounts and tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    _make_accounts()
    _make_personal_tokens()
    _make_refresh_tokens()
    op.create_table(
        "revocation",
        sa.Column("entry", sa.String(128), primary_key=True),
        sa.Column("value", sa.BigInteger, nullable=False),
        sa.Column("ends_at", sa.BigInteger, nullable=False, index=True),
        sa.Column("is_told", sa.Boolean, nullable=False, index=True),
    )


def _make_accounts() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(24)),
        sa.Column("name_key", sa.String(24), unique=True),
        sa.Column("password_hash", sa.String),
        sa.Column("owner", sa.String(64), sa.ForeignKey("account.id"), index=True),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.Column("is_administrator", sa.Boolean, nullable=False),
        sa.Column("is_suspended", sa.Boolean, nullable=False),
        sa.Column("erased_at", sa.String(24)),
        sa.Column("standing_version", sa.Integer, nullable=False),
        sa.Column("tokens_until", sa.BigInteger, nullable=False),
        sa.Column("newest_token", sa.BigInteger, nullable=False),
    )


def _make_personal_tokens() -> None:
    op.create_table(
        "personal_token",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column(
            "account", sa.String(64), sa.ForeignKey("account.id"), nullable=False, index=True
        ),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("scopes", sa.String(60), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False, index=True),
        sa.Column("last_used_on", sa.String(10)),
    )


def _make_refresh_tokens() -> None:
    op.create_table(
        "refresh_token",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("family", sa.String(64), nullable=False, index=True),
        sa.Column(
            "account", sa.String(64), sa.ForeignKey("account.id"), nullable=False, index=True
        ),
        sa.Column("scopes", sa.String(60), nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False, index=True),
        sa.Column("access_token", sa.String(64), nullable=False),
        sa.Column("access_expires_at", sa.BigInteger, nullable=False),
        sa.Column("is_used", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    """Take the tables away."""
    for table in ("revocation", "refresh_token", "personal_token", "account"):
        op.drop_table(table)
