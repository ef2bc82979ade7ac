"""How Alembic comes to the database: by the address that `servicekit.sql` gives it."""

from alembic import context
from sqlalchemy import NullPool, create_engine
from sqlmodel import SQLModel

engine = create_engine(context.config.attributes["url"], poolclass=NullPool)  # closes what it opens
with engine.connect() as connection:
    context.configure(
        connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True
    )
    with context.begin_transaction():
        context.run_migrations()
