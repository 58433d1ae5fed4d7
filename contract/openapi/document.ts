// The descriptions of the API and of the settings: OpenAPI 3.1, a pure function of the contract. docs/openapi.ts writes
// them to files, which the gateway serves.
import type { TSchema } from 'typebox'
import { EventRecord, eventRecordOf } from '../event-envelope.ts'
import type { Event } from '../event-declaration.ts'
import { Actor } from '../shared-fields.ts'
import { componentNames, referredNames, type Json, type Names } from './component-refs.ts'
import { documentHead, securitySchemesOf } from './info.ts'
import { pathsOf } from './paths.ts'
import { exampleObject } from './recorded-objects.ts'
import { bodySchema } from './request-fields.ts'
import { headers } from './response-headers.ts'
import { inlineSchema, withDescription } from './schemas.ts'
import { eventSchemaName, pascalCase, webhookParameters, webhooksOf } from './webhooks.ts'
import type { Audience, Operation } from '../operation.ts'
import { ProblemBody } from '../problem-details.ts'
import type { Stream } from '../stream.ts'
import { tagOf, type Tag } from '../tag.ts'

export type Contract = {
  readonly operations: readonly Operation[]
  readonly streams: readonly Stream[]
  readonly events: readonly Event[]
  /** In the order in which they are described. */
  readonly tags: readonly Tag[]
  /** Schemas that become components under their names. */
  readonly schemas: Readonly<Record<string, TSchema>>
}

export function openApi(contract: Contract, audience: Audience = 'api'): Json {
  const { events: every, tags, schemas } = contract
  const operations = contract.operations.filter(({ audiences }) => audiences.includes(audience))
  const streams = contract.streams.filter(({ asked }) => asked.audiences.includes(audience))
  // Only the description of the API has webhooks.
  const events = audience === 'api' ? every : []
  const named = [...namedIn(schemas), ...operations.flatMap(namedBy), ...events.map(namedFor)]
  const names = componentNames(named)
  const { paths, parameters, responses } = pathsOf({ operations, streams }, names, audience)
  const webhooks = webhooksOf(events, names)
  return {
    openapi: '3.1.1',
    ...documentHead(audience),
    tags: tagsOf(operations, tags),
    paths,
    ...(audience === 'api' && { webhooks }),
    components: {
      securitySchemes: securitySchemesOf(audience),
      schemas: schemaComponents(named, names, [paths, webhooks, responses]),
      parameters: { ...(audience === 'api' && webhookParameters), ...parameters },
      headers: headerComponents([paths, responses]),
      responses,
    },
  }
}

const headerComponents = (pieces: unknown): Json => {
  const used = new Set(referredNames(pieces, 'headers'))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => used.has(name)))
}

/** Those that operations have. Throws where one has none: it would be described under no heading. */
function tagsOf(operations: readonly Operation[], tags: readonly Tag[]): Json[] {
  const used = new Set(operations.map(({ name }) => tagOf(name)))
  const described = tags
    .filter(({ tag }) => used.delete(tag))
    .map(({ tag, about }) => ({ name: tag, description: about }))
  if (used.size > 0) throw new Error(`No resource declares a tag for ${[...used].join(', ')}`)
  return described
}

type Named = readonly [string, TSchema]

const namedIn = (schemas: Readonly<Record<string, TSchema>>): Named[] =>
  Object.entries({ Actor, Event: EventRecord, Problem: ProblemBody, ...schemas })

const namedBy = (operation: Operation): Named[] => [
  [`${pascalCase(operation.name)}Body`, bodySchema(operation)],
  [`${pascalCase(operation.name)}Answer`, operation.output],
]

const namedFor = (event: Event): Named => [eventSchemaName(event), eventRecordOf(event)]

/** The named schemas that `from` refers to, and those that these refer to. */
function schemaComponents(named: readonly Named[], names: Names, from: unknown): Json {
  const all = new Map(named.filter(([, schema]) => names.get(JSON.stringify(schema)) !== undefined))
  const components = new Map<string, Json>()
  const wanted = ['Problem', ...referredNames(from)]
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const schema = all.get(name)
    if (schema === undefined || components.has(name)) continue
    const spelled = withDescription(inlineSchema(schema, names), name)
    const shown = exampleObject(schema)
    components.set(name, { ...spelled, ...(shown !== undefined && { examples: [shown] }) })
    wanted.push(...referredNames(spelled))
  }
  return Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
