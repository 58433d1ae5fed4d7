// The API log of a workspace: the calls of its keys, with why each was refused. Queries, headers and bodies are never
// stored. Refusals and changes are kept for a month, successful reads for some days, and of a workspace that calls more
// often than there is room for, one in many is kept and says for how many it stands.
import { Type, type Static } from 'typebox'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import { MemberRef } from './references.ts'
import { Id, Timestamp, closed, nullable } from './shared-fields.ts'
import { Surface } from './surface.ts'

export const requestsTag = tag('requests', 'The requests of API keys, with status, latency, and why each was rejected.')

/** Successful reads, and all else. */
export const callsKeptDays = { read: 3, other: 30 } as const

/** So many calls, the newest ones first, are looked through for one page. */
export const callsLookedThroughMax = 50_000

/** A call that may still be overtaken by one of the same moment is not shown to those who follow the log. */
export const callsSettleMs = 2_000

export const callMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const callPathLengthMax = 300
export const callDetailLengthMax = 500

export const LoggedRequest = closed({
  id: Id,
  object: Type.Literal('logged_request'),
  workspaceId: Id,
  at: Type.String({ ...Timestamp, description: 'When the request arrived.' }),
  method: Type.String({ maxLength: 20 }),
  path: Type.String({
    maxLength: callPathLengthMax,
    description:
      'Without the query. A value that is neither an id nor a key such as `WEB-42` is shown as the name of the parameter, `{id}`.',
  }),
  operation: Type.String({
    maxLength: 80,
    description: 'The name of the operation, or of the MCP tool; `mcp` for other messages and for batches.',
  }),
  surface: Surface,
  status: Type.Integer({
    description: '499: the client closed the connection. A rejected tool call over MCP has 200 and a `code`.',
  }),
  ms: Type.Number({ minimum: 0, description: 'Milliseconds until the response headers.' }),
  apiKeyId: Type.String({ ...Id, description: 'The key of the request.' }),
  apiKeyName: Type.String({ maxLength: 200, description: 'At the time of the request.' }),
  apiKeyPrefix: nullable(Type.String({ maxLength: 20, description: 'The first characters of the key’s secret.' })),
  ip: nullable(Type.String({ maxLength: 64, description: 'The address of the client.' })),
  requestId: Type.String({ maxLength: 128, description: '`X-Request-Id` of the response.' }),
  objectId: nullable(
    Type.String({ ...Id, description: 'The object of the request: the one in the path, or the one that it created.' }),
  ),
  code: nullable(Type.String({ maxLength: 60, description: 'Why the request was rejected: an error code.' })),
  detail: nullable(Type.String({ maxLength: callDetailLengthMax, description: 'The reason as a sentence.' })),
  leftOut: Type.Integer({
    minimum: 0,
    description: 'How many requests of the same kind, before this one, were not kept because there were too many.',
  }),
})
export type LoggedRequest = Static<typeof LoggedRequest>

const anyOf = (item: Parameters<typeof Type.String>[0], description: string) =>
  Type.Optional(Type.Array(Type.String(item), { minItems: 1, maxItems: 20, description }))

export const listRequests = operation({
  name: 'requests.list',
  http: 'GET /requests',
  summary: 'List requests',
  description: `The API log, newest first in the order of recording. A request is recorded within seconds of its end. Successful reads are kept for ${callsKeptDays.read} days, changes and rejected requests for ${callsKeptDays.other}; if there are too many, some are left out and counted (\`leftOut\`). Requests that read the log are not in it. One page looks through at most ${callsLookedThroughMax.toLocaleString('en')} requests, so a page can have fewer items than its limit, or none, although there are more (\`hasMore\`).`,
  audiences: ['api', 'settings'],
  scope: 'requests:read',
  input: closed({
    ...pageInput,
    afterId: Type.Optional(
      Type.String({
        ...Id,
        description: `To follow the log: only requests that were recorded after the one with this id, oldest first. Those of the last ${callsSettleMs / 1_000} seconds are left to the next page, so that none is missed.`,
      }),
    ),
    apiKeyId: Type.Optional(Type.String({ ...Id, description: 'Only requests of this key.' })),
    memberId: Type.Optional(
      Type.String({ ...MemberRef, description: 'Only requests of keys that this member created or owns.' }),
    ),
    objectId: Type.Optional(Type.String({ ...Id, description: 'Only requests about this object.' })),
    requestId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    method: Type.Optional(
      Type.Array(Type.Enum([...callMethods]), {
        minItems: 1,
        maxItems: callMethods.length,
        description: 'Any of these.',
      }),
    ),
    operation: anyOf({ minLength: 1, maxLength: 80 }, 'Any of these: names of operations or MCP tools, or `mcp`.'),
    surface: Type.Optional(Surface),
    status: anyOf(
      { pattern: '^[1-5](?:\\d\\d|xx)$' },
      'Any of these: a status such as `429`, or a class such as `4xx`.',
    ),
    code: anyOf({ minLength: 1, maxLength: 60 }, 'Any of these codes of errors.'),
    outcome: Type.Optional(
      Type.Enum(['success', 'refused'], {
        description: '`refused`: a status of 400 or above, or a rejected tool call over MCP.',
      }),
    ),
    path: Type.Optional(
      Type.String({ minLength: 1, maxLength: callPathLengthMax, description: 'Only paths that begin with this.' }),
    ),
    ip: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only requests from this address.' })),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Only requests with this text in path, operation, code, detail, request id or address.',
      }),
    ),
    createdAfter: Type.Optional(Timestamp),
    createdBefore: Type.Optional(Timestamp),
  }),
  output: pageOf(LoggedRequest),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const getRequest = operation({
  name: 'requests.get',
  http: 'GET /requests/{id}',
  summary: 'Get a request',
  description: 'One request of the API log, with why it was rejected.',
  audiences: ['api', 'settings'],
  scope: 'requests:read',
  input: closed({ id: Id }),
  output: LoggedRequest,
  unversioned: true,
  success: 200,
  errors: ['not_found'],
})
