// The Operation Object of one operation.
import { successResponses, type ResponseContext } from './responses.ts'
import { exampleBody } from './example-from-schema.ts'
import { bodySchema, isPost, takesBody } from './request-fields.ts'
import type { Json, Names } from './component-refs.ts'
import { schemaOrRef } from './schemas.ts'
import { tagOf } from '../tag.ts'
import { toolNamed } from '../tools/catalogue.ts'
import { methodOf, type Operation } from '../operation.ts'
import { rolesWith } from '../roles.ts'

/** Parameters and error responses, or references to those that are components; `answer`: of success, where it is no JSON. */
type Parts = { readonly parameters: readonly Json[]; readonly problems: Json; readonly answer: Json | null }

export function operationObject(operation: Operation, parts: Parts, context: ResponseContext): Json {
  const { parameters, problems, answer } = parts
  const { name, summary, description, scope, emits, deprecation } = operation
  const isOfApi = context.audience === 'api'
  return {
    operationId: name,
    summary,
    description,
    tags: [tagOf(name)],
    ...(deprecation !== undefined && { deprecated: true }),
    ...(isOfApi ? {} : settingsCallers(operation)),
    // The operator holds every scope, and no tools are offered to him.
    ...(isOfApi && scope !== null && { 'x-scope': scope }),
    ...(emits.length > 0 && { 'x-emits': emits.map(({ type }) => type) }),
    'x-idempotent': !isPost(operation),
    ...(isOfApi && toolNamed(name) !== undefined && { 'x-mcp-tool': name }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(operation, context.names),
    responses: { ...(answer ? { [operation.success]: answer } : successResponses(operation, context)), ...problems },
  }
}

/** Who may call: the operator's token is not named where it is the only way in. */
function settingsCallers({ admits, scope }: Operation): Json {
  if (admits === 'operator') return {}
  if (admits === 'anyone') return { security: [] }
  if (admits === 'account') return { security: [{ session: [] }] }
  return {
    security: [{ operatorToken: [] }, { session: [] }],
    ...(scope !== null && { 'x-roles': rolesWith(scope) }),
  }
}

function requestBody(operation: Operation, names: Names): Json {
  const body = bodySchema(operation)
  if (!takesBody(operation) || Object.keys(body.properties).length === 0) return {}
  const content = { schema: schemaOrRef(body, names), example: exampleBody(operation) }
  const isPatch = methodOf(operation) === 'PATCH'
  const { required = [] } = body as { required?: readonly string[] }
  return {
    requestBody: {
      required: required.length > 0,
      content: { 'application/json': content, ...(isPatch && { 'application/merge-patch+json': content }) },
    },
  }
}
