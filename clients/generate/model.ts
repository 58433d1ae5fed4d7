// What the published clients say of the API, read off the contract: the calls that a key may make, the named types that
// they take and give, and the events. It knows no language; the files beside it write it down in one each.
import { eventCatalogue, operations, schemas, transfers } from '#contract/api.ts'
import { EventRecord } from '#contract/event.ts'
import { faultCodes, isRetryable, type FaultCode } from '#contract/faults/fault.ts'
import { ProblemBody } from '#contract/faults/problem-details.ts'
import { answersFile } from '#contract/file-answer.ts'
import { requiredIn, type SchemaNode } from '#contract/json-schema.ts'
import { descriptionOf } from '#contract/openapi/descriptions.ts'
import { errorCodesByStatus } from '#contract/openapi/error-responses.ts'
import { tagOf, takesIdempotencyKey, type Operation } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { segmentOfReference } from '#contract/references.ts'
import { Actor } from '#contract/shared-fields.ts'

export type Field = {
  readonly name: string
  readonly schema: SchemaNode
  readonly isRequired: boolean
  readonly description: string | undefined
}

/** What a call answers: JSON of a schema, a page of such, or bytes. */
type Answer =
  | { readonly kind: 'json'; readonly schema: SchemaNode }
  | {
      readonly kind: 'page'
      readonly item: SchemaNode
      /** Beside `data` and `page`. */ readonly more: readonly Field[]
    }
  | { readonly kind: 'bytes' }

export type Call = {
  readonly name: string
  /** `tasks` and `getByExternalId`, in words: each language joins them in its own way. */
  readonly group: readonly string[]
  readonly method: readonly string[]
  /** `GET /api/v1/tasks/{id}`. */
  readonly http: string
  readonly summary: string
  readonly description: string
  readonly input: readonly Field[]
  readonly answer: Answer
  /** In a collection, where the answer is of its objects. */
  readonly shows: Collection | null
  readonly takesBytes: boolean
  /** Sent again with the same Idempotency-Key, it acts once. */
  readonly takesIdempotencyKey: boolean
  readonly errors: readonly FaultCode[]
}

export type Collection = {
  readonly segment: string
  /** `Task`. */
  readonly type: string
  /** The shapes that an object has, each with its expansions as fields that are not required. */
  readonly shapes: readonly SchemaNode[]
  readonly expansions: readonly string[]
  /** Shown in lists and batches only if `fields` names it. */
  readonly hidden: readonly string[]
  /** The fields of a batch's items, by their action. */
  readonly written: { readonly Create: SchemaNode; readonly Patch: SchemaNode; readonly Upsert: SchemaNode }
  /** Fields that take the name of an object of this collection: in a batch, `#3` for that of an earlier item. */
  readonly ownReferences: readonly string[]
  readonly batchBytesMax: number
}

/** The kinds of names that objects of a collection have: their formats begin with them. */
const kindsOfNames = (collection: string): string[] =>
  Object.entries(segmentOfReference).flatMap(([kind, segment]) => (segment === collection ? [kind] : []))

const isOfKeys = ({ audiences }: Operation): boolean => audiences.includes('api')
const operationNamed = (name: string): Operation => operations.find((each) => each.name === name)!
const fieldOf = (schema: SchemaNode, name: string): SchemaNode => schema.properties?.[name] ?? {}

export const collections: readonly Collection[] = operations
  .filter(({ name }) => name.endsWith('.batch'))
  .map(({ name, documentedInput, output, bodyBytesMax }) => {
    const segment = tagOf(name)
    const shown: SchemaNode = operationNamed(`${segment}.get`).output
    const items: SchemaNode = fieldOf(documentedInput ?? {}, 'items').items ?? {}
    const [Create = {}, Patch = {}, Upsert = {}] = (fieldOf(items, 'data').anyOf ?? []) as SchemaNode[]
    const expand = fieldOf(operationNamed(`${segment}.list`).input, 'expand')
    const kinds = kindsOfNames(segment)
    const result: SchemaNode = fieldOf(output, 'results').items ?? {}
    const brief = propertyNames(fieldOf(result, 'data').anyOf?.[0] ?? {})
    return {
      segment,
      type: typeOf(segment),
      shapes: shown.anyOf ?? [shown],
      expansions: ((expand.items ?? {}) as SchemaNode).enum?.map(String) ?? [],
      hidden: [...propertyNames(shown)].filter((field) => !brief.has(field)),
      written: { Create, Patch, Upsert },
      ownReferences: Object.entries(Patch.properties ?? {}).flatMap(([field, schema]) =>
        [...formatsIn(schema)].some((format) => kinds.some((kind) => format.startsWith(`${kind}-ref`))) ? [field] : [],
      ),
      batchBytesMax: bodyBytesMax,
    }
  })

/** Of an object, or of all alternatives. */
function propertyNames({ properties = {}, anyOf = [] }: SchemaNode): Set<string> {
  return new Set([...Object.keys(properties), ...anyOf.flatMap((each) => [...propertyNames(each)])])
}

function typeOf(segment: string): string {
  const shown: SchemaNode = operationNamed(`${segment}.get`).output
  const object = fieldOf(shown.anyOf?.[0] ?? shown, 'object').const
  return pascal(String(object).split('_'))
}

