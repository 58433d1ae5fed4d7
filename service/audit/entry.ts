// Audit entries, the hash that chains each to the one before, and their rows. Pure.
import { createHash } from 'node:crypto'
import { type AuditActor, type AuditEntry, cliUserAgent } from '#contract/audit-entries.ts'
import type { Changes } from '#contract/event.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { AuditEntry as Row } from '#prisma/generated/client.ts'
import { canonicalJson } from '../text/canonical-json.ts'
import { changesBetween } from '../object-versions/changed-fields.ts'

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
 * Hex of SHA-256 over the bytes of the previous hash and the entry's canonical JSON. Fields that came later are left out
 * where they say nothing: entries from before them keep their hash.
 */
export const hashOf = ({ previousHash, hash: _own, ...entry }: Unhashed): string =>
  createHash('sha256').update(Buffer.from(previousHash, 'hex')).update(canonicalJson(entry)).digest('hex')

export const fromRow = ({ number, at, argumentsHash, traceId, previousHash, hash, ...row }: Row): AuditEntry => ({
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

export function targetOf(after: object): AuditEntry['target'] {
  const { object = '', id = '', name = null } = after as Named
  return { type: object, id, name }
}

/** Fields that every new object has and that the entry shows elsewhere, or that say nothing. */
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

/** From where the call came. */
export const originOf = (principal: Principal) => ({
  surface: surfaceOf(principal),
  ip: principal.clientAddress === '' ? null : principal.clientAddress,
  userAgent: principal.userAgent ?? null,
  requestId: principal.requestId,
})

/** The operator's calls come from the console, or from the command line, which its User-Agent tells. */
function surfaceOf({ surface, userAgent }: Pick<Principal, 'surface' | 'userAgent'>): AuditEntry['surface'] {
  if (surface === 'internal') return 'system'
  if (surface !== 'settings') return surface
  return userAgent?.startsWith(cliUserAgent) ? 'cli' : 'console'
}
