"""When to repeat missed problems: FSRS, by the library `fsrs`, which nothing else imports."""

from datetime import datetime
from typing import Any

Card = dict[str, Any]  # as `fsrs` writes one


def new_card(now: datetime) -> Card:
    """Of something that is due at once. `now`: with a time zone."""
    from fsrs import Card as FsrsCard

    return dict(FsrsCard(card_id=0, due=now).to_dict())


def after_answer(card: Card, is_right: bool, now: datetime) -> Card:
    """The card after the person has found the answer, or has not."""
    from fsrs import Card as FsrsCard
    from fsrs import Rating, Scheduler

    known = FsrsCard.from_dict(card)  # type: ignore[arg-type]
    scheduler = Scheduler(enable_fuzzing=False)
    reviewed, _ = scheduler.review_card(known, Rating.Good if is_right else Rating.Again, now)
    return dict(reviewed.to_dict())


def is_due(card: Card, now: datetime) -> bool:
    """Is it to be asked again?"""
    return datetime.fromisoformat(card["due"]) <= now
