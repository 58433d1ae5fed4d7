// A workspace, and the limits that hold in it.
import { Type, type Static } from 'typebox'
import {
  Currency,
  Id,
  IdentityName,
  Timestamp,
  Version,
  closed,
  nullable,
  ExpectedVersion,
  optional,
} from './shared-fields.ts'
import { ApiPolicy, ApiPolicyFrom, PolicyPreview, policyGraceHoursMax } from './key-policy.ts'
import { QuotaChanges, Quotas, QuotaUsage } from './quotas.ts'
import { RateLimit } from './rate-limits.ts'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'

/** The fields that callers can set. */
export const writableFields = {
  name: IdentityName,
  slug: Type.String({
    pattern: '^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$',
    description: 'Unique. Lower case, digits, hyphens.',
  }),
  timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone.' }),
  defaultCurrency: Currency,
  defaultCountry: nullable(
    Type.String({
      pattern: '^[A-Z]{2}$',
      format: 'country',
      description:
        'ISO 3166-1 alpha-2, such as DE. Telephone numbers without a country code are read as numbers of this country; null: they are compared by their digits.',
    }),
  ),
  holdFiles: Type.Boolean({
    description:
      'Uploaded files wait for a virus scanner: nobody reads them before `POST /files/{id}/release`. Changed in the workspace settings only.',
  }),
}

const secondFactorFields = {
  requireSecondFactor: Type.Boolean({
    description: 'Members need two-factor authentication, or sign in at the sign-in provider.',
  }),
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
    description: 'Its plan: the rate limit of all keys together; null means the default.',
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
  ...secondFactorFields,
  requireSecondFactorFrom: nullable(
    Type.String({ format: 'date-time', description: 'From when members without a second factor are stopped.' }),
  ),
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

// Workspaces: operations for the operator and the console, and for a key on the workspace of its call.

export const workspacesTag = tag('workspaces', 'The workspace of the request, and its limits.')

export const createWorkspace = operation({
  name: 'workspaces.create',
  http: 'POST /workspaces',
  summary: 'Create a workspace',
  description:
    'Only `name` is required. Without a slug, one is derived from the name; `owner` becomes the first member. A `sandbox` is filled with sample data, may hold 10,000 objects unless `quotas` says otherwise, and stays a sandbox.',
  audiences: ['settings'],
  tenancy: 'none',
  scope: 'workspaces:write',
  input: closed({
    ...optional(writableFields),
    name: IdentityName,
    owner: Type.Optional(closed({ name: IdentityName, email: Type.String({ format: 'email', maxLength: 254 }) })),
    sandbox: Type.Optional(Type.Boolean()),
    ...optional(operatorFields),
    apiPolicy: Type.Optional(Type.Partial(ApiPolicy, { additionalProperties: false })),
  }),
  output: Workspace,
  success: 201,
  errors: ['duplicate', 'quota_reached'],
  audited: true,
})

export const listWorkspaces = operation({
  name: 'workspaces.list',
  http: 'GET /workspaces',
  summary: 'List workspaces',
  description: 'All workspaces, oldest first.',
  audiences: ['settings'],
  tenancy: 'none',
  scope: 'workspaces:read',
  input: closed(pageInput),
  output: pageOf(Workspace),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const getWorkspace = operation({
  name: 'workspaces.get',
  http: 'GET /workspaces/{id}',
  summary: 'Get a workspace',
  description: 'One workspace by its id, with its quotas and how much of each is used.',
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'member',
  scope: 'workspaces:read',
  unversioned: true,
  input: closed({ id: Id }),
  output: WorkspaceWithUsage,
  success: 200,
  errors: ['not_found'],
})

export const updateWorkspace = operation({
  name: 'workspaces.update',
  http: 'PATCH /workspaces/{id}',
  summary: 'Change a workspace',
  description:
    'Changes name, slug, time zone, currency, country, policy, rate limit, quotas or suspension; a workspace that is being deleted stays suspended. `quotas` sets how much the workspace may hold; null is the default, and a quota below the current usage removes nothing. `rateLimit` is the plan of the workspace: the limit of all its keys together; null is the default of the installation. It takes effect at every gateway at once, and also caps keys with a higher limit. A changed policy takes effect at every gateway at once, also for existing keys: those that break a rule are denied with its code. With `policyGraceHours`, rules that this change tightens deny existing keys only after that time, while new keys must comply at once; a rule that is sent again during its grace period gets the new one. `requireSecondFactor` is a rule for people: from its time on, members without two-factor authentication can do nothing in the workspace until they set it up; sign-ins at the sign-in provider comply. `dryRun` changes nothing and returns the result of the change, with `policyPreview`: the keys that each rule would stop after its grace period, including those that it stops already, and from when, and the members without a second factor.',
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'member',
  ofOperator: [...Object.keys(operatorFields), 'suspended'],
  confirmed: ['apiPolicy', 'policyGraceHours', 'requireSecondFactor', 'holdFiles'],
  scope: 'workspaces:write',
  input: closed({
    id: Id,
    expectedVersion: Type.Optional(ExpectedVersion),
    ...optional(writableFields),
    apiPolicy: Type.Optional(Type.Partial(ApiPolicy, { additionalProperties: false })),
    ...optional(secondFactorFields),
    policyGraceHours: Type.Optional(Type.Integer({ minimum: 0, maximum: policyGraceHoursMax })),
    ...optional(operatorFields),
    suspended: Type.Optional(Type.Boolean()),
    dryRun: Type.Optional(Type.Boolean()),
  }),
  output: closed({ ...Workspace.properties, policyPreview: Type.Optional(PolicyPreview) }),
  success: 200,
  errors: ['not_found', 'duplicate', 'version_mismatch', 'invalid_transition'],
  audited: true,
})

export const getCurrentWorkspace = operation({
  name: 'workspaces.get-current',
  http: 'GET /workspaces/current',
  summary: 'Get the current workspace',
  description: 'The workspace of the request, with its limits and quotas, and how much of each quota is used.',
  scope: 'workspaces:read',
  unversioned: true,
  input: closed({}),
  output: WorkspaceWithUsage,
  success: 200,
})

export const updateCurrentWorkspace = operation({
  name: 'workspaces.update-current',
  http: 'PATCH /workspaces/current',
  summary: 'Change the current workspace',
  description:
    'Name, time zone, currency and country. After a change of the country, the telephone numbers of CRM entities are read anew in the background, some thousands in a few seconds. Slug, key policy, rate limit and suspension are changed in the workspace settings only.',
  scope: 'workspaces:write',
  input: closed({
    expectedVersion: Type.Optional(ExpectedVersion),
    ...optional({
      name: IdentityName,
      timeZone: writableFields.timeZone,
      defaultCurrency: writableFields.defaultCurrency,
      defaultCountry: writableFields.defaultCountry,
    }),
  }),
  output: Workspace,
  success: 200,
  errors: ['version_mismatch'],
  audited: true,
})
