// The two readers: one follows the list sorted by `updatedAt`, the other the feed of events.
import type { EventRecord } from '#contract/event.ts'
import type { Task } from '#contract/tasks.ts'
import type { Change, ReadOn } from './follow-reader.ts'

export type Ask = <T>(path: string) => Promise<T>
export type Reader = {
  readonly name: string
  readonly everyVersion: boolean
  readonly begin: (ask: Ask) => ReadOn
}

const limit = 200
const waitSeconds = 5

type Listed = Pick<Task, 'id' | 'version'> & { readonly updatedAt?: string; readonly deletedAt?: string | null }

/** A deleted one says when it was deleted, which was its last change. */
const whenOf = ({ updatedAt, deletedAt }: Listed): string => updatedAt ?? deletedAt ?? ''

const byUpdatedAt: Reader = {
  name: 'GET /tasks?sort=updatedAt',
  everyVersion: false,
  begin: (ask) => {
    let last = '1970-01-01T00:00:00.000Z'
    return async () => {
      const { data, page } = await ask<{ data: Listed[]; page: { hasMore: boolean } }>(
        `/tasks?sort=updatedAt&updatedAfter=${last}&includeDeleted=true&limit=${limit}`,
      )
      last = whenOf(data.at(-1) ?? { id: '', version: 0, updatedAt: last })
      const changes = data.map((task): Change => {
        const { id, version } = task
        return { id, version, at: Date.parse(whenOf(task)) }
      })
      return { changes, hasMore: page.hasMore }
    }
  },
}

const feed: Reader = {
  name: 'GET /events',
  everyVersion: true,
  begin: (ask) => {
    let last = 0
    return async (mayWait) => {
      const { data, lastSequence, hasMore } = await ask<{
        data: EventRecord[]
        lastSequence: number
        hasMore: boolean
      }>(`/events?after=${last}&eventTypes=tasks.*&limit=${limit}&wait=${mayWait ? waitSeconds : 0}`)
      last = lastSequence
      const changes = data.map(({ resource: { id, version }, occurredAt }): Change => {
        return { id, version: version ?? 0, at: Date.parse(occurredAt) }
      })
      return { changes, hasMore }
    }
  },
}

export const readers: readonly Reader[] = [byUpdatedAt, feed]
