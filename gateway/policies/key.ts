// May this key be used at all: here, now, from there, on this surface? One function for each question, asked in the
// order that callers are promised (gateway/admission.ts). Each throws the Fault that answers the caller.
import { covers, type Scope } from '#contract/scope.ts'
import { Fault } from '#contract/fault.ts'
import { policyFault, type KeyRefusal, type PolicyRule } from '#contract/key-policy.ts'
import type { KeyRecord, Surface } from '#contract/principal.ts'
import { contains, ranges, type Address, type AddressRange } from '#runtime/ip-address.ts'

/** A key record made ready for judging: times as milliseconds, ranges parsed. */
export type Key = Pick<KeyRecord, 'id' | 'name' | 'bound' | 'scopes' | 'surfaces'> & {
  readonly workspaces: readonly Reached[]
  readonly allowlist: readonly AddressRange[]
  readonly revoked: boolean
  readonly expiresAt: number
  readonly rotateBy: number
}

type Refusal = { readonly rule: PolicyRule; readonly from: number }
/** A workspace that the key acts in, and the rules for which it refuses it. */
export type Reached = { readonly id: string; readonly suspended: boolean; readonly refusals: readonly Refusal[] }

const dayMs = 86_400_000

export function keyFrom(record: KeyRecord): Key {
  const { id, name, bound, workspaces, scopes, surfaces } = record
  return {
    id,
    name,
    bound,
    workspaces: workspaces.map(({ refusals, ...workspace }) => ({ ...workspace, refusals: refusals.map(refusalFrom) })),
    scopes,
    surfaces,
    allowlist: ranges(record.ipAllowlist),
    revoked: record.revokedAt !== null,
    expiresAt: Math.min(timeOf(record.expiresAt), timeOf(record.secret.expiresAt)),
    rotateBy: record.maxAgeDays === null ? Infinity : Date.parse(record.secret.createdAt) + record.maxAgeDays * dayMs,
  }
}

/** An old secret whose overlap is over counts as expired: the key itself may well have a newer one. */
export function checkState(key: Key, now: number): void {
  if (key.revoked) throw new Fault('api_key_revoked', 'This key was revoked.')
  if (key.expiresAt <= now) throw new Fault('api_key_expired', 'This key, or this secret of it, has expired.')
}

export function checkAddress(key: Key, address: Address | null): void {
  if (key.allowlist.length === 0 || (address !== null && contains(key.allowlist, address))) return
  throw new Fault('ip_not_allowed', `The key may not be used from ${address?.toString() ?? 'an unknown address'}.`)
}

export function checkRotation(key: Key, now: number): void {
  if (key.rotateBy > now) return
  throw policyFault('maxKeyAgeDays')
}

/** Of a key that is bound: any other one is judged when its call has named a workspace. */
export function checkPolicy(key: Key, now: number): void {
  const fault = key.bound ? refusedEverywhere(key, now) : null
  if (fault !== null) throw fault
}

/** Why none of its workspaces takes the key; null where one does. */
export function refusedEverywhere({ workspaces }: Key, now: number): Fault | null {
  const faults = workspaces.map((workspace) => refusedIn(workspace, now))
  return faults.includes(null) ? null : (faults[0] ?? null)
}

export function refusedIn({ refusals }: Reached, now: number): Fault | null {
  const inForce = refusals.find(({ from }) => from <= now)
  return inForce === undefined ? null : policyFault(inForce.rule)
}

export function checkHasScopes(key: Key): void {
  if (key.scopes.length === 0) throw new Fault('api_key_has_no_scopes', 'This key may do nothing: it holds no scopes.')
}

export function checkSurface(key: Key, surface: Surface): void {
  if (!key.surfaces.includes(surface)) throw new Fault('surface_not_allowed', `This key is not for ${surface}.`)
}

export function checkScope(key: Key, needed: Scope | null): void {
  if (needed === null || covers(key.scopes, needed)) return
  throw new Fault('insufficient_scope', `This needs the scope ${needed}.`, { requiredScopes: [needed] })
}

const refusalFrom = ({ rule, from }: KeyRefusal): Refusal => ({ rule, from: Date.parse(from) })

const timeOf = (timestamp: string | null): number => (timestamp === null ? Infinity : Date.parse(timestamp))
