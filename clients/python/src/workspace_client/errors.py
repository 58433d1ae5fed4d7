"""What a call raises. An ApiError is what the API has answered; a ConnectionFailed says that it has not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from .types import ErrorCode, Problem


class ApiError(Exception):
    """The API refused the call. `problem` is the body of its answer."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(
            f"{problem.get('status')} {problem['code']}: {problem.get('detail')} (request {problem.get('requestId')})"
        )
        self.problem = problem

    @property
    def code(self) -> ErrorCode:
        return self.problem["code"]

    @property
    def status(self) -> int:
        return self.problem["status"]

    @property
    def request_id(self) -> str:
        """Quote it when you ask about this answer."""
        return self.problem["requestId"]

    def member(self, name: str) -> Any:
        """A member that some codes have, such as `currentVersion`; None where there is none."""
        return dict(self.problem).get(name)


class ConnectionFailed(Exception):
    """No answer came, or one that is not the API's: of something that stands between, such as a balancer."""

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        # Of the answer, if one came.
        self.status = status
