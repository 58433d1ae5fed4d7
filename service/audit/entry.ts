// What an audit entry is, and the hash that ties it to the one before. Pure.
import { createHash } from 'node:crypto'
import type { AuditActor, AuditEntry } from '#contract/audit-entries.ts'
import type { Changes } from '#contract/event-envelope.ts'
import { cliUserAgent } from '#contract/cli-user-agent.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { Prisma, type AuditEntry as Row } from '#prisma/generated/client.ts'
import { canonicalJson } from '../text/canonical-json.ts'
import { changesBetween } from '../object-versions/changed-fields.ts'

/** An entry before it has its place in the chain. */
export type Draft = Omit<AuditEntry, 'object' | 'number' | 'previousHash' | 'hash'>

/** Where a chain ends: what the next entry is tied to. */
export type Link = { readonly number: number; readonly hash: string }

/** What the first entry of a workspace is tied to. */
export const chainStart: Link = { number: 0, hash: '0'.repeat(64) }

export function chained(draft: Draft, { number, hash: previousHash }: Link): AuditEntry {
  const entry = { ...draft, object: 'audit_entry' as const, number: number + 1, previousHash }
  return { ...entry, hash: hashOf(entry) }
}

type Unhashed = Omit<AuditEntry, 'hash'> & { readonly hash?: string }

/** SHA-256 over the hash before, as bytes, and the entry's canonical JSON. */
export const hashOf = ({ previousHash, hash: _own, ...entry }: Unhashed): string =>
  createHash('sha256').update(Buffer.from(previousHash, 'hex')).update(canonicalJson(entry)).digest('hex')

export const toRow = ({ object: _object, number, at, previousHash, hash, ...entry }: AuditEntry) => ({
  ...entry,
  number: BigInt(number),
  at: new Date(at),
  // Prisma tells a JSON null apart from no value.
  target: entry.target ?? Prisma.DbNull,
  changes: entry.changes as Prisma.InputJsonObject,
  previousHash: Buffer.from(previousHash, 'hex'),
  hash: Buffer.from(hash, 'hex'),
})

export const fromRow = ({ number, at, previousHash, hash, ...row }: Row): AuditEntry => ({
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
  previousHash: Buffer.from(previousHash).toString('hex'),
  hash: Buffer.from(hash).toString('hex'),
})

type Named = { readonly object?: string; readonly id?: string; readonly name?: string }

export function targetOf(after: object): AuditEntry['target'] {
  const { object = '', id = '', name = null } = after as Named
  return { type: object, id, name }
}

/** What every new object has, and the entry says otherwise. */
const ofAnyNew = new Set(['id', 'object', 'workspaceId', 'createdAt', 'createdBy', 'deletedAt', 'stats24h'])

/**
 * Of what is new, all that was settled with it: also that a key has no expiry, or may come from anywhere. The secret of
 * an answer is no state of the object, and never to be written down.
 */
export function auditedChanges(before: object | undefined, after: object): Changes {
  const { secret: _secret, ...changes } = changesBetween(before ?? {}, after)
  if (before !== undefined) return changes
  return Object.fromEntries(Object.entries(changes).filter(([field]) => !ofAnyNew.has(field)))
}

/** The operator's calls come from the console, or from the command line, which says so itself. */
export function surfaceOf({ surface, userAgent }: Pick<Principal, 'surface' | 'userAgent'>): AuditEntry['surface'] {
  if (surface === 'internal') return 'system'
  if (surface !== 'settings') return surface
  return userAgent?.startsWith(cliUserAgent) ? 'cli' : 'console'
}
