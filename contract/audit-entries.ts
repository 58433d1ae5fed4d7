// The audit log of a workspace: who changed keys, webhooks, members and policies, who purged what, who called tools
// over MCP, and whose calls were refused. Entries are written once and form a hash chain: a changed or removed entry is
// detected.
import { Type, type Static } from 'typebox'
import { Changes } from './event.ts'
import { Actor, Id, Timestamp, closed, nullable } from './shared-fields.ts'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'

/** The User-Agent of the operator's command line, by which the audit log tells it from the console. */
export const cliUserAgent = 'workspace-integration-api-cli'

export const auditEntriesTag = tag(
  'audit-entries',
  'Changes to keys, webhooks, members and policies, and refused calls, each with its actor.',
)

const sha256 = { pattern: '^[0-9a-f]{64}$' }
const Hash = Type.String({ ...sha256, description: 'SHA-256, in hex.' })
const EntryNumber = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const AuditActor = closed({
  ...Actor.properties,
  keyPrefix: nullable(Type.String({ maxLength: 20, description: 'The first characters of the key’s secret.' })),
})
export type AuditActor = Static<typeof AuditActor>

export const AuditEntry = closed({
  id: Id,
  object: Type.Literal('audit_entry'),
  workspaceId: Id,
  number: Type.Integer({ minimum: 1, description: 'Without gaps within a workspace.' }),
  at: Timestamp,
  actor: AuditActor,
  action: Type.String({
    maxLength: 80,
    description:
      'The name of the operation; `tools.call` for an MCP tool; `mcp` if the call was refused before a tool was known.',
  }),
  surface: Type.Enum(['console', 'http', 'mcp', 'cli', 'system'], {
    description:
      'From where: the workspace settings in a browser, the HTTP API with a key or with the operator’s token, MCP, the command line, or the service itself.',
  }),
  target: nullable(
    closed({
      type: Type.String({ maxLength: 40 }),
      id: Type.String({ maxLength: 80 }),
      name: nullable(Type.String({ maxLength: 255 })),
    }),
  ),
  outcome: Type.Enum(['success', 'denied', 'failed']),
  code: nullable(Type.String({ maxLength: 60, description: 'Why the call was refused or failed.' })),
  ip: nullable(Type.String({ maxLength: 64 })),
  userAgent: nullable(Type.String({ maxLength: 200 })),
  requestId: Type.String({ maxLength: 128 }),
  changes: Changes,
  argumentsHash: Type.Optional(
    Type.String({
      ...sha256,
      description: 'Of tool calls: SHA-256, in hex, of the arguments as JSON with sorted members, without spaces.',
    }),
  ),
  traceId: Type.Optional(Type.String({ maxLength: 32, description: 'For tool calls with a W3C Trace Context.' })),
  count: Type.Integer({
    minimum: 1,
    description: 'The number of equal refusals, close together, that this entry represents.',
  }),
  previousHash: Hash,
  hash: Hash,
})
export type AuditEntry = Static<typeof AuditEntry>

export const listAuditEntries = operation({
  name: 'audit-entries.list',
  http: 'GET /audit-entries',
  summary: 'List audit entries',
  description: 'Newest first. Entries are kept for a year.',
  audiences: ['api', 'settings'],
  scope: 'audit-entries:read',
  input: closed({
    ...pageInput,
    action: Type.Optional(
      Type.Array(Type.String({ format: 'audited-action', maxLength: 80 }), {
        minItems: 1,
        maxItems: 50,
        description:
          'Any of these: names of operations, `tools.call`, `mcp`, `api-keys.rotation_due` or `webhooks.disabled`.',
      }),
    ),
    outcome: Type.Optional(AuditEntry.properties.outcome),
    actorId: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
    targetId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description: 'Only entries about this key, webhook or other object.',
      }),
    ),
    createdAfter: Type.Optional(Timestamp),
    createdBefore: Type.Optional(Timestamp),
  }),
  output: pageOf(AuditEntry),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const ChainFlaw = Type.Enum(['entry_changed', 'entry_missing', 'link_broken', 'start_missing', 'end_mismatch'])
export type ChainFlaw = Static<typeof ChainFlaw>

export const verifyAuditEntries = operation({
  name: 'audit-entries.verify',
  http: 'GET /audit-entries/verify',
  summary: 'Verify the audit log',
  description:
    'Recomputes the chain of hashes. One call checks at most 20,000 entries. If `complete` is false, continue with `from` = `lastNumber` + 1.',
  audiences: ['settings'],
  scope: 'audit-entries:read',
  input: closed({ from: Type.Optional(EntryNumber) }),
  output: closed({
    checked: Type.Integer({ minimum: 0 }),
    intact: Type.Boolean(),
    brokenAt: nullable(Type.Integer({ minimum: 1, description: 'The number of the first invalid entry.' })),
    reason: nullable(ChainFlaw),
    complete: Type.Boolean({ description: 'The newest entry was reached.' }),
    lastNumber: Type.Integer({ minimum: 0, description: 'The hash of the last valid entry.' }),
    lastHash: Hash,
  }),
  success: 200,
  errors: ['invalid_parameter'],
})
