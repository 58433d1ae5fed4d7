// How many calls keys and workspaces may make: `burst` at once, and `perMinute` in the long run (token buckets).
import { Type, type Static } from 'typebox'
import { closed } from './shared-fields.ts'
import { documentBodyBytesMax } from './documents.ts'
import { mcpBatchObjectsMax } from './faults/json-rpc.ts'
import { batchItemsMax } from './collection/batch.ts'

const perMinuteMax = 600_000
const burstMax = 100_000

export const RateLimit = closed({
  perMinute: Type.Integer({ minimum: 1, maximum: perMinuteMax, description: 'In the long run.' }),
  burst: Type.Integer({ minimum: 1, maximum: burstMax, description: 'At once.' }),
})
export type RateLimit = Readonly<Static<typeof RateLimit>>

/**
 * Of one key. An item of a batch counts as a call, and so does each message of MCP, those that open a session among
 * them.
 */
export const keyRate: RateLimit = { perMinute: 600, burst: 100 }
/** A body counts as one call for each part of this size. */
export const bodyBytesPerCall = 64 * 1024
/** A call counts as one more for each time that it holds the database for so long, and as so many more at most. */
export const databaseMsPerCall = 100
export const databaseCallsMax = 20
/** As how many calls one counts that has held the database for so long, beside the one that it was when it came. */
export const callsForDatabaseMs = (ms: number): number => Math.min(databaseCallsMax, Math.floor(ms / databaseMsPerCall))
/** As how many calls the costliest one counts: a full batch, or the longest body. */
const callCostMax = Math.max(batchItemsMax, mcpBatchObjectsMax, Math.ceil(documentBodyBytesMax / bodyBytesPerCall))
/** Of all keys in one workspace together. */
export const workspaceRate: RateLimit = { perMinute: 3_000, burst: 500 }

/** What holds for each key and workspace that has no limit of its own: these, unless the deployment has others. */
export type DefaultRates = { readonly key: RateLimit; readonly workspace: RateLimit }
export const defaultRates: DefaultRates = { key: keyRate, workspace: workspaceRate }
/** Of a deployment's own. */
export const rateBounds = { perMinuteMax, burstMin: callCostMax, burstMax }

/** Of a workspace: its plan, where the operator has given it one. */
export const rateOfWorkspace = (plan: RateLimit | null, { workspace }: DefaultRates): RateLimit => plan ?? workspace

/**
 * Of a key: its own limit, but never more than the plan of its workspace. For a key of several workspaces the largest
 * of their plans counts; what it may do in each of them is bounded by that workspace's own.
 */
export function rateOfKey(
  own: RateLimit | null,
  plans: readonly (RateLimit | null)[],
  defaults: DefaultRates,
): RateLimit {
  const rate = own ?? defaults.key
  const plan = largestPlan(plans, defaults)
  return {
    perMinute: Math.min(rate.perMinute, plan?.perMinute ?? Infinity),
    burst: Math.min(rate.burst, plan?.burst ?? Infinity),
  }
}

/** Of each number the largest. Null for a key that acts in no workspace. */
export function largestPlan(plans: readonly (RateLimit | null)[], defaults: DefaultRates): RateLimit | null {
  if (plans.length === 0) return null
  const rates = plans.map((plan) => rateOfWorkspace(plan, defaults))
  return {
    perMinute: Math.max(...rates.map(({ perMinute }) => perMinute)),
    burst: Math.max(...rates.map(({ burst }) => burst)),
  }
}