/** The calls in the order of their names, those that carry bytes among them. */
export const calls: readonly Call[] = [...operations.filter(isOfKeys), ...transfers.map(({ asked }) => asked)]
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  .map((operation) => ({
    name: operation.name,
    group: tagOf(operation.name).split('-'),
    method: operation.name.slice(tagOf(operation.name).length + 1).split('-'),
    http: `${operation.http.split(' ')[0]} ${pathFor(operation, 'api')}`,
    summary: operation.summary,
    description: operation.description,
    input: fieldsOf(operation.documentedInput ?? operation.input),
    answer: answerOf(operation),
    shows: shownBy(operation),
    takesBytes: operation.takesBytes === true,
    takesIdempotencyKey: takesIdempotencyKey(operation),
    errors: [...errorCodesByStatus(operation, 'api').values()].flat(),
  }))

function answerOf(operation: Operation): Answer {
  const output: SchemaNode = operation.output
  const isDownload = transfers.some(({ asked, direction }) => asked.name === operation.name && direction === 'download')
  if (isDownload || answersFile(operation)) return { kind: 'bytes' }
  return 'page' in (output.properties ?? {})
    ? {
        kind: 'page',
        item: fieldOf(output, 'data').items ?? {},
        more: fieldsOf(output).filter(({ name }) => !['data', 'page'].includes(name)),
      }
    : { kind: 'json', schema: output }
}

function shownBy({ name, output, input }: Operation): Collection | null {
  const collection = collections.find(({ segment }) => segment === tagOf(name))
  if (collection === undefined || !('fields' in input.properties || 'expand' in input.properties)) {
    // `comments` has nothing to expand.
    const isWhole = collection?.shapes.some((shape) => JSON.stringify(shape) === JSON.stringify(output)) === true
    return isWhole && collection !== undefined ? collection : null
  }
  return name === 'projects.list-tasks' ? collections.find(({ segment }) => segment === 'tasks')! : collection
}

export function fieldsOf(schema: SchemaNode): Field[] {
  const required = requiredIn(schema)
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: required.includes(name),
    description: (field as SchemaNode).description ?? descriptionOf(name),
  }))
}

/** The types that have a name: those of the contract, and what stands in many of them. */
const named: readonly (readonly [string, SchemaNode])[] = [
  ...Object.entries(schemas),
  ['Actor', Actor],
  ['EventRecord', EventRecord],
  ['Problem', ProblemBody],
  ...collections.flatMap(({ type, written }) =>
    Object.entries(written).map(([kind, schema]) => [`${type}${kind}`, schema] as const),
  ),
]

const names = new Map<string, string>()
for (const [name, schema] of named) {
  const shape = shapeOf(schema)
  if (!names.has(shape)) names.set(shape, name)
}

/** Descriptions apart, two schemas of the same shape are one type. */
function shapeOf(schema: SchemaNode): string {
  const { description: _description, ...rest } = schema
  return JSON.stringify(rest)
}

/** Null for what is written in place. */
export function nameOf(schema: SchemaNode): string | null {
  const isStructured = ['properties', 'anyOf', 'enum'].some((key) => key in schema)
  return isStructured ? (names.get(shapeOf(schema)) ?? null) : null
}

/** The names that the calls and events lead to, each with its schema, in alphabetical order. */
export function usedNames(): [string, SchemaNode][] {
  const found = new Map<string, SchemaNode>()
  const look = (schema: SchemaNode): void => {
    const name = nameOf(schema)
    if (name !== null) {
      if (found.has(name)) return
      found.set(name, schema)
    }
    for (const each of within(schema)) look(each)
  }
  for (const { input, answer } of calls) {
    for (const { schema } of input) look(schema)
    if (answer.kind === 'json') look(answer.schema)
    if (answer.kind === 'page') look(answer.item)
  }
  for (const { shapes, written } of collections) for (const each of [...shapes, ...Object.values(written)]) look(each)
  for (const { data } of eventCatalogue) look(data)
  look(EventRecord)
  look(ProblemBody)
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function within({ properties = {}, items, anyOf = [], patternProperties = {} }: SchemaNode): SchemaNode[] {
  const ofItems = items === undefined ? [] : [items]
  return [...Object.values(properties), ...ofItems, ...anyOf, ...Object.values(patternProperties)]
}

function formatsIn(schema: SchemaNode): Set<string> {
  const inside = within(schema).flatMap((each) => [...formatsIn(each)])
  return new Set([...(schema.format === undefined ? [] : [schema.format]), ...inside])
}

/** Type and schema of the data of each event. */
export const events = eventCatalogue.map(({ type, data, summary }) => ({ type, data: data as SchemaNode, summary }))

/** Every code, and those after which the same call may succeed. */
export const errorCodes = faultCodes.filter((code) => calls.some(({ errors }) => errors.includes(code)))
export const itemErrorCodes = faultCodes
export const retryableCodes = faultCodes.filter(isRetryable)

/** The codes that every call can meet. */
export const commonCodes = faultCodes.filter((code) => calls.every(({ errors }) => errors.includes(code)))

export function pascal(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

export function camel([first = '', ...rest]: readonly string[]): string {
  return first + pascal(rest)
}
