// Saves on top of the version that was seen, so that two who edit the same thing do not overwrite one another unasked.
// If someone else has saved in the meantime, nothing is saved, and the current version is loaded for a decision.
import { useRef, useState } from 'react'
import { codeOf } from './call.ts'

type Versioned = { readonly version: number }
export type Saving<T> = {
  /** The version that someone else has saved in the meantime; null if there is none. */
  readonly theirs: T | null
  /** Resolves with whether it is saved: not where someone else was first. Otherwise it rejects as `save` does. */
  attempt(save: (expectedVersion: number) => Promise<void>): Promise<boolean>
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
        return true
      } catch (error) {
        if (codeOf(error) !== 'version_mismatch') throw error
        setTheirs(await load())
        return false
      }
    },
    accept() {
      if (theirs !== null) version.current = theirs.version
      setTheirs(null)
    },
  }
}
