"""One agent's results never fill the stream that all results share."""

from holdpoint.core.tool import Result
from holdpoint.messages.run import RunStatus
from holdpoint.workers.result_budget import BYTES_PER_DAY, WITHHELD, ResultBudget

LARGE = Result(
    status=RunStatus.DONE, data={"text": "x" * (BYTES_PER_DAY // 5 * 2)}, formatted="3 rows"
)


def test_results_beyond_the_budget_keep_their_ending_and_lose_their_content() -> None:
    budget = ResultBudget()
    shown = [budget.limited("noisy", LARGE) for _ in range(3)]

    assert shown[:2] == [LARGE, LARGE]
    assert (shown[2].status, shown[2].data, shown[2].formatted) == (RunStatus.DONE, {}, WITHHELD)


def test_another_agent_s_results_are_not_touched() -> None:
    budget = ResultBudget()
    for _ in range(3):
        budget.limited("noisy", LARGE)

    assert budget.limited("quiet", LARGE) is LARGE


def test_a_small_result_still_fits_after_a_large_one_was_withheld() -> None:
    budget, small = ResultBudget(), Result(status=RunStatus.DONE, data={"n": 1})
    for _ in range(3):
        budget.limited("noisy", LARGE)

    assert budget.limited("noisy", small) is small
