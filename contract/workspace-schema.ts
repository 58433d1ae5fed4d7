// A workspace, and the limits that hold in it.
import { Type, type Static } from 'typebox'
import { Currency, Id, IdentityName, Timestamp, Version, closed, nullable } from './shared-fields.ts'
import { ApiPolicy, ApiPolicyFrom } from './key-policy.ts'
import { QuotaChanges, Quotas, QuotaUsage } from './quotas.ts'
import { RateLimit } from './rate-limits.ts'

/** The fields that callers can set. */
export const writableFields = {
  name: IdentityName,
  slug: Type.String({
    pattern: '^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$',
    description: 'Unique. Lower case, digits, hyphens.',
  }),
  timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone.' }),
  defaultCurrency: Currency,
}

const Count = Type.Integer({ minimum: 1 })

/** What holds in the workspace: its plan, and what is the same for every workspace. */
const Limits = closed({
  keyRequestsPerMinute: Count,
  keyBurst: Count,
  workspaceRequestsPerMinute: Count,
  workspaceBurst: Count,
  webhooks: Type.Integer({ minimum: 0 }),
  customFieldsPerTarget: Count,
  pageItems: Count,
  batchItems: Count,
  bodyBytes: Count,
  bodyBytesPerCall: Count,
  documentBodyBytes: Count,
  mcpBodyBytes: Count,
  mcpBatchCalls: Count,
})
export type Limits = Static<typeof Limits>

const planFields = {
  rateLimit: Type.Union([RateLimit, Type.Null()], {
    description: 'Its plan: how many calls all keys together may make; null: as many as in every workspace.',
  }),
}

/** The fields that the operator alone can set. */
export const operatorFields = { ...planFields, quotas: QuotaChanges }

export const Workspace = closed({
  id: Id,
  object: Type.Literal('workspace'),
  ...writableFields,
  sandbox: Type.Boolean(),
  apiPolicy: ApiPolicy,
  apiPolicyFrom: ApiPolicyFrom,
  ...planFields,
  quotas: Quotas,
  suspendedAt: nullable(Timestamp),
  limits: Limits,
  version: Version,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Workspace = Static<typeof Workspace>

/** `usage`: how much of each quota is used. */
export const WorkspaceWithUsage = closed({ ...Workspace.properties, usage: QuotaUsage })
