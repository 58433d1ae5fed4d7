"""A list, read page by page. Nothing is asked for before it is read."""

from __future__ import annotations

from typing import Any, Callable, Dict, Generic, Iterator, List, Mapping, TypeVar, cast

T = TypeVar("T")


class Page(Generic[T]):
    """`data` are its items. `answer` is all of it, such as `answer["page"]["total"]`."""

    def __init__(self, answer: Dict[str, Any]) -> None:
        self.answer = answer
        self.data: List[T] = cast("List[T]", answer["data"])

    @property
    def next_cursor(self) -> Any:
        return self.answer["page"].get("nextCursor")


class Pages(Generic[T]):
    """Iterate over it for every item of all pages, or over `pages()`; `first()` is the first page."""

    def __init__(self, fetch: Callable[[Mapping[str, Any]], Any]) -> None:
        self._fetch = fetch

    def first(self) -> Page[T]:
        return Page(self._fetch({}))

    def pages(self) -> Iterator[Page[T]]:
        page: Page[T] = self.first()
        yield page
        while page.next_cursor is not None:
            page = Page[T](self._fetch({"cursor": page.next_cursor}))
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data
