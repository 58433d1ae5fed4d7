// The Response Objects of an operation that succeeds.
import { schemaOrRef, type Json, type Names } from './components.ts'
import { exampleAnswer, exampleMessages } from './recorded-examples.ts'
import { methodOf, partialType, type Audience, type Operation, pathOf, takesIdempotencyKey } from '../operation.ts'
import { eventStreamType, lastEventIdHeader, lastEventIdLengthMax, openedMessage, type Stream } from '../stream.ts'
import { referenceFormat } from '../references.ts'
import { keyRate, workspaceRate } from '../rate-limits.ts'
import { answersBytes, answersFile, answersLines, fileType, linesTypes } from '../file-answer.ts'
import { isVersioned, hasField } from './request-fields.ts'

export type ResponseContext = {
  readonly names: Names
  readonly audience: Audience
}

export function successResponses(operation: Operation, context: ResponseContext): Json {
  const isFile = answersBytes(operation)
  const statuses = operation.creates ? [200, 201] : isFile ? [200, 206] : [operation.success]
  const isConditional = methodOf(operation) === 'GET' && (isFile || isVersioned(operation))
  return {
    ...Object.fromEntries(statuses.map((status) => [status, successResponse(operation, status, context)])),
    ...(isConditional && {
      304: {
        description: 'Not modified. You have the current version.',
        headers: headerRefs(['ETag', ...headersOfEveryResponse[context.audience]]),
      },
    }),
  }
}

function successResponse(operation: Operation, status: number, { names, audience }: ResponseContext): Json {
  const head = {
    description: statusDescriptions[status] ?? 'Done.',
    headers: headerRefs(responseHeaders(operation, status, audience)),
  }
  if (status === 204) return head
  const schema = schemaOrRef(operation.output, names)
  if (answersFile(operation)) {
    const types = answersLines(operation) ? Object.values(linesTypes) : [fileType]
    return { ...head, content: Object.fromEntries(types.map((type) => [type, { schema }])) }
  }
  const whole = { 'application/json': { schema, example: exampleAnswer(operation, status) } }
  const { partial } = operation
  return { ...head, content: { ...whole, ...(partial && { [partialType]: { schema: schemaOrRef(partial, names) } }) } }
}

const statusDescriptions: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. The work continues after this response.',
  204: 'Done. The response has no body.',
  206: 'The part that `Range` requests.',
}

// What the description says of a stream: server-sent events, which OpenAPI 3.1 knows as text. `x-messages` has the data
// of each kind of message, and the example shows them on the wire.

export const lastEventIdParameter: Json = {
  name: lastEventIdHeader,
  in: 'header',
  description:
    'The `id` of the last message that you received. The stream continues after it. Browsers send it when they reconnect.',
  schema: { type: 'string', maxLength: lastEventIdLengthMax },
}

const openedSchema: Json = {
  type: 'object',
  required: ['resumed'],
  additionalProperties: false,
  properties: {
    resumed: {
      type: 'boolean',
      description: 'Whether everything since `last-event-id` is sent. If not, read the list again.',
    },
  },
}

export function streamResponse(stream: Stream, names: Names, audience: Audience): Json {
  const { message, asked } = stream
  return {
    description: `Server-sent events, until either side ends: first \`${openedMessage}\`, then a \`${message}\` for each. What stands in \`data\` is JSON.`,
    headers: headerRefs(headersOfEveryResponse[audience]),
    'x-messages': { [openedMessage]: openedSchema, [message]: schemaOrRef(asked.output, names) },
    content: {
      [eventStreamType]: {
        schema: { type: 'string', description: 'Blocks of `event`, `id` and `data`, with an empty line after each.' },
        example: exampleMessages(stream),
      },
    },
  }
}

// The Header Objects of the answers, and which answer has which of them.

const text = (description: string, more: Json = {}): Json => ({
  description,
  schema: { type: 'string', maxLength: 10_000, ...more },
})

