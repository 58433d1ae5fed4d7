// Slugs, time zones and limits of workspaces, and a workspace after a change. Pure: the functions throw a Fault.
import { batchItemsMax } from '#contract/collection/batch.ts'
import { customFieldsPerTargetMax } from '#contract/custom-fields.ts'
import { documentBodyBytesMax } from '#contract/documents.ts'
import { mcpBatchCallsMax, mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'
import { apiBodyBytesMax, type Input } from '#contract/operation.ts'
import { pageItemsMax } from '#contract/pagination.ts'
import { bodyBytesPerCall, rateOfKey, rateOfWorkspace, type DefaultRates } from '#contract/rate-limits.ts'
import { sandboxObjectsMax } from '#contract/sandboxes.ts'
import type { Limits, Workspace, createWorkspace, updateWorkspace } from '#contract/workspaces.ts'
import { newId } from '#runtime/new-id.ts'
import { isTimeZone } from '../text/times.ts'
import { quotasOf, changedQuotas } from '../execution/quotas.ts'
import { invalidValue } from '../faults/shared-faults.ts'
import { isUnchanged } from '../execution/system-fields.ts'
import { changeSecondFactorRule } from '../members/second-factor-rule.ts'
import { defaultPolicy, noGrace, changePolicy } from '../keys/key-policy/rules.ts'
import type { WorkspaceRow } from './rows.ts'

export type Patch = Omit<Input<typeof updateWorkspace>, 'id' | 'expectedVersion' | 'dryRun'>

export function draftOf(
  { apiPolicy, quotas = {}, ...input }: Omit<Input<typeof createWorkspace>, 'owner'>,
  now: Date,
): WorkspaceRow {
  return {
    id: newId(now),
    object: 'workspace',
    slug: '',
    timeZone: 'UTC',
    defaultCurrency: 'EUR',
    defaultCountry: null,
    holdFiles: false,
    sandbox: false,
    rateLimit: null,
    suspendedAt: null,
    version: 1,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    ...input,
    quotas: changedQuotas(input.sandbox === true ? { objects: sandboxObjectsMax } : {}, quotas),
    apiPolicy: { ...defaultPolicy, ...apiPolicy },
    apiPolicyFrom: noGrace,
    requireSecondFactor: false,
    requireSecondFactorFrom: null,
  }
}

/** Whether gateways must drop what they have cached of the workspace's keys. A new name or slug is no reason. */
export const changesKeyChecks = (before: WorkspaceRow, after: WorkspaceRow): boolean =>
  before.suspendedAt !== after.suspendedAt ||
  !isUnchanged(
    {
      policy: before.apiPolicy,
      from: before.apiPolicyFrom,
      ofPeople: before.requireSecondFactorFrom,
      plan: before.rateLimit,
    },
    {
      policy: after.apiPolicy,
      from: after.apiPolicyFrom,
      ofPeople: after.requireSecondFactorFrom,
      plan: after.rateLimit,
    },
  )

export function applyPatch(
  before: WorkspaceRow,
  {
    apiPolicy,
    requireSecondFactor,
    policyGraceHours,
    rateLimit = before.rateLimit,
    quotas = {},
    suspended,
    ...patch
  }: Patch,
  now: Date,
): WorkspaceRow {
  if (policyGraceHours !== undefined && apiPolicy === undefined && requireSecondFactor === undefined)
    throw invalidValue(
      '/policyGraceHours',
      'not_in_list',
      'Is for rules of `apiPolicy` and `requireSecondFactor`, of which none is given.',
    )
  const policy = changePolicy(before, apiPolicy ?? {}, policyGraceHours, now)
  const ofPeople = changeSecondFactorRule(before, requireSecondFactor, policyGraceHours, now)
  const suspendedAt =
    suspended === undefined ? before.suspendedAt : suspended ? (before.suspendedAt ?? now.toISOString()) : null
  // Spelt in one order, so that the same numbers are no change.
  const plan = rateLimit && { perMinute: rateLimit.perMinute, burst: rateLimit.burst }
  return {
    ...before,
    ...patch,
    ...policy,
    ...ofPeople,
    rateLimit: plan,
    quotas: changedQuotas(before.quotas, quotas),
    suspendedAt,
  }
}

const lengthMax = 44
const randomLength = 8
const numberedMost = 9

/**
 * Slugs made from the name of a workspace that is created without one, in order of preference: `Café Olé` → cafe-ole,
 * cafe-ole-2… The last `tries` end in random letters. `random` returns 0 ≤ r < 1.
 */
export function* slugCandidates(name: string, random: () => number, tries: number): Generator<string> {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const base =
    plain
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, lengthMax)
      .replaceAll(/^-+|-+$/g, '') || 'workspace'
  yield base
  for (let n = 2; n <= numberedMost; n += 1) yield `${base}-${n}`
  for (let n = 0; n < tries; n += 1) yield `${base.slice(0, lengthMax - randomLength)}-${suffix(random)}`
}

const suffix = (random: () => number): string =>
  Array.from({ length: randomLength }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('')

/** Throws `validation_failed` for a name that is no IANA time zone. */
/** One that is there already stays: it may be an offset, which was taken once. */
export function assertTimeZone(timeZone: string, before?: string): void {
  if (timeZone !== before && !isTimeZone(timeZone))
    throw invalidValue('/timeZone', 'not_in_list', 'Is not an IANA time zone.')
}

const sameForAll = {
  customFieldsPerTarget: customFieldsPerTargetMax,
  pageItems: pageItemsMax,
  batchItems: batchItemsMax,
  bodyBytes: apiBodyBytesMax,
  bodyBytesPerCall,
  documentBodyBytes: documentBodyBytesMax,
  mcpBodyBytes: mcpBodyBytesMax,
  mcpBatchCalls: mcpBatchCallsMax,
}

/**
 * Adds the shown `limits`: the plan, the quotas and the contract's numbers. Rates are those of a key without its own
 * limit.
 */
export const withLimits = (workspace: WorkspaceRow, rates: DefaultRates): Workspace => ({
  ...workspace,
  quotas: quotasOf(workspace.quotas),
  limits: limitsOf(workspace, rates),
})

function limitsOf({ rateLimit, quotas }: WorkspaceRow, rates: DefaultRates): Limits {
  const [key, all] = [rateOfKey(null, [rateLimit], rates), rateOfWorkspace(rateLimit, rates)]
  return {
    keyRequestsPerMinute: key.perMinute,
    keyBurst: key.burst,
    workspaceRequestsPerMinute: all.perMinute,
    workspaceBurst: all.burst,
    webhooks: quotasOf(quotas).webhooks,
    ...sameForAll,
  }
}
