// The description of the API: OpenAPI 3.1, a pure function of the contract. The gateway serves it; docs/openapi.json is a
// copy, so that reviews see what changes for callers.
import type { TSchema } from 'typebox'
import { EventRecord, recordOf, type Event } from './event.ts'
import { Actor } from './fields.ts'
import { about } from './openapi-about.ts'
import { headers } from './openapi-answers.ts'
import { example } from './openapi-examples.ts'
import { entryOf } from './openapi-operation.ts'
import { bodyOf, parametersOf } from './openapi-parameters.ts'
import { problemResponses } from './openapi-problems.ts'
import { namesIn, namesOf, spelledOut, type Json, type Names } from './openapi-schemas.ts'
import { sharedParameters } from './openapi-shared.ts'
import { tagOf, tags } from './openapi-tags.ts'
import { nameOfEvent, pascal, webhookParameters, webhooksOf } from './openapi-webhooks.ts'
import { methodOf, type Operation } from './operation.ts'
import { ProblemBody } from './problem.ts'
import { pathFor } from './route.ts'

export type Contract = {
  readonly operations: readonly Operation[]
  readonly events: readonly Event[]
  /** Those that have a name of their own. */
  readonly schemas: Readonly<Record<string, TSchema>>
}

export function openApi({ operations: all, events, schemas }: Contract): Json {
  const operations = all.filter(({ audiences }) => audiences.includes('api'))
  const named = [...namedIn(schemas), ...operations.flatMap(namedBy), ...events.map(namedFor)]
  const names = namesOf(named)
  const { paths, parameters } = pathsOf(operations, names)
  const webhooks = webhooksOf(events, names)
  return {
    openapi: '3.1.1',
    ...about,
    tags: tagsOf(operations),
    paths,
    webhooks,
    components: {
      securitySchemes,
      schemas: componentsOf(named, names, [paths, webhooks, problemResponses]),
      parameters: { ...webhookParameters, ...parameters },
      headers,
      responses: problemResponses,
    },
  }
}

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, made in the workspace settings: `wsk_…`.' },
}

function tagsOf(operations: readonly Operation[]): Json[] {
  const used = new Set(operations.map(({ name }) => tagOf(name)))
  return Object.entries(tags).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : []))
}

type Named = readonly [string, TSchema]

const namedIn = (schemas: Readonly<Record<string, TSchema>>): Named[] =>
  Object.entries({ Actor, Event: EventRecord, Problem: ProblemBody, ...schemas })

const namedBy = (operation: Operation): Named[] => [
  [`${pascal(operation.name)}Body`, bodyOf(operation)],
  [`${pascal(operation.name)}Answer`, operation.output],
]

const namedFor = (event: Event): Named => [nameOfEvent(event), recordOf(event)]

function pathsOf(operations: readonly Operation[], names: Names): { readonly paths: Json; readonly parameters: Json } {
  const listed = operations.map((each) => ({ segment: tagOf(each.name), parameters: parametersOf(each, names) }))
  const shared = sharedParameters(listed)
  const paths: Record<string, Record<string, Json>> = {}
  for (const [at, operation] of operations.entries()) {
    const parameters = listed[at]?.parameters.map(shared.refer) ?? []
    const methods = (paths[pathFor(operation, 'api')] ??= {})
    methods[methodOf(operation).toLowerCase()] = entryOf(operation, parameters, wholeOf(operation, operations), names)
  }
  return { paths, parameters: shared.components }
}

/** What is created in the segment whose scope the list takes. */
const wholeOf = ({ scope }: Operation, operations: readonly Operation[]): TSchema | undefined =>
  operations.find(({ name }) => name === `${scope?.split(':')[0]}.create`)?.output

/** Those that something refers to, and those that these refer to. */
function componentsOf(named: readonly Named[], names: Names, from: unknown): Json {
  const all = new Map(named.filter(([, schema]) => names.get(JSON.stringify(schema)) !== undefined))
  const components = new Map<string, Json>()
  const wanted = ['Problem', ...namesIn(from)]
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const schema = all.get(name)
    if (schema === undefined || components.has(name)) continue
    const spelled = spelledOut(schema, names)
    components.set(name, {
      ...spelled,
      ...('object' in ((spelled['properties'] as Json | undefined) ?? {}) && { examples: [example(schema)] }),
    })
    wanted.push(...namesIn(spelled))
  }
  return Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
