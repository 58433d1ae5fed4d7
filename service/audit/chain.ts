// Is a chain of entries what was once written? Pure.
import type { AuditEntry, ChainFlaw } from '#contract/audit-entries.ts'
import { hashOf, type Link } from './entry.ts'

export type Flaw = { readonly brokenAt: number; readonly reason: ChainFlaw }

/** What the chain's own row says of its end, and the ends of what is there. All of one moment. */
export type Ends = {
  readonly last: Link
  /** 0 where there is none. */
  readonly newest: number
  readonly oldest: { readonly number: number; readonly at: Date } | null
  /** Entries from before then may have been deleted. */
  readonly keptSince: Date
}

/**
 * Of the outdated entries the newest is kept (`retention.ts`): a chain that does not begin with its first entry begins with
 * one that is outdated itself.
 */
export function flawOfStart({ oldest, keptSince }: Ends): Flaw | null {
  if (oldest === null || oldest.number === 1 || oldest.at < keptSince) return null
  return { brokenAt: oldest.number - 1, reason: 'start_missing' }
}

/** `end` is the last entry that there is, and all before it is right. */
export function flawOfEnd({ last, newest }: Ends, end: Link): Flaw | null {
  if (newest !== last.number) return { brokenAt: Math.min(newest, last.number) + 1, reason: 'end_mismatch' }
  return end.hash === last.hash ? null : { brokenAt: last.number, reason: 'end_mismatch' }
}

/** Wrong with an entry, where `before` is the one that it must follow; null for the first that is kept? */
function flawOfEntry(entry: AuditEntry, before: Link | null): Flaw | null {
  if (before !== null && entry.number !== before.number + 1)
    return { brokenAt: before.number + 1, reason: 'entry_missing' }
  if (hashOf(entry) !== entry.hash) return { brokenAt: entry.number, reason: 'entry_changed' }
  if (before !== null && entry.previousHash !== before.hash) return { brokenAt: entry.number, reason: 'link_broken' }
  return null
}

/** How far a run of entries is right, and what is wrong with the next. */
export function follow(entries: readonly AuditEntry[], before: Link | null): { end: Link | null; flaw: Flaw | null } {
  let end = before
  for (const entry of entries) {
    const flaw = flawOfEntry(entry, end)
    if (flaw !== null) return { end, flaw }
    end = entry
  }
  return { end, flaw: null }
}
