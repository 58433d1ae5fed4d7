// What an operation answers where it succeeds, and the headers that go with answers.
import type { TSchema } from 'typebox'
import { keyRate, workspaceRate } from '../size-limits.ts'
import { exampleAnswer } from './examples.ts'
import { has, isPost, isVersioned } from './parameters.ts'
import { described, type Json, type Names } from './schemas.ts'
import { methodOf, type Audience, type Operation } from '../operation.ts'

const text = (description: string, more: Json = {}): Json => ({
  description,
  schema: { type: 'string', maxLength: 10_000, ...more },
})

export const headers = {
  'X-Request-Id': text('The name of this request, for questions about it. Yours, if you sent one that fits.', {
    maxLength: 128,
  }),
  RateLimit: text('What is left of the limit, and in how many seconds it is whole again: `"key";r=598;t=12`.'),
  'RateLimit-Policy': text(
    `The limits: \`"key";q=${keyRate.perMinute};w=60, "workspace";q=${workspaceRate.perMinute};w=60\`.`,
  ),
  ETag: text(
    'The version of the object, in quotation marks, for `If-Match` and `If-None-Match`. Where the answer shows more than the object itself (`expand`, counts), a digest of that follows: `"7-0123456789abcdef"`. `If-Match` looks at the version alone.',
  ),
  Location: text('The address of what was made.', { format: 'uri-reference' }),
  'Content-Location': text('The address of the object that stands in place of the one asked for, where there is one.', {
    format: 'uri-reference',
  }),
  Link: text('The next page: `<…>; rel="next"`. Absent on the last one.'),
  'Idempotency-Replayed': text(
    '`true` where this is the answer to an earlier request with the same `Idempotency-Key`.',
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

/** `whole`: of a list of projects that shows some fields, the project with all of them. */
export type Setting = {
  readonly whole: TSchema | undefined
  readonly names: Names
  readonly audience: Audience
}

export function answersOf(operation: Operation, setting: Setting): Json {
  const statuses = operation.creates ? [200, 201] : [operation.success]
  const isConditional = methodOf(operation) === 'GET' && isVersioned(operation)
  return {
    ...Object.fromEntries(statuses.map((status) => [status, answer(operation, status, setting)])),
    ...(isConditional && {
      304: { description: 'Not changed: you have this version.', headers: refs(['ETag', ...always[setting.audience]]) },
    }),
  }
}

/** The operator's calls are not counted. */
const always: Readonly<Record<Audience, readonly Header[]>> = {
  api: ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'],
  settings: ['X-Request-Id'],
}

function answer(operation: Operation, status: number, { whole, names, audience }: Setting): Json {
  const head = { description: meanings[status] ?? 'Done.', headers: refs(headersOf(operation, status, audience)) }
  if (status === 204) return head
  const schema = described(operation.output, names)
  return { ...head, content: { 'application/json': { schema, example: exampleAnswer(operation, whole) } } }
}

const meanings: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Taken on; it happens after this answer.',
  204: 'Done; there is nothing to show.',
}

const headersOf = (operation: Operation, status: number, audience: Audience): Header[] => [
  ...always[audience],
  ...(status !== 204 && isVersioned(operation) ? (['ETag'] as const) : []),
  ...(status === 201 ? (['Location'] as const) : []),
  ...(methodOf(operation) === 'GET' && standsIn(operation) ? (['Content-Location'] as const) : []),
  ...(has(operation.output, 'page') ? (['Link'] as const) : []),
  ...(isPost(operation) ? (['Idempotency-Replayed'] as const) : []),
  ...(operation.deprecation === undefined ? [] : (['Deprecation', 'Sunset', 'Link'] as const)),
]

/** May it be asked for by something else than its own address? */
function standsIn({ input, output }: Operation): boolean {
  const id: { readonly format?: string } = input.properties['id'] ?? {}
  return has(output, 'mergedIntoId') || id.format === 'id-or-identifier'
}

const refs = (names: readonly Header[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
