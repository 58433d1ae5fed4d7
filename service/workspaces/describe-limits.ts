// The `limits` that every workspace object shows, read off the contract's numbers.
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
import { bodyBytesPerCall, keyRate, workspaceRate } from '#contract/rate-limits.ts'
import type { Limits } from '#contract/workspace-schema.ts'

export const workspaceLimits: Limits = {
  keyRequestsPerMinute: keyRate.perMinute,
  keyBurst: keyRate.burst,
  workspaceRequestsPerMinute: workspaceRate.perMinute,
  workspaceBurst: workspaceRate.burst,
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
