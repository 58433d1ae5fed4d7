// Written by `npm run clients` from the contract. Change the contract, and not this file.
import type { BatchItem } from './shown.ts'

export interface Actor {
  /** The kind. */
  type: 'user' | 'api_key' | 'system'
  /** Its id. */
  id: string
  /** The display name. */
  name: string
}

/** The history of an object that comes from another system. Needs the scope `imports:write`. */
export interface AnyImport {
  /** When it was made there: becomes its `createdAt`. */
  createdAt?: string | undefined
  updatedAt?: string | null | undefined
  /** The actor that created it. */
  createdBy?: { name: string; email?: string | null | undefined } | null | undefined
}

export interface ApiKey {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'api_key'
  /** The display name. */
  name: string
  /** A description for people. */
  description: string | null
  /** The member who is responsible. */
  ownerId: string | null
  /** The scopes of the key. */
  scopes: string[]
  /** The surfaces that the key may use: HTTP, MCP or both. */
  surfaces: ('http' | 'mcp')[]
  /** How tools are named over MCP: `tasks.list`, `tasks_list`, or as the client needs. */
  toolNames: 'auto' | 'dots' | 'underscores'
  /** If empty, any address is allowed. */
  ipAllowlist: string[]
  /** When the secret must be rotated. */
  rotationPolicy: { maxAgeDays: number } | null
  expiresAt: string | null
  /** The rate limit of the key, within the plan of the workspace; null means the default limit. */
  rateLimit: { perMinute: number; burst: number } | null
  /** The first characters of the secret. */
  prefix: string
  /** The workspace that it belongs to. */
  workspaceId: string | null
  /** The workspaces of an unbound key. */
  workspaceIds: string[]
  /** `suspended`: denied while its owner, or its creator if it has no owner, is suspended. */
  status: 'active' | 'rotation_due' | 'suspended' | 'expired' | 'revoked'
  /** RFC 3339, UTC, milliseconds. */
  secretCreatedAt: string
  rotateBy: string | null
  /** Rules of its workspaces that the key breaks, and from when each denies it. */
  policyViolations: {
    workspaceId: string
    rule: 'allowUnboundKeys' | 'requireIpAllowlist' | 'requireExpiry' | 'maxKeyAgeDays'
    code: 'unbound_key_not_allowed' | 'ip_allowlist_required' | 'key_expiry_required' | 'api_key_rotation_required'
    from: string
  }[]
  previousSecretExpiresAt: string | null
  previousSecretRequests: number | null
  /** When an earlier secret was last used since the rotation. */
  previousSecretLastUsedAt: string | null
  /** Where an earlier secret was last used from. */
  previousSecretLastUsedIp: string | null
  /** When it was used last. */
  lastUsedAt: string | null
  /** Where it was used from last. */
  lastUsedIp: string | null
  /** Which program used it last. */
  lastUsedUserAgent: string | null
  /** Requests of the last 30 days. */
  requests30d: number
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Actor
  revokedAt: string | null
  /** Who revoked it. */
  revokedBy: Actor | null
}

export interface ApiKeyWithSecret {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'api_key'
  /** The display name. */
  name: string
  /** A description for people. */
  description: string | null
  /** The member who is responsible. */
  ownerId: string | null
  /** The scopes of the key. */
  scopes: string[]
  /** The surfaces that the key may use: HTTP, MCP or both. */
  surfaces: ('http' | 'mcp')[]
  /** How tools are named over MCP: `tasks.list`, `tasks_list`, or as the client needs. */
  toolNames: 'auto' | 'dots' | 'underscores'
  /** If empty, any address is allowed. */
  ipAllowlist: string[]
  /** When the secret must be rotated. */
  rotationPolicy: { maxAgeDays: number } | null
  expiresAt: string | null
  /** The rate limit of the key, within the plan of the workspace; null means the default limit. */
  rateLimit: { perMinute: number; burst: number } | null
  /** The first characters of the secret. */
  prefix: string
  /** The workspace that it belongs to. */
  workspaceId: string | null
  /** The workspaces of an unbound key. */
  workspaceIds: string[]
  /** `suspended`: denied while its owner, or its creator if it has no owner, is suspended. */
  status: 'active' | 'rotation_due' | 'suspended' | 'expired' | 'revoked'
  /** RFC 3339, UTC, milliseconds. */
  secretCreatedAt: string
  rotateBy: string | null
  /** Rules of its workspaces that the key breaks, and from when each denies it. */
  policyViolations: {
    workspaceId: string
    rule: 'allowUnboundKeys' | 'requireIpAllowlist' | 'requireExpiry' | 'maxKeyAgeDays'
    code: 'unbound_key_not_allowed' | 'ip_allowlist_required' | 'key_expiry_required' | 'api_key_rotation_required'
    from: string
  }[]
  previousSecretExpiresAt: string | null
  previousSecretRequests: number | null
  /** When an earlier secret was last used since the rotation. */
  previousSecretLastUsedAt: string | null
  /** Where an earlier secret was last used from. */
  previousSecretLastUsedIp: string | null
  /** When it was used last. */
  lastUsedAt: string | null
  /** Where it was used from last. */
  lastUsedIp: string | null
  /** Which program used it last. */
  lastUsedUserAgent: string | null
  /** Requests of the last 30 days. */
  requests30d: number
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Actor
  revokedAt: string | null
  /** Who revoked it. */
  revokedBy: Actor | null
  /** Shown only in this response. */
  secret: string
}

export interface Attempt {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'attempt'
  /** The delivery that it belongs to. */
  deliveryId: string
  /** Counts from 1. */
  number: number
  /** Whether it was automatic or requested. */
  trigger: 'automatic' | 'manual'
  /** RFC 3339, UTC, milliseconds. */
  startedAt: string
  /** The duration, in milliseconds. */
  durationMs: number
  /** Where the time went, in milliseconds. */
  timings: Timings | null
  /** The request. */
  request: { url: string; headers: Record<string, string>; body: string }
  /** The response; null if there was none. */
  response: { status: number; headers: Record<string, string>; body: string; truncated: boolean } | null
  /**
   * The outcome. `interrupted`: the process that sent it was lost before the end, so it is sent again; `maxAttempts`
   * rises by one, and it is no failure of the webhook.
   */
  outcome: 'success' | 'failed' | 'interrupted'
  /**
   * Why the attempt failed: `http_status`, `timeout`, `connect_error`, `connection_closed`, `invalid_response`,
   * `tls_error`, `dns_error`, `blocked_address`, `invalid_url`, `signing_failed`, `proxy_error`, `host_busy`,
   * `host_unproven`, `interrupted`, `aborted`, `expired`, `held_after_restore`, `webhook_paused`.
   */
  errorCode: string | null
}

export interface AuditActor {
  /** The kind. */
  type: 'user' | 'api_key' | 'system'
  /** Its id. */
  id: string
  /** The display name. */
  name: string
  keyPrefix: string | null
}

export interface AuditEntry {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'audit_entry'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Without gaps within a workspace. */
  number: number
  /** RFC 3339, UTC, milliseconds. */
  at: string
  /** The actor that made the change. */
  actor: AuditActor
  /**
   * The name of the operation; `tools.call` for an MCP tool; `mcp` if the request was rejected before a tool was known.
   */
  action: string
  /**
   * From where: the workspace settings in a browser, the HTTP API with a key or with the operator’s token, MCP, the
   * command line, or the service itself.
   */
  surface: 'console' | 'http' | 'mcp' | 'cli' | 'system'
  /** What it is about. */
  target: { type: string; id: string; name: string | null } | null
  /** The outcome. */
  outcome: 'success' | 'denied' | 'failed'
  code: string | null
  /** The address of the client. */
  ip: string | null
  /** The program that sent the request. */
  userAgent: string | null
  /** The request that made the change. */
  requestId: string
  /** Each field that changed, with its value before and after. */
  changes: Record<string, { from: unknown; to: unknown }>
  /** Of tool calls: SHA-256, in hex, of the arguments as JSON with sorted members, without spaces. */
  argumentsHash?: string
  /** For tool calls with a W3C Trace Context. */
  traceId?: string
  /** The number of identical denials, close together, that this entry represents. */
  count: number
  /** SHA-256, in hex. */
  previousHash: string
  /** SHA-256, in hex. */
  hash: string
}

export interface Author {
  /** `imported`: a person of the system that it comes from; `id` is that of the importing key. */
  type: 'user' | 'api_key' | 'system' | 'imported'
  /** Its id. */
  id: string
  /** The display name. */
  name: string
}

export interface ChangedWebhook {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'webhook'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Actor
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  /** The display name. */
  name: string
  /**
   * An https URL on a public address, or in a sandbox that of the inspector. It is shown as it is requested, with the
   * host in punycode.
   */
  url: string
  /** Event types, all of a segment (`projects.*`), or all (`*`). */
  eventTypes: string[]
  /** The filter. */
  filter: { kinds?: CrmKind[]; projectIds?: string[]; changedFields?: string[]; values?: WebhookFilterValues } | null
  /**
   * Changes made with these keys are not delivered, so that a sync does not receive its own writes. A rotated key keeps
   * its id. Default: none.
   */
  ignoredKeyIds: string[]
  /** False: changes that are imports (events with `origin: "import"`) are not delivered. Default true. */
  includeImports: boolean
  /** `thin` leaves out `data`, `changes` and `related`. */
  payload: 'full' | 'thin'
  /**
   * `none`: deliveries are sent in parallel. `webhook`: one at a time, in the order of the events. `object`: one at a
   * time for each object. A failing delivery blocks those behind it until it is delivered or becomes a dead letter. A
   * change applies to later events. Default `none`.
   */
  order: 'none' | 'webhook' | 'object'
  maxPerMinute: number | null
  /** The scopes that it was granted, by whom and since when. */
  grants: { scopes: string[]; grantedBy: Actor; grantedAt: string }
  /** The names of the headers sent with every delivery. */
  headerNames: string[]
  /** The status. */
  status: WebhookStatus
  /** Why nothing more is sent. */
  disabledReason: string | null
  /** The secrets that deliveries are signed with. */
  secrets: { id: string; createdAt: string; expiresAt: string | null }[]
  /** Failed attempts since the last success. */
  consecutiveFailures: number
  /** The circuit of its endpoint. It opens after several failures in a row: timeouts, 5xx or no response. */
  circuit: { state: 'closed' | 'open' | 'half_open'; openUntil: string | null }
  /** The state of its endpoint, the next attempt, and what has failed. */
  health: {
    state: 'healthy' | 'failing'
    failingSince: string | null
    lastStatusCode: number | null
    lastErrorCode: string | null
    nextAttemptAt: string | null
    failedShare: number | null
  }
  /** Counts of the last 24 hours. */
  stats24h: {
    delivered: number
    failed: number
    pending: number
    retrying: number
    p50Ms: number | null
    p95Ms: number | null
  }
  /** The new secret, if the host has changed. Shown only in this response. */
  secret?: string
}

export interface Comment {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'comment'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** The object that the comment is about. */
  subject: { type: 'tasks' | 'projects' | 'crm-entities'; id: string }
  /** Markdown. */
  body: string
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
}

export interface CommentCreate {
  taskId?: string | null | undefined
  /** The project that it belongs to. */
  projectId?: string | null | undefined
  /** The CRM entity that it is about. */
  crmEntityId?: string | null | undefined
  fileIds?: readonly string[] | null | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  externalIds?: readonly { source: string; id: string }[] | null | undefined
  /** Markdown. */
  body: string
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: AnyImport | undefined
}

export interface CommentPatch {
  /** Markdown. */
  body?: string | undefined
  /** Its files, whose bytes have been uploaded. */
  fileIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds?:
    | readonly { source: string; id: string }[]
    | {
        add?: readonly { source: string; id: string }[] | undefined
        remove?: readonly { source: string; id: string }[] | undefined
      }
    | null
    | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: AnyImport | undefined
}

export interface CommentUpsert {
  /** What is done if the object exists: the given fields are set, only those that are empty are set, or nothing. */
  onMatch?: 'update' | 'fillEmpty' | 'skip' | undefined
  /** Restore the object if it is deleted, instead of failing. */
  restore?: boolean | undefined
  taskId?: string | null | undefined
  /** The project that it belongs to. */
  projectId?: string | null | undefined
  /** The CRM entity that it is about. */
  crmEntityId?: string | null | undefined
  /** Its files, whose bytes have been uploaded. */
  fileIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Markdown. */
  body: string
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: AnyImport | undefined
  externalIds?: readonly { source: string; id: string }[] | null | undefined
}

export interface Company {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'crm_entity'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** Of a CRM entity: company, contact or deal. */
  kind: 'company'
  /** The display name. */
  name: string
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one company of the
   * workspace.
   */
  domains: string[]
  /** Address of the website. */
  website: string | null
  /** The industry of the company. */
  industry: string | null
  /** The number of employees. */
  employeeCount: number | null
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the
   * workspace; companies and deals may have it as well.
   */
  emails: string[]
  /** Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace. */
  phones: string[]
  /** Where the company is. */
  address: {
    street: string | null
    city: string | null
    region: string | null
    postalCode: string | null
    country: string | null
  } | null
  /** The company that this one is a part of. */
  parentCompanyId: string | null
  /** The member who is responsible. */
  ownerId: string | null
  /** Tags to find it by. */
  labels: string[]
  /** A description for people. */
  description: string | null
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** Values of the workspace’s custom fields, by their keys. */
  customFields: Record<string, unknown>
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  /** The CRM entity that replaces it. */
  mergedIntoId: string | null
}

export interface Contact {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'crm_entity'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** Of a CRM entity: company, contact or deal. */
  kind: 'contact'
  /** The display name. */
  name: string
  /** Given name. */
  firstName: string | null
  /** Family name. */
  lastName: string | null
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the
   * workspace; companies and deals may have it as well.
   */
  emails: string[]
  /** Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace. */
  phones: string[]
  /** Where the company is. */
  address: {
    street: string | null
    city: string | null
    region: string | null
    postalCode: string | null
    country: string | null
  } | null
  /** The job title of the contact. */
  jobTitle: string | null
  /** The company that it belongs to. */
  companyId: string | null
  /** The member who is responsible. */
  ownerId: string | null
  /** Tags to find it by. */
  labels: string[]
  /** A description for people. */
  description: string | null
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** Values of the workspace’s custom fields, by their keys. */
  customFields: Record<string, unknown>
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  /** The CRM entity that replaces it. */
  mergedIntoId: string | null
}

export type CrmEntity = Company | Contact | Deal

export interface CrmEntityCreate {
  /** Of a CRM entity: company, contact or deal. */
  kind: CrmKind
  /** The display name. */
  name?: string | undefined
  domains?: readonly string[] | null | undefined
  /** Address of the website. */
  website?: string | null | undefined
  /** The industry of the company. */
  industry?: string | null | undefined
  /** The number of employees. */
  employeeCount?: number | null | undefined
  emails?: readonly string[] | null | undefined
  /** The phone number. */
  phones?: readonly string[] | null | undefined
  /** Where the company is. */
  address?:
    | {
        street?: string | null | undefined
        city?: string | null | undefined
        region?: string | null | undefined
        postalCode?: string | null | undefined
        country?: string | null | undefined
      }
    | null
    | undefined
  /** The company that this one is a part of. */
  parentCompanyId?: string | null | undefined
  /** Given name. */
  firstName?: string | null | undefined
  /** Family name. */
  lastName?: string | null | undefined
  /** The job title of the contact. */
  jobTitle?: string | null | undefined
  /** The company that it belongs to. */
  companyId?: string | null | undefined
  /** The stage of the deal. */
  stage?: DealStage | undefined
  /** The value of the deal. */
  amount?: { amount: string; currency: string } | null | undefined
  /** Follows the stage unless it is given; 100 when won, 0 when lost. */
  probability?: number | undefined
  expectedCloseDate?: string | null | undefined
  lostReason?: string | null | undefined
  /** Contacts of this deal. */
  contactIds?: readonly string[] | null | undefined
  /** The member who is responsible. */
  ownerId?: string | null | undefined
  /** Tags to find it by. */
  labels?: readonly string[] | null | undefined
  /** A description for people. */
  description?: string | null | undefined
  fileIds?: readonly string[] | null | undefined
  /** Values of the workspace’s custom fields, by their keys. */
  customFields?: Record<string, unknown> | null | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  externalIds?: readonly { source: string; id: string }[] | null | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: CrmEntityImport | undefined
}

/** The history of an object that comes from another system. Needs the scope `imports:write`. */
export interface CrmEntityImport {
  /** When it was made there: becomes its `createdAt`. */
  createdAt?: string | undefined
  updatedAt?: string | null | undefined
  /** The actor that created it. */
  createdBy?: { name: string; email?: string | null | undefined } | null | undefined
  /** When it ended there: becomes its `closedAt`. Only for what has ended. */
  closedAt?: string | undefined
}

export interface CrmEntityPatch {
  /** The display name. */
  name?: string | undefined
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one company of the
   * workspace.
   */
  domains?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Address of the website. */
  website?: string | null | undefined
  /** The industry of the company. */
  industry?: string | null | undefined
  /** The number of employees. */
  employeeCount?: number | null | undefined
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the
   * workspace; companies and deals may have it as well.
   */
  emails?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace. */
  phones?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Where the company is. */
  address?:
    | {
        street?: string | null | undefined
        city?: string | null | undefined
        region?: string | null | undefined
        postalCode?: string | null | undefined
        country?: string | null | undefined
      }
    | null
    | undefined
  /** The company that this one is a part of. */
  parentCompanyId?: string | null | undefined
  /** Given name. */
  firstName?: string | null | undefined
  /** Family name. */
  lastName?: string | null | undefined
  /** The job title of the contact. */
  jobTitle?: string | null | undefined
  /** The company that it belongs to. */
  companyId?: string | null | undefined
  /** The stage of the deal. */
  stage?: DealStage | undefined
  /** The value of the deal. */
  amount?: { amount?: string | undefined; currency?: string | undefined } | null | undefined
  /** Follows the stage unless it is given; 100 when won, 0 when lost. */
  probability?: number | undefined
  expectedCloseDate?: string | null | undefined
  lostReason?: string | null | undefined
  /** Contacts of this deal. */
  contactIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** The member who is responsible. */
  ownerId?: string | null | undefined
  /** Tags to find it by. */
  labels?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** A description for people. */
  description?: string | null | undefined
  /** Its files, whose bytes have been uploaded. */
  fileIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Values of the workspace’s custom fields, by their keys. */
  customFields?: Record<string, unknown> | null | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds?:
    | readonly { source: string; id: string }[]
    | {
        add?: readonly { source: string; id: string }[] | undefined
        remove?: readonly { source: string; id: string }[] | undefined
      }
    | null
    | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: CrmEntityImport | undefined
}

export interface CrmEntityReference {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'crm_entity'
  /** Of a CRM entity: company, contact or deal. */
  kind: string
  /** The display name. */
  name: string
}

export interface CrmEntityUpsert {
  /** What is done if the object exists: the given fields are set, only those that are empty are set, or nothing. */
  onMatch?: 'update' | 'fillEmpty' | 'skip' | undefined
  /** Restore the object if it is deleted, instead of failing. */
  restore?: boolean | undefined
  /**
   * If no object has the own id: take the one of the same kind that has one of the given values in this field, and give
   * it the own id as well.
   */
  match?: 'domains' | 'emails' | 'phones' | undefined
  /** Of a CRM entity: company, contact or deal. */
  kind: CrmKind
  /** The display name. */
  name?: string | undefined
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one company of the
   * workspace.
   */
  domains?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Address of the website. */
  website?: string | null | undefined
  /** The industry of the company. */
  industry?: string | null | undefined
  /** The number of employees. */
  employeeCount?: number | null | undefined
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the
   * workspace; companies and deals may have it as well.
   */
  emails?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace. */
  phones?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Where the company is. */
  address?:
    | {
        street?: string | null | undefined
        city?: string | null | undefined
        region?: string | null | undefined
        postalCode?: string | null | undefined
        country?: string | null | undefined
      }
    | null
    | undefined
  /** The company that this one is a part of. */
  parentCompanyId?: string | null | undefined
  /** Given name. */
  firstName?: string | null | undefined
  /** Family name. */
  lastName?: string | null | undefined
  /** The job title of the contact. */
  jobTitle?: string | null | undefined
  /** The company that it belongs to. */
  companyId?: string | null | undefined
  /** The stage of the deal. */
  stage?: DealStage | undefined
  /** The value of the deal. */
  amount?: { amount: string; currency: string } | null | undefined
  /** Follows the stage unless it is given; 100 when won, 0 when lost. */
  probability?: number | undefined
  expectedCloseDate?: string | null | undefined
  lostReason?: string | null | undefined
  /** Contacts of this deal. */
  contactIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** The member who is responsible. */
  ownerId?: string | null | undefined
  /** Tags to find it by. */
  labels?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** A description for people. */
  description?: string | null | undefined
  /** Its files, whose bytes have been uploaded. */
  fileIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Values of the workspace’s custom fields, by their keys. */
  customFields?: Record<string, unknown> | null | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: CrmEntityImport | undefined
  externalIds?: readonly { source: string; id: string }[] | null | undefined
}

