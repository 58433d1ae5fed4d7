// The audit log of a workspace: who changed keys, webhooks, members and policies, who purged what, who called tools
// over MCP, and whose calls were refused. Entries are written once and form a hash chain: a changed or removed entry is
// detected.
import { Type, type Static } from 'typebox'
import { Changes } from './event.ts'
import { Actor, Id, Timestamp, closed, nullable } from './shared-fields.ts'
import { LinesOutput, linesTypes } from './file-answer.ts'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'

/** The User-Agent of the operator's command line, by which the audit log tells it from the console. */
export const cliUserAgent = 'workspace-integration-api-cli'

export const auditEntriesTag = tag(
  'audit-entries',
  'Changes to keys, webhooks, members and policies, and denied requests, each with its actor.',
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
      'The name of the operation; `tools.call` for an MCP tool; `mcp` if the request was rejected before a tool was known.',
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
  code: nullable(Type.String({ maxLength: 60, description: 'Why the request was denied or failed.' })),
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
    description: 'The number of identical denials, close together, that this entry represents.',
  }),
  previousHash: Hash,
  hash: Hash,
})
export type AuditEntry = Static<typeof AuditEntry>

/** So many entries, the newest ones first, are looked through for one page. */
export const entriesLookedThroughMax = 50_000

const filters = {
  action: Type.Optional(
    Type.Array(Type.String({ format: 'audited-action', maxLength: 80 }), {
      minItems: 1,
      maxItems: 50,
      description:
        'Any of these: operation names, `tools.call`, `mcp`, `api-keys.rotation_due` or `webhooks.disabled`.',
    }),
  ),
  outcome: Type.Optional(AuditEntry.properties.outcome),
  surface: Type.Optional(AuditEntry.properties.surface),
  actorId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 80, description: 'Only entries of what this key or member did.' }),
  ),
  targetId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'Only entries about this key, webhook or other object.',
    }),
  ),
  requestId: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'Only entries of this request.' })),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Only entries with this text in action, actor, target, code, address, user agent or request id. Case does not matter.',
    }),
  ),
  createdAfter: Type.Optional(Timestamp),
  createdBefore: Type.Optional(Timestamp),
}

export const listAuditEntries = operation({
  name: 'audit-entries.list',
  http: 'GET /audit-entries',
  summary: 'List audit entries',
  description: `Newest first. Entries are kept for a year. Where filters are combined, or a text is searched, one page looks through at most ${entriesLookedThroughMax.toLocaleString('en')} entries, so a page can have fewer items than its limit, or none, although there are more (\`hasMore\`).`,
  audiences: ['api', 'settings'],
  scope: 'audit-entries:read',
  input: closed({ ...pageInput, ...filters }),
  output: pageOf(AuditEntry),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

/** So many entries are read at a time. */
export const entriesPerExportPage = 1_000

export const exportAuditEntries = operation({
  name: 'audit-entries.export',
  http: 'GET /audit-entries/export',
  summary: 'Export the audit log',
  description:
    "The entries that match the filters, oldest first, as CSV or as one JSON object a line. In CSV, text that a spreadsheet would take for a formula has `'` before it. The export itself is recorded in the audit log.",
  audiences: ['settings'],
  scope: 'audit-entries:read',
  input: closed({ format: Type.Enum(['csv', 'ndjson'] satisfies (keyof typeof linesTypes)[]), ...filters }),
  output: LinesOutput,
  success: 200,
  errors: [],
})

export const ChainFlaw = Type.Enum(['entry_changed', 'entry_missing', 'link_broken', 'start_missing', 'end_mismatch'])
export type ChainFlaw = Static<typeof ChainFlaw>

export const verifyAuditEntries = operation({
  name: 'audit-entries.verify',
  http: 'GET /audit-entries/verify',
  summary: 'Verify the audit log',
  description:
    'Recomputes the chain of hashes. One request checks at most 20,000 entries. If `complete` is false, continue with `from` = `lastNumber` + 1.',
  audiences: ['settings'],
  scope: 'audit-entries:read',
  input: closed({ from: Type.Optional(EntryNumber) }),
  output: closed({
    checked: Type.Integer({ minimum: 0 }),
    since: nullable(
      Type.String({ ...Timestamp, description: 'The time of the first entry that this request checked.' }),
    ),
    intact: Type.Boolean(),
    brokenAt: nullable(Type.Integer({ minimum: 1, description: 'The number of the first invalid entry.' })),
    brokenEntry: nullable({
      ...closed({
        at: Timestamp,
        action: Type.String({ maxLength: 80 }),
        actorName: Type.String({ maxLength: 200 }),
      }),
      description: 'This entry, as it is stored now. Null if it is missing.',
    }),
    reason: nullable(ChainFlaw),
    complete: Type.Boolean({ description: 'The newest entry was reached.' }),
    lastNumber: Type.Integer({ minimum: 0, description: 'The hash of the last valid entry.' }),
    lastHash: Hash,
  }),
  success: 200,
  errors: ['invalid_parameter'],
})
