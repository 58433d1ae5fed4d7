// The `limits` that every workspace object shows: its plan, its quotas, and the contract's numbers.
import { bodyBytesPerCall, rateOfKey, rateOfWorkspace, type DefaultRates } from '#contract/rate-limits.ts'
import type { Limits, Workspace } from '#contract/workspaces.ts'
import { quotasOf } from '../execution/quotas.ts'
import type { WorkspaceRow } from './rows.ts'
import { apiBodyBytesMax } from '#contract/operation.ts'
import { documentBodyBytesMax } from '#contract/documents.ts'
import { mcpBatchCallsMax, mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'
import { pageItemsMax } from '#contract/pagination.ts'
import { batchItemsMax } from '#contract/collection/batch.ts'
import { customFieldsPerTargetMax } from '#contract/custom-fields.ts'

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