export type CrmKind = 'company' | 'contact' | 'deal'

export interface CustomField {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'custom_field'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** The name in `customFields`. It never changes. */
  key: string
  /** What it is about. */
  target: CustomFieldTarget
  /** The kind. */
  type: 'text' | 'number' | 'date' | 'boolean' | 'select' | 'multi_select' | 'user' | 'url'
  /** The display name. */
  label: string
  /** The options to choose from. */
  options: string[]
  /** An object cannot be created without a value. */
  required: boolean
  archivedAt: string | null
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Actor
  /** The actor that changed it last. */
  updatedBy: Actor
}

export type CustomFieldTarget = 'project' | 'task' | 'company' | 'contact' | 'deal'

export interface Deal {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'crm_entity'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** Of a CRM entity: company, contact or deal. */
  kind: 'deal'
  /** The display name. */
  name: string
  /** The stage of the deal. */
  stage: DealStage
  /** The value of the deal. */
  amount: { amount: string; currency: string } | null
  /** Follows the stage unless it is given; 100 when won, 0 when lost. */
  probability: number
  expectedCloseDate: string | null
  lostReason: string | null
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the
   * workspace; companies and deals may have it as well.
   */
  emails: string[]
  /** Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace. */
  phones: string[]
  /** The company that it belongs to. */
  companyId: string | null
  /** Contacts of this deal. */
  contactIds: string[]
  closedAt: string | null
  /** The member who is responsible. */
  ownerId: string | null
  /** Tags to find it by. */
  labels: string[]
  /** A description for people. */
  description: string | null
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** Values of the workspace’s custom fields, by their keys. */
  customFields: Record<string, unknown>
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  /** The CRM entity that replaces it. */
  mergedIntoId: string | null
}

export type DealStage = 'new' | 'qualified' | 'proposal' | 'negotiation' | 'won' | 'lost'

export interface Delivery {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'delivery'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** The recorded event. */
  eventId: string
  /** The event type. */
  eventType: string
  /** The webhook that it is sent to. */
  webhookId: string
  /** The status. */
  status: DeliveryStatus
  /** Why it is sent. */
  origin: 'live' | 'replay' | 'test'
  /** The number of attempts, including those after it was resent. */
  attemptCount: number
  /**
   * The total of attempts after which it becomes a dead letter. Resending the delivery raises it, and so does an
   * interrupted attempt.
   */
  maxAttempts: number
  nextAttemptAt: string | null
  /** The last status that the endpoint returned. */
  lastStatusCode: number | null
  /**
   * Why it was not accepted: `http_status`, `timeout`, `connect_error`, `connection_closed`, `invalid_response`,
   * `tls_error`, `dns_error`, `blocked_address`, `invalid_url`, `signing_failed`, `proxy_error`, `host_busy`,
   * `host_unproven`, `interrupted`, `aborted`, `expired`, `held_after_restore`, `webhook_paused`.
   */
  lastErrorCode: string | null
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  deliveredAt: string | null
  deadLetteredAt: string | null
}

export type DeliveryStatus = 'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled'

export interface Document {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'document'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** The display name. */
  title: string
  /**
   * Markdown, at most 1048576 bytes in UTF-8. Lists include it if `fields` names it, at most 20 per page; events and
   * batch responses omit it.
   */
  content: string
  /** A short description. */
  summary: string | null
  folder: string | null
  /** Tags to find it by. */
  tags: string[]
  /** The status. */
  status: DocumentStatus
  /** The CRM entity that it is about. A document has this or `projectId`, or neither. */
  crmEntityId: string | null
  /** The project that it belongs to. A document has this or `crmEntityId`, or neither. */
  projectId: string | null
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  /** Runs of letters and digits in the content. */
  wordCount: number
  /** SHA-256 of the content, in hex. */
  checksum: string
}

export interface DocumentBrief {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'document'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** The display name. */
  title: string
  /** A short description. */
  summary: string | null
  folder: string | null
  /** Tags to find it by. */
  tags: string[]
  /** The status. */
  status: DocumentStatus
  /** The CRM entity that it is about. A document has this or `projectId`, or neither. */
  crmEntityId: string | null
  /** The project that it belongs to. A document has this or `crmEntityId`, or neither. */
  projectId: string | null
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  /** Runs of letters and digits in the content. */
  wordCount: number
  /** SHA-256 of the content, in hex. */
  checksum: string
}

export interface DocumentCreate {
  /** The display name. */
  title: string
  /**
   * Markdown, at most 1048576 bytes in UTF-8. Lists include it if `fields` names it, at most 20 per page; events and
   * batch responses omit it.
   */
  content?: string | undefined
  /** A short description. */
  summary?: string | null | undefined
  folder?: string | null | undefined
  /** Tags to find it by. */
  tags?: readonly string[] | null | undefined
  /** The status. */
  status?: DocumentStatus | undefined
  /** The CRM entity that it is about. A document has this or `projectId`, or neither. */
  crmEntityId?: string | null | undefined
  /** The project that it belongs to. A document has this or `crmEntityId`, or neither. */
  projectId?: string | null | undefined
  fileIds?: readonly string[] | null | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  externalIds?: readonly { source: string; id: string }[] | null | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: AnyImport | undefined
}

export interface DocumentPatch {
  /** The display name. */
  title?: string | undefined
  /**
   * Markdown, at most 1048576 bytes in UTF-8. Lists include it if `fields` names it, at most 20 per page; events and
   * batch responses omit it.
   */
  content?: string | undefined
  /** A short description. */
  summary?: string | null | undefined
  folder?: string | null | undefined
  /** Tags to find it by. */
  tags?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** The status. */
  status?: DocumentStatus | undefined
  /** The CRM entity that it is about. A document has this or `projectId`, or neither. */
  crmEntityId?: string | null | undefined
  /** The project that it belongs to. A document has this or `crmEntityId`, or neither. */
  projectId?: string | null | undefined
  /** Its files, whose bytes have been uploaded. */
  fileIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds?:
    | readonly { source: string; id: string }[]
    | {
        add?: readonly { source: string; id: string }[] | undefined
        remove?: readonly { source: string; id: string }[] | undefined
      }
    | null
    | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: AnyImport | undefined
}

export type DocumentStatus = 'draft' | 'published' | 'archived'

export interface DocumentUpsert {
  /** What is done if the object exists: the given fields are set, only those that are empty are set, or nothing. */
  onMatch?: 'update' | 'fillEmpty' | 'skip' | undefined
  /** Restore the object if it is deleted, instead of failing. */
  restore?: boolean | undefined
  /** The display name. */
  title: string
  /**
   * Markdown, at most 1048576 bytes in UTF-8. Lists include it if `fields` names it, at most 20 per page; events and
   * batch responses omit it.
   */
  content?: string | undefined
  /** A short description. */
  summary?: string | null | undefined
  folder?: string | null | undefined
  /** Tags to find it by. */
  tags?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** The status. */
  status?: DocumentStatus | undefined
  /** The CRM entity that it is about. A document has this or `projectId`, or neither. */
  crmEntityId?: string | null | undefined
  /** The project that it belongs to. A document has this or `crmEntityId`, or neither. */
  projectId?: string | null | undefined
  /** Its files, whose bytes have been uploaded. */
  fileIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: AnyImport | undefined
  externalIds?: readonly { source: string; id: string }[] | null | undefined
}

export interface DownloadAddress {
  /** The HTTP method. */
  method: 'GET'
  /**
   * Send no API key with it: its signature stands for the key that requested it, with the rate limit and IP allowlist
   * of that key. Relative to the API if the installation has no `PUBLIC_URL`.
   */
  url: string
  /** RFC 3339, UTC, milliseconds. */
  expiresAt: string
}

export interface EventRecord {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'event'
  /** The kind. */
  type: string
  /** The workspace that it belongs to. */
  workspaceId: string
  /**
   * Counts the events of a workspace in the order of commits, without gaps but for one where the installation was
   * restored from a backup.
   */
  sequence: number
  /** RFC 3339, UTC, milliseconds. */
  occurredAt: string
  /** The actor that made the change. */
  actor: Actor
  /** The request that made the change. */
  requestId: string
  /** The object that the event is about. */
  resource: { type: string; id: string; kind: string | null; version: number | null }
  /** The object after the change. */
  data: unknown
  /** Each field that changed, with its value before and after. */
  changes: Record<string, { from: unknown; to: unknown }>
  /** What the object belongs to, with the names at the time of the event. */
  related?: {
    task?: { id: string; identifier: string; title: string }
    project?: { id: string; key: string; name: string }
    crmEntity?: { id: string; kind: string; name: string }
  }
  /**
   * Present if the change was not made here. `import`: what it is about happened in another system before. `trigger`:
   * nothing has happened; the event was triggered in a sandbox, and the object is as it was.
   */
  origin?: 'import' | 'trigger'
  /** Present if a test delivers an example of this type: nothing has happened. It is in no feed. */
  test?: true
}

export interface File {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'file'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Actor
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  /** With its ending, without folders. */
  name: string
  /** Its size. */
  bytes: number
  /** Media type in lower case without parameters, such as `application/pdf`. */
  type: string
  /** What its first bytes say it is; null where they say nothing, as those of plain text. */
  detectedType: string | null
  /** SHA-256 of its bytes, in hex; null until they have come if you gave none. */
  sha256: string | null
  /**
   * `awaiting_upload`: its bytes are not uploaded yet. `held`: they are, and wait for their release. `available`: they
   * can be read. `quarantined`: they are locked.
   */
  status: FileStatus
  uploadedAt: string | null
  quarantineReason: string | null
}

/**
 * `awaiting_upload`: its bytes are not uploaded yet. `held`: they are, and wait for their release. `available`: they
 * can be read. `quarantined`: they are locked.
 */
export type FileStatus = 'awaiting_upload' | 'held' | 'available' | 'quarantined'

export interface InspectedRequest {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'inspected_request'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** The webhook that it is sent to. */
  webhookId: string
  /** The delivery that it belongs to. */
  deliveryId: string
  /** The event type. */
  eventType: string
  /** The number of the attempt, as in the attempts of the delivery. */
  attempt: number
  /** RFC 3339, UTC, milliseconds. */
  receivedAt: string
  /** The HTTP method. */
  method: string
  /** With the query. */
  path: string
  /** As received, in lower case. Values of custom headers are masked. */
  headers: Record<string, string>
  /** Bytes of a body. */
  bodyBytes: number
  /** What the inspector found when it verified the request as an endpoint does. One valid signature is enough. */
  signatures: {
    standard: { isValid: boolean; problem: string | null }
    own: { isValid: boolean; problem: string | null }
    ageSeconds: number | null
  }
  answeredStatus: number | null
}

export interface InspectedRequestWithBody {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'inspected_request'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** The webhook that it is sent to. */
  webhookId: string
  /** The delivery that it belongs to. */
  deliveryId: string
  /** The event type. */
  eventType: string
  /** The number of the attempt, as in the attempts of the delivery. */
  attempt: number
  /** RFC 3339, UTC, milliseconds. */
  receivedAt: string
  /** The HTTP method. */
  method: string
  /** With the query. */
  path: string
  /** As received, in lower case. Values of custom headers are masked. */
  headers: Record<string, string>
  /** Bytes of a body. */
  bodyBytes: number
  /** What the inspector found when it verified the request as an endpoint does. One valid signature is enough. */
  signatures: {
    standard: { isValid: boolean; problem: string | null }
    own: { isValid: boolean; problem: string | null }
    ageSeconds: number | null
  }
  answeredStatus: number | null
  /** As it came, to the byte. */
  body: string
}

export interface Job {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'job'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** What the job does. */
  kind: 'export' | 'import' | 'update' | 'delete'
  /**
   * `queued`: it waits for an earlier job of the workspace. `completed`: all of it was done. `failed`: it ended before
   * that; `failure` says why.
   */
  status: JobStatus
  /** Why it has failed. */
  failure: { code: string; detail: string } | null
  /** What the job was started with, without `text`. */
  request: Record<string, unknown>
  /** The scopes that it works with. A key needs them to see the job. */
  scopes: string[]
  /** The total of objects. 0 until they are counted. */
  total: number
  /** The objects that are done, including those that were rejected. */
  done: number
  /** The objects that could not be changed. */
  refused: number
  /** The position of the feed at the start of the job: what happens later has a greater one. */
  sequence: number
  /** The file that `GET /jobs/{id}/result` returns; null before it exists. */
  result: { rows: number; bytes: number } | null
  /** The file that `GET /jobs/{id}/refusals` returns; null before it exists, and if nothing was rejected. */
  refusals: { rows: number; bytes: number } | null
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** The actor that created it. */
  createdBy: Actor
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  endedAt: string | null
  /** When the job and its files are deleted; null before it has ended. */
  expiresAt: string | null
}

/**
 * `queued`: it waits for an earlier job of the workspace. `completed`: all of it was done. `failed`: it ended before
 * that; `failure` says why.
 */
export type JobStatus = 'queued' | 'running' | 'completed' | 'cancelled' | 'failed'

export interface LoggedRequest {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'logged_request'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** When the request arrived. */
  at: string
  /** The HTTP method. */
  method: string
  /**
   * Without the query. A value that is neither an id nor a key such as `WEB-42` is shown as the name of the parameter,
   * `{id}`.
   */
  path: string
  /** The name of the operation, or of the MCP tool; `mcp` for other messages and for batches. */
  operation: string
  /** The surface of the request. */
  surface: 'http' | 'mcp'
  /** 499: the client closed the connection. A rejected tool call over MCP has 200 and a `code`. */
  status: number
  /** Milliseconds until the response headers. */
  ms: number
  /** The key of the request. */
  apiKeyId: string
  /** At the time of the request. */
  apiKeyName: string
  apiKeyPrefix: string | null
  /** The address of the client. */
  ip: string | null
  /** `X-Request-Id` of the response. */
  requestId: string
  objectId: string | null
  code: string | null
  detail: string | null
  /** How many requests of the same kind, before this one, were not kept because there were too many. */
  leftOut: number
}

export interface Me {
  /** The type of the object. */
  object: 'me'
  /** The key of the request. */
  apiKey: {
    id: string
    name: string
    prefix: string
    ownerId: string | null
    owner: { id: string; name: string; email: string; role: string } | null
    homeWorkspaceId: string
    surfaces: ('http' | 'mcp')[]
    expiresAt: string | null
    rotateBy: string | null
  }
  /** The scopes of the key. */
  scopes: string[]
  /** The workspaces that the key may act in. */
  workspaces: {
    id: string
    name: string
    slug: string
    timeZone: string
    defaultCurrency: string
    suspended: boolean
    sandbox: boolean
  }[]
  /** How a request names the workspace. */
  workspaceSelection: {
    required: boolean
    defaultWorkspaceId: string | null
    header: 'x-workspace-id'
    parameter: 'workspaceId'
  }
  /** The rate limit of the key and what remains of it. */
  rateLimit: { limit: number; burst: number; remaining: number; resetSeconds: number } | null
}

export interface Member {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'member'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Actor
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  /** The display name. */
  name: string
  /** Stored in lower case. Unique among the members that are not removed. */
  email: string
  /** What the member may do in the application. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  /** The status. */
  status: MemberStatus
  lastSeenAt: string | null
}

export interface MemberReference {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'member'
  /** The display name. */
  name: string
  /** The email address. */
  email: string
}

export type MemberStatus = 'invited' | 'active' | 'suspended'

export interface MergedCompany {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'crm_entity'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** Of a CRM entity: company, contact or deal. */
  kind: 'company'
  /** The display name. */
  name: string
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one company of the
   * workspace.
   */
  domains: string[]
  /** Address of the website. */
  website: string | null
  /** The industry of the company. */
  industry: string | null
  /** The number of employees. */
  employeeCount: number | null
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the
   * workspace; companies and deals may have it as well.
   */
  emails: string[]
  /** Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace. */
  phones: string[]
  /** Where the company is. */
  address: {
    street: string | null
    city: string | null
    region: string | null
    postalCode: string | null
    country: string | null
  } | null
  /** The company that this one is a part of. */
  parentCompanyId: string | null
  /** The member who is responsible. */
  ownerId: string | null
  /** Tags to find it by. */
  labels: string[]
  /** A description for people. */
  description: string | null
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** Values of the workspace’s custom fields, by their keys. */
  customFields: Record<string, unknown>
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  /** The CRM entity that replaces it. */
  mergedIntoId: string | null
  /** The CRM entity that was merged into this one. */
  mergedFromId: string
}

export interface MergedContact {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'crm_entity'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** Of a CRM entity: company, contact or deal. */
  kind: 'contact'
  /** The display name. */
  name: string
  /** Given name. */
  firstName: string | null
  /** Family name. */
  lastName: string | null
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the
   * workspace; companies and deals may have it as well.
   */
  emails: string[]
  /** Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace. */
  phones: string[]
  /** Where the company is. */
  address: {
    street: string | null
    city: string | null
    region: string | null
    postalCode: string | null
    country: string | null
  } | null
  /** The job title of the contact. */
  jobTitle: string | null
  /** The company that it belongs to. */
  companyId: string | null
  /** The member who is responsible. */
  ownerId: string | null
  /** Tags to find it by. */
  labels: string[]
  /** A description for people. */
  description: string | null
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** Values of the workspace’s custom fields, by their keys. */
  customFields: Record<string, unknown>
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  /** The CRM entity that replaces it. */
  mergedIntoId: string | null
  /** The CRM entity that was merged into this one. */
  mergedFromId: string
}

export interface MergedDeal {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'crm_entity'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** Of a CRM entity: company, contact or deal. */
  kind: 'deal'
  /** The display name. */
  name: string
  /** The stage of the deal. */
  stage: DealStage
  /** The value of the deal. */
  amount: { amount: string; currency: string } | null
  /** Follows the stage unless it is given; 100 when won, 0 when lost. */
  probability: number
  expectedCloseDate: string | null
  lostReason: string | null
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the
   * workspace; companies and deals may have it as well.
   */
  emails: string[]
  /** Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace. */
  phones: string[]
  /** The company that it belongs to. */
  companyId: string | null
  /** Contacts of this deal. */
  contactIds: string[]
  closedAt: string | null
  /** The member who is responsible. */
  ownerId: string | null
  /** Tags to find it by. */
  labels: string[]
  /** A description for people. */
  description: string | null
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** Values of the workspace’s custom fields, by their keys. */
  customFields: Record<string, unknown>
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  /** The CRM entity that replaces it. */
  mergedIntoId: string | null
  /** The CRM entity that was merged into this one. */
  mergedFromId: string
}

/** Why a request failed. Some codes have further fields. */
export interface Problem {
  /**
   * The page that explains the code. Exception: if the response contains `violated-policies`, this is a problem type
   * that is registered with IANA.
   */
  type: string
  /** A short title. All problems with this code have the same one. */
  title: string
  /** The HTTP status of the response. */
  status: number
  /** What happened in this case. */
  detail: string
  /** The path of the request. */
  instance: string
  /** The stable error code. */
  code:
    | 'invalid_http'
    | 'invalid_json'
    | 'unknown_parameter'
    | 'invalid_parameter'
    | 'invalid_header'
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'missing_credentials'
    | 'invalid_api_key'
    | 'api_key_revoked'
    | 'api_key_expired'
    | 'not_signed_in'
    | 'invalid_signature'
    | 'address_expired'
    | 'ip_not_allowed'
    | 'api_key_rotation_required'
    | 'ip_allowlist_required'
    | 'key_expiry_required'
    | 'api_key_suspended'
    | 'unbound_key_not_allowed'
    | 'api_key_has_no_scopes'
    | 'insufficient_scope'
    | 'surface_not_allowed'
    | 'workspace_not_allowed'
    | 'host_not_allowed'
    | 'tool_disabled'
    | 'origin_not_allowed'
    | 'wrong_password'
    | 'confirmation_required'
    | 'password_sign_in_off'
    | 'wrong_second_factor'
    | 'challenge_expired'
    | 'sign_in_expired'
    | 'provider_refused'
    | 'provider_answer_invalid'
    | 'email_not_verified'
    | 'email_domain_not_allowed'
    | 'no_membership'
    | 'https_required'
    | 'second_factor_required'
    | 'workspace_suspended'
    | 'not_found'
    | 'route_not_found'
    | 'method_not_allowed'
    | 'not_acceptable'
    | 'request_timeout'
    | 'duplicate'
    | 'invalid_transition'
    | 'last_second_factor'
    | 'project_archived'
    | 'sandbox_only'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'ambiguous_match'
    | 'legal_hold'
    | 'file_not_available'
    | 'limit_reached'
    | 'quota_reached'
    | 'cursor_expired'
    | 'cursor_outdated'
    | 'feed_rewound'
    | 'purged'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'range_not_satisfiable'
    | 'expectation_failed'
    | 'validation_failed'
    | 'unknown_field'
    | 'content_mismatch'
    | 'reference_not_found'
    | 'idempotency_key_reused'
    | 'batch_failed'
    | 'depends_on_failed'
    | 'rate_limited'
    | 'headers_too_large'
    | 'request_cancelled'
    | 'internal_error'
    | 'upstream_error'
    | 'provider_unavailable'
    | 'storage_full'
    | 'query_too_costly'
    | 'unavailable'
    | 'timeout'
  /** The ID of the request. Quote it when you contact the operator. */
  requestId: string
  /** What may help. */
  hint?: string
  /** When to retry. */
  retryAfterSeconds?: number
  /** The rejected values, each with its location. */
  errors?: readonly {
    pointer?: string
    parameter?: string
    header?: string
    code:
      | 'required'
      | 'too_short'
      | 'too_long'
      | 'too_small'
      | 'too_large'
      | 'wrong_type'
      | 'wrong_format'
      | 'not_in_list'
      | 'not_unique'
      | 'unknown'
      | 'read_only'
      | 'not_found'
    detail: string
    allowed?: unknown
  }[]
  [member: string]: unknown
}

