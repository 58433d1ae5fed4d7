// The operations of a description as requests that can be sent: what the collections for Postman, Bruno and editors are
// made of. Converters of others were tried (docs/guides/tools.md): they invent values for optional parameters, no two
// runs give the same file, and what they make is seven times as large.
import type { Json } from '../openapi/components.ts'
import { example } from '../openapi/examples.ts'
import type { SchemaNode } from '../json-schema.ts'

export type SampleParameter = {
  readonly name: string
  readonly value: string
  readonly description: string
  readonly isRequired: boolean
}
type SampleBody = { readonly contentType: string; readonly text: string }
type SampleAnswer = SampleBody & { readonly status: number; readonly description: string }
export type SampleRequest = {
  readonly operationId: string
  readonly title: string
  readonly description: string
  readonly method: string
  /** With `{name}` for each of `pathParameters`. */
  readonly path: string
  readonly pathParameters: readonly SampleParameter[]
  readonly query: readonly SampleParameter[]
  readonly headers: readonly SampleParameter[]
  readonly body: SampleBody | null
  /** The first of success that has an example; null where none has. */
  readonly answer: SampleAnswer | null
}
export type RequestGroup = {
  readonly name: string
  readonly description: string
  readonly requests: readonly SampleRequest[]
}
export type RequestCollection = {
  readonly title: string
  readonly description: string
  readonly groups: readonly RequestGroup[]
}

type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly example?: unknown
  readonly schema: SchemaNode & { readonly examples?: readonly unknown[] }
}
type Content = Readonly<Record<string, { readonly example?: unknown }>>
type DescribedOperation = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly 'x-scope'?: string
  readonly parameters?: readonly Json[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>
}
type Description = {
  readonly info: { readonly title: string; readonly summary: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
}

/** Grouped by resource, in the order of the description. */
export function requestsIn(description: Json): RequestCollection {
  const { info, tags, paths } = description as Description
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      request: requestOf(method.toUpperCase(), path, operation, description),
    })),
  )
  return {
    title: info.title,
    description: `${info.summary}\n\n${usage}`,
    groups: tags.map((tag) => ({
      ...tag,
      requests: requests.flatMap((each) => (each.tag === tag.name ? [each.request] : [])),
    })),
  }
}

const usage = `Set the variable \`key\` to an API key. With a key that is bound to no workspace, set \`workspaceId\` as well.

Ids in the examples are invented: requests with them return 404 until you use your own.`

function requestOf(method: string, path: string, operation: DescribedOperation, description: Json): SampleRequest {
  const { operationId, summary, requestBody, responses, 'x-scope': scope } = operation
  const parameters = (operation.parameters ?? []).map((each) => resolved(each, description))
  const at = (place: Parameter['in']) => parameters.filter((each) => each.in === place).map(sampleParameter)
  return {
    operationId,
    title: summary,
    description: [operation.description, ...(scope === undefined ? [] : [`Scope: \`${scope}\`.`])].join('\n\n'),
    method,
    path,
    pathParameters: at('path'),
    query: at('query'),
    headers: at('header'),
    body: bodyIn(requestBody?.content),
    answer: answerIn(responses),
  }
}

function resolved(parameter: Json, description: Json): Parameter {
  const { $ref: ref } = parameter
  if (typeof ref !== 'string') return parameter as unknown as Parameter
  const name = ref.replace('#/components/parameters/', '')
  const { parameters = {} } = description['components'] as { readonly parameters?: Readonly<Record<string, Parameter>> }
  const found = parameters[name]
  if (found === undefined) throw new Error(`The description has no parameter ${name}`)
  return found
}

function sampleParameter(parameter: Parameter): SampleParameter {
  const { name, description = '', required = false, schema } = parameter
  const { examples = [] } = schema
  const value = parameter.example ?? examples[0] ?? (schema.type === 'boolean' ? true : example(schema))
  return { name, value: Array.isArray(value) ? value.join(',') : String(value), description, isRequired: required }
}

/** The first type of the content, which is JSON wherever an operation takes JSON. */
function bodyIn(content: Content = {}): SampleBody | null {
  const [first] = Object.entries(content)
  if (first === undefined || first[1].example === undefined) return null
  const [contentType, { example: value }] = first
  return { contentType, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }
}

function answerIn(responses: DescribedOperation['responses']): SampleAnswer | null {
  for (const [status, { description = '', content }] of Object.entries(responses)) {
    const body = status.startsWith('2') ? bodyIn(content) : null
    if (body !== null) return { status: Number(status), description, ...body }
  }
  return null
}

/** The query of a call without what can be left out: empty, or begins with `?`. */
export function requiredQuery({ query }: Pick<SampleRequest, 'query'>): string {
  const sent = query.filter(({ isRequired }) => isRequired)
  return sent.length === 0 ? '' : `?${sent.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}

/** `{id}` as `:id`, as Postman and Bruno write it. */
export const colonTemplate = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')
