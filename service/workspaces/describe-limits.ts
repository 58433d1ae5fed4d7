// The `limits` that every workspace object shows: its plan, and the contract's numbers.
import {
  apiBodyBytesMax,
  batchItemsMax,
  customFieldsPerTargetMax,
  documentBodyBytesMax,
  mcpBatchCallsMax,
  mcpBodyBytesMax,
  pageItemsMax,
  webhooksPerWorkspaceMax,
} from '#contract/size-limits.ts'
import { bodyBytesPerCall, rateOfKey, rateOfWorkspace, type DefaultRates } from '#contract/rate-limits.ts'
import type { Limits, Workspace } from '#contract/workspace-schema.ts'
import type { WorkspaceRow } from './rows.ts'

const sameForAll = {
  webhooks: webhooksPerWorkspaceMax,
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
  limits: limitsOf(workspace, rates),
})

function limitsOf({ rateLimit }: WorkspaceRow, rates: DefaultRates): Limits {
  const [key, all] = [rateOfKey(null, [rateLimit], rates), rateOfWorkspace(rateLimit, rates)]
  return {
    keyRequestsPerMinute: key.perMinute,
    keyBurst: key.burst,
    workspaceRequestsPerMinute: all.perMinute,
    workspaceBurst: all.burst,
    ...sameForAll,
  }
}