export interface Project {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'project'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /**
   * Two to ten capitals, unique in the workspace. A new key gives all tasks of the project new identifiers, each as a
   * separate change. The former identifiers still find them.
   */
  key: string
  /** The display name. */
  name: string
  /** A description for people. */
  description: string | null
  /** The status. */
  status: ProjectStatus
  /** Whether it is on schedule. */
  health: 'on_track' | 'at_risk' | 'off_track' | null
  /** How urgent it is. */
  priority: 'none' | 'low' | 'medium' | 'high' | 'urgent'
  /** The member who is responsible. */
  ownerId: string | null
  /** Members who work on it. */
  memberIds: string[]
  /** The company that it belongs to. */
  companyId: string | null
  /** Tags to find it by. */
  labels: string[]
  startDate: string | null
  dueDate: string | null
  /** Values of the workspace’s custom fields, by their keys. */
  customFields: Record<string, unknown>
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  completedAt: string | null
  archivedAt: string | null
}

export interface ProjectCreate {
  /**
   * Two to ten capitals, unique in the workspace. A new key gives all tasks of the project new identifiers, each as a
   * separate change. The former identifiers still find them.
   */
  key?: string | undefined
  /** The display name. */
  name: string
  /** A description for people. */
  description?: string | null | undefined
  /** The status. */
  status?: ProjectStatus | undefined
  /** Whether it is on schedule. */
  health?: 'on_track' | 'at_risk' | 'off_track' | null | undefined
  /** How urgent it is. */
  priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** The member who is responsible. */
  ownerId?: string | null | undefined
  /** Members who work on it. */
  memberIds?: readonly string[] | null | undefined
  /** The company that it belongs to. */
  companyId?: string | null | undefined
  /** Tags to find it by. */
  labels?: readonly string[] | null | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** Values of the workspace’s custom fields, by their keys. */
  customFields?: Record<string, unknown> | null | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  externalIds?: readonly { source: string; id: string }[] | null | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: ProjectImport | undefined
}

/** The history of an object that comes from another system. Needs the scope `imports:write`. */
export interface ProjectImport {
  /** When it was made there: becomes its `createdAt`. */
  createdAt?: string | undefined
  updatedAt?: string | null | undefined
  /** The actor that created it. */
  createdBy?: { name: string; email?: string | null | undefined } | null | undefined
  /** When it ended there: becomes its `completedAt`. Only for what has ended. */
  completedAt?: string | undefined
}

export interface ProjectPatch {
  /**
   * Two to ten capitals, unique in the workspace. A new key gives all tasks of the project new identifiers, each as a
   * separate change. The former identifiers still find them.
   */
  key?: string | undefined
  /** The display name. */
  name?: string | undefined
  /** A description for people. */
  description?: string | null | undefined
  /** The status. */
  status?: ProjectStatus | undefined
  /** Whether it is on schedule. */
  health?: 'on_track' | 'at_risk' | 'off_track' | null | undefined
  /** How urgent it is. */
  priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** The member who is responsible. */
  ownerId?: string | null | undefined
  /** Members who work on it. */
  memberIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** The company that it belongs to. */
  companyId?: string | null | undefined
  /** Tags to find it by. */
  labels?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** Values of the workspace’s custom fields, by their keys. */
  customFields?: Record<string, unknown> | null | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds?:
    | readonly { source: string; id: string }[]
    | {
        add?: readonly { source: string; id: string }[] | undefined
        remove?: readonly { source: string; id: string }[] | undefined
      }
    | null
    | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: ProjectImport | undefined
}

export interface ProjectReference {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'project'
  /** Short name, unique in the workspace. */
  key: string
  /** The display name. */
  name: string
  /** The status. */
  status: string
}

export type ProjectStatus = 'planned' | 'active' | 'paused' | 'completed' | 'cancelled'

export interface ProjectUpsert {
  /** What is done if the object exists: the given fields are set, only those that are empty are set, or nothing. */
  onMatch?: 'update' | 'fillEmpty' | 'skip' | undefined
  /** Restore the object if it is deleted, instead of failing. */
  restore?: boolean | undefined
  /**
   * Two to ten capitals, unique in the workspace. A new key gives all tasks of the project new identifiers, each as a
   * separate change. The former identifiers still find them.
   */
  key?: string | undefined
  /** The display name. */
  name: string
  /** A description for people. */
  description?: string | null | undefined
  /** The status. */
  status?: ProjectStatus | undefined
  /** Whether it is on schedule. */
  health?: 'on_track' | 'at_risk' | 'off_track' | null | undefined
  /** How urgent it is. */
  priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** The member who is responsible. */
  ownerId?: string | null | undefined
  /** Members who work on it. */
  memberIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** The company that it belongs to. */
  companyId?: string | null | undefined
  /** Tags to find it by. */
  labels?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** Values of the workspace’s custom fields, by their keys. */
  customFields?: Record<string, unknown> | null | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: ProjectImport | undefined
  externalIds?: readonly { source: string; id: string }[] | null | undefined
}

export interface ReplayJob {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'replay_job'
  /** The workspace that it belongs to. */
  workspaceId: string
  /**
   * `completed`: every delivery that could be resent was resent. `cancelled`: it ended before that; `cancelReason` says
   * why.
   */
  status: 'running' | 'completed' | 'cancelled'
  cancelReason:
    | 'requested'
    | 'webhook_deleted'
    | 'webhook_disabled'
    | 'webhook_paused'
    | 'grant_revoked'
    | 'restored'
    | null
  /** The filter. */
  filter: {
    webhookId?: string
    eventTypes?: string[]
    status?: DeliveryStatus[]
    createdAfter?: string
    createdBefore?: string
    ids?: string[]
  }
  /** The read scopes of its creator at that time. It resends no event outside of them. */
  scopes: string[]
  perMinute: number | null
  /** The number of deliveries that matched the filter when the job was created. */
  total: number
  /** Deliveries that match the filter but are not resent, counted by reason. They are in no total. */
  leftOut: { paused: number; disabled: number; deleted: number; ungranted: number }
  /** The number of deliveries that the job has resent. */
  replayed: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** The actor that created it. */
  createdBy: Actor
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  endedAt: string | null
}

export interface Resource {
  /** The type of the object. */
  object: 'resource'
  /** `workspace://…`, as in the list. */
  uri: string
  /** The display name. */
  name: string
  /** The display name. */
  title: string
  /** A description for people. */
  description: string
  /** The media type of the text. */
  mimeType: 'text/markdown' | 'application/json'
  /** Of a CRM entity: company, contact or deal. */
  kind: 'overview' | 'members' | 'labels' | 'custom_fields' | 'view' | 'glossary'
  /** Bytes of the text, as this key may read it. */
  size: number
  updatedAt: string | null
}

export interface ShownCompany {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'crm_entity'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** Of a CRM entity: company, contact or deal. */
  kind: 'company'
  /** The display name. */
  name: string
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one company of the
   * workspace.
   */
  domains: string[]
  /** Address of the website. */
  website: string | null
  /** The industry of the company. */
  industry: string | null
  /** The number of employees. */
  employeeCount: number | null
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the
   * workspace; companies and deals may have it as well.
   */
  emails: string[]
  /** Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace. */
  phones: string[]
  /** Where the company is. */
  address: {
    street: string | null
    city: string | null
    region: string | null
    postalCode: string | null
    country: string | null
  } | null
  /** The company that this one is a part of. */
  parentCompanyId: string | null
  /** The member who is responsible. */
  ownerId: string | null
  /** Tags to find it by. */
  labels: string[]
  /** A description for people. */
  description: string | null
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** Values of the workspace’s custom fields, by their keys. */
  customFields: Record<string, unknown>
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  /** The CRM entity that replaces it. */
  mergedIntoId: string | null
  /** The responsible member. */
  owner?: MemberReference | null
  /** The company that `parentCompanyId` names. */
  parentCompany?: CrmEntityReference | null
  /** The files that `fileIds` names. */
  files?: { id: string; object: 'file'; name: string; type: string; bytes: number; status: string }[]
}

export interface ShownContact {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'crm_entity'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** Of a CRM entity: company, contact or deal. */
  kind: 'contact'
  /** The display name. */
  name: string
  /** Given name. */
  firstName: string | null
  /** Family name. */
  lastName: string | null
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the
   * workspace; companies and deals may have it as well.
   */
  emails: string[]
  /** Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace. */
  phones: string[]
  /** Where the company is. */
  address: {
    street: string | null
    city: string | null
    region: string | null
    postalCode: string | null
    country: string | null
  } | null
  /** The job title of the contact. */
  jobTitle: string | null
  /** The company that it belongs to. */
  companyId: string | null
  /** The member who is responsible. */
  ownerId: string | null
  /** Tags to find it by. */
  labels: string[]
  /** A description for people. */
  description: string | null
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** Values of the workspace’s custom fields, by their keys. */
  customFields: Record<string, unknown>
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  /** The CRM entity that replaces it. */
  mergedIntoId: string | null
  /** The responsible member. */
  owner?: MemberReference | null
  /** The company that `companyId` names. */
  company?: CrmEntityReference | null
  /** The files that `fileIds` names. */
  files?: { id: string; object: 'file'; name: string; type: string; bytes: number; status: string }[]
}

export interface ShownDeal {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'crm_entity'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** Of a CRM entity: company, contact or deal. */
  kind: 'deal'
  /** The display name. */
  name: string
  /** The stage of the deal. */
  stage: DealStage
  /** The value of the deal. */
  amount: { amount: string; currency: string } | null
  /** Follows the stage unless it is given; 100 when won, 0 when lost. */
  probability: number
  expectedCloseDate: string | null
  lostReason: string | null
  /**
   * Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the
   * workspace; companies and deals may have it as well.
   */
  emails: string[]
  /** Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace. */
  phones: string[]
  /** The company that it belongs to. */
  companyId: string | null
  /** Contacts of this deal. */
  contactIds: string[]
  closedAt: string | null
  /** The member who is responsible. */
  ownerId: string | null
  /** Tags to find it by. */
  labels: string[]
  /** A description for people. */
  description: string | null
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** Values of the workspace’s custom fields, by their keys. */
  customFields: Record<string, unknown>
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  /** The CRM entity that replaces it. */
  mergedIntoId: string | null
  /** The responsible member. */
  owner?: MemberReference | null
  /** The company that `companyId` names. */
  company?: CrmEntityReference | null
  /** The contacts that `contactIds` names. */
  contacts?: CrmEntityReference[]
  /** The files that `fileIds` names. */
  files?: { id: string; object: 'file'; name: string; type: string; bytes: number; status: string }[]
}

export interface Task {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'task'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Author
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  imported: {
    importedAt: string
    importedBy: Actor
    updatedAt: string | null
    createdBy: { name: string; email: string | null } | null
  } | null
  /** Counts within the project. */
  number: number
  /**
   * Key of the project and number, as in WEB-42. It changes if the project gets a new key or the task moves to another
   * project.
   */
  identifier: string
  /** The project that it belongs to. */
  projectId: string
  /** The display name. */
  title: string
  /** A description for people. */
  description: string | null
  /** The status. */
  status: TaskStatus
  /** How urgent it is. */
  priority: 'none' | 'low' | 'medium' | 'high' | 'urgent'
  /** The assigned members. */
  assigneeIds: string[]
  /** The task that it is a part of. */
  parentTaskId: string | null
  /** The tasks that must be done first. They must not form a cycle. */
  blockedByIds: string[]
  /** CRM entities that it is about. */
  crmEntityIds: string[]
  /** Its files, whose bytes have been uploaded. */
  fileIds: string[]
  /** Tags to find it by. */
  labels: string[]
  startDate: string | null
  dueDate: string | null
  /** The estimated time. */
  estimateMinutes: number | null
  /** Its position among others; new ones come last. */
  position: number
  /** Values of the workspace’s custom fields, by their keys. */
  customFields: Record<string, unknown>
  /** The system that it came from: the first of `externalIds`. */
  externalSource: string | null
  /** Its id in the system that it came from. */
  externalId: string | null
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds: { source: string; id: string }[]
  completedAt: string | null
}

export interface TaskCreate {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  projectId: string
  /** The display name. */
  title: string
  /** A description for people. */
  description?: string | null | undefined
  /** The status. */
  status?: TaskStatus | undefined
  /** How urgent it is. */
  priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** The assigned members. */
  assigneeIds?: readonly string[] | null | undefined
  /** The task that it is a part of. */
  parentTaskId?: string | null | undefined
  /** Tasks that have to be done first. */
  blockedByIds?: readonly string[] | null | undefined
  /** CRM entities that it is about. */
  crmEntityIds?: readonly string[] | null | undefined
  fileIds?: readonly string[] | null | undefined
  /** Tags to find it by. */
  labels?: readonly string[] | null | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** The estimated time. */
  estimateMinutes?: number | null | undefined
  /** Its position among others; new ones come last. */
  position?: number | undefined
  /** Values of the workspace’s custom fields, by their keys. */
  customFields?: Record<string, unknown> | null | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  externalIds?: readonly { source: string; id: string }[] | null | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: TaskImport | undefined
}

/** The history of an object that comes from another system. Needs the scope `imports:write`. */
export interface TaskImport {
  /** When it was made there: becomes its `createdAt`. */
  createdAt?: string | undefined
  updatedAt?: string | null | undefined
  /** The actor that created it. */
  createdBy?: { name: string; email?: string | null | undefined } | null | undefined
  /** When it ended there: becomes its `completedAt`. Only for what has ended. */
  completedAt?: string | undefined
  /** Its number there. Only as long as the project has numbered no task by itself. */
  number?: number | undefined
}

export interface TaskPatch {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  projectId?: string | undefined
  /** The display name. */
  title?: string | undefined
  /** A description for people. */
  description?: string | null | undefined
  /** The status. */
  status?: TaskStatus | undefined
  /** How urgent it is. */
  priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** The assigned members. */
  assigneeIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** The task that it is a part of. */
  parentTaskId?: string | null | undefined
  /** The tasks that must be done first. They must not form a cycle. */
  blockedByIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** CRM entities that it is about. */
  crmEntityIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Its files, whose bytes have been uploaded. */
  fileIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Tags to find it by. */
  labels?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** The estimated time. */
  estimateMinutes?: number | null | undefined
  /** Its position among others; new ones come last. */
  position?: number | undefined
  /** Values of the workspace’s custom fields, by their keys. */
  customFields?: Record<string, unknown> | null | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds?:
    | readonly { source: string; id: string }[]
    | {
        add?: readonly { source: string; id: string }[] | undefined
        remove?: readonly { source: string; id: string }[] | undefined
      }
    | null
    | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: TaskImport | undefined
}

export interface TaskReference {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'task'
  /** Key of the project and number, as in WEB-42. */
  identifier: string
  /** The display name. */
  title: string
  /** The status. */
  status: string
}

export type TaskStatus = 'backlog' | 'todo' | 'in_progress' | 'blocked' | 'done' | 'cancelled'

export interface TaskUpsert {
  /** What is done if the object exists: the given fields are set, only those that are empty are set, or nothing. */
  onMatch?: 'update' | 'fillEmpty' | 'skip' | undefined
  /** Restore the object if it is deleted, instead of failing. */
  restore?: boolean | undefined
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  projectId: string
  /** The display name. */
  title: string
  /** A description for people. */
  description?: string | null | undefined
  /** The status. */
  status?: TaskStatus | undefined
  /** How urgent it is. */
  priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** The assigned members. */
  assigneeIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** The task that it is a part of. */
  parentTaskId?: string | null | undefined
  /** The tasks that must be done first. They must not form a cycle. */
  blockedByIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** CRM entities that it is about. */
  crmEntityIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Its files, whose bytes have been uploaded. */
  fileIds?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  /** Tags to find it by. */
  labels?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** The estimated time. */
  estimateMinutes?: number | null | undefined
  /** Its position among others; new ones come last. */
  position?: number | undefined
  /** Values of the workspace’s custom fields, by their keys. */
  customFields?: Record<string, unknown> | null | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: TaskImport | undefined
  externalIds?: readonly { source: string; id: string }[] | null | undefined
}

export interface Timings {
  /** Looking up the name. */
  dns: number | null
  /** Connecting. */
  connect: number | null
  /** The TLS handshake. */
  tls: number | null
  /** Waiting for the response. */
  firstByte: number | null
}

export interface UploadAddress {
  /** The HTTP method. */
  method: 'PUT'
  /**
   * Send no API key with it: its signature stands for the key that requested it, with the rate limit and IP allowlist
   * of that key. Relative to the API if the installation has no `PUBLIC_URL`.
   */
  url: string
  /** RFC 3339, UTC, milliseconds. */
  expiresAt: string
}

export interface Webhook {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'webhook'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Actor
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  /** The display name. */
  name: string
  /**
   * An https URL on a public address, or in a sandbox that of the inspector. It is shown as it is requested, with the
   * host in punycode.
   */
  url: string
  /** Event types, all of a segment (`projects.*`), or all (`*`). */
  eventTypes: string[]
  /** The filter. */
  filter: { kinds?: CrmKind[]; projectIds?: string[]; changedFields?: string[]; values?: WebhookFilterValues } | null
  /**
   * Changes made with these keys are not delivered, so that a sync does not receive its own writes. A rotated key keeps
   * its id. Default: none.
   */
  ignoredKeyIds: string[]
  /** False: changes that are imports (events with `origin: "import"`) are not delivered. Default true. */
  includeImports: boolean
  /** `thin` leaves out `data`, `changes` and `related`. */
  payload: 'full' | 'thin'
  /**
   * `none`: deliveries are sent in parallel. `webhook`: one at a time, in the order of the events. `object`: one at a
   * time for each object. A failing delivery blocks those behind it until it is delivered or becomes a dead letter. A
   * change applies to later events. Default `none`.
   */
  order: 'none' | 'webhook' | 'object'
  maxPerMinute: number | null
  /** The scopes that it was granted, by whom and since when. */
  grants: { scopes: string[]; grantedBy: Actor; grantedAt: string }
  /** The names of the headers sent with every delivery. */
  headerNames: string[]
  /** The status. */
  status: WebhookStatus
  /** Why nothing more is sent. */
  disabledReason: string | null
  /** The secrets that deliveries are signed with. */
  secrets: { id: string; createdAt: string; expiresAt: string | null }[]
  /** Failed attempts since the last success. */
  consecutiveFailures: number
  /** The circuit of its endpoint. It opens after several failures in a row: timeouts, 5xx or no response. */
  circuit: { state: 'closed' | 'open' | 'half_open'; openUntil: string | null }
  /** The state of its endpoint, the next attempt, and what has failed. */
  health: {
    state: 'healthy' | 'failing'
    failingSince: string | null
    lastStatusCode: number | null
    lastErrorCode: string | null
    nextAttemptAt: string | null
    failedShare: number | null
  }
  /** Counts of the last 24 hours. */
  stats24h: {
    delivered: number
    failed: number
    pending: number
    retrying: number
    p50Ms: number | null
    p95Ms: number | null
  }
}

/**
 * Conditions by field. All must hold, with all of their parts; of the values of a part, any. `from`, `to`, `added` and
 * `removed` apply to `*.updated` events only, the other parts to every event about an object that can have the field.
 * Other events, and comments, are not affected. Null stands for an empty field.
 */
