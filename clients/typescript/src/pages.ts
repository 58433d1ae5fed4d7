// A list, read page by page. Nothing is asked for before it is awaited or read.

export type Page<T> = {
  data: T[]
  page: { limit: number; nextCursor: string | null; hasMore: boolean; total?: number }
}

/**
 * `await` gives the first page, `for await` every item of all pages. Both may be done, each with calls of its own.
 */
export class List<T, P extends Page<T> = Page<T>> implements PromiseLike<P>, AsyncIterable<T> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<P>
  readonly #begin: string | undefined

  constructor(fetchPage: (cursor: string | undefined) => Promise<P>, begin?: string) {
    this.#fetchPage = fetchPage
    this.#begin = begin
  }

  // oxlint-disable-next-line unicorn/no-thenable -- that is what it is: `await` gives a page
  then<A = P, B = never>(
    fulfilled?: ((page: P) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#fetchPage(this.#begin).then(fulfilled, rejected)
  }

  async *pages(): AsyncGenerator<P, void> {
    let cursor = this.#begin
    for (;;) {
      const page = await this.#fetchPage(cursor)
      yield page
      if (page.page.nextCursor === null) return
      cursor = page.page.nextCursor
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const { data } of this.pages()) yield* data
  }

  /** All items, or the first `max` of them. */
  async toArray(max = Infinity): Promise<T[]> {
    const items: T[] = []
    if (max <= 0) return items
    for await (const item of this) if (items.push(item) >= max) break
    return items
  }
}
