"""The schedule of repetitions: FSRS, by the library `fsrs`, which only this module imports."""

from datetime import datetime
from typing import Any

Card = dict[str, Any]  # in the form of `fsrs`


def new_card(now: datetime) -> Card:
    """The card of an entry that is due at once. `now`: with a time zone."""
    from fsrs import Card as FsrsCard

    return dict(FsrsCard(card_id=0, due=now).to_dict())


def after_answer(card: Card, is_right: bool, now: datetime) -> Card:
    """The card after a right or wrong answer."""
    from fsrs import Card as FsrsCard
    from fsrs import Rating, Scheduler

    fsrs_card = FsrsCard.from_dict(card)  # type: ignore[arg-type]
    scheduler = Scheduler(enable_fuzzing=False)
    reviewed, _ = scheduler.review_card(fsrs_card, Rating.Good if is_right else Rating.Again, now)
    return dict(reviewed.to_dict())


def is_due(card: Card, now: datetime) -> bool:
    """True if the entry is due."""
    return datetime.fromisoformat(card["due"]) <= now