export interface WebhookFilterValues {
  /** The status. */
  status?: {
    is?: (
      | 'backlog'
      | 'todo'
      | 'in_progress'
      | 'blocked'
      | 'done'
      | 'cancelled'
      | 'planned'
      | 'active'
      | 'paused'
      | 'completed'
      | 'draft'
      | 'published'
      | 'archived'
    )[]
    from?: (
      | 'backlog'
      | 'todo'
      | 'in_progress'
      | 'blocked'
      | 'done'
      | 'cancelled'
      | 'planned'
      | 'active'
      | 'paused'
      | 'completed'
      | 'draft'
      | 'published'
      | 'archived'
    )[]
    to?: (
      | 'backlog'
      | 'todo'
      | 'in_progress'
      | 'blocked'
      | 'done'
      | 'cancelled'
      | 'planned'
      | 'active'
      | 'paused'
      | 'completed'
      | 'draft'
      | 'published'
      | 'archived'
    )[]
  }
  /** The stage of the deal. */
  stage?: { is?: DealStage[]; from?: DealStage[]; to?: DealStage[] }
  /** Whether it is on schedule. */
  health?: {
    is?: ('on_track' | 'at_risk' | 'off_track' | null)[]
    from?: ('on_track' | 'at_risk' | 'off_track' | null)[]
    to?: ('on_track' | 'at_risk' | 'off_track' | null)[]
  }
  /** How urgent it is. */
  priority?: {
    is?: ('none' | 'low' | 'medium' | 'high' | 'urgent')[]
    from?: ('none' | 'low' | 'medium' | 'high' | 'urgent')[]
    to?: ('none' | 'low' | 'medium' | 'high' | 'urgent')[]
  }
  /** The project that it belongs to. */
  projectId?: { is?: (string | null)[]; from?: (string | null)[]; to?: (string | null)[] }
  /** The member who is responsible. */
  ownerId?: { is?: (string | null)[]; from?: (string | null)[]; to?: (string | null)[] }
  /** The company that it belongs to. */
  companyId?: { is?: (string | null)[]; from?: (string | null)[]; to?: (string | null)[] }
  /** The company that this one is a part of. */
  parentCompanyId?: { is?: (string | null)[]; from?: (string | null)[]; to?: (string | null)[] }
  /** The CRM entity that it is about. */
  crmEntityId?: { is?: (string | null)[]; from?: (string | null)[]; to?: (string | null)[] }
  /** The task that it is a part of. */
  parentTaskId?: { is?: (string | null)[]; from?: (string | null)[]; to?: (string | null)[] }
  /** The assigned members. */
  assigneeIds?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** Members who work on it. */
  memberIds?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** Contacts of this deal. */
  contactIds?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** CRM entities that it is about. */
  crmEntityIds?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** Tasks that have to be done first. */
  blockedByIds?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** Tags to find it by. */
  labels?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** Tags to find it by. */
  tags?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** After the event it is in this currency, and above and below these bounds. */
  amount?: { currency: string; above?: string; below?: string }
}

/**
 * Conditions by field. All must hold, with all of their parts; of the values of a part, any. `from`, `to`, `added` and
 * `removed` apply to `*.updated` events only, the other parts to every event about an object that can have the field.
 * Other events, and comments, are not affected. Null stands for an empty field.
 */
export interface WebhookFilterValuesInput {
  /** The status. */
  status?: {
    is?: (
      | 'backlog'
      | 'todo'
      | 'in_progress'
      | 'blocked'
      | 'done'
      | 'cancelled'
      | 'planned'
      | 'active'
      | 'paused'
      | 'completed'
      | 'draft'
      | 'published'
      | 'archived'
    )[]
    from?: (
      | 'backlog'
      | 'todo'
      | 'in_progress'
      | 'blocked'
      | 'done'
      | 'cancelled'
      | 'planned'
      | 'active'
      | 'paused'
      | 'completed'
      | 'draft'
      | 'published'
      | 'archived'
    )[]
    to?: (
      | 'backlog'
      | 'todo'
      | 'in_progress'
      | 'blocked'
      | 'done'
      | 'cancelled'
      | 'planned'
      | 'active'
      | 'paused'
      | 'completed'
      | 'draft'
      | 'published'
      | 'archived'
    )[]
  }
  /** The stage of the deal. */
  stage?: { is?: DealStage[]; from?: DealStage[]; to?: DealStage[] }
  /** Whether it is on schedule. */
  health?: {
    is?: ('on_track' | 'at_risk' | 'off_track' | null)[]
    from?: ('on_track' | 'at_risk' | 'off_track' | null)[]
    to?: ('on_track' | 'at_risk' | 'off_track' | null)[]
  }
  /** How urgent it is. */
  priority?: {
    is?: ('none' | 'low' | 'medium' | 'high' | 'urgent')[]
    from?: ('none' | 'low' | 'medium' | 'high' | 'urgent')[]
    to?: ('none' | 'low' | 'medium' | 'high' | 'urgent')[]
  }
  /** The project that it belongs to. */
  projectId?: { is?: (string | null)[]; from?: (string | null)[]; to?: (string | null)[] }
  /** The member who is responsible. */
  ownerId?: { is?: (string | null)[]; from?: (string | null)[]; to?: (string | null)[] }
  /** The company that it belongs to. */
  companyId?: { is?: (string | null)[]; from?: (string | null)[]; to?: (string | null)[] }
  /** The company that this one is a part of. */
  parentCompanyId?: { is?: (string | null)[]; from?: (string | null)[]; to?: (string | null)[] }
  /** The CRM entity that it is about. */
  crmEntityId?: { is?: (string | null)[]; from?: (string | null)[]; to?: (string | null)[] }
  /** The task that it is a part of. */
  parentTaskId?: { is?: (string | null)[]; from?: (string | null)[]; to?: (string | null)[] }
  /** The assigned members. */
  assigneeIds?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** Members who work on it. */
  memberIds?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** Contacts of this deal. */
  contactIds?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** CRM entities that it is about. */
  crmEntityIds?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** Tasks that have to be done first. */
  blockedByIds?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** Tags to find it by. */
  labels?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** Tags to find it by. */
  tags?: { contains?: (string | null)[]; added?: string[]; removed?: string[] }
  /** After the event it is in this currency, and above and below these bounds. */
  amount?: { currency: string; above?: string; below?: string }
}

export interface WebhookStats {
  /** The type of the object. */
  object: 'webhook_stats'
  /** The webhook that it is sent to. */
  webhookId: string
  /** RFC 3339, UTC, milliseconds. */
  from: string
  /** RFC 3339, UTC, milliseconds. */
  to: string
  /** The total count. */
  total: {
    delivered: number
    failed: number
    pending: number
    retrying: number
    p50Ms: number | null
    p95Ms: number | null
  }
  /** The same by the hour. */
  hours: {
    from: string
    delivered: number
    failed: number
    pending: number
    retrying: number
    p50Ms: number | null
    p95Ms: number | null
  }[]
}

export type WebhookStatus = 'active' | 'paused' | 'disabled'

export interface WebhookWithSecret {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'webhook'
  /** The workspace that it belongs to. */
  workspaceId: string
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** The actor that created it. */
  createdBy: Actor
  /** The actor that changed it last. */
  updatedBy: Actor
  deletedAt: string | null
  /** The display name. */
  name: string
  /**
   * An https URL on a public address, or in a sandbox that of the inspector. It is shown as it is requested, with the
   * host in punycode.
   */
  url: string
  /** Event types, all of a segment (`projects.*`), or all (`*`). */
  eventTypes: string[]
  /** The filter. */
  filter: { kinds?: CrmKind[]; projectIds?: string[]; changedFields?: string[]; values?: WebhookFilterValues } | null
  /**
   * Changes made with these keys are not delivered, so that a sync does not receive its own writes. A rotated key keeps
   * its id. Default: none.
   */
  ignoredKeyIds: string[]
  /** False: changes that are imports (events with `origin: "import"`) are not delivered. Default true. */
  includeImports: boolean
  /** `thin` leaves out `data`, `changes` and `related`. */
  payload: 'full' | 'thin'
  /**
   * `none`: deliveries are sent in parallel. `webhook`: one at a time, in the order of the events. `object`: one at a
   * time for each object. A failing delivery blocks those behind it until it is delivered or becomes a dead letter. A
   * change applies to later events. Default `none`.
   */
  order: 'none' | 'webhook' | 'object'
  maxPerMinute: number | null
  /** The scopes that it was granted, by whom and since when. */
  grants: { scopes: string[]; grantedBy: Actor; grantedAt: string }
  /** The names of the headers sent with every delivery. */
  headerNames: string[]
  /** The status. */
  status: WebhookStatus
  /** Why nothing more is sent. */
  disabledReason: string | null
  /** The secrets that deliveries are signed with. */
  secrets: { id: string; createdAt: string; expiresAt: string | null }[]
  /** Failed attempts since the last success. */
  consecutiveFailures: number
  /** The circuit of its endpoint. It opens after several failures in a row: timeouts, 5xx or no response. */
  circuit: { state: 'closed' | 'open' | 'half_open'; openUntil: string | null }
  /** The state of its endpoint, the next attempt, and what has failed. */
  health: {
    state: 'healthy' | 'failing'
    failingSince: string | null
    lastStatusCode: number | null
    lastErrorCode: string | null
    nextAttemptAt: string | null
    failedShare: number | null
  }
  /** Counts of the last 24 hours. */
  stats24h: {
    delivered: number
    failed: number
    pending: number
    retrying: number
    p50Ms: number | null
    p95Ms: number | null
  }
  /** Shown only in this response. */
  secret: string
}

export interface Workspace {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'workspace'
  /** The display name. */
  name: string
  /** Unique. Lower case, digits, hyphens. */
  slug: string
  /** IANA time zone. */
  timeZone: string
  /** ISO 4217. */
  defaultCurrency: string
  defaultCountry: string | null
  /**
   * Uploaded files wait for a virus scanner: nobody reads them before `POST /files/{id}/release`. Changed in the
   * workspace settings only.
   */
  holdFiles: boolean
  /** Whether it is a sandbox: filled with sample data, which can be put back, and whose keys begin with `wsk_test_`. */
  sandbox: boolean
  /** The rules of the workspace for its keys. */
  apiPolicy: {
    maxKeyAgeDays: number | null
    requireIpAllowlist: boolean
    requireExpiry: boolean
    allowUnboundKeys: boolean
  }
  /** When each rule starts to deny keys that existed before it; null: since the rule exists. */
  apiPolicyFrom: {
    allowUnboundKeys: string | null
    requireIpAllowlist: string | null
    requireExpiry: string | null
    maxKeyAgeDays: { setAt: string; from: string; before: number | null } | null
  }
  /** Members need two-factor authentication, or sign in at the sign-in provider. */
  requireSecondFactor: boolean
  requireSecondFactorFrom: string | null
  /** Its plan: the rate limit of all keys together; null means the default. */
  rateLimit: { perMinute: number; burst: number } | null
  /** How much the workspace may hold: its quotas, which the operator sets. */
  quotas: {
    objects: number
    documentBytes: number
    fileBytes: number
    eventsPerDay: number
    apiKeys: number
    webhooks: number
    members: number
    invitations: number
    customFields: number
    sandboxes: number
  }
  suspendedAt: string | null
  /** The limits of this workspace. */
  limits: {
    keyRequestsPerMinute: number
    keyBurst: number
    workspaceRequestsPerMinute: number
    workspaceBurst: number
    webhooks: number
    customFieldsPerTarget: number
    pageItems: number
    batchItems: number
    bodyBytes: number
    bodyBytesPerCall: number
    documentBodyBytes: number
    mcpBodyBytes: number
    mcpBatchCalls: number
  }
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
}

export interface WorkspaceWithUsage {
  /** Its id. */
  id: string
  /** The type of the object. */
  object: 'workspace'
  /** The display name. */
  name: string
  /** Unique. Lower case, digits, hyphens. */
  slug: string
  /** IANA time zone. */
  timeZone: string
  /** ISO 4217. */
  defaultCurrency: string
  defaultCountry: string | null
  /**
   * Uploaded files wait for a virus scanner: nobody reads them before `POST /files/{id}/release`. Changed in the
   * workspace settings only.
   */
  holdFiles: boolean
  /** Whether it is a sandbox: filled with sample data, which can be put back, and whose keys begin with `wsk_test_`. */
  sandbox: boolean
  /** The rules of the workspace for its keys. */
  apiPolicy: {
    maxKeyAgeDays: number | null
    requireIpAllowlist: boolean
    requireExpiry: boolean
    allowUnboundKeys: boolean
  }
  /** When each rule starts to deny keys that existed before it; null: since the rule exists. */
  apiPolicyFrom: {
    allowUnboundKeys: string | null
    requireIpAllowlist: string | null
    requireExpiry: string | null
    maxKeyAgeDays: { setAt: string; from: string; before: number | null } | null
  }
  /** Members need two-factor authentication, or sign in at the sign-in provider. */
  requireSecondFactor: boolean
  requireSecondFactorFrom: string | null
  /** Its plan: the rate limit of all keys together; null means the default. */
  rateLimit: { perMinute: number; burst: number } | null
  /** How much the workspace may hold: its quotas, which the operator sets. */
  quotas: {
    objects: number
    documentBytes: number
    fileBytes: number
    eventsPerDay: number
    apiKeys: number
    webhooks: number
    members: number
    invitations: number
    customFields: number
    sandboxes: number
  }
  suspendedAt: string | null
  /** The limits of this workspace. */
  limits: {
    keyRequestsPerMinute: number
    keyBurst: number
    workspaceRequestsPerMinute: number
    workspaceBurst: number
    webhooks: number
    customFieldsPerTarget: number
    pageItems: number
    batchItems: number
    bodyBytes: number
    bodyBytesPerCall: number
    documentBodyBytes: number
    mcpBodyBytes: number
    mcpBatchCalls: number
  }
  /** Increases by one with every change. */
  version: number
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string
  /** RFC 3339, UTC, milliseconds. */
  updatedAt: string
  /** How much of each quota is used. */
  usage: {
    objects: number
    documentBytes: number
    fileBytes: number
    eventsPerDay: number
    apiKeys: number
    webhooks: number
    members: number
    invitations: number
    customFields: number
    sandboxes: number
  }
}

export type CommentField =
  | 'id'
  | 'object'
  | 'workspaceId'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
  | 'createdBy'
  | 'updatedBy'
  | 'deletedAt'
  | 'imported'
  | 'subject'
  | 'body'
  | 'fileIds'
  | 'externalSource'
  | 'externalId'
  | 'externalIds'
  | 'files'

export type CommentExpansion = 'files'

/** With what `expand` can add. */
export interface CommentExpanded extends Comment {
  /** The files that `fileIds` names. */
  files?: { id: string; object: 'file'; name: string; type: string; bytes: number; status: string }[]
}

export type CrmEntityField =
  | 'id'
  | 'object'
  | 'workspaceId'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
  | 'createdBy'
  | 'updatedBy'
  | 'deletedAt'
  | 'imported'
  | 'kind'
  | 'name'
  | 'domains'
  | 'website'
  | 'industry'
  | 'employeeCount'
  | 'emails'
  | 'phones'
  | 'address'
  | 'parentCompanyId'
  | 'ownerId'
  | 'labels'
  | 'description'
  | 'fileIds'
  | 'customFields'
  | 'externalSource'
  | 'externalId'
  | 'externalIds'
  | 'mergedIntoId'
  | 'firstName'
  | 'lastName'
  | 'jobTitle'
  | 'companyId'
  | 'stage'
  | 'amount'
  | 'probability'
  | 'expectedCloseDate'
  | 'lostReason'
  | 'contactIds'
  | 'closedAt'
  | 'owner'
  | 'company'
  | 'parentCompany'
  | 'contacts'
  | 'files'

export type CrmEntityExpansion = 'owner' | 'company' | 'parentCompany' | 'contacts' | 'files'

/** With what `expand` can add. */
export type CrmEntityExpanded = ShownCompany | ShownContact | ShownDeal

export type DocumentField =
  | 'id'
  | 'object'
  | 'workspaceId'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
  | 'createdBy'
  | 'updatedBy'
  | 'deletedAt'
  | 'imported'
  | 'title'
  | 'content'
  | 'summary'
  | 'folder'
  | 'tags'
  | 'status'
  | 'crmEntityId'
  | 'projectId'
  | 'fileIds'
  | 'externalSource'
  | 'externalId'
  | 'externalIds'
  | 'wordCount'
  | 'checksum'
  | 'project'
  | 'crmEntity'
  | 'files'

export type DocumentExpansion = 'project' | 'crmEntity' | 'files'

/** With what `expand` can add. */
export interface DocumentExpanded extends Document {
  /** The project that `projectId` names. */
  project?: ProjectReference | null
  /** The CRM entity that `crmEntityId` names. */
  crmEntity?: CrmEntityReference | null
  /** The files that `fileIds` names. */
  files?: { id: string; object: 'file'; name: string; type: string; bytes: number; status: string }[]
}

export type ProjectField =
  | 'id'
  | 'object'
  | 'workspaceId'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
  | 'createdBy'
  | 'updatedBy'
  | 'deletedAt'
  | 'imported'
  | 'key'
  | 'name'
  | 'description'
  | 'status'
  | 'health'
  | 'priority'
  | 'ownerId'
  | 'memberIds'
  | 'companyId'
  | 'labels'
  | 'startDate'
  | 'dueDate'
  | 'customFields'
  | 'externalSource'
  | 'externalId'
  | 'externalIds'
  | 'completedAt'
  | 'archivedAt'
  | 'owner'
  | 'members'
  | 'company'
  | 'taskCounts'

export type ProjectExpansion = 'owner' | 'members' | 'company' | 'taskCounts'

/** With what `expand` can add. */
export interface ProjectExpanded extends Project {
  /** The responsible member. */
  owner?: MemberReference | null
  /** The members that `memberIds` names. */
  members?: MemberReference[]
  /** The company that `companyId` names. */
  company?: CrmEntityReference | null
  /** Tasks by status. */
  taskCounts?: Record<string, number>
}

export type TaskField =
  | 'id'
  | 'object'
  | 'workspaceId'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
  | 'createdBy'
  | 'updatedBy'
  | 'deletedAt'
  | 'imported'
  | 'number'
  | 'identifier'
  | 'projectId'
  | 'title'
  | 'description'
  | 'status'
  | 'priority'
  | 'assigneeIds'
  | 'parentTaskId'
  | 'blockedByIds'
  | 'crmEntityIds'
  | 'fileIds'
  | 'labels'
  | 'startDate'
  | 'dueDate'
  | 'estimateMinutes'
  | 'position'
  | 'customFields'
  | 'externalSource'
  | 'externalId'
  | 'externalIds'
  | 'completedAt'
  | 'project'
  | 'assignees'
  | 'parentTask'
  | 'blockedBy'
  | 'crmEntities'
  | 'files'

export type TaskExpansion = 'project' | 'assignees' | 'parentTask' | 'blockedBy' | 'crmEntities' | 'files'

/** With what `expand` can add. */
export interface TaskExpanded extends Task {
  /** The project that `projectId` names. */
  project?: ProjectReference
  /** The members that `assigneeIds` names. */
  assignees?: MemberReference[]
  /** The task that `parentTaskId` names. */
  parentTask?: TaskReference | null
  /** The tasks that `blockedByIds` names. */
  blockedBy?: TaskReference[]
  /** The CRM entities that `crmEntityIds` names. */
  crmEntities?: CrmEntityReference[]
  /** The files that `fileIds` names. */
  files?: { id: string; object: 'file'; name: string; type: string; bytes: number; status: string }[]
}

export interface AuditEntriesListInput {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** Any of these: operation names, `tools.call`, `mcp`, `api-keys.rotation_due` or `webhooks.disabled`. */
  action?: readonly string[] | undefined
  /** The outcome. */
  outcome?: 'success' | 'denied' | 'failed' | undefined
  /**
   * From where: the workspace settings in a browser, the HTTP API with a key or with the operator’s token, MCP, the
   * command line, or the service itself.
   */
  surface?: 'console' | 'http' | 'mcp' | 'cli' | 'system' | undefined
  /** Only entries of what this key or member did. */
  actorId?: string | undefined
  /** Only entries about this key, webhook or other object. */
  targetId?: string | undefined
  /** Only entries of this request. */
  requestId?: string | undefined
  /**
   * Only entries with this text in action, actor, target, code, address, user agent or request id. Case does not
   * matter.
   */
  search?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
}

export type CommentBatchItem = BatchItem<CommentCreate, CommentPatch, CommentUpsert>

export interface CommentsBatchInput<
  F extends CommentField = CommentField,
  E extends CommentExpansion = CommentExpansion,
> {
  /** All of them or none. */
  atomic?: boolean | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
  /** 1 to 100, each with its own result. */
  items: readonly CommentBatchItem[]
}

