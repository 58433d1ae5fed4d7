// The source of a stream: a noun's reader, which gives what has changed page by page, for as long as its caller
// listens; and the places for those who listen at a time, bounded for a process and for each workspace, so that one
// leaves room to others.
import type { Principal } from '#contract/internal/principal.ts'
import type { Input, Output } from '#contract/operation.ts'
import type { Stream } from '#contract/stream.ts'
import type { Db } from '../execution/call.ts'

export type StreamPage<T> = {
  readonly items: readonly T[]
  /** Where a caller goes on who has all of it; null while more of the same moment is to come. */
  readonly position: string | null
}

export type StreamCall = {
  readonly principal: Principal
  readonly workspaceId: string
  /** Where the caller says that it stands: text from outside, of any form. */
  readonly lastEventId: string | null
  /** Aborted when the caller has gone, or has to. */
  readonly signal: AbortSignal
  /** Reads in one of the slots for the database. Between two reads a stream holds nothing that others need. */
  read<T>(from: (db: Db) => Promise<T>): Promise<T>
  /** Says, before the first page, whether the caller missed nothing. */
  opened(resumed: boolean, position: string): Promise<void>
}

/** Gives a page at least every `pageEveryMs`, if only to say where the caller stands. */
export type StreamSource<S extends Stream> = (
  input: Input<S['asked']>,
  call: StreamCall,
) => AsyncGenerator<StreamPage<Output<S['asked']>>, void>

/** Less than what stands between a caller and here waits for a sign of life. */
export const pageEveryMs = 15_000

export type PlaceBounds = { readonly all: number; readonly perWorkspace: number }
export type Places = {
  /** Null when all are taken; else what gives the place back, once. */
  take(workspaceId: string): (() => void) | null
}

export function openPlaces(bounds: PlaceBounds): Places {
  const perWorkspace = new Map<string, number>()
  let size = 0

  function count(workspaceId: string, change: 1 | -1): void {
    size += change
    const own = (perWorkspace.get(workspaceId) ?? 0) + change
    if (own === 0) perWorkspace.delete(workspaceId)
    else perWorkspace.set(workspaceId, own)
  }

  return {
    take: (workspaceId) => {
      if (size >= bounds.all || (perWorkspace.get(workspaceId) ?? 0) >= bounds.perWorkspace) return null
      count(workspaceId, 1)
      let isTaken = true
      return () => {
        if (isTaken) count(workspaceId, -1)
        isTaken = false
      }
    },
  }
}
