// The newest deliveries, kept up to date by the stream: what is new comes on top, what changes is replaced where it
// stands. While it is paused nothing moves, and what has come meanwhile is counted.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Delivery } from '#contract/deliveries.ts'
import { useStream, type StreamState } from '../../app/use-stream.ts'
import { keyOf, useList, useWorkspace } from '../../app/workspace.ts'
import type { ListState } from '../../ui/list-state.ts'
import type { ListInput } from './delivery-search.ts'
import { merged, remembered } from './merge-deliveries.ts'

type Live = {
  readonly state: ListState<Delivery>
  readonly stream: StreamState
  readonly isPaused: boolean
  /** Deliveries that have changed while it was paused. */
  readonly waiting: number
  setPaused(isPaused: boolean): void
}

/** Deliveries from the stream for one query. They are not shown for any other query. */
type Known = { readonly of: string; readonly deliveries: ReadonlyMap<string, Delivery> }

export function useLiveDeliveries(input: ListInput, isFiltered: boolean): Live {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const list = useList('deliveries.list', input, isFiltered)
  const { webhookId, eventTypes, eventId } = input
  const asked = { ...(webhookId && { webhookId }), ...(eventTypes && { eventTypes }) }
  const of = JSON.stringify(asked)
  const nothing: Known = { of, deliveries: new Map() }
  const [known, setKnown] = useState(nothing)
  const [held, setHeld] = useState(nothing)
  const [isPaused, setIsPaused] = useState(false)
  const current = (some: Known): Known => (some.of === of ? some : nothing)
  const adding =
    (...told: readonly Delivery[]) =>
    (before: Known): Known => ({ of, deliveries: told.reduce(remembered, current(before).deliveries) })

  const stream = useStream('deliveries.stream', asked, {
    told(delivery) {
      if (eventId !== undefined && delivery.eventId !== eventId) return
      const note = isPaused ? setHeld : setKnown
      note(adding(delivery))
    },
    missed() {
      setKnown(nothing)
      setHeld(nothing)
      void queries.invalidateQueries({ queryKey: keyOf(workspaceId, 'deliveries.list') })
    },
  })

  function setPaused(wanted: boolean): void {
    setIsPaused(wanted)
    if (wanted) return
    setKnown(adding(...current(held).deliveries.values()))
    setHeld(nothing)
  }
  return {
    state: merged(list, [...current(known).deliveries.values()], input),
    stream,
    isPaused,
    waiting: current(held).deliveries.size,
    setPaused,
  }
}
