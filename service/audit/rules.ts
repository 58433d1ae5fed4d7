// Audit entries, the hash that chains each to the one before, and the check of such a chain. Pure.
import { createHash } from 'node:crypto'
import { cliUserAgent, type AuditActor, type AuditEntry, type ChainFlaw } from '#contract/audit-entries.ts'
import type { Changes } from '#contract/event.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { AuditEntry as AuditEntryRow } from '#prisma/generated/client.ts'
import { changesBetween } from '../execution/system-fields.ts'
import { canonicalJson } from '../text/json.ts'

/** An entry that is not part of the chain yet. */
export type Draft = Omit<AuditEntry, 'object' | 'number' | 'previousHash' | 'hash'>

/** The end of a chain, which the next entry's `previousHash` refers to. */
export type Link = { readonly number: number; readonly hash: string }

/** What the first entry of a workspace refers to. */
export const chainStart: Link = { number: 0, hash: '0'.repeat(64) }

export function chained(draft: Draft, { number, hash: previousHash }: Link): AuditEntry {
  const entry = { ...draft, object: 'audit_entry' as const, number: number + 1, previousHash }
  return { ...entry, hash: hashOf(entry) }
}

type Unhashed = Omit<AuditEntry, 'hash'> & { readonly hash?: string }

/**
 * Hex of SHA-256 over the bytes of the previous hash and the entry's canonical JSON. Fields that came later are left
 * out where they say nothing: entries from before them keep their hash.
 */
export const hashOf = ({ previousHash, hash: _own, ...entry }: Unhashed): string =>
  createHash('sha256').update(Buffer.from(previousHash, 'hex')).update(canonicalJson(entry)).digest('hex')

export const fromRow = ({
  number,
  at,
  argumentsHash,
  traceId,
  previousHash,
  hash,
  ...row
}: AuditEntryRow): AuditEntry => ({
  ...row,
  object: 'audit_entry',
  number: Number(number),
  at: at.toISOString(),
  actor: row.actor as AuditActor,
  // The table's checks allow no other values.
  surface: row.surface as AuditEntry['surface'],
  outcome: row.outcome as AuditEntry['outcome'],
  target: row.target as AuditEntry['target'],
  changes: row.changes as Changes,
  ...(argumentsHash !== null && { argumentsHash: Buffer.from(argumentsHash).toString('hex') }),
  ...(traceId !== null && { traceId }),
  previousHash: Buffer.from(previousHash).toString('hex'),
  hash: Buffer.from(hash).toString('hex'),
})

type Named = { readonly object?: string; readonly id?: string; readonly name?: string }

/** Null for what is about no single object. */
export function targetOf(after: object): AuditEntry['target'] {
  const { object, id = '', name = null } = after as Named
  if (object === undefined) return null
  return { type: object, id, name }
}

/** Fields of every new object that the entry shows elsewhere, or that carry no information. */
const omittedOfNew = new Set([
  'id',
  'object',
  'workspaceId',
  'createdAt',
  'createdBy',
  'deletedAt',
  'stats24h',
  'circuit',
])

/**
 * For a new object every field with its first value, also that a key has no expiry or no allowlist. The `secret` of an
 * answer is left out: it must never be stored.
 */
export function auditedChanges(before: object | undefined, after: object): Changes {
  const { secret: _secret, ...changes } = changesBetween(before ?? {}, after)
  if (before !== undefined) return changes
  return Object.fromEntries(Object.entries(changes).filter(([field]) => !omittedOfNew.has(field)))
}

/** The origin of the call. */
export const originOf = (principal: Principal) => ({
  surface: surfaceOf(principal),
  ip: principal.clientAddress === '' ? null : principal.clientAddress,
  userAgent: principal.userAgent ?? null,
  requestId: principal.requestId,
})

/**
 * The command line tells by its User-Agent. The console has sessions of people and never the operator's token: another
 * program calls with that.
 */
function surfaceOf({
  surface,
  userAgent,
  kind,
}: Pick<Principal, 'surface' | 'userAgent' | 'kind'>): AuditEntry['surface'] {
  if (surface === 'internal') return 'system'
  if (surface !== 'settings') return surface
  if (userAgent?.startsWith(cliUserAgent)) return 'cli'
  return kind === 'operator' ? 'http' : 'console'
}

/** A break of the chain. `entryNumber` is the first entry that is wrong or missing. */
export type ChainBreak = { readonly entryNumber: number; readonly reason: ChainFlaw }

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
 * Deletion keeps the newest of the outdated entries (`deleteOutdatedEntries`). A chain that no longer begins with entry
 * 1 must therefore begin with an outdated entry. Returns null when the start is right.
 */
export function breakAtStart({ oldest, keptSince }: Ends): ChainBreak | null {
  if (oldest === null || oldest.number === 1 || oldest.at < keptSince) return null
  return { entryNumber: oldest.number - 1, reason: 'start_missing' }
}

/** `end` is the last entry that exists, with everything before it checked. Returns null when it is the chain's end. */
export function breakAtEnd({ last, newest }: Ends, end: Link): ChainBreak | null {
  if (newest !== last.number) return { entryNumber: Math.min(newest, last.number) + 1, reason: 'end_mismatch' }
  return end.hash === last.hash ? null : { entryNumber: last.number, reason: 'end_mismatch' }
}

/**
 * Returns null when the entry is right. `before` is the entry that it must follow; null for the oldest that is kept.
 */
function breakAtEntry(entry: AuditEntry, before: Link | null): ChainBreak | null {
  if (before !== null && entry.number !== before.number + 1)
    return { entryNumber: before.number + 1, reason: 'entry_missing' }
  if (hashOf(entry) !== entry.hash) return { entryNumber: entry.number, reason: 'entry_changed' }
  if (before !== null && entry.previousHash !== before.hash) return { entryNumber: entry.number, reason: 'link_broken' }
  return null
}

/** Checks entries in order. Returns the last one that is right, and the break at the next; null when all are right. */
export function follow(
  entries: readonly AuditEntry[],
  before: Link | null,
): { end: Link | null; chainBreak: ChainBreak | null } {
  let end = before
  for (const entry of entries) {
    const chainBreak = breakAtEntry(entry, end)
    if (chainBreak !== null) return { end, chainBreak }
    end = entry
  }
  return { end, chainBreak: null }
}
