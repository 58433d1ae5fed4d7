// An API key as the checks see it: the service's record with times as milliseconds and address ranges parsed.
import type { KeyRefusal, PolicyRule } from '#contract/key-policy.ts'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import type { RateLimit } from '#contract/rate-limits.ts'
import type { ToolNames } from '#contract/surface.ts'
import { ranges, type AddressRange } from '#runtime/ip-address.ts'

export type Key = Pick<KeyRecord, 'id' | 'name' | 'bound' | 'scopes' | 'surfaces'> & {
  readonly version: number | undefined
  readonly workspaces: readonly KeyWorkspace[]
  readonly allowlist: readonly AddressRange[]
  readonly revoked: boolean
  readonly suspended: boolean
  /** Milliseconds since 1970; Infinity when the key never expires. */
  readonly expiresAt: number
  /** A rotation has replaced the secret, which still works for its overlap. */
  readonly hasNewerSecret: boolean
  /** When the secret is too old; Infinity without a rotation policy. */
  readonly rotateBy: number
  /** Its own, which its workspaces' plans may cut short; null: that of all keys. */
  readonly rateLimit: RateLimit | null
  /** How tools are named over MCP. */
  readonly toolNames: ToolNames
  /** Before it, neither state nor age nor the workspace it is bound to refuses the key: one number for all of them. */
  readonly deadline: number
  readonly warnings: readonly KeyWarning[]
}
/** A workspace that the key acts in, and the rules for which it refuses the key. */
export type KeyWorkspace = {
  readonly id: string
  readonly version?: number
  readonly suspended: boolean
  readonly refusals: readonly Refusal[]
  /** Its plan; null: that of all workspaces. */
  readonly rateLimit: RateLimit | null
}
/** In force from this moment on, in milliseconds since 1970. */
type Refusal = { readonly rule: PolicyRule; readonly from: number }

const dayMs = 86_400_000

/** Throws when the allowlist cannot be read. */
export function keyFrom(record: KeyRecord): Key {
  const { id, version, name, bound, scopes, surfaces, rateLimit = null, toolNames = 'auto' } = record
  const limits = {
    revoked: record.revokedAt !== null,
    suspended: record.suspended === true,
    expiresAt: Math.min(timeOf(record.expiresAt), timeOf(record.secret.expiresAt)),
    rotateBy: record.maxAgeDays === null ? Infinity : Date.parse(record.secret.createdAt) + record.maxAgeDays * dayMs,
  }
  const workspaces = record.workspaces.map(workspaceFrom)
  return {
    id,
    version,
    name,
    bound,
    scopes,
    surfaces,
    rateLimit,
    toolNames,
    workspaces,
    ...limits,
    hasNewerSecret: record.secret.expiresAt !== null,
    allowlist: ranges(record.ipAllowlist),
    deadline: deadlineOf(limits, bound ? workspaces : []),
    warnings: warningsOf({
      // A key is for sandboxes or for other workspaces, not for both.
      isOfSandbox: record.workspaces.some(({ sandbox }) => sandbox === true),
      createdAt: Date.parse(record.secret.createdAt),
      expiresAt: limits.expiresAt,
      // The earliest of all, as `/me` says it.
      rotateBy: Math.min(limits.rotateBy, ...workspaces.flatMap(tooOldFrom)),
    }),
  }
}

/** `own`: the workspaces without which the key is good for nothing. */
function deadlineOf(
  { revoked, suspended, expiresAt, rotateBy }: Pick<Key, 'revoked' | 'suspended' | 'expiresAt' | 'rotateBy'>,
  own: readonly KeyWorkspace[],
): number {
  if (revoked || suspended) return -Infinity
  return Math.min(expiresAt, rotateBy, ...own.flatMap(refusedFrom))
}

/** Until when the key may be used in the workspace, if nothing changes. */
export const lastUseOf = ({ deadline, workspaces }: Key, workspaceId: string | null): number =>
  Math.min(deadline, ...workspaces.filter(({ id }) => id === workspaceId).flatMap(refusedFrom))

const refusedFrom = ({ refusals }: KeyWorkspace): number[] => refusals.map(({ from }) => from)

const tooOldFrom = ({ refusals }: KeyWorkspace): number[] =>
  refusals.filter(({ rule }) => rule === 'maxKeyAgeDays').map(({ from }) => from)

const workspaceFrom = ({
  refusals,
  rateLimit = null,
  sandbox: _sandbox,
  ...workspace
}: KeyRecord['workspaces'][number]): KeyWorkspace => ({
  ...workspace,
  rateLimit,
  refusals: refusals.map(refusalFrom),
})

const refusalFrom = ({ rule, from }: KeyRefusal): Refusal => ({ rule, from: Date.parse(from) })

const timeOf = (timestamp: string | null): number => (timestamp === null ? Infinity : Date.parse(timestamp))

// What the answers to a key's calls say of it. A key of a sandbox says so on each of them. One that will soon be
// refused for its age tells when that ends, from 80 % of a secret's time on, so that its owner learns of it before the
// calls fail.

/** `from`: since when it is told, in milliseconds since 1970. */
export type KeyWarning = { readonly header: string; readonly value: string; readonly from: number }

const warnedShare = 0.8

/** Milliseconds since 1970; Infinity where there is no end. */
type Times = { readonly createdAt: number; readonly expiresAt: number; readonly rotateBy: number }

function warningsOf({ isOfSandbox, createdAt, expiresAt, rotateBy }: Times & { isOfSandbox: boolean }): KeyWarning[] {
  const warning = (header: string, end: number): KeyWarning[] =>
    end === Infinity
      ? []
      : [{ header, value: new Date(end).toISOString(), from: createdAt + warnedShare * (end - createdAt) }]
  const ofSandbox: KeyWarning[] = isOfSandbox ? [{ header: 'x-sandbox', value: 'true', from: -Infinity }] : []
  return [...ofSandbox, ...warning('x-key-expires-at', expiresAt), ...warning('x-key-rotate-by', rotateBy)]
}

/** Returns null for nearly every call. */
export function warningHeaders(warnings: readonly KeyWarning[], now: number): Record<string, string> | null {
  if (!warnings.some(({ from }) => from <= now)) return null
  return Object.fromEntries(warnings.filter(({ from }) => from <= now).map(({ header, value }) => [header, value]))
}
