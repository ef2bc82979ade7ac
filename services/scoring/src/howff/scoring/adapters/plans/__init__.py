"""What each projection makes of a match."""

from typing import Final

from howff.scoring.adapters.plans.ratings import RATINGS
from howff.scoring.adapters.plans.records import RECORDS
from howff.scoring.adapters.plans.results import RESULTS
from howff.scoring.adapters.plans.statistics import STATISTICS
from howff.scoring.adapters.plans.streaks import STREAKS

__all__ = ["PLANS", "RATINGS", "RECORDS", "RESULTS", "STATISTICS", "STREAKS"]

PLANS: Final = (RESULTS, RATINGS, RECORDS, STREAKS, STATISTICS)