export interface CommentsCountInput {
  /** Only the objects with these ids. */
  ids?: readonly string[] | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedBefore?: string | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  createdBy?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  updatedBy?: readonly string[] | undefined
  /** `any`: imported with its history; `none`: not. */
  imported?: 'none' | 'any' | undefined
  /** Imported, and made by a person with any of these addresses. */
  importedEmail?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  externalSource?: readonly string[] | undefined
  /** Any of these ids of the systems that `externalSource` names, which must be given as well. */
  externalId?: readonly string[] | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  subjectType?:
    | readonly ('tasks' | 'projects' | 'crm-entities' | '!tasks' | '!projects' | '!crm-entities')[]
    | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * identifiers or own ids. `none`: the field is empty. `any`: it is not empty.
   */
  taskId?: readonly string[] | undefined
  /**
   * Comments on these projects and on their tasks. Any of these values. In a query, separate them with commas. To
   * exclude values, put `!` before each of them. Ids, keys or own ids.
   */
  projectId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids, domains or emails. `none`: the field is empty. `any`: it is not empty.
   */
  crmEntityId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids.
   * `none`: the field is empty. `any`: it is not empty.
   */
  fileId?: readonly string[] | undefined
  /** Also count by the values of one field, or of two. */
  groupBy?: readonly ('externalSource' | 'createdAt:month' | 'updatedAt:month' | (string & {}))[] | undefined
  /** IANA time zone in which the times of a group `…:month` are read. Default: the workspace’s. */
  timeZone?: string | undefined
}

export interface CommentsCreateInput<
  F extends CommentField = CommentField,
  E extends CommentExpansion = CommentExpansion,
