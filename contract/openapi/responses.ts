// The Response Objects of an operation that succeeds.
import type { TSchema } from 'typebox'
import { schemaOrRef } from './schemas.ts'
import type { Json, Names } from './component-refs.ts'
import { exampleResponse } from './example-from-schema.ts'
import { isVersioned } from './request-fields.ts'
import { headerRefs, headersOfEveryResponse, responseHeaders } from './response-headers.ts'
import { methodOf, type Audience, type Operation } from '../operation.ts'

/** `fullItem`: of a list whose items may have some fields only, the resource with all of its fields. */
export type ResponseContext = {
  readonly fullItem: TSchema | undefined
  readonly names: Names
  readonly audience: Audience
}

export function successResponses(operation: Operation, context: ResponseContext): Json {
  const statuses = operation.creates ? [200, 201] : [operation.success]
  const isConditional = methodOf(operation) === 'GET' && isVersioned(operation)
  return {
    ...Object.fromEntries(statuses.map((status) => [status, successResponse(operation, status, context)])),
    ...(isConditional && {
      304: {
        description: 'Not changed: you have this version.',
        headers: headerRefs(['ETag', ...headersOfEveryResponse[context.audience]]),
      },
    }),
  }
}

function successResponse(operation: Operation, status: number, { fullItem, names, audience }: ResponseContext): Json {
  const head = {
    description: statusDescriptions[status] ?? 'Done.',
    headers: headerRefs(responseHeaders(operation, status, audience)),
  }
  if (status === 204) return head
  const schema = schemaOrRef(operation.output, names)
  return { ...head, content: { 'application/json': { schema, example: exampleResponse(operation, fullItem) } } }
}

const statusDescriptions: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Taken on; it happens after this answer.',
  204: 'Done; there is nothing to show.',
}
