// The descriptions of the API and of the settings: OpenAPI 3.1, a pure function of the contract. docs/openapi.ts writes
// them to files, which the gateway serves.
import type { TSchema } from 'typebox'
import { EventRecord, Related, eventRecordOf, type Event } from '../event.ts'
import { Actor, nullable } from '../shared-fields.ts'
import { componentNames, referredNames, type Json, type Names, inlineSchema, withDescription } from './components.ts'
import { pathsOf } from './paths.ts'
import { headers } from './responses.ts'
import { eventSchemaName, pascalCase, webhookParameters, webhooksOf } from './webhooks.ts'
import { type Audience, type Operation, tagOf, type Tag } from '../operation.ts'
import { ProblemBody } from '../faults/problem-details.ts'
import type { Stream } from '../stream.ts'
import type { Transfer } from '../transfer.ts'
import { apiPrefix, docsPaths, mcpPath, publicPaths } from '../route-paths.ts'
import { bodySchema } from './request-fields.ts'
import { recorded } from './recorded-examples.ts'
import type { SchemaNode } from '../json-schema.ts'
import { Check } from 'typebox/value'

// Finds a recorded object for a schema. It stands apart from recorded-examples.ts, which the dispatcher loads for the
// example of an event: checking schemas takes a package that it has no other use for.

const answered = objectsIn(recorded.answers)

const events = objectsIn(Object.values(recorded.events)).filter(({ object }) => object === 'event')

/** The first that the schema describes. Undefined where none is; a kind of event is shown by its webhook. */
function exampleObject(schema: TSchema): unknown {
  const { properties = {} }: SchemaNode = schema
  const { const: object }: SchemaNode = properties['object'] ?? {}
  const { const: eventType }: SchemaNode = properties['type'] ?? {}
  if (object === undefined || eventType !== undefined) return undefined
  const candidates = object === 'event' ? events : answered
  return candidates.find((each) => each['object'] === object && Check(schema, each))
}

function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return []
  return [...('object' in value ? [value as Json] : []), ...Object.values(value).flatMap(objectsIn)]
}

export type Contract = {
  readonly operations: readonly Operation[]
  readonly streams: readonly Stream[]
  readonly transfers: readonly Transfer[]
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
  const transfers = contract.transfers.filter(({ asked }) => asked.audiences.includes(audience))
  // Only the description of the API has webhooks.
  const events = audience === 'api' ? every : []
  const named = [...namedIn(schemas), ...operations.flatMap(namedBy), ...events.map(namedFor)]
  const names = componentNames(named)
  const { paths, parameters, responses } = pathsOf({ operations, streams, transfers }, names, audience)
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
  Object.entries({ Actor, Event: EventRecord, RelatedObjects: Related, Problem: ProblemBody, ...schemas }).flatMap(
    ([name, schema]) =>
      name.endsWith('Reference')
        ? [
            [name, schema],
            [`Nullable${name}`, nullable(schema)],
          ]
        : [[name, schema]],
  )

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
    const spelled = withDescription(inlineSchema(schema, names), name.replace(/^Nullable/, ''))
    const shown = exampleObject(schema)
    components.set(name, { ...spelled, ...(shown !== undefined && { examples: [shown] }) })
    wanted.push(...referredNames(spelled))
  }
  return Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

// The Info Object, the servers and the security schemes of both documents.

// The header x-workspace-id is said here alone. As a parameter of each operation, importers send it with a value of
// their own making; as an alternative in `security`, generated clients send the API key in it; as a scheme that nothing
// requires, it is a field of forms that has no effect.
const apiDescription = `Integrations read and write a workspace here; AI agents use the same operations as MCP tools at \`${mcpPath}\`; webhooks send changes to your systems.

**Keys.** Every request has \`Authorization: Bearer wsk_…\`. Keys are created in the workspace settings, with scopes; \`x-scope\` names the scope that an operation needs, and \`${docsPaths.scopes}\` describes each.

**Workspace.** A key acts in its workspace. An unbound key names the workspace in the header \`x-workspace-id\` or the query parameter \`workspaceId\`: any operation takes either, so none lists them. Set the header once, as a default of your client.

**Nothing is ignored.** An unknown parameter returns 400, an unknown field 422, both with the most similar known name. 400 means that the request could not be read; 422, that its values are not acceptable.

**Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`; \`type\` links to a page that explains the error and what to do.

**Pages.** Lists are paginated: send \`page.nextCursor\` as \`cursor\`. Separate the values of a list parameter with commas.

**Copies** are kept up to date by \`updatedAfter\` with \`includeDeleted\`, by the feed (\`events.list\`) or by webhooks; none of these misses a change.

**Repeating.** A change or deletion with an \`Idempotency-Key\` acts once. \`If-Match\` with an \`ETag\` changes only the version that you have seen.

Without a key: \`${apiPrefix}/openapi.json\`, \`${apiPrefix}/openapi.yaml\`, \`${apiPrefix}/starter.zip\` (samples that run) and \`${apiPrefix}/health\`. Fields, values of enumerations, events and optional parameters may be added at any time.`

const settingsDescription = `The operator uses this API to create workspaces, add members, create and revoke API keys, and manage webhooks, custom fields and the audit log.

**Token.** Every request has \`Authorization: Bearer <operator token>\`. API keys are not accepted here, and the operator token is not accepted under \`${apiPrefix}\`.

**People** who sign in (\`sessions.create\`) use the same operations with a session, in the workspaces where they are members: \`x-roles\` lists the permitted roles. Their pages must have this origin.

**Workspace.** The path names the workspace, since the operator token is not bound to one.

**Keys.** \`api-keys.create\` takes \`scopes\`, or a \`preset\` instead; \`${docsPaths.scopes}\` lists both. The secret is shown only in its response.

Lists, errors, \`If-Match\` and \`Idempotency-Key\` are as in the API itself: \`${publicPaths.json}\`.`

const ofBoth = {
  version: '1.0.0',
  contact: { name: 'The operator of this installation' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

const infos = {
  api: {
    title: 'Workspace integration API',
    summary: 'Projects, tasks, CRM entities, documents and files of a workspace, for machines.',
    description: apiDescription,
    ...ofBoth,
  },
  settings: {
    title: 'Workspace settings',
    summary: 'Workspaces, members, API keys and policies, for the operator of the installation.',
    description: settingsDescription,
    ...ofBoth,
  },
} as const satisfies Record<Audience, object>

const schemes = {
  api: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, created in the workspace settings: `wsk_…`.' },
  },
  settings: {
    operatorToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'The operator token: the setting `OPERATOR_TOKEN`, or the file that the first start names.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-session',
      description:
        'The session cookie that `sessions.create` sets; over http, in a browser on the server itself, its name is `workspace-session-<port>`.',
    },
  },
} as const satisfies Record<Audience, object>

export const infoOf = (audience: Audience): (typeof infos)[Audience] => infos[audience]
const securitySchemesOf = (audience: Audience): Readonly<Record<string, object>> => schemes[audience]

/** What a document begins with. */
const documentHead = (audience: Audience) => ({
  info: infoOf(audience),
  servers: [{ url: '/', description: 'This installation.' }],
  security: Object.keys(schemes[audience])
    .slice(0, 1)
    .map((name) => ({ [name]: [] })),
})
