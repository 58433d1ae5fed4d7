// One operation, as an entry under its path.
import { answersOf, type Setting } from './responses.ts'
import { exampleBody } from './examples.ts'
import { bodyOf, isPost, takesBody } from './parameters.ts'
import { described, type Json, type Names } from './schemas.ts'
import { tagOf } from '../tag.ts'
import { methodOf, type Operation } from '../operation.ts'

/** Shared with other operations, as far as they are alike. */
type Parts = { readonly parameters: readonly Json[]; readonly problems: Json }

export function entryOf(operation: Operation, { parameters, problems }: Parts, setting: Setting): Json {
  const { name, summary, description, scope, emits, tool, deprecation } = operation
  const isOfApi = setting.audience === 'api'
  return {
    operationId: name,
    summary,
    description,
    tags: [tagOf(name)],
    ...(deprecation !== undefined && { deprecated: true }),
    // The operator holds every scope, and no tools are offered to him.
    ...(isOfApi && scope !== null && { 'x-scope': scope }),
    ...(emits.length > 0 && { 'x-emits': emits.map(({ type }) => type) }),
    'x-idempotent': !isPost(operation) || tool?.idempotent === true,
    ...(isOfApi && tool !== undefined && { 'x-mcp-tool': name }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(operation, setting.names),
    responses: { ...answersOf(operation, setting), ...problems },
  }
}

function requestBody(operation: Operation, names: Names): Json {
  const body = bodyOf(operation)
  if (!takesBody(operation) || Object.keys(body.properties).length === 0) return {}
  const content = { schema: described(body, names), example: exampleBody(operation) }
  const isPatch = methodOf(operation) === 'PATCH'
  const { required = [] } = body as { required?: readonly string[] }
  return {
    requestBody: {
      required: required.length > 0,
      content: { 'application/json': content, ...(isPatch && { 'application/merge-patch+json': content }) },
    },
  }
}
