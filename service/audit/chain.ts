// Whether a chain of audit entries is what was once written. Pure.
import type { AuditEntry, ChainFlaw } from '#contract/audit-entries.ts'
import { hashOf, type Link } from './entry.ts'

/** `entryNumber` is the first entry that is wrong or missing. */
export type Flaw = { readonly entryNumber: number; readonly reason: ChainFlaw }

/** The end of the chain as its own row records it, and the oldest and newest entry that exist. All of one moment. */
export type Ends = {
  readonly last: Link
  /** The number of the newest entry, 0 when there is none. */
  readonly newest: number
  readonly oldest: { readonly number: number; readonly at: Date } | null
  /** Entries from before then may have been deleted. */
  readonly keptSince: Date
}

/**
 * Deletion keeps the newest of the outdated entries (`retention.ts`). A chain that no longer begins with entry 1 must
 * therefore begin with an outdated entry. Returns null when the start is right.
 */
export function flawOfStart({ oldest, keptSince }: Ends): Flaw | null {
  if (oldest === null || oldest.number === 1 || oldest.at < keptSince) return null
  return { entryNumber: oldest.number - 1, reason: 'start_missing' }
}

/** `end` is the last entry that exists, with everything before it checked. Returns null when it is the chain's end. */
export function flawOfEnd({ last, newest }: Ends, end: Link): Flaw | null {
  if (newest !== last.number) return { entryNumber: Math.min(newest, last.number) + 1, reason: 'end_mismatch' }
  return end.hash === last.hash ? null : { entryNumber: last.number, reason: 'end_mismatch' }
}

/** Returns null when the entry is right. `before` is the entry that it must follow; null for the oldest that is kept. */
function flawOfEntry(entry: AuditEntry, before: Link | null): Flaw | null {
  if (before !== null && entry.number !== before.number + 1)
    return { entryNumber: before.number + 1, reason: 'entry_missing' }
  if (hashOf(entry) !== entry.hash) return { entryNumber: entry.number, reason: 'entry_changed' }
  if (before !== null && entry.previousHash !== before.hash) return { entryNumber: entry.number, reason: 'link_broken' }
  return null
}

/** Checks entries in order. Returns the last one that is right, and the flaw of the next; null when all are right. */
export function follow(entries: readonly AuditEntry[], before: Link | null): { end: Link | null; flaw: Flaw | null } {
  let end = before
  for (const entry of entries) {
    const flaw = flawOfEntry(entry, end)
    if (flaw !== null) return { end, flaw }
    end = entry
  }
  return { end, flaw: null }
}
