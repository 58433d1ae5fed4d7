// The newest events, newest first, with what is recorded meanwhile on top, and the older ones on demand.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EventRecord } from '#contract/event.ts'
import { useStream, type StreamState } from '../../app/use-stream.ts'
import { stateOfError, useWorkspace } from '../../app/workspace.ts'
import type { ListState } from '../../ui/list-state.ts'
import { readBefore } from './read-before.ts'

type Feed = { readonly state: ListState<EventRecord>; readonly stream: StreamState }
const nothing: readonly EventRecord[] = []
/** Of one kind, or pattern of kinds: what was told of another is not shown. */
type ToldOf = { readonly kind: string | undefined; readonly events: readonly EventRecord[] }
const toldMax = 500

export function useFeed(kind: string | undefined): Feed {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const [told, setTold] = useState<ToldOf>({ kind, events: nothing })
  const key = [workspaceId, 'events.list', kind ?? '']
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => readBefore(pageParam, kind, { workspaceId, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ from }) => (from > 0 ? from : null),
    staleTime: Infinity,
  })
  const stream = useStream('events.stream', kind === undefined ? {} : { eventTypes: [kind] }, {
    told: (event) =>
      setTold((before) => ({
        kind,
        events: [event, ...(before.kind === kind ? before.events : nothing)].slice(0, toldMax),
      })),
    missed() {
      setTold({ kind, events: nothing })
      void queries.invalidateQueries({ queryKey: key })
    },
  })
  if (query.isPending) return { state: { kind: 'loading' }, stream }
  if (query.error !== null) return { state: stateOfError(query.error, () => void query.refetch()), stream }
  const listed = query.data.pages.flatMap(({ events }) => events)
  const rows = newestFirst([...(told.kind === kind ? told.events : nothing), ...listed])
  const more = { isLoading: query.isFetchingNextPage, load: () => void query.fetchNextPage() }
  if (rows.length > 0 || query.hasNextPage)
    return { state: { kind: 'rows', rows, more: query.hasNextPage ? more : null }, stream }
  return { state: { kind: kind === undefined ? 'empty' : 'filtered-empty' }, stream }
}

/** Each once. */
const newestFirst = (events: readonly EventRecord[]): EventRecord[] =>
  [...new Map(events.map((event) => [event.sequence, event])).values()].toSorted((a, b) => b.sequence - a.sequence)
