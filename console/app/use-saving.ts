// Saves on top of the version that was seen, so that two who edit the same thing do not overwrite one another unasked.
// If someone else has saved in the meantime, nothing is saved, and the current version is loaded for a decision.
import { useRef, useState } from 'react'
import { announce } from '../ui/announcements.tsx'
import { codeOf } from './call.ts'

type Versioned = { readonly version: number }
export type Saving<T> = {
  /** The version that someone else has saved in the meantime; null if there is none. */
  readonly theirs: T | null
  /** Resolves when it is saved, or when someone else was first; otherwise it rejects as `save` does. */
  attempt(save: (expectedVersion: number) => Promise<void>): Promise<void>
  /** The next attempt is made on top of theirs. */
  accept(): void
}

/** `load`: what is there now. */
export function useSaving<T extends Versioned>(seen: T, load: () => Promise<T>): Saving<T> {
  const version = useRef(seen.version)
  const [theirs, setTheirs] = useState<T | null>(null)
  return {
    theirs,
    async attempt(save) {
      try {
        await save(version.current)
      } catch (error) {
        if (codeOf(error) !== 'version_mismatch') throw error
        setTheirs(await load())
        announce('Not saved: someone else changed this first', 'bad')
      }
    },
    accept() {
      if (theirs !== null) version.current = theirs.version
      setTheirs(null)
    },
  }
}
