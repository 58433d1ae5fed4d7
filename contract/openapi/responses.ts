// The Response Objects of an operation that succeeds.
import { schemaOrRef } from './schemas.ts'
import type { Json, Names } from './component-refs.ts'
import { exampleAnswer } from './recorded-examples.ts'
import { isVersioned } from './request-fields.ts'
import { headerRefs, headersOfEveryResponse, responseHeaders } from './response-headers.ts'
import { methodOf, type Audience, type Operation } from '../operation.ts'

export type ResponseContext = {
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

function successResponse(operation: Operation, status: number, { names, audience }: ResponseContext): Json {
  const head = {
    description: statusDescriptions[status] ?? 'Done.',
    headers: headerRefs(responseHeaders(operation, status, audience)),
  }
  if (status === 204) return head
  const schema = schemaOrRef(operation.output, names)
  return { ...head, content: { 'application/json': { schema, example: exampleAnswer(operation, status) } } }
}

const statusDescriptions: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Taken on; it happens after this answer.',
  204: 'Done; there is nothing to show.',
}
