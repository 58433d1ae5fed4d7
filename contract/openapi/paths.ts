// The Paths Object: every operation under its path. Parameters and error responses that several operations have alike
// are components, to which they refer.
import { errorCodesByStatus, errorResponse, responseNames } from './error-responses.ts'
import { parameterObjects } from './parameters.ts'
import { type Json, type Names, sharedComponents, type Candidate, schemaOrRef } from './components.ts'
import { lastEventIdParameter, streamResponse, successResponses, type ResponseContext } from './responses.ts'
import { bytesBody, downloadParameters, downloadResponses, signatureParameterObject } from './transfers.ts'
import { methodOf, type Audience, type Operation, tagOf } from '../operation.ts'
import { pathFor } from '../route-paths.ts'
import type { Stream } from '../stream.ts'
import type { Transfer } from '../transfer.ts'
import { exampleBody } from './examples.ts'
import { toolNamed } from '../tools/catalogue.ts'
import { rolesWith } from '../roles.ts'
import { isPost, bodySchema, takesBody } from './request-fields.ts'

type Described = {
  readonly operations: readonly Operation[]
  readonly streams: readonly Stream[]
  readonly transfers: readonly Transfer[]
}
type Paths = { readonly paths: Json; readonly parameters: Json; readonly responses: Json }
/** One Operation Object: what it is made of beside its parameters. */
type Entry = { readonly asked: Operation; readonly parameters: readonly Json[]; readonly answers: Json | null }

/** The Paths Object, and the parameters and responses that several operations have alike. */
export function pathsOf({ operations, streams, transfers }: Described, names: Names, audience: Audience): Paths {
  const entries = [
    ...operations.map((asked): Entry => ({
      asked,
      parameters: parameterObjects(asked, names, audience),
      answers: null,
    })),
    ...transfers.map((transfer) => entryOfTransfer(transfer, names, audience)),
    ...streams.map((stream) => entryOfStream(stream, names, audience)),
  ]
  const errorCandidates = errorCandidatesFor(audience)
  const parameters = sharedComponents('parameters', entries.flatMap(parameterCandidates))
  const responses = sharedComponents(
    'responses',
    entries.flatMap(({ asked }) => errorCandidates(asked)).filter(isShared),
  )
  const paths: Record<string, Record<string, Json>> = {}
  for (const { asked, answers, ...entry } of entries) {
    const parts = {
      parameters: entry.parameters.map(parameters.refTo),
      problems: Object.fromEntries(errorCandidates(asked).map((part) => [part.status, responses.refTo(part.value)])),
      answers,
    }
    const methods = (paths[pathFor(asked, audience)] ??= {})
    methods[methodOf(asked).toLowerCase()] = operationObject(asked, parts, { names, audience })
  }
  return { paths, parameters: parameters.components, responses: responses.components }
}

const entryOfStream = (stream: Stream, names: Names, audience: Audience): Entry => ({
  asked: stream.asked,
  parameters: [...parameterObjects(stream.asked, names, audience), lastEventIdParameter],
  answers: { 200: streamResponse(stream, names, audience) },
})

const entryOfTransfer = ({ asked, direction }: Transfer, names: Names, audience: Audience): Entry => ({
  asked,
  parameters: [
    ...parameterObjects(asked, names, audience),
    signatureParameterObject,
    ...(direction === 'download' ? downloadParameters : []),
  ],
  answers: direction === 'download' ? downloadResponses(audience) : null,
})

const parameterCandidates = ({ asked, parameters }: Entry): Candidate[] =>
  parameters.map((value) => {
    const name = String(value['name'])
    return { names: [name, `${tagOf(asked.name)}.${name}`, `${asked.name}.${name}`], value }
  })

/** Most error responses depend on the method alone. */
const errorCandidatesFor =
  (audience: Audience) =>
  (operation: Operation): (Candidate & { readonly status: number })[] =>
    Array.from(errorCodesByStatus(operation, audience), ([status, codes]) => {
      const name = responseNames[status] ?? String(status)
      const method = methodOf(operation).toLowerCase()
      const ofTag = `${tagOf(operation.name)}.${method}.${name}`
      const names = [name, `${method}.${name}`, ofTag, `${operation.name}.${name}`]
      return { names, status, value: errorResponse(status, codes, operation, audience) }
    })

/** An example is of one operation alone: `instance` is its path. */
const isShared = ({ value }: Candidate): boolean => !JSON.stringify(value).includes('"example":')

// The Operation Object of one operation.

/**
 * Parameters and error responses, or references to those that are components; `answers`: of success, by status, where
 * they are no JSON.
 */
type Parts = { readonly parameters: readonly Json[]; readonly problems: Json; readonly answers: Json | null }

function operationObject(operation: Operation, parts: Parts, context: ResponseContext): Json {
  const { parameters, problems, answers } = parts
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
    responses: { ...(answers ?? successResponses(operation, context)), ...problems },
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
  if (operation.takesBytes === true) return { requestBody: bytesBody }
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
