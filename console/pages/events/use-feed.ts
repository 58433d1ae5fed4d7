// The newest events, newest first, with what is recorded meanwhile on top, and the older ones on demand.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EventRecord } from '#contract/event.ts'
import { useStream, type StreamState } from '../../app/use-stream.ts'
import { keyOf, useList, useWorkspace } from '../../app/workspace.ts'
import type { ListState } from '../../ui/list-state.ts'
import { eventInput, matches, type EventSearch } from './event-search.ts'

type Feed = { readonly state: ListState<EventRecord>; readonly stream: StreamState }
const nothing: readonly EventRecord[] = []
/** Of one filter: what was told of another is not shown. */
type ToldOf = { readonly filter: string; readonly events: readonly EventRecord[] }
const toldMax = 500

export function useFeed(search: EventSearch, isFiltered: boolean): Feed {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const [openedAt] = useState(() => Date.now())
  const filter = JSON.stringify(search)
  const [told, setTold] = useState<ToldOf>({ filter, events: nothing })
  const listed = useList('events.search', eventInput(search, openedAt), isFiltered)
  const stream = useStream('events.stream', search.kind === undefined ? {} : { eventTypes: [search.kind] }, {
    told: (event) => {
      if (!matches(event, search)) return
      setTold((before) => ({
        filter,
        events: [event, ...(before.filter === filter ? before.events : nothing)].slice(0, toldMax),
      }))
    },
    missed() {
      setTold({ filter, events: nothing })
      void queries.invalidateQueries({ queryKey: keyOf(workspaceId, 'events.search') })
    },
  })
  return { state: withNewer(listed, told.filter === filter ? told.events : nothing), stream }
}

/** Each once. What fails or is not permitted stays so. */
function withNewer(state: ListState<EventRecord>, newer: readonly EventRecord[]): ListState<EventRecord> {
  if (newer.length === 0 || state.kind === 'loading' || state.kind === 'failed' || state.kind === 'forbidden')
    return state
  const listed = state.kind === 'rows' ? state.rows : nothing
  const each = new Map([...listed, ...newer].map((event) => [event.sequence, event]))
  const rows = [...each.values()].toSorted((a, b) => b.sequence - a.sequence)
  return { kind: 'rows', rows, more: state.kind === 'rows' ? state.more : null }
}