> extends CommentCreate {
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface CommentsDeleteInput {
  /** Its id, or your own id, `ext:erp/4711`. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface CommentsDeleteByExternalIdInput {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface CommentsGetInput<E extends CommentExpansion = CommentExpansion> {
  /** Its id, or your own id, `ext:erp/4711`. */
  id: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface CommentsGetByExternalIdInput<E extends CommentExpansion = CommentExpansion> {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface CommentsListInput<
  F extends CommentField = CommentField,
  E extends CommentExpansion = CommentExpansion,
  D extends boolean = boolean,
> {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** The sort fields in order of priority; a leading `-` sorts in descending order. */
  sort?: readonly ('createdAt' | 'updatedAt' | '-createdAt' | '-updatedAt')[] | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
  /** Deleted ones as `{ id, object, version, externalIds, deletedAt }`. */
  includeDeleted?: D | undefined
  /** Count all that match: `page.total`. */
  includeTotal?: boolean | undefined
  /** Only the objects with these ids. */
  ids?: readonly string[] | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedBefore?: string | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  createdBy?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  updatedBy?: readonly string[] | undefined
  /** `any`: imported with its history; `none`: not. */
  imported?: 'none' | 'any' | undefined
  /** Imported, and made by a person with any of these addresses. */
  importedEmail?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  externalSource?: readonly string[] | undefined
  /** Any of these ids of the systems that `externalSource` names, which must be given as well. */
  externalId?: readonly string[] | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  subjectType?:
    | readonly ('tasks' | 'projects' | 'crm-entities' | '!tasks' | '!projects' | '!crm-entities')[]
    | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * identifiers or own ids. `none`: the field is empty. `any`: it is not empty.
   */
  taskId?: readonly string[] | undefined
  /**
   * Comments on these projects and on their tasks. Any of these values. In a query, separate them with commas. To
   * exclude values, put `!` before each of them. Ids, keys or own ids.
   */
  projectId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids, domains or emails. `none`: the field is empty. `any`: it is not empty.
   */
  crmEntityId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids.
   * `none`: the field is empty. `any`: it is not empty.
   */
  fileId?: readonly string[] | undefined
}

export interface CommentsPurgeInput {
  /** Its id, or your own id, `ext:erp/4711`. */
  id: string
}

export interface CommentsRemoveExternalIdInput {
  /** Its id, or your own id, `ext:erp/4711`. */
  id: string
  /** The system that it came from. */
  source: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface CommentsRestoreInput<
  F extends CommentField = CommentField,
  E extends CommentExpansion = CommentExpansion,
> {
  /** Its id, or your own id, `ext:erp/4711`. */
  id: string
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface CommentsSetExternalIdInput {
  /** Its id, or your own id, `ext:erp/4711`. */
  id: string
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface CommentsUpdateInput<
  F extends CommentField = CommentField,
  E extends CommentExpansion = CommentExpansion,
> extends CommentPatch {
  /** Its id, or your own id, `ext:erp/4711`. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface CommentsUpsertInput<
  F extends CommentField = CommentField,
  E extends CommentExpansion = CommentExpansion,
> extends CommentUpsert {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Refuse where it exists. */
  createOnly?: boolean | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export type CrmEntityBatchItem = BatchItem<CrmEntityCreate, CrmEntityPatch, CrmEntityUpsert>

export interface CrmEntitiesBatchInput<
  F extends CrmEntityField = CrmEntityField,
  E extends CrmEntityExpansion = CrmEntityExpansion,
> {
  /** All of them or none. */
  atomic?: boolean | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
  /** 1 to 100, each with its own result. */
  items: readonly CrmEntityBatchItem[]
}

export interface CrmEntitiesCountInput {
  /**
   * Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean
   * or Thai character.
   */
  q?: string | undefined
  /** Only the objects with these ids. */
  ids?: readonly string[] | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedBefore?: string | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  createdBy?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  updatedBy?: readonly string[] | undefined
  /** `any`: imported with its history; `none`: not. */
  imported?: 'none' | 'any' | undefined
  /** Imported, and made by a person with any of these addresses. */
  importedEmail?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  externalSource?: readonly string[] | undefined
  /** Any of these ids of the systems that `externalSource` names, which must be given as well. */
  externalId?: readonly string[] | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  kind?: readonly ('company' | 'contact' | 'deal' | '!company' | '!contact' | '!deal')[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty.
   */
  stage?:
    | readonly (
        | 'new'
        | 'qualified'
        | 'proposal'
        | 'negotiation'
        | 'won'
        | 'lost'
        | 'none'
        | '!new'
        | '!qualified'
        | '!proposal'
        | '!negotiation'
        | '!won'
        | '!lost'
        | '!none'
        | 'any'
      )[]
    | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or
   * emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty.
   */
  ownerId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids or domains. `none`: the field is empty. `any`: it is not empty.
   */
  companyId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids or domains. `none`: the field is empty. `any`: it is not empty.
   */
  parentCompanyId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids or emails. `none`: the field is empty. `any`: it is not empty.
   */
  contactId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids.
   * `none`: the field is empty. `any`: it is not empty.
   */
  fileId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  labels?: readonly string[] | undefined
  /**
   * All of these. Write a value that begins with `!` as `\!…`, and the values `none` and `any` as `\none` and `\any`.
   * In a query, write a comma in a value as `\,`.
   */
  labelsAll?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  domain?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  email?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Numbers with or without a country code. A country code begins with `+`;
   * in a query, write it as `%2B`.
   */
  phone?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Currencies of ISO 4217.
   */
  amountCurrency?: readonly string[] | undefined
  /** Exclusive; a decimal in the one currency that `amountCurrency` names. */
  amountAbove?: string | undefined
  /** Exclusive; a decimal in the one currency that `amountCurrency` names. */
  amountBelow?: string | undefined
  /** YYYY-MM-DD. */
  expectedCloseAfter?: string | undefined
  /** YYYY-MM-DD. */
  expectedCloseBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  expectedCloseDate?: 'none' | 'any' | undefined
  /** RFC 3339, UTC, milliseconds. */
  closedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  closedBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  closedAt?: 'none' | 'any' | undefined
  /**
   * By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is
   * empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`.
   */
  customFields?:
    | Record<string, { eq?: readonly string[] | undefined; gte?: string | undefined; lte?: string | undefined }>
    | undefined
  /** Also count by the values of one field, or of two. */
  groupBy?:
    | readonly (
        | 'kind'
        | 'stage'
        | 'ownerId'
        | 'companyId'
        | 'parentCompanyId'
        | 'contactId'
        | 'industry'
        | 'labels'
        | 'createdAt:month'
        | 'updatedAt:month'
        | 'closedAt:month'
        | 'expectedCloseDate:month'
        | (string & {})
      )[]
    | undefined
  /** Also add up this field, amounts by their currency. */
  sum?: 'amount' | undefined
  /** IANA time zone in which the times of a group `…:month` are read. Default: the workspace’s. */
  timeZone?: string | undefined
}

export interface CrmEntitiesCreateInput<
  F extends CrmEntityField = CrmEntityField,
  E extends CrmEntityExpansion = CrmEntityExpansion,
> extends CrmEntityCreate {
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface CrmEntitiesCreateCommentInput {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /** Markdown. */
  body: string
  /** Its files, whose bytes have been uploaded. */
  fileIds?: readonly string[] | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds?: readonly { source: string; id: string }[] | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: AnyImport | undefined
}

export interface CrmEntitiesDeleteInput {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface CrmEntitiesDeleteByExternalIdInput {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface CrmEntitiesDeleteCommentInput {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /** Its id, or your own id, `ext:erp/4711`. */
  commentId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface CrmEntitiesGetInput<E extends CrmEntityExpansion = CrmEntityExpansion> {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface CrmEntitiesGetByExternalIdInput<E extends CrmEntityExpansion = CrmEntityExpansion> {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface CrmEntitiesGetCommentInput {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /** Its id, or your own id, `ext:erp/4711`. */
  commentId: string
}

export interface CrmEntitiesHistoryInput {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Changes of these fields only. */
  field?:
    | readonly (
        | 'imported'
        | 'kind'
        | 'name'
        | 'domains'
        | 'website'
        | 'industry'
        | 'employeeCount'
        | 'emails'
        | 'phones'
        | 'address'
        | 'parentCompanyId'
        | 'ownerId'
        | 'labels'
        | 'description'
        | 'fileIds'
        | 'customFields'
        | 'externalSource'
        | 'externalId'
        | 'externalIds'
        | 'mergedIntoId'
        | 'firstName'
        | 'lastName'
        | 'jobTitle'
        | 'companyId'
        | 'stage'
        | 'amount'
        | 'probability'
        | 'expectedCloseDate'
        | 'lostReason'
        | 'contactIds'
        | 'closedAt'
      )[]
    | undefined
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
}

export interface CrmEntitiesListInput<
  F extends CrmEntityField = CrmEntityField,
  E extends CrmEntityExpansion = CrmEntityExpansion,
  D extends boolean = boolean,
> {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** The sort fields in order of priority; a leading `-` sorts in descending order. */
  sort?:
    | readonly ('createdAt' | 'updatedAt' | 'name' | 'amount' | '-createdAt' | '-updatedAt' | '-name' | '-amount')[]
    | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
  /** Deleted ones as `{ id, object, version, externalIds, deletedAt }`. */
  includeDeleted?: D | undefined
  /** Count all that match: `page.total`. */
  includeTotal?: boolean | undefined
  /**
   * Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean
   * or Thai character.
   */
  q?: string | undefined
  /** Only the objects with these ids. */
  ids?: readonly string[] | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedBefore?: string | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  createdBy?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  updatedBy?: readonly string[] | undefined
  /** `any`: imported with its history; `none`: not. */
  imported?: 'none' | 'any' | undefined
  /** Imported, and made by a person with any of these addresses. */
  importedEmail?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  externalSource?: readonly string[] | undefined
  /** Any of these ids of the systems that `externalSource` names, which must be given as well. */
  externalId?: readonly string[] | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  kind?: readonly ('company' | 'contact' | 'deal' | '!company' | '!contact' | '!deal')[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty.
   */
  stage?:
    | readonly (
        | 'new'
        | 'qualified'
        | 'proposal'
        | 'negotiation'
        | 'won'
        | 'lost'
        | 'none'
        | '!new'
        | '!qualified'
        | '!proposal'
        | '!negotiation'
        | '!won'
        | '!lost'
        | '!none'
        | 'any'
      )[]
    | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or
   * emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty.
   */
  ownerId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids or domains. `none`: the field is empty. `any`: it is not empty.
   */
  companyId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids or domains. `none`: the field is empty. `any`: it is not empty.
   */
  parentCompanyId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids or emails. `none`: the field is empty. `any`: it is not empty.
   */
  contactId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids.
   * `none`: the field is empty. `any`: it is not empty.
   */
  fileId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  labels?: readonly string[] | undefined
  /**
   * All of these. Write a value that begins with `!` as `\!…`, and the values `none` and `any` as `\none` and `\any`.
   * In a query, write a comma in a value as `\,`.
   */
  labelsAll?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  domain?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  email?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Numbers with or without a country code. A country code begins with `+`;
   * in a query, write it as `%2B`.
   */
  phone?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Currencies of ISO 4217.
   */
  amountCurrency?: readonly string[] | undefined
  /** Exclusive; a decimal in the one currency that `amountCurrency` names. */
  amountAbove?: string | undefined
  /** Exclusive; a decimal in the one currency that `amountCurrency` names. */
  amountBelow?: string | undefined
  /** YYYY-MM-DD. */
  expectedCloseAfter?: string | undefined
  /** YYYY-MM-DD. */
  expectedCloseBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  expectedCloseDate?: 'none' | 'any' | undefined
  /** RFC 3339, UTC, milliseconds. */
  closedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  closedBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  closedAt?: 'none' | 'any' | undefined
  /**
   * By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is
   * empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`.
   */
  customFields?:
    | Record<string, { eq?: readonly string[] | undefined; gte?: string | undefined; lte?: string | undefined }>
    | undefined
}

export interface CrmEntitiesListCommentsInput {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** The sort order; a leading `-` sorts in descending order. */
  sort?: 'createdAt' | '-createdAt' | undefined
}

export interface CrmEntitiesMergeInput {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  sourceId: string
}

export interface CrmEntitiesPurgeInput {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
}

export interface CrmEntitiesRemoveExternalIdInput {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /** The system that it came from. */
  source: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface CrmEntitiesRestoreInput<
  F extends CrmEntityField = CrmEntityField,
  E extends CrmEntityExpansion = CrmEntityExpansion,
> {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface CrmEntitiesSetExternalIdInput {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface CrmEntitiesUpdateInput<
  F extends CrmEntityField = CrmEntityField,
  E extends CrmEntityExpansion = CrmEntityExpansion,
> extends CrmEntityPatch {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface CrmEntitiesUpdateCommentInput {
  /**
   * Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact,
   * `email:ada@example.com`.
   */
  id: string
  /** Its id, or your own id, `ext:erp/4711`. */
  commentId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Markdown. */
  body?: string | undefined
  /** Its files, whose bytes have been uploaded. */
  fileIds?: readonly string[] | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds?: readonly { source: string; id: string }[] | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: AnyImport | undefined
}

export interface CrmEntitiesUpsertInput<
  F extends CrmEntityField = CrmEntityField,
  E extends CrmEntityExpansion = CrmEntityExpansion,
> extends CrmEntityUpsert {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Refuse where it exists. */
  createOnly?: boolean | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface CustomFieldsArchiveInput {
  /** Its id. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface CustomFieldsCreateInput {
  /** The name in `customFields`. It never changes. */
  key: string
  /** What it is about. */
  target: CustomFieldTarget
  /** The kind. */
  type: 'text' | 'number' | 'date' | 'boolean' | 'select' | 'multi_select' | 'user' | 'url'
  /** The display name. */
  label: string
  /** Required for `select` and `multi_select`; no other type takes options. */
  options?: readonly string[] | undefined
  /** An object cannot be created without a value. */
  required?: boolean | undefined
}

export interface CustomFieldsGetInput {
  /** Its id. */
  id: string
}

export interface CustomFieldsListInput {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** Any of these. */
  target?: readonly CustomFieldTarget[] | undefined
  /** Archived ones as well. */
  includeArchived?: boolean | undefined
}

export interface CustomFieldsUnarchiveInput {
  /** Its id. */
  id: string
}

export interface CustomFieldsUpdateInput {
  /** Its id. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** The display name. */
  label?: string | undefined
  /** Required for `select` and `multi_select`; no other type takes options. */
  options?: readonly string[] | undefined
  /** An object cannot be created without a value. */
  required?: boolean | undefined
}

export interface DeliveriesAttemptsInput {
  /** Its id. */
  id: string
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
}

export interface DeliveriesCancelReplayJobInput {
  /** Its id. */
  id: string
}

export interface DeliveriesGetInput {
  /** Its id. */
  id: string
}

export interface DeliveriesGetReplayJobInput {
  /** Its id. */
  id: string
}

export interface DeliveriesListInput {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** Any of these. */
  status?: readonly DeliveryStatus[] | undefined
  /** The webhook that it is sent to. */
  webhookId?: string | undefined
  /** Event types, or all of a segment (`projects.*`). */
  eventTypes?: readonly string[] | undefined
  /** The recorded event. */
  eventId?: string | undefined
  /**
   * The request that caused the events: `X-Request-Id` of its response. If many requests share it, their newest 1000
   * events count.
   */
  requestId?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
}

export interface DeliveriesReplayInput {
  /** Its id. */
  id: string
}

export interface DeliveriesReplayManyInput {
  /** The filter. */
  filter: {
    webhookId?: string | undefined
    eventTypes?: readonly string[] | undefined
    status?: readonly DeliveryStatus[] | undefined
    createdAfter?: string | undefined
    createdBefore?: string | undefined
    ids?: readonly string[] | undefined
  }
  /**
   * The maximum of deliveries restarted a minute, across restarts of a process. Default: no limit. The limits of their
   * webhooks decide how fast they are then sent.
   */
  perMinute?: number | undefined
  /** Only count what would be done. */
  dryRun?: boolean | undefined
}

export type DocumentBatchItem = BatchItem<DocumentCreate, DocumentPatch, DocumentUpsert>

export interface DocumentsBatchInput<
  F extends DocumentField = DocumentField,
  E extends DocumentExpansion = DocumentExpansion,
> {
  /** All of them or none. */
  atomic?: boolean | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
  /** 1 to 100, each with its own result. */
  items: readonly DocumentBatchItem[]
}

export interface DocumentsCountInput {
  /**
   * Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean
   * or Thai character.
   */
  q?: string | undefined
  /** Only the objects with these ids. */
  ids?: readonly string[] | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedBefore?: string | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  createdBy?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  updatedBy?: readonly string[] | undefined
  /** `any`: imported with its history; `none`: not. */
  imported?: 'none' | 'any' | undefined
  /** Imported, and made by a person with any of these addresses. */
  importedEmail?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  externalSource?: readonly string[] | undefined
  /** Any of these ids of the systems that `externalSource` names, which must be given as well. */
  externalId?: readonly string[] | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  status?: readonly ('draft' | 'published' | 'archived' | '!draft' | '!published' | '!archived')[] | undefined
  /** Archived ones as well; those that `status` names are always included. */
  includeArchived?: boolean | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  tags?: readonly string[] | undefined
  /**
   * All of these. Write a value that begins with `!` as `\!…`, and the values `none` and `any` as `\none` and `\any`.
   * In a query, write a comma in a value as `\,`.
   */
  tagsAll?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  folder?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * keys or own ids. `none`: the field is empty. `any`: it is not empty.
   */
  projectId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids, domains or emails. `none`: the field is empty. `any`: it is not empty.
   */
  crmEntityId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids.
   * `none`: the field is empty. `any`: it is not empty.
   */
  fileId?: readonly string[] | undefined
  /** Also count by the values of one field, or of two. */
  groupBy?:
    | readonly (
        | 'status'
        | 'folder'
        | 'projectId'
        | 'crmEntityId'
        | 'tags'
        | 'createdAt:month'
        | 'updatedAt:month'
        | (string & {})
      )[]
    | undefined
  /** IANA time zone in which the times of a group `…:month` are read. Default: the workspace’s. */
  timeZone?: string | undefined
}

export interface DocumentsCreateInput<
  F extends DocumentField = DocumentField,
  E extends DocumentExpansion = DocumentExpansion,
> extends DocumentCreate {
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface DocumentsDeleteInput {
  /** Its id, or your own id, `ext:wiki/42`. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface DocumentsDeleteByExternalIdInput {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface DocumentsEditInput {
  /** Its id, or your own id, `ext:wiki/42`. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Edit only this section, by its number in the outline or its heading. Other text stays as it is. */
  section?: string | undefined
  /** Made in this order. */
  edits: readonly { find: string; replace: string; all?: boolean | undefined }[]
}

export interface DocumentsGetInput<E extends DocumentExpansion = DocumentExpansion> {
  /** Its id, or your own id, `ext:wiki/42`. */
  id: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface DocumentsGetByExternalIdInput<E extends DocumentExpansion = DocumentExpansion> {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface DocumentsHistoryInput {
  /** Its id, or your own id, `ext:wiki/42`. */
  id: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Changes of these fields only. */
  field?:
    | readonly (
        | 'imported'
        | 'title'
        | 'summary'
        | 'folder'
        | 'tags'
        | 'status'
        | 'crmEntityId'
        | 'projectId'
        | 'fileIds'
        | 'externalSource'
        | 'externalId'
        | 'externalIds'
        | 'wordCount'
        | 'checksum'
      )[]
    | undefined
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
}

export interface DocumentsListInput<
  F extends DocumentField = DocumentField,
  E extends DocumentExpansion = DocumentExpansion,
  D extends boolean = boolean,
> {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** The sort fields in order of priority; a leading `-` sorts in descending order. */
  sort?: readonly ('createdAt' | 'updatedAt' | 'title' | '-createdAt' | '-updatedAt' | '-title')[] | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
  /** Deleted ones as `{ id, object, version, externalIds, deletedAt }`. */
  includeDeleted?: D | undefined
  /** Count all that match: `page.total`. */
  includeTotal?: boolean | undefined
  /**
   * Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean
   * or Thai character.
   */
  q?: string | undefined
  /** Only the objects with these ids. */
  ids?: readonly string[] | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedBefore?: string | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  createdBy?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  updatedBy?: readonly string[] | undefined
  /** `any`: imported with its history; `none`: not. */
  imported?: 'none' | 'any' | undefined
  /** Imported, and made by a person with any of these addresses. */
  importedEmail?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  externalSource?: readonly string[] | undefined
  /** Any of these ids of the systems that `externalSource` names, which must be given as well. */
  externalId?: readonly string[] | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  status?: readonly ('draft' | 'published' | 'archived' | '!draft' | '!published' | '!archived')[] | undefined
  /** Archived ones as well; those that `status` names are always included. */
  includeArchived?: boolean | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  tags?: readonly string[] | undefined
  /**
   * All of these. Write a value that begins with `!` as `\!…`, and the values `none` and `any` as `\none` and `\any`.
   * In a query, write a comma in a value as `\,`.
   */
  tagsAll?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  folder?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * keys or own ids. `none`: the field is empty. `any`: it is not empty.
   */
  projectId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids, domains or emails. `none`: the field is empty. `any`: it is not empty.
   */
  crmEntityId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids.
   * `none`: the field is empty. `any`: it is not empty.
   */
  fileId?: readonly string[] | undefined
}

export interface DocumentsPurgeInput {
  /** Its id, or your own id, `ext:wiki/42`. */
  id: string
}

export interface DocumentsReadContentInput {
  /** Its id, or your own id, `ext:wiki/42`. */
  id: string
  /**
   * The number of a section in the outline, `2.1`, or its heading, `Opening hours` or `## Opening hours`. Its
   * subsections are included. Cannot be combined with lines.
   */
  section?: string | undefined
  /** The first line, counted from 1. */
  fromLine?: number | undefined
  /** The last line. A value beyond the end means the last line. */
  toLine?: number | undefined
  /** The maximum bytes of the whole lines in UTF-8; at least one line is returned. `nextLine` is where to continue. */
  maxBytes?: number | undefined
}

export interface DocumentsRemoveExternalIdInput {
  /** Its id, or your own id, `ext:wiki/42`. */
  id: string
  /** The system that it came from. */
  source: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface DocumentsRestoreInput<
  F extends DocumentField = DocumentField,
  E extends DocumentExpansion = DocumentExpansion,
> {
  /** Its id, or your own id, `ext:wiki/42`. */
  id: string
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface DocumentsSetExternalIdInput {
  /** Its id, or your own id, `ext:wiki/42`. */
  id: string
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface DocumentsUpdateInput<
  F extends DocumentField = DocumentField,
  E extends DocumentExpansion = DocumentExpansion,
> extends DocumentPatch {
  /** Its id, or your own id, `ext:wiki/42`. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface DocumentsUpsertInput<
  F extends DocumentField = DocumentField,
  E extends DocumentExpansion = DocumentExpansion,
> extends DocumentUpsert {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Refuse where it exists. */
  createOnly?: boolean | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface EventTypesTriggerInput {
  /** The event type. */
  eventType: string
  /**
   * The object that the event is about. Not for events about comments, dead letters and the workspace, which are made
   * from an example.
   */
  objectId?: string | undefined
  /** Sends it to this webhook only, which must subscribe to the event type. */
  webhookId?: string | undefined
}

export interface EventsGetInput {
  /** Its id. */
  id: string
}

export interface EventsListInput {
  /**
   * Default: the oldest kept event (30 days). An older position returns 410 `cursor_expired`. A position that a restore
   * from a backup has undone returns 410 `feed_rewound`, and one beyond the end of the feed returns 400.
   */
  after?: number | undefined
  /**
   * Instead of `after`: starts at the first kept event after this time. A time in the future is the end of the feed: no
   * events, and in `lastSequence` the position from which to go on.
   */
  occurredAfter?: string | undefined
  /** Event types, or all of a segment (`projects.*`). Default: all that the key may read. */
  eventTypes?: readonly string[] | undefined
  /**
   * Only events whose `resource` is this object: of a task, a project or a CRM entity also those of the comments on it.
   */
  resourceId?: string | undefined
  /** Only events of what this API key or this member has done. */
  actorId?: string | undefined
  /** Only events with this text, in names and values of any field. Case does not matter. */
  search?: string | undefined
  /** The maximum number of events. */
  limit?: number | undefined
  /** Seconds to wait if there is no event yet. Under load, it may respond at once. */
  wait?: number | undefined
}

export interface FilesCreateInput {
  /** With its ending, without folders. */
  name: string
  /** Its size. */
  bytes: number
  /**
   * Media type in lower case without parameters, such as `application/pdf`. Bytes of another type are rejected;
   * `application/octet-stream` takes any.
   */
  type?: string | undefined
  /** SHA-256 of its bytes, in hex. */
  sha256?: string | undefined
}

export interface FilesCreateDownloadAddressInput {
  /** Its id. */
  id: string
  /** How long it is valid. */
  expiresInSeconds?: number | undefined
}

export interface FilesDeleteInput {
  /** Its id. */
  id: string
}

export interface FilesDownloadInput {
  /** Its id. */
  id: string
}

export interface FilesGetInput {
  /** Its id. */
  id: string
}

export interface FilesListInput {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** The sort order; a leading `-` sorts in descending order. */
  sort?: 'createdAt' | '-createdAt' | undefined
  /** Any of these. */
  status?: readonly FileStatus[] | undefined
  /** Only files that an object names, or only those that none does. */
  attached?: boolean | undefined
  /** Deleted ones in place of the others. */
  deleted?: boolean | undefined
}

export interface FilesPurgeInput {
  /** Its id. */
  id: string
}

export interface FilesQuarantineInput {
  /** Its id. */
  id: string
  /** What was found, for people. */
  reason?: string | undefined
}

export interface FilesReleaseInput {
  /** Its id. */
  id: string
}

export interface FilesRestoreInput {
  /** Its id. */
  id: string
}

export interface FilesUploadInput {
  /** Its id. */
  id: string
}

export interface JobsCancelInput {
  /** Its id. */
  id: string
}

export interface JobsCreateInput {
  /** What the job does. */
  kind: 'export' | 'import' | 'update' | 'delete'
  /** What is exported. Default: all that the key may read. */
  resources?:
    | readonly (
        | 'members'
        | 'custom-fields'
        | 'files'
        | 'crm-entities'
        | 'projects'
        | 'tasks'
        | 'documents'
        | 'comments'
      )[]
    | undefined
  /** The collection. Of every kind but an `export`. */
  resource?: 'projects' | 'tasks' | 'crm-entities' | 'documents' | undefined
  /**
   * Of an `update` or a `delete`: which objects, by the filters of the list of `resource`, several values of one as a
   * JSON array. `{"ids":["…"]}`, `{"status":["done"],"updatedBefore":"…"}`.
   */
  filter?: Record<string, unknown> | undefined
  /** Of an `update`: the changes, as the body of `PATCH /{resource}/{id}`. */
  changes?: Record<string, unknown> | undefined
  /** Of an `update` or a `delete`: no more objects than this are changed. Required unless it is a dry run. */
  confirmedTotal?: number | undefined
  /**
   * Of an `import`: JSON lines, each the body of a request that creates an object, or CSV with the names of the columns
   * in its first line. Either may be compressed with gzip.
   */
  format?: 'ndjson' | 'csv' | undefined
  /** Of an `import`: the rows themselves. */
  text?: string | undefined
  /** Of an `import`: an uploaded file with the rows, in place of `text`. Needs `files:read`. */
  fileId?: string | undefined
  /** Of an `import`. Default: as its byte order mark says, otherwise `utf-8`. */
  charset?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'iso-8859-1' | 'iso-8859-15' | undefined
  /** Of an `import` of CSV. Default: the one that the first line has most of. */
  delimiter?: ',' | ';' | '	' | '|' | undefined
  /**
   * Of an `import` of CSV: the field of each column; null leaves a column out, and no column may be missing. Default:
   * columns have the names of their fields.
   */
  mapping?:
    | Record<
        string,
        | string
        | { field: string; separator?: string | undefined; as?: 'string' | 'number' | 'boolean' | undefined }
        | null
      >
    | undefined
  /** Of an `import`: values of fields that a row does not have, such as `{"kind":"company","externalSource":"erp"}`. */
  defaults?: Record<string, unknown> | undefined
  /**
   * An `update` or a `delete` only counts the objects, in the response. An `import` checks each batch of rows by
   * itself, and keeps nothing.
   */
  dryRun?: boolean | undefined
}

export interface JobsGetInput {
  /** Its id. */
  id: string
}

export interface JobsListInput {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** Any of these. */
  kind?: readonly ('export' | 'import' | 'update' | 'delete')[] | undefined
  /** Any of these. */
  status?: readonly JobStatus[] | undefined
}

export interface JobsRefusalsInput {
  /** Its id. */
  id: string
}

export interface JobsResultInput {
  /** Its id. */
  id: string
}

export interface MeRotateInput {
  /** Hours for which the old secret keeps working. */
  overlapHours?: number | undefined
}

export interface MembersGetInput {
  /** Its id, its email, or `me`: the key’s owner. */
  id: string
}

export interface MembersListInput {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** The sort order; a leading `-` sorts in descending order. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | 'name' | '-name' | undefined
  /** Any of these. */
  role?: readonly ('owner' | 'admin' | 'member' | 'viewer')[] | undefined
  /** Any of these. */
  status?: readonly MemberStatus[] | undefined
  /** A part of the name or the email. */
  q?: string | undefined
  /** Any of these, whole; capitals do not matter. */
  email?: readonly string[] | undefined
  /** Any of these. */
  ids?: readonly string[] | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedBefore?: string | undefined
  /** Deleted ones as well, as their id, version and time of deletion. */
  includeDeleted?: boolean | undefined
}

export interface ProjectsArchiveInput {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
}

export type ProjectBatchItem = BatchItem<ProjectCreate, ProjectPatch, ProjectUpsert>

export interface ProjectsBatchInput<
  F extends ProjectField = ProjectField,
  E extends ProjectExpansion = ProjectExpansion,
> {
  /** All of them or none. */
  atomic?: boolean | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
  /** 1 to 100, each with its own result. */
  items: readonly ProjectBatchItem[]
}

export interface ProjectsCountInput {
  /**
   * Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean
   * or Thai character.
   */
  q?: string | undefined
  /** Only the objects with these ids. */
  ids?: readonly string[] | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedBefore?: string | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  createdBy?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  updatedBy?: readonly string[] | undefined
  /** `any`: imported with its history; `none`: not. */
  imported?: 'none' | 'any' | undefined
  /** Imported, and made by a person with any of these addresses. */
  importedEmail?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  externalSource?: readonly string[] | undefined
  /** Any of these ids of the systems that `externalSource` names, which must be given as well. */
  externalId?: readonly string[] | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  status?:
    | readonly (
        | 'planned'
        | 'active'
        | 'paused'
        | 'completed'
        | 'cancelled'
        | '!planned'
        | '!active'
        | '!paused'
        | '!completed'
        | '!cancelled'
      )[]
    | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty.
   */
  health?:
    | readonly (
        | 'on_track'
        | 'at_risk'
        | 'off_track'
        | 'none'
        | '!on_track'
        | '!at_risk'
        | '!off_track'
        | '!none'
        | 'any'
      )[]
    | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  priority?:
    | readonly ('none' | 'low' | 'medium' | 'high' | 'urgent' | '!none' | '!low' | '!medium' | '!high' | '!urgent')[]
    | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  labels?: readonly string[] | undefined
  /**
   * All of these. Write a value that begins with `!` as `\!…`, and the values `none` and `any` as `\none` and `\any`.
   * In a query, write a comma in a value as `\,`.
   */
  labelsAll?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or
   * emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty.
   */
  ownerId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or
   * emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty.
   */
  memberId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids or domains. `none`: the field is empty. `any`: it is not empty.
   */
  companyId?: readonly string[] | undefined
  /** YYYY-MM-DD. */
  startAfter?: string | undefined
  /** YYYY-MM-DD. */
  startBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  startDate?: 'none' | 'any' | undefined
  /** YYYY-MM-DD. */
  dueAfter?: string | undefined
  /** YYYY-MM-DD. */
  dueBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  dueDate?: 'none' | 'any' | undefined
  /** RFC 3339, UTC, milliseconds. */
  completedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  completedBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  completedAt?: 'none' | 'any' | undefined
  /** RFC 3339, UTC, milliseconds. */
  archivedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  archivedBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  archivedAt?: 'none' | 'any' | undefined
  /** Archived ones as well; a filter by `archivedAt` finds them anyway. */
  includeArchived?: boolean | undefined
  /**
   * By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is
   * empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`.
   */
  customFields?:
    | Record<string, { eq?: readonly string[] | undefined; gte?: string | undefined; lte?: string | undefined }>
    | undefined
  /** Also count by the values of one field, or of two. */
  groupBy?:
    | readonly (
        | 'status'
        | 'health'
        | 'priority'
        | 'ownerId'
        | 'memberId'
        | 'companyId'
        | 'labels'
        | 'createdAt:month'
        | 'updatedAt:month'
        | 'completedAt:month'
        | 'archivedAt:month'
        | 'startDate:month'
        | 'dueDate:month'
        | (string & {})
      )[]
    | undefined
  /** IANA time zone in which the times of a group `…:month` are read. Default: the workspace’s. */
  timeZone?: string | undefined
}

export interface ProjectsCreateInput<
  F extends ProjectField = ProjectField,
  E extends ProjectExpansion = ProjectExpansion,
> extends ProjectCreate {
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface ProjectsCreateCommentInput {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** Markdown. */
  body: string
  /** Its files, whose bytes have been uploaded. */
  fileIds?: readonly string[] | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds?: readonly { source: string; id: string }[] | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: AnyImport | undefined
}

export interface ProjectsDeleteInput {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface ProjectsDeleteByExternalIdInput {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface ProjectsDeleteCommentInput {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** Its id, or your own id, `ext:erp/4711`. */
  commentId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface ProjectsGetInput<E extends ProjectExpansion = ProjectExpansion> {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface ProjectsGetByExternalIdInput<E extends ProjectExpansion = ProjectExpansion> {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface ProjectsGetCommentInput {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** Its id, or your own id, `ext:erp/4711`. */
  commentId: string
}

export interface ProjectsHistoryInput {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Changes of these fields only. */
  field?:
    | readonly (
        | 'imported'
        | 'key'
        | 'name'
        | 'description'
        | 'status'
        | 'health'
        | 'priority'
        | 'ownerId'
        | 'memberIds'
        | 'companyId'
        | 'labels'
        | 'startDate'
        | 'dueDate'
        | 'customFields'
        | 'externalSource'
        | 'externalId'
        | 'externalIds'
        | 'completedAt'
        | 'archivedAt'
      )[]
    | undefined
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
}

export interface ProjectsListInput<
  F extends ProjectField = ProjectField,
  E extends ProjectExpansion = ProjectExpansion,
  D extends boolean = boolean,
> {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** The sort fields in order of priority; a leading `-` sorts in descending order. */
  sort?:
    | readonly (
        | 'createdAt'
        | 'updatedAt'
        | 'name'
        | 'dueDate'
        | 'priority'
        | '-createdAt'
        | '-updatedAt'
        | '-name'
        | '-dueDate'
        | '-priority'
      )[]
    | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
  /** Deleted ones as `{ id, object, version, externalIds, deletedAt }`. */
  includeDeleted?: D | undefined
  /** Count all that match: `page.total`. */
  includeTotal?: boolean | undefined
  /**
   * Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean
   * or Thai character.
   */
  q?: string | undefined
  /** Only the objects with these ids. */
  ids?: readonly string[] | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedBefore?: string | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  createdBy?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  updatedBy?: readonly string[] | undefined
  /** `any`: imported with its history; `none`: not. */
  imported?: 'none' | 'any' | undefined
  /** Imported, and made by a person with any of these addresses. */
  importedEmail?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  externalSource?: readonly string[] | undefined
  /** Any of these ids of the systems that `externalSource` names, which must be given as well. */
  externalId?: readonly string[] | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  status?:
    | readonly (
        | 'planned'
        | 'active'
        | 'paused'
        | 'completed'
        | 'cancelled'
        | '!planned'
        | '!active'
        | '!paused'
        | '!completed'
        | '!cancelled'
      )[]
    | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty.
   */
  health?:
    | readonly (
        | 'on_track'
        | 'at_risk'
        | 'off_track'
        | 'none'
        | '!on_track'
        | '!at_risk'
        | '!off_track'
        | '!none'
        | 'any'
      )[]
    | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  priority?:
    | readonly ('none' | 'low' | 'medium' | 'high' | 'urgent' | '!none' | '!low' | '!medium' | '!high' | '!urgent')[]
    | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  labels?: readonly string[] | undefined
  /**
   * All of these. Write a value that begins with `!` as `\!…`, and the values `none` and `any` as `\none` and `\any`.
   * In a query, write a comma in a value as `\,`.
   */
  labelsAll?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or
   * emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty.
   */
  ownerId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or
   * emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty.
   */
  memberId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids or domains. `none`: the field is empty. `any`: it is not empty.
   */
  companyId?: readonly string[] | undefined
  /** YYYY-MM-DD. */
  startAfter?: string | undefined
  /** YYYY-MM-DD. */
  startBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  startDate?: 'none' | 'any' | undefined
  /** YYYY-MM-DD. */
  dueAfter?: string | undefined
  /** YYYY-MM-DD. */
  dueBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  dueDate?: 'none' | 'any' | undefined
  /** RFC 3339, UTC, milliseconds. */
  completedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  completedBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  completedAt?: 'none' | 'any' | undefined
  /** RFC 3339, UTC, milliseconds. */
  archivedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  archivedBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  archivedAt?: 'none' | 'any' | undefined
  /** Archived ones as well; a filter by `archivedAt` finds them anyway. */
  includeArchived?: boolean | undefined
  /**
   * By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is
   * empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`.
   */
  customFields?:
    | Record<string, { eq?: readonly string[] | undefined; gte?: string | undefined; lte?: string | undefined }>
    | undefined
}

export interface ProjectsListCommentsInput {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** The sort order; a leading `-` sorts in descending order. */
  sort?: 'createdAt' | '-createdAt' | undefined
}

export interface ProjectsListTasksInput<
  F extends TaskField = TaskField,
  E extends TaskExpansion = TaskExpansion,
  D extends boolean = boolean,
> {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** The sort fields in order of priority; a leading `-` sorts in descending order. */
  sort?:
    | readonly (
        | 'createdAt'
        | 'updatedAt'
        | 'title'
        | 'dueDate'
        | 'priority'
        | 'position'
        | '-createdAt'
        | '-updatedAt'
        | '-title'
        | '-dueDate'
        | '-priority'
        | '-position'
      )[]
    | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
  /** Deleted ones as `{ id, object, version, externalIds, deletedAt }`. */
  includeDeleted?: D | undefined
  /** Count all that match: `page.total`. */
  includeTotal?: boolean | undefined
  /**
   * Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean
   * or Thai character.
   */
  q?: string | undefined
  /** Only the objects with these ids. */
  ids?: readonly string[] | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedBefore?: string | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  createdBy?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  updatedBy?: readonly string[] | undefined
  /** `any`: imported with its history; `none`: not. */
  imported?: 'none' | 'any' | undefined
  /** Imported, and made by a person with any of these addresses. */
  importedEmail?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  externalSource?: readonly string[] | undefined
  /** Any of these ids of the systems that `externalSource` names, which must be given as well. */
  externalId?: readonly string[] | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  status?:
    | readonly (
        | 'backlog'
        | 'todo'
        | 'in_progress'
        | 'blocked'
        | 'done'
        | 'cancelled'
        | '!backlog'
        | '!todo'
        | '!in_progress'
        | '!blocked'
        | '!done'
        | '!cancelled'
      )[]
    | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  priority?:
    | readonly ('none' | 'low' | 'medium' | 'high' | 'urgent' | '!none' | '!low' | '!medium' | '!high' | '!urgent')[]
    | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  labels?: readonly string[] | undefined
  /**
   * All of these. Write a value that begins with `!` as `\!…`, and the values `none` and `any` as `\none` and `\any`.
   * In a query, write a comma in a value as `\,`.
   */
  labelsAll?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or
   * emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty.
   */
  assigneeId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * identifiers or own ids. `none`: the field is empty. `any`: it is not empty.
   */
  parentTaskId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * identifiers or own ids. `none`: the field is empty. `any`: it is not empty.
   */
  blockedById?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids, domains or emails. `none`: the field is empty. `any`: it is not empty.
   */
  crmEntityId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids.
   * `none`: the field is empty. `any`: it is not empty.
   */
  fileId?: readonly string[] | undefined
  /** YYYY-MM-DD. */
  startAfter?: string | undefined
  /** YYYY-MM-DD. */
  startBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  startDate?: 'none' | 'any' | undefined
  /** YYYY-MM-DD. */
  dueAfter?: string | undefined
  /** YYYY-MM-DD. */
  dueBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  dueDate?: 'none' | 'any' | undefined
  /** RFC 3339, UTC, milliseconds. */
  completedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  completedBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  completedAt?: 'none' | 'any' | undefined
  /**
   * By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is
   * empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`.
   */
  customFields?:
    | Record<string, { eq?: readonly string[] | undefined; gte?: string | undefined; lte?: string | undefined }>
    | undefined
}

export interface ProjectsPurgeInput {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
}

export interface ProjectsRemoveExternalIdInput {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** The system that it came from. */
  source: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface ProjectsRestoreInput<
  F extends ProjectField = ProjectField,
  E extends ProjectExpansion = ProjectExpansion,
> {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface ProjectsSetExternalIdInput {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface ProjectsUnarchiveInput {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
}

export interface ProjectsUpdateInput<
  F extends ProjectField = ProjectField,
  E extends ProjectExpansion = ProjectExpansion,
> extends ProjectPatch {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface ProjectsUpdateCommentInput {
  /** Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`. */
  id: string
  /** Its id, or your own id, `ext:erp/4711`. */
  commentId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Markdown. */
  body?: string | undefined
  /** Its files, whose bytes have been uploaded. */
  fileIds?: readonly string[] | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds?: readonly { source: string; id: string }[] | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: AnyImport | undefined
}

export interface ProjectsUpsertInput<
  F extends ProjectField = ProjectField,
  E extends ProjectExpansion = ProjectExpansion,
> extends ProjectUpsert {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Refuse where it exists. */
  createOnly?: boolean | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface RequestsGetInput {
  /** Its id. */
  id: string
}

export interface RequestsListInput {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /**
   * To follow the log: only requests that were recorded after the one with this id, oldest first. Those of the last 2
   * seconds are left to the next page, so that none is missed.
   */
  afterId?: string | undefined
  /** Only requests of this key. */
  apiKeyId?: string | undefined
  /** Only requests of keys that this member created or owns. */
  memberId?: string | undefined
  /** Only requests about this object. */
  objectId?: string | undefined
  /** The request that made the change. */
  requestId?: string | undefined
  /** Any of these. */
  method?: readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[] | undefined
  /** Any of these: names of operations or MCP tools, or `mcp`. */
  operation?: readonly string[] | undefined
  /** The surface of the request. */
  surface?: 'http' | 'mcp' | undefined
  /** Any of these: a status such as `429`, or a class such as `4xx`. */
  status?: readonly string[] | undefined
  /** Any of these codes of errors. */
  code?: readonly string[] | undefined
  /** `refused`: a status of 400 or above, or a rejected tool call over MCP. */
  outcome?: 'success' | 'refused' | undefined
  /** Only paths that begin with this. */
  path?: string | undefined
  /** Only requests from this address. */
  ip?: string | undefined
  /** Only requests with this text in path, operation, code, detail, request id or address. */
  search?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
}

export interface ResourcesListInput {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
}

export interface ResourcesReadInput {
  /** `workspace://…`, as in the list. */
  uri: string
}

export interface SearchQueryInput {
  /**
   * Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean
   * or Thai character.
   */
  q: string
  /** Default: all that the key may read. */
  types?: readonly ('projects' | 'tasks' | 'crm-entities' | 'documents')[] | undefined
  /** Archived projects and archived documents as well. */
  includeArchived?: boolean | undefined
  /** The maximum number of events. */
  limit?: number | undefined
}

export type TaskBatchItem = BatchItem<TaskCreate, TaskPatch, TaskUpsert>

export interface TasksBatchInput<F extends TaskField = TaskField, E extends TaskExpansion = TaskExpansion> {
  /** All of them or none. */
  atomic?: boolean | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
  /** 1 to 100, each with its own result. */
  items: readonly TaskBatchItem[]
}

export interface TasksCountInput {
  /**
   * Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean
   * or Thai character.
   */
  q?: string | undefined
  /** Only the objects with these ids. */
  ids?: readonly string[] | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedBefore?: string | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  createdBy?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  updatedBy?: readonly string[] | undefined
  /** `any`: imported with its history; `none`: not. */
  imported?: 'none' | 'any' | undefined
  /** Imported, and made by a person with any of these addresses. */
  importedEmail?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  externalSource?: readonly string[] | undefined
  /** Any of these ids of the systems that `externalSource` names, which must be given as well. */
  externalId?: readonly string[] | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  status?:
    | readonly (
        | 'backlog'
        | 'todo'
        | 'in_progress'
        | 'blocked'
        | 'done'
        | 'cancelled'
        | '!backlog'
        | '!todo'
        | '!in_progress'
        | '!blocked'
        | '!done'
        | '!cancelled'
      )[]
    | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  priority?:
    | readonly ('none' | 'low' | 'medium' | 'high' | 'urgent' | '!none' | '!low' | '!medium' | '!high' | '!urgent')[]
    | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  labels?: readonly string[] | undefined
  /**
   * All of these. Write a value that begins with `!` as `\!…`, and the values `none` and `any` as `\none` and `\any`.
   * In a query, write a comma in a value as `\,`.
   */
  labelsAll?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * keys or own ids.
   */
  projectId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or
   * emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty.
   */
  assigneeId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * identifiers or own ids. `none`: the field is empty. `any`: it is not empty.
   */
  parentTaskId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * identifiers or own ids. `none`: the field is empty. `any`: it is not empty.
   */
  blockedById?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids, domains or emails. `none`: the field is empty. `any`: it is not empty.
   */
  crmEntityId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids.
   * `none`: the field is empty. `any`: it is not empty.
   */
  fileId?: readonly string[] | undefined
  /** YYYY-MM-DD. */
  startAfter?: string | undefined
  /** YYYY-MM-DD. */
  startBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  startDate?: 'none' | 'any' | undefined
  /** YYYY-MM-DD. */
  dueAfter?: string | undefined
  /** YYYY-MM-DD. */
  dueBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  dueDate?: 'none' | 'any' | undefined
  /** RFC 3339, UTC, milliseconds. */
  completedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  completedBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  completedAt?: 'none' | 'any' | undefined
  /**
   * By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is
   * empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`.
   */
  customFields?:
    | Record<string, { eq?: readonly string[] | undefined; gte?: string | undefined; lte?: string | undefined }>
    | undefined
  /** Also count by the values of one field, or of two. */
  groupBy?:
    | readonly (
        | 'status'
        | 'priority'
        | 'projectId'
        | 'assigneeId'
        | 'labels'
        | 'parentTaskId'
        | 'crmEntityId'
        | 'createdAt:month'
        | 'updatedAt:month'
        | 'completedAt:month'
        | 'startDate:month'
        | 'dueDate:month'
        | (string & {})
      )[]
    | undefined
  /** Also add up this field, amounts by their currency. */
  sum?: 'estimateMinutes' | undefined
  /** IANA time zone in which the times of a group `…:month` are read. Default: the workspace’s. */
  timeZone?: string | undefined
}

export interface TasksCreateInput<
  F extends TaskField = TaskField,
  E extends TaskExpansion = TaskExpansion,
> extends TaskCreate {
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface TasksCreateCommentInput {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
  /** Markdown. */
  body: string
  /** Its files, whose bytes have been uploaded. */
  fileIds?: readonly string[] | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds?: readonly { source: string; id: string }[] | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: AnyImport | undefined
}

export interface TasksDeleteInput {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface TasksDeleteByExternalIdInput {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface TasksDeleteCommentInput {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
  /** Its id, or your own id, `ext:erp/4711`. */
  commentId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface TasksGetInput<E extends TaskExpansion = TaskExpansion> {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface TasksGetByExternalIdInput<E extends TaskExpansion = TaskExpansion> {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface TasksGetCommentInput {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
  /** Its id, or your own id, `ext:erp/4711`. */
  commentId: string
}

export interface TasksHistoryInput {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
  /** Included even if it is deleted, or hidden with its project. */
  includeDeleted?: boolean | undefined
  /** Changes of these fields only. */
  field?:
    | readonly (
        | 'imported'
        | 'number'
        | 'identifier'
        | 'projectId'
        | 'title'
        | 'description'
        | 'status'
        | 'priority'
        | 'assigneeIds'
        | 'parentTaskId'
        | 'blockedByIds'
        | 'crmEntityIds'
        | 'fileIds'
        | 'labels'
        | 'startDate'
        | 'dueDate'
        | 'estimateMinutes'
        | 'position'
        | 'customFields'
        | 'externalSource'
        | 'externalId'
        | 'externalIds'
        | 'completedAt'
      )[]
    | undefined
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
}

export interface TasksListInput<
  F extends TaskField = TaskField,
  E extends TaskExpansion = TaskExpansion,
  D extends boolean = boolean,
> {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** The sort fields in order of priority; a leading `-` sorts in descending order. */
  sort?:
    | readonly (
        | 'createdAt'
        | 'updatedAt'
        | 'title'
        | 'dueDate'
        | 'priority'
        | 'position'
        | '-createdAt'
        | '-updatedAt'
        | '-title'
        | '-dueDate'
        | '-priority'
        | '-position'
      )[]
    | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
  /** Deleted ones as `{ id, object, version, externalIds, deletedAt }`. */
  includeDeleted?: D | undefined
  /** Count all that match: `page.total`. */
  includeTotal?: boolean | undefined
  /**
   * Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean
   * or Thai character.
   */
  q?: string | undefined
  /** Only the objects with these ids. */
  ids?: readonly string[] | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  createdBefore?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  updatedBefore?: string | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  createdBy?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of
   * keys or of members; `me` is the key of the request.
   */
  updatedBy?: readonly string[] | undefined
  /** `any`: imported with its history; `none`: not. */
  imported?: 'none' | 'any' | undefined
  /** Imported, and made by a person with any of these addresses. */
  importedEmail?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  externalSource?: readonly string[] | undefined
  /** Any of these ids of the systems that `externalSource` names, which must be given as well. */
  externalId?: readonly string[] | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  status?:
    | readonly (
        | 'backlog'
        | 'todo'
        | 'in_progress'
        | 'blocked'
        | 'done'
        | 'cancelled'
        | '!backlog'
        | '!todo'
        | '!in_progress'
        | '!blocked'
        | '!done'
        | '!cancelled'
      )[]
    | undefined
  /** Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. */
  priority?:
    | readonly ('none' | 'low' | 'medium' | 'high' | 'urgent' | '!none' | '!low' | '!medium' | '!high' | '!urgent')[]
    | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`:
   * the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\!…`, and the values `none` and
   * `any` as `\none` and `\any`. In a query, write a comma in a value as `\,`.
   */
  labels?: readonly string[] | undefined
  /**
   * All of these. Write a value that begins with `!` as `\!…`, and the values `none` and `any` as `\none` and `\any`.
   * In a query, write a comma in a value as `\,`.
   */
  labelsAll?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * keys or own ids.
   */
  projectId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or
   * emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty.
   */
  assigneeId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * identifiers or own ids. `none`: the field is empty. `any`: it is not empty.
   */
  parentTaskId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * identifiers or own ids. `none`: the field is empty. `any`: it is not empty.
   */
  blockedById?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids,
   * own ids, domains or emails. `none`: the field is empty. `any`: it is not empty.
   */
  crmEntityId?: readonly string[] | undefined
  /**
   * Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids.
   * `none`: the field is empty. `any`: it is not empty.
   */
  fileId?: readonly string[] | undefined
  /** YYYY-MM-DD. */
  startAfter?: string | undefined
  /** YYYY-MM-DD. */
  startBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  startDate?: 'none' | 'any' | undefined
  /** YYYY-MM-DD. */
  dueAfter?: string | undefined
  /** YYYY-MM-DD. */
  dueBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  dueDate?: 'none' | 'any' | undefined
  /** RFC 3339, UTC, milliseconds. */
  completedAfter?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  completedBefore?: string | undefined
  /** `none`: the field is empty. `any`: it is not empty. */
  completedAt?: 'none' | 'any' | undefined
  /**
   * By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is
   * empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`.
   */
  customFields?:
    | Record<string, { eq?: readonly string[] | undefined; gte?: string | undefined; lte?: string | undefined }>
    | undefined
}

export interface TasksListCommentsInput {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** The sort order; a leading `-` sorts in descending order. */
  sort?: 'createdAt' | '-createdAt' | undefined
}

export interface TasksPurgeInput {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
}

export interface TasksRemoveExternalIdInput {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
  /** The system that it came from. */
  source: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface TasksRestoreInput<F extends TaskField = TaskField, E extends TaskExpansion = TaskExpansion> {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface TasksSetExternalIdInput {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface TasksUpdateInput<
  F extends TaskField = TaskField,
  E extends TaskExpansion = TaskExpansion,
> extends TaskPatch {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface TasksUpdateCommentInput {
  /** Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`. */
  id: string
  /** Its id, or your own id, `ext:erp/4711`. */
  commentId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Markdown. */
  body?: string | undefined
  /** Its files, whose bytes have been uploaded. */
  fileIds?: readonly string[] | undefined
  /** The system that it came from: the first of `externalIds`. */
  externalSource?: string | null | undefined
  /** Its id in the system that it came from. */
  externalId?: string | null | undefined
  /**
   * Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the
   * first.
   */
  externalIds?: readonly { source: string; id: string }[] | undefined
  /** The history of an object that comes from another system. Needs the scope `imports:write`. */
  imported?: AnyImport | undefined
}

export interface TasksUpsertInput<
  F extends TaskField = TaskField,
  E extends TaskExpansion = TaskExpansion,
> extends TaskUpsert {
  /** The system that it came from. */
  source: string
  /** Its id in the system that it came from. */
  externalId: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** Refuse where it exists. */
  createOnly?: boolean | undefined
  /** Only these fields, besides `id`, `object`, `version` and expanded objects. */
  fields?: readonly F[] | undefined
  /** Related objects to include beside their ids. Each needs the read scope of its type. */
  expand?: readonly E[] | undefined
}

export interface WebhooksCreateInput {
  /** The display name. */
  name: string
  /**
   * An https URL on a public address, or in a sandbox that of the inspector. It is shown as it is requested, with the
   * host in punycode.
   */
  url: string
  /** Event types, all of a segment (`projects.*`), or all (`*`). */
  eventTypes: readonly string[]
  /** The filter. */
  filter?:
    | {
        kinds?: readonly CrmKind[] | undefined
        projectIds?: readonly string[] | undefined
        changedFields?: readonly string[] | undefined
        values?: WebhookFilterValuesInput | undefined
      }
    | null
    | undefined
  ignoredKeyIds?: readonly string[] | null | undefined
  /** False: changes that are imports (events with `origin: "import"`) are not delivered. Default true. */
  includeImports?: boolean | undefined
  /** `thin` leaves out `data`, `changes` and `related`. */
  payload?: 'full' | 'thin' | undefined
  /**
   * `none`: deliveries are sent in parallel. `webhook`: one at a time, in the order of the events. `object`: one at a
   * time for each object. A failing delivery blocks those behind it until it is delivered or becomes a dead letter. A
   * change applies to later events. Default `none`.
   */
  order?: 'none' | 'webhook' | 'object' | undefined
  maxPerMinute?: number | null | undefined
  /** Headers, by their names. */
  headers?: Record<string, string> | null | undefined
}

export interface WebhooksDeleteInput {
  /** Its id. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
}

export interface WebhooksEnableInput {
  /** Its id. */
  id: string
}

export interface WebhooksGetInput {
  /** Its id. */
  id: string
}

export interface WebhooksGetInspectedRequestInput {
  /** Its id. */
  id: string
  /** The request that the inspector received. */
  inspectedRequestId: string
}

export interface WebhooksListInput {
  /** Items per page. */
  limit?: number | undefined
  /** `page.nextCursor` of the previous page. */
  cursor?: string | undefined
  /** Any of these. */
  status?: readonly WebhookStatus[] | undefined
  /** Whether their endpoints fail at present. */
  health?: 'healthy' | 'failing' | undefined
  /** Subscribed to any of these event types, or to one of a segment (`projects.*`), by name or by pattern. */
  eventTypes?: readonly string[] | undefined
  /** The id of the key, or `operator`, that last chose its `eventTypes` or its address. */
  grantedBy?: string | undefined
}

export interface WebhooksListInspectedRequestsInput {
  /** Its id. */
  id: string
}

export interface WebhooksPauseInput {
  /** Its id. */
  id: string
}

export interface WebhooksRecoverInput {
  /** Its id. */
  id: string
  /** Deliveries that were created after it are sent again. */
  since: string
  /**
   * The maximum of deliveries restarted a minute, across restarts of a process. Default: no limit. The limits of their
   * webhooks decide how fast they are then sent.
   */
  perMinute?: number | undefined
}

export interface WebhooksResumeInput {
  /** Its id. */
  id: string
}

export interface WebhooksRevokeGrantsInput {
  /** Its id. */
  id: string
  /** The scopes of the key. */
  scopes?:
    | readonly (
        | 'projects:read'
        | 'tasks:read'
        | 'crm-entities:read'
        | 'documents:read'
        | 'files:read'
        | 'webhooks:read'
        | 'api-keys:read'
        | 'workspaces:read'
        | 'resources:read'
        | 'members:read'
        | 'events:read'
        | 'deliveries:read'
        | 'audit-entries:read'
        | 'requests:read'
        | 'jobs:read'
      )[]
    | undefined
}

export interface WebhooksRotateSecretInput {
  /** Its id. */
  id: string
  /** Hours for which the old secret keeps working. */
  overlapHours?: number | undefined
}

export interface WebhooksStatsInput {
  /** Its id. */
  id: string
}

export interface WebhooksTestInput {
  /** Its id. */
  id: string
  /** The event type of the example to send. */
  eventType?: string | undefined
}

export interface WebhooksUpdateInput {
  /** Its id. */
  id: string
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** The display name. */
  name?: string | undefined
  /**
   * An https URL on a public address, or in a sandbox that of the inspector. It is shown as it is requested, with the
   * host in punycode.
   */
  url?: string | undefined
  /** Event types, all of a segment (`projects.*`), or all (`*`). */
  eventTypes?: readonly string[] | undefined
  /** The filter. */
  filter?:
    | {
        kinds?: readonly CrmKind[] | undefined
        projectIds?: readonly string[] | undefined
        changedFields?: readonly string[] | undefined
        values?: WebhookFilterValuesInput | undefined
      }
    | null
    | undefined
  ignoredKeyIds?: readonly string[] | null | undefined
  /** False: changes that are imports (events with `origin: "import"`) are not delivered. Default true. */
  includeImports?: boolean | undefined
  /** `thin` leaves out `data`, `changes` and `related`. */
  payload?: 'full' | 'thin' | undefined
  /**
   * `none`: deliveries are sent in parallel. `webhook`: one at a time, in the order of the events. `object`: one at a
   * time for each object. A failing delivery blocks those behind it until it is delivered or becomes a dead letter. A
   * change applies to later events. Default `none`.
   */
  order?: 'none' | 'webhook' | 'object' | undefined
  maxPerMinute?: number | null | undefined
  /** Headers, by their names. */
  headers?: Record<string, string> | null | undefined
}

export interface WorkspacesUpdateCurrentInput {
  /** Change only if the object still has this version. */
  expectedVersion?: number | undefined
  /** The display name. */
  name?: string | undefined
  /** IANA time zone. */
  timeZone?: string | undefined
  /** ISO 4217. */
  defaultCurrency?: string | undefined
  defaultCountry?: string | null | undefined
}

/** The data of each type of event: the object after the change. */
export interface EventData {
  /** An API key was created. */
  'api-keys.created': ApiKey
  /** Many requests of an API key were denied within an hour. */
  'api-keys.denied': {
    id: string
    object: 'api_key'
    name: string
    description: string | null
    ownerId: string | null
    scopes: string[]
    surfaces: ('http' | 'mcp')[]
    toolNames: 'auto' | 'dots' | 'underscores'
    ipAllowlist: string[]
    rotationPolicy: { maxAgeDays: number } | null
    expiresAt: string | null
    rateLimit: { perMinute: number; burst: number } | null
    prefix: string
    workspaceId: string | null
    workspaceIds: string[]
    status: 'active' | 'rotation_due' | 'suspended' | 'expired' | 'revoked'
    secretCreatedAt: string
    rotateBy: string | null
    policyViolations: {
      workspaceId: string
      rule: 'allowUnboundKeys' | 'requireIpAllowlist' | 'requireExpiry' | 'maxKeyAgeDays'
      code: 'unbound_key_not_allowed' | 'ip_allowlist_required' | 'key_expiry_required' | 'api_key_rotation_required'
      from: string
    }[]
    previousSecretExpiresAt: string | null
    previousSecretRequests: number | null
    previousSecretLastUsedAt: string | null
    previousSecretLastUsedIp: string | null
    lastUsedAt: string | null
    lastUsedIp: string | null
    lastUsedUserAgent: string | null
    requests30d: number
    version: number
    createdAt: string
    updatedAt: string
    createdBy: Actor
    revokedAt: string | null
    revokedBy: Actor | null
    denied: { requests: number; since: string }
  }
  /** An API key expires within seven days. */
  'api-keys.expiring': ApiKey
  /** An API key was revoked. */
  'api-keys.revoked': ApiKey
  /** An API key was rotated. */
  'api-keys.rotated': ApiKey
  /** The secret of an API key is older than the policies allow. */
  'api-keys.rotation_due': ApiKey
  /** A rule of the key policy, or of the key itself, denies an API key within seven days. */
  'api-keys.stopping': {
    id: string
    object: 'api_key'
    name: string
    description: string | null
    ownerId: string | null
    scopes: string[]
    surfaces: ('http' | 'mcp')[]
    toolNames: 'auto' | 'dots' | 'underscores'
    ipAllowlist: string[]
    rotationPolicy: { maxAgeDays: number } | null
    expiresAt: string | null
    rateLimit: { perMinute: number; burst: number } | null
    prefix: string
    workspaceId: string | null
    workspaceIds: string[]
    status: 'active' | 'rotation_due' | 'suspended' | 'expired' | 'revoked'
    secretCreatedAt: string
    rotateBy: string | null
    policyViolations: {
      workspaceId: string
      rule: 'allowUnboundKeys' | 'requireIpAllowlist' | 'requireExpiry' | 'maxKeyAgeDays'
      code: 'unbound_key_not_allowed' | 'ip_allowlist_required' | 'key_expiry_required' | 'api_key_rotation_required'
      from: string
    }[]
    previousSecretExpiresAt: string | null
    previousSecretRequests: number | null
    previousSecretLastUsedAt: string | null
    previousSecretLastUsedIp: string | null
    lastUsedAt: string | null
    lastUsedIp: string | null
    lastUsedUserAgent: string | null
    requests30d: number
    version: number
    createdAt: string
    updatedAt: string
    createdBy: Actor
    revokedAt: string | null
    revokedBy: Actor | null
    stopping: { from: string; rule: 'allowUnboundKeys' | 'requireIpAllowlist' | 'requireExpiry' | 'maxKeyAgeDays' }
  }
  /** An API key was changed. */
  'api-keys.updated': ApiKey
  /** A comment on a CRM entity was written. `resource` is what the comment is on, `data` the comment. */
  'crm-entities.comment_created': Comment
  /** A comment on a CRM entity was deleted. `resource` is what the comment is on, `data` the comment. */
  'crm-entities.comment_deleted': Comment
  /** A deleted comment on a CRM entity was restored. `resource` is what the comment is on, `data` the comment. */
  'crm-entities.comment_restored': Comment
  /** A comment on a CRM entity was changed. `resource` is what the comment is on, `data` the comment. */
  'crm-entities.comment_updated': Comment
  /** A CRM entity was created. */
  'crm-entities.created': CrmEntity
  /** A CRM entity was deleted. */
  'crm-entities.deleted': CrmEntity
  /** Another CRM entity, `mergedFromId`, was merged into this one. */
  'crm-entities.merged': MergedCompany | MergedContact | MergedDeal
  /** A deleted CRM entity was restored. */
  'crm-entities.restored': CrmEntity
  /** A CRM entity was changed. */
  'crm-entities.updated': CrmEntity
  /** Deliveries to a webhook became dead letters: at most one event a minute for each webhook, with their number. */
  'deliveries.dead_lettered': {
    id: string
    object: 'dead_letters'
    workspaceId: string
    webhookId: string
    webhookName: string
    count: number
    firstAt: string
    lastAt: string
    errorCodes: string[]
    deliveryIds: string[]
  }
  /**
   * A document was created. The event omits the content: get the document to read it. `checksum` is among the changes
   * if the content has changed.
   */
  'documents.created': DocumentBrief
  /**
   * A document was deleted. The event omits the content: get the document to read it. `checksum` is among the changes
   * if the content has changed.
   */
  'documents.deleted': DocumentBrief
  /**
   * A deleted document was restored. The event omits the content: get the document to read it. `checksum` is among the
   * changes if the content has changed.
   */
  'documents.restored': DocumentBrief
  /**
   * A document was changed. The event omits the content: get the document to read it. `checksum` is among the changes
   * if the content has changed.
   */
  'documents.updated': DocumentBrief
  /** A file was deleted. */
  'files.deleted': File
  /** A file was quarantined. */
  'files.quarantined': File
  /** A file that was held or quarantined can be read. */
  'files.released': File
  /** A deleted file was restored. */
  'files.restored': File
  /**
   * The bytes of a file were uploaded. If the workspace holds files, its `status` is `held`: scan it, then release or
   * quarantine it.
   */
  'files.uploaded': File
  /** A job was completed, cancelled, or has failed. */
  'jobs.finished': Job
  /** A member was added. */
  'members.added': Member
  /** A member was removed. */
  'members.removed': Member
  /** A member was changed. */
  'members.updated': Member
  /** A project was archived. */
  'projects.archived': Project
  /** A comment on a project was written. `resource` is what the comment is on, `data` the comment. */
  'projects.comment_created': Comment
  /** A comment on a project was deleted. `resource` is what the comment is on, `data` the comment. */
  'projects.comment_deleted': Comment
  /** A deleted comment on a project was restored. `resource` is what the comment is on, `data` the comment. */
  'projects.comment_restored': Comment
  /** A comment on a project was changed. `resource` is what the comment is on, `data` the comment. */
  'projects.comment_updated': Comment
  /** A project was created. */
  'projects.created': Project
  /** A project was deleted. */
  'projects.deleted': Project
  /** A deleted project was restored. */
  'projects.restored': Project
  /** A project was unarchived. */
  'projects.unarchived': Project
  /** A project was changed. */
  'projects.updated': Project
  /** A comment on a task was written. `resource` is what the comment is on, `data` the comment. */
  'tasks.comment_created': Comment
  /** A comment on a task was deleted. `resource` is what the comment is on, `data` the comment. */
  'tasks.comment_deleted': Comment
  /** A deleted comment on a task was restored. `resource` is what the comment is on, `data` the comment. */
  'tasks.comment_restored': Comment
  /** A comment on a task was changed. `resource` is what the comment is on, `data` the comment. */
  'tasks.comment_updated': Comment
  /** A task was created. */
  'tasks.created': Task
  /** A task was deleted. */
  'tasks.deleted': Task
  /** A deleted task was restored. */
  'tasks.restored': Task
  /** A task was changed. */
  'tasks.updated': Task
  /** A webhook was disabled: its endpoint is gone, or failed for days. */
  'webhooks.disabled': Webhook
  /** A webhook has failed for half the time after which it is disabled, or nine tenths of it. */
  'webhooks.failing': {
    id: string
    object: 'webhook'
    workspaceId: string
    version: number
    createdAt: string
    updatedAt: string
    createdBy: Actor
    updatedBy: Actor
    deletedAt: string | null
    name: string
    url: string
    eventTypes: string[]
    filter: { kinds?: CrmKind[]; projectIds?: string[]; changedFields?: string[]; values?: WebhookFilterValues } | null
    ignoredKeyIds: string[]
    includeImports: boolean
    payload: 'full' | 'thin'
    order: 'none' | 'webhook' | 'object'
    maxPerMinute: number | null
    grants: { scopes: string[]; grantedBy: Actor; grantedAt: string }
    headerNames: string[]
    status: WebhookStatus
    disabledReason: string | null
    secrets: { id: string; createdAt: string; expiresAt: string | null }[]
    consecutiveFailures: number
    circuit: { state: 'closed' | 'open' | 'half_open'; openUntil: string | null }
    health: {
      state: 'healthy' | 'failing'
      failingSince: string | null
      lastStatusCode: number | null
      lastErrorCode: string | null
      nextAttemptAt: string | null
      failedShare: number | null
    }
    stats24h: {
      delivered: number
      failed: number
      pending: number
      retrying: number
      p50Ms: number | null
      p95Ms: number | null
    }
    failing: { percent: number; since: string; failedTries: number; disabledFrom: string }
  }
  /** A test delivery was requested. */
  'webhooks.test': {
    id: string
    object: 'webhook'
    workspaceId: string
    version: number
    createdAt: string
    updatedAt: string
    createdBy: Actor
    updatedBy: Actor
    deletedAt: string | null
    name: string
    url: string
    eventTypes: string[]
    filter: { kinds?: CrmKind[]; projectIds?: string[]; changedFields?: string[]; values?: WebhookFilterValues } | null
    ignoredKeyIds: string[]
    includeImports: boolean
    payload: 'full' | 'thin'
    order: 'none' | 'webhook' | 'object'
    maxPerMinute: number | null
    grants: { scopes: string[]; grantedBy: Actor; grantedAt: string }
    headerNames: string[]
    status: WebhookStatus
    disabledReason: string | null
    secrets: { id: string; createdAt: string; expiresAt: string | null }[]
    consecutiveFailures: number
    circuit: { state: 'closed' | 'open' | 'half_open'; openUntil: string | null }
    health: {
      state: 'healthy' | 'failing'
      failingSince: string | null
      lastStatusCode: number | null
      lastErrorCode: string | null
      nextAttemptAt: string | null
      failedShare: number | null
    }
    stats24h: {
      delivered: number
      failed: number
      pending: number
      retrying: number
      p50Ms: number | null
      p95Ms: number | null
    }
    exampleOf?: string
  }
  /**
   * A sandbox was reset: all of its objects and custom fields are gone, without events of their own. The events that
   * follow are about the sample data that replaced them.
   */
  'workspaces.reset': Workspace
}

/** Codes that any call can be refused with. */
export type CommonErrorCode =
  | 'unknown_parameter'
  | 'invalid_parameter'
  | 'invalid_header'
  | 'missing_credentials'
  | 'invalid_api_key'
  | 'api_key_revoked'
  | 'api_key_expired'
  | 'ip_not_allowed'
  | 'api_key_rotation_required'
  | 'ip_allowlist_required'
  | 'key_expiry_required'
  | 'api_key_suspended'
  | 'unbound_key_not_allowed'
  | 'api_key_has_no_scopes'
  | 'surface_not_allowed'
  | 'not_acceptable'
  | 'rate_limited'
  | 'internal_error'
  | 'upstream_error'
  | 'storage_full'
  | 'query_too_costly'
  | 'unavailable'
  | 'timeout'

/** Every code of the API: 64 of calls, and those of items in a batch. */
export type ErrorCode =
  | 'invalid_http'
  | 'invalid_json'
  | 'unknown_parameter'
  | 'invalid_parameter'
  | 'invalid_header'
  | 'invalid_cursor'
  | 'cursor_mismatch'
  | 'workspace_required'
  | 'workspace_invalid'
  | 'workspace_conflict'
  | 'invalid_idempotency_key'
  | 'missing_credentials'
  | 'invalid_api_key'
  | 'api_key_revoked'
  | 'api_key_expired'
  | 'not_signed_in'
  | 'invalid_signature'
  | 'address_expired'
  | 'ip_not_allowed'
  | 'api_key_rotation_required'
  | 'ip_allowlist_required'
  | 'key_expiry_required'
  | 'api_key_suspended'
  | 'unbound_key_not_allowed'
  | 'api_key_has_no_scopes'
  | 'insufficient_scope'
  | 'surface_not_allowed'
  | 'workspace_not_allowed'
  | 'host_not_allowed'
  | 'tool_disabled'
  | 'origin_not_allowed'
  | 'wrong_password'
  | 'confirmation_required'
  | 'password_sign_in_off'
  | 'wrong_second_factor'
  | 'challenge_expired'
  | 'sign_in_expired'
  | 'provider_refused'
  | 'provider_answer_invalid'
  | 'email_not_verified'
  | 'email_domain_not_allowed'
  | 'no_membership'
  | 'https_required'
  | 'second_factor_required'
  | 'workspace_suspended'
  | 'not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'duplicate'
  | 'invalid_transition'
  | 'last_second_factor'
  | 'project_archived'
  | 'sandbox_only'
  | 'not_deleted'
  | 'idempotency_in_progress'
  | 'ambiguous_match'
  | 'legal_hold'
  | 'file_not_available'
  | 'limit_reached'
  | 'quota_reached'
  | 'cursor_expired'
  | 'cursor_outdated'
  | 'feed_rewound'
  | 'purged'
  | 'version_mismatch'
  | 'precondition_failed'
  | 'body_too_large'
  | 'too_many_items'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'expectation_failed'
  | 'validation_failed'
  | 'unknown_field'
  | 'content_mismatch'
  | 'reference_not_found'
  | 'idempotency_key_reused'
  | 'batch_failed'
  | 'depends_on_failed'
  | 'rate_limited'
  | 'headers_too_large'
  | 'request_cancelled'
  | 'internal_error'
  | 'upstream_error'
  | 'provider_unavailable'
  | 'storage_full'
  | 'query_too_costly'
  | 'unavailable'
  | 'timeout'

/** Further codes of each call, by its name. */
export interface OwnErrorCodes {
  'audit-entries.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'comments.batch':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
    | 'batch_failed'
  'comments.count':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
  'comments.create':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'comments.delete':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'comments.delete-by-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'comments.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'purged'
  'comments.get-by-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'purged'
  'comments.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'comments.purge':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'legal_hold'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'comments.remove-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'comments.restore':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'project_archived'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'purged'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'comments.set-external-id':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'comments.update':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'invalid_transition'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'comments.upsert':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'invalid_transition'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'purged'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'crm-entities.batch':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
    | 'batch_failed'
  'crm-entities.count':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
  'crm-entities.create':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'crm-entities.create-comment':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'crm-entities.delete':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'crm-entities.delete-by-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'crm-entities.delete-comment':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'crm-entities.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'purged'
  'crm-entities.get-by-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'purged'
  'crm-entities.get-comment':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'crm-entities.history':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'cursor_outdated'
    | 'purged'
  'crm-entities.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'crm-entities.list-comments':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'cursor_outdated'
  'crm-entities.merge':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'crm-entities.purge':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'legal_hold'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'crm-entities.remove-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'crm-entities.restore':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'project_archived'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'purged'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'crm-entities.set-external-id':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'crm-entities.update':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'invalid_transition'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'crm-entities.update-comment':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'crm-entities.upsert':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'invalid_transition'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'ambiguous_match'
    | 'limit_reached'
    | 'quota_reached'
    | 'purged'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'custom-fields.archive':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'custom-fields.create':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'duplicate'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'custom-fields.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'custom-fields.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'custom-fields.unarchive':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'custom-fields.update':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'deliveries.attempts':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'cursor_outdated'
  'deliveries.cancel-replay-job':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'idempotency_key_reused'
  'deliveries.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'deliveries.get-replay-job':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'deliveries.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'deliveries.replay':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'deliveries.replay-many':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'invalid_transition'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'documents.batch':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
    | 'batch_failed'
  'documents.count':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
  'documents.create':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'documents.delete':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'documents.delete-by-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'documents.edit':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'documents.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'purged'
  'documents.get-by-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'purged'
  'documents.history':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'cursor_outdated'
    | 'purged'
  'documents.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'documents.purge':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'legal_hold'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'documents.read-content':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'documents.remove-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'documents.restore':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'project_archived'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'purged'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'documents.set-external-id':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'documents.update':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'invalid_transition'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'documents.upsert':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'invalid_transition'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'purged'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'event-types.list': never
  'event-types.trigger':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'sandbox_only'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'events.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'events.list':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_expired'
    | 'feed_rewound'
  'files.create':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'files.create-download-address':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'file_not_available'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'files.delete':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'idempotency_key_reused'
  'files.download':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_signature'
    | 'address_expired'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'file_not_available'
    | 'range_not_satisfiable'
  'files.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'files.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'files.purge':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'legal_hold'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'files.quarantine':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'files.release':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'files.restore':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'purged'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'files.upload':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'invalid_signature'
    | 'address_expired'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'quota_reached'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'content_mismatch'
  'jobs.cancel':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'jobs.create':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'file_not_available'
    | 'limit_reached'
    | 'quota_reached'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'jobs.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'jobs.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'jobs.refusals':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'range_not_satisfiable'
  'jobs.result':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'range_not_satisfiable'
  'me.get': never
  'me.rotate':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'invalid_transition'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'members.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'members.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'projects.archive':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'projects.batch':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
    | 'batch_failed'
  'projects.count':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
  'projects.create':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'projects.create-comment':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'projects.delete':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'projects.delete-by-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'projects.delete-comment':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'projects.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'purged'
  'projects.get-by-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'purged'
  'projects.get-comment':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'projects.history':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'cursor_outdated'
    | 'purged'
  'projects.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'projects.list-comments':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'cursor_outdated'
  'projects.list-tasks':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'cursor_outdated'
  'projects.purge':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'legal_hold'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'projects.remove-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'projects.restore':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'project_archived'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'purged'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'projects.set-external-id':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'projects.unarchive':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'projects.update':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'invalid_transition'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'projects.update-comment':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'projects.upsert':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'invalid_transition'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'purged'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'requests.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'requests.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'resources.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'resources.read':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'search.query':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
  'tasks.batch':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
    | 'batch_failed'
  'tasks.count':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
  'tasks.create':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'tasks.create-comment':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'tasks.delete':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'tasks.delete-by-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'tasks.delete-comment':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'tasks.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'purged'
  'tasks.get-by-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'purged'
  'tasks.get-comment':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'tasks.history':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'cursor_outdated'
    | 'purged'
  'tasks.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'tasks.list-comments':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'cursor_outdated'
  'tasks.purge':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'legal_hold'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'tasks.remove-external-id':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'tasks.restore':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'project_archived'
    | 'not_deleted'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'purged'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'tasks.set-external-id':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'tasks.update':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'invalid_transition'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'tasks.update-comment':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'tasks.upsert':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'duplicate'
    | 'invalid_transition'
    | 'project_archived'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'purged'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'webhooks.create':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'sandbox_only'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'webhooks.delete':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'idempotency_key_reused'
  'webhooks.enable':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'webhooks.get':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'webhooks.get-inspected-request':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'webhooks.list':
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'cursor_outdated'
  'webhooks.list-inspected-requests':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'webhooks.pause':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'webhooks.recover':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'webhooks.resume':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'webhooks.revoke-grants':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'webhooks.rotate-secret':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'limit_reached'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'webhooks.stats':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
  'webhooks.test':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'invalid_transition'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'webhooks.update':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'not_found'
    | 'request_timeout'
    | 'sandbox_only'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'reference_not_found'
    | 'idempotency_key_reused'
  'workspaces.get-current':
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
  'workspaces.reset':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'invalid_transition'
    | 'idempotency_in_progress'
    | 'legal_hold'
    | 'quota_reached'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
  'workspaces.update-current':
    | 'invalid_json'
    | 'workspace_required'
    | 'workspace_invalid'
    | 'workspace_conflict'
    | 'invalid_idempotency_key'
    | 'insufficient_scope'
    | 'workspace_not_allowed'
    | 'workspace_suspended'
    | 'request_timeout'
    | 'idempotency_in_progress'
    | 'quota_reached'
    | 'version_mismatch'
    | 'precondition_failed'
    | 'body_too_large'
    | 'too_many_items'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'unknown_field'
    | 'idempotency_key_reused'
}
