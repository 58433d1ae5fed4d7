// The `limits` that every workspace object shows: its plan, its quotas, and the contract's numbers.
import {
  apiBodyBytesMax,
  batchItemsMax,
  customFieldsPerTargetMax,
  documentBodyBytesMax,
  mcpBatchCallsMax,
  mcpBodyBytesMax,
  pageItemsMax,
} from '#contract/size-limits.ts'
import { bodyBytesPerCall, rateOfKey, rateOfWorkspace, type DefaultRates } from '#contract/rate-limits.ts'
import type { Limits, Workspace } from '#contract/workspace-schema.ts'
import { quotasOf } from '../execution/quotas.ts'
import type { WorkspaceRow } from './rows.ts'

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
