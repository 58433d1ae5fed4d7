// The descriptions of the API and of the settings: OpenAPI 3.1, a pure function of the contract. docs/openapi.ts writes
// them to files, which the gateway serves.
import type { TSchema } from 'typebox'
import { EventRecord, eventRecordOf } from '../event-envelope.ts'
import type { Event } from '../event.ts'
import { Actor } from '../fields.ts'
import { aboutOf, securitySchemesOf } from './info.ts'
import { headers } from './responses.ts'
import { example } from './examples.ts'
import { entryOf } from './operation.ts'
import { bodyOf, parametersOf } from './parameters.ts'
import { problemResponse, problemsOf, statusNames } from './problems.ts'
import { explained, namesIn, namesOf, spelledOut, type Json, type Names } from './schemas.ts'
import { sharedParts, type Part } from './components.ts'
import { nameOfEvent, pascal, webhookParameters, webhooksOf } from './webhooks.ts'
import { methodOf, type Audience, type Operation } from '../operation.ts'
import { ProblemBody } from '../problem-details.ts'
import { pathFor } from '../route.ts'
import { tagOf, type Tag } from '../tag.ts'

export type Contract = {
  readonly operations: readonly Operation[]
  readonly events: readonly Event[]
  /** In the order in which they are described. */
  readonly tags: readonly Tag[]
  /** Those that have a name of their own. */
  readonly schemas: Readonly<Record<string, TSchema>>
}

export function openApi({ operations: all, events: every, tags, schemas }: Contract, audience: Audience = 'api'): Json {
  const operations = all.filter(({ audiences }) => audiences.includes(audience))
  // Webhooks are told in the description of the API alone.
  const events = audience === 'api' ? every : []
  const named = [...namedIn(schemas), ...operations.flatMap(namedBy), ...events.map(namedFor)]
  const names = namesOf(named)
  const { paths, parameters, responses } = pathsOf(operations, names, audience)
  const webhooks = webhooksOf(events, names)
  return {
    openapi: '3.1.1',
    ...aboutOf(audience),
    tags: tagsOf(operations, tags),
    paths,
    ...(audience === 'api' && { webhooks }),
    components: {
      securitySchemes: securitySchemesOf(audience),
      schemas: componentsOf(named, names, [paths, webhooks, responses]),
      parameters: { ...(audience === 'api' && webhookParameters), ...parameters },
      headers: headersIn([paths, responses]),
      responses,
    },
  }
}

const headersIn = (pieces: unknown): Json => {
  const used = new Set(namesIn(pieces, 'headers'))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => used.has(name)))
}

function tagsOf(operations: readonly Operation[], tags: readonly Tag[]): Json[] {
  const used = new Set(operations.map(({ name }) => tagOf(name)))
  return tags.flatMap(({ tag, about }) => (used.has(tag) ? [{ name: tag, description: about }] : []))
}

type Named = readonly [string, TSchema]

const namedIn = (schemas: Readonly<Record<string, TSchema>>): Named[] =>
  Object.entries({ Actor, Event: EventRecord, Problem: ProblemBody, ...schemas })

const namedBy = (operation: Operation): Named[] => [
  [`${pascal(operation.name)}Body`, bodyOf(operation)],
  [`${pascal(operation.name)}Answer`, operation.output],
]

const namedFor = (event: Event): Named => [nameOfEvent(event), eventRecordOf(event)]

type Paths = { readonly paths: Json; readonly parameters: Json; readonly responses: Json }

function pathsOf(operations: readonly Operation[], names: Names, audience: Audience): Paths {
  const problemParts = problemPartsFor(audience)
  const parameters = sharedParts('parameters', operations.flatMap(parameterParts(names, audience)))
  const responses = sharedParts('responses', operations.flatMap(problemParts).filter(isShared))
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const parts = {
      parameters: parametersOf(operation, names, audience).map(parameters.refer),
      problems: Object.fromEntries(problemParts(operation).map((part) => [part.status, responses.refer(part.value)])),
    }
    const methods = (paths[pathFor(operation, audience)] ??= {})
    methods[methodOf(operation).toLowerCase()] = entryOf(operation, parts, {
      ...{ whole: wholeOf(operation, operations), names, audience },
    })
  }
  return { paths, parameters: parameters.components, responses: responses.components }
}

const parameterParts =
  (names: Names, audience: Audience) =>
  (operation: Operation): Part[] =>
    parametersOf(operation, names, audience).map((value) => {
      const name = String(value['name'])
      return { names: [name, `${tagOf(operation.name)}.${name}`, `${operation.name}.${name}`], value }
    })

/** Most of them depend on the method alone. */
const problemPartsFor =
  (audience: Audience) =>
  (operation: Operation): (Part & { readonly status: number })[] =>
    Array.from(problemsOf(operation, audience), ([status, codes]) => {
      const name = statusNames[status] ?? String(status)
      const method = methodOf(operation).toLowerCase()
      const ofTag = `${tagOf(operation.name)}.${method}.${name}`
      const names = [name, `${method}.${name}`, ofTag, `${operation.name}.${name}`]
      return { names, status, value: problemResponse(status, codes, operation, audience) }
    })

/** A 403 names the scope, and with it the operation. */
const isShared = ({ status }: { readonly status: number }): boolean => status !== 403

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
    const spelled = explained(spelledOut(schema, names), name)
    components.set(name, {
      ...spelled,
      ...('object' in ((spelled['properties'] as Json | undefined) ?? {}) && { examples: [example(schema)] }),
    })
    wanted.push(...namesIn(spelled))
  }
  return Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