export const headers = {
  'X-Request-Id': text('The id of this request, for support questions. It is yours if you sent a valid one.', {
    maxLength: 128,
  }),
  RateLimit: text('The remaining requests, and the seconds until one more is available: `"key";r=598;t=1`.'),
  'RateLimit-Policy': text(
    `The limits: \`"key";q=${keyRate.perMinute};w=60, "workspace";q=${workspaceRate.perMinute};w=60\`.`,
  ),
  'X-Key-Expires-At': text('When the key, or the secret that was sent, expires. From 80 % of its time on.', {
    format: 'date-time',
  }),
  'X-Key-Rotate-By': text(
    'When the secret is too old and is rejected. Sent from 80 % of its time on: rotate it before.',
    {
      format: 'date-time',
    },
  ),
  'X-Sandbox': text('`true` if the key is for a sandbox. Absent otherwise.', { const: 'true' }),
  ETag: text(
    'The version of the object, in quotation marks, for `If-Match` and `If-None-Match`. If the response shows more than the object itself (`expand`, counts), a digest of that follows: `"7-0123456789abcdef"`. `If-Match` compares only the version.',
  ),
  Location: text('The URL of the created object.', { format: 'uri-reference' }),
  'Content-Location': text('The URL of the object that replaces the requested one, if there is one.', {
    format: 'uri-reference',
  }),
  'Accept-Ranges': text('`bytes`: `Range` can request a part.', { const: 'bytes' }),
  'Content-Disposition': text('`attachment`, with a name for the file.'),
  'Content-Range': text('The part that this is, and the size of the whole: `bytes 0-1023/4096`.'),
  Link: text('The next page: `<…>; rel="next"`. Absent on the last one.'),
  'Idempotency-Replayed': text(
    '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
    {
      const: 'true',
    },
  ),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).'),
  Sunset: text('When the operation ends (RFC 8594).'),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0, maximum: 86_400 } },
  'WWW-Authenticate': text('`Bearer`, with what is wrong about the key (RFC 6750).'),
} satisfies Json

type Header = keyof typeof headers

/** Headers of every answer. The operator's calls count for no rate limit. */
const headersOfEveryResponse: Readonly<Record<Audience, readonly Header[]>> = {
  api: ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'X-Key-Expires-At', 'X-Key-Rotate-By', 'X-Sandbox'],
  settings: ['X-Request-Id'],
}

const responseHeaders = (operation: Operation, status: number, audience: Audience): Header[] => [
  ...headersOfEveryResponse[audience],
  ...(status !== 204 && isVersioned(operation) ? (['ETag'] as const) : []),
  ...(answersBytes(operation) ? (['ETag', 'Accept-Ranges'] as const) : []),
  ...(answersFile(operation) ? (['Content-Disposition'] as const) : []),
  ...(status === 206 ? (['Content-Range'] as const) : []),
  ...(status === 201 ? (['Location'] as const) : []),
  ...(methodOf(operation) === 'GET' && hasContentLocation(operation) ? (['Content-Location'] as const) : []),
  ...(hasField(operation.output, 'page') ? (['Link'] as const) : []),
  ...(takesIdempotencyKey(operation) ? (['Idempotency-Replayed'] as const) : []),
  ...(operation.deprecation === undefined ? [] : (['Deprecation', 'Sunset', 'Link'] as const)),
]

/** Can the object be asked for by another address than its own: by a name, or by the id of a merged one? */
function hasContentLocation(operation: Operation): boolean {
  const { format = '' }: { readonly format?: string } = operation.input.properties['id'] ?? {}
  const isNamed = pathOf(operation).endsWith('/{id}') && referenceFormat(format) !== null
  return isNamed || hasField(operation.output, 'mergedIntoId')
}

export const headersOfAnswers = (names: readonly Header[], audience: Audience): Json =>
  headerRefs([...names, ...headersOfEveryResponse[audience]])

const headerRefs = (names: readonly Header[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
