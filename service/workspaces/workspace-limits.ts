// The limits that `workspaces.get` shows, gathered from the contract's numbers.
import {
  apiBodyBytesMax,
  batchItemsMax,
  bodyBytesPerCall,
  customFieldsPerTargetMax,
  documentBodyBytesMax,
  keyRate,
  mcpBatchCallsMax,
  mcpBodyBytesMax,
  pageItemsMax,
  webhooksPerWorkspaceMax,
  workspaceRate,
} from '#contract/size-limits.ts'
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
