"""What projections have to come to, folded in memory by other code than theirs.

A projection has its fold in `FOLDS`, by the name of its plan: a pure function from matches in the
order of their ends to rows. Nothing of the domain but what a match has come to is asked: the rules
stand here once more.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import rfc8785

from howff.scoring.adapters.plans import PLANS
from support.folds.ratings import fold_ratings
from support.folds.records import fold_records
from support.folds.results import fold_results
from support.folds.statistics import fold_statistics
from support.folds.streaks import fold_streaks
from support.folds.told import Fold, Place

Exported = dict[str, dict[str, bytes]]
"""By table and key the rows of a generation, without its number, in canonical JSON."""
FOLDS: Final[Mapping[str, Fold]] = {
    "results": fold_results,
    "ratings": fold_ratings,
    "records": fold_records,
    "streaks": fold_streaks,
    "statistics": fold_statistics,
}


def canonical_rows(plan: str, places: Sequence[Place]) -> Exported:
    """Return the canonical export of what the fold of *plan* makes of matches in order."""
    tables = {
        str(table.__tablename__): table
        for each in PLANS
        if each.name == plan
        for table in each.tables
    }
    found: Exported = {}
    for name, rows in FOLDS[plan](places).items():
        columns = tables[name].__table__.c  # type: ignore[attr-defined]
        keys = [each.name for each in columns if each.primary_key and each.name != "generation"]
        found[name] = {",".join(str(row[key]) for key in keys): rfc8785.dumps(row) for row in rows}
    return found
