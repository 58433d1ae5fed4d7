import { bodyBytesPerCall, rateOfKey, rateOfWorkspace, type DefaultRates } from '#contract/rate-limits.ts'
import {
  apiBodyBytesMax,
  batchItemsMax,
  customFieldsPerTargetMax,
  documentBodyBytesMax,
  mcpBatchCallsMax,
  mcpBodyBytesMax,
  pageItemsMax,
} from '#contract/size-limits.ts'
import type { Limits, Workspace } from '#contract/workspace-schema.ts'
import { quotasOf } from '../execution/quotas.ts'
import { invalidValue } from '../faults/field-refusals.ts'
import type { WorkspaceRow } from './rows.ts'

// Slugs for a workspace that is created without one, made from its name: `Café Olé` → cafe-ole, cafe-ole-2…
const lengthMax = 44
const randomLength = 8
const numberedMost = 9

/** In order of preference. The last `tries` end in random letters; `random` returns 0 ≤ r < 1. */
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
export function assertTimeZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw invalidValue('/timeZone', 'not_in_list', 'Is not an IANA time zone.')
  }
}

// The `limits` that every workspace object shows: its plan, its quotas, and the contract's numbers.

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

/** `workspace`: as it is stored. The rates of keys are those of a key without a limit of its own. */
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
