// The API as a test speaks it: plain HTTP through the gateway, as the operator or with a key.
import { operations } from '#contract/api.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames, pathFor } from '#contract/route-paths.ts'
import { scopes, type Scope } from '#contract/scopes.ts'
import { sampleInput } from './sample-value.ts'

// Bodies differ with every call, and a test states by its assertions what it expects of one.
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: any }
/** The id of no object. */
export const missingId = '01999999-0000-7000-8000-000000000000'

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

export type Client = { readonly url: string; readonly call: Call; readonly operator: Call; tenant(): Promise<Tenant> }
export type Tenant = {
  readonly workspaceId: string
  readonly keyId: string
  readonly secret: string
  /** With the tenant's key. */
  readonly api: Call
  /** As the operator; the path follows the workspace's. */
  readonly settings: Call
  /** The same workspace with another key. */
  key(scopes: readonly Scope[], more?: object): Promise<Tenant>
  /** Makes an object that the operation can be called on; gives its id, or undefined where there is no way to. */
  make(operation: Operation): Promise<string | undefined>
  /** Makes the objects that a call of it must name; with these fields it is called on what `make` has made. */
  references(operation: Operation): Promise<Record<string, unknown>>
  lastSequence(): Promise<number>
  eventTypesAfter(sequence: number): Promise<string[]>
}

export function clientOf(url: string, operatorToken: string): Client {
  const call: Call = (method, path, body, headers = {}) => send(url + path, method, body, headers)
  const operator: Call = (method, path, body, headers = {}) =>
    call(method, path, body, { authorization: `Bearer ${operatorToken}`, ...headers })
  const tenant = async () => {
    const given = { name: 'Acme', owner: { name: 'Ada', email: 'ada@example.com' } }
    const { id } = must(await operator('POST', '/settings/api/workspaces', given))
    return tenantOf(id, { call, operator }, scopes)
  }
  return { url, call, operator, tenant }
}

type Callers = Pick<Client, 'call' | 'operator'>

async function tenantOf(workspaceId: string, callers: Callers, held: readonly Scope[], more = {}): Promise<Tenant> {
  const settings: Call = (method, path, body, headers) =>
    callers.operator(method, `/settings/api/workspaces/${workspaceId}${path}`, body, headers)
  const { id, secret } = must(await settings('POST', '/api-keys', { name: 'Test', scopes: held, ...more }))
  const api: Call = (method, path, body, headers = {}) =>
    callers.call(method, path, body, { authorization: `Bearer ${secret}`, ...headers })
  let last = 0
  return {
    workspaceId,
    keyId: id,
    secret,
    api,
    settings,
    key: (others, limits) => tenantOf(workspaceId, callers, others, limits),
    make: (operation) => makeFor(operation, api, settings),
    references: (operation) => referencesOf(operation, api, settings),
    // Read on from where it was last time: a long story has many events.
    lastSequence: async () => (last = (await feed(settings, last)).last),
    eventTypesAfter: async (sequence) => (await feed(settings, sequence)).types,
  }
}

/** Operations that not every object takes: what it is made with, and what it is called with. */
const needs: Readonly<Record<string, { readonly made: object; readonly called: object }>> = {
  'documents.edit': { made: { content: 'One word.' }, called: { edits: [{ find: 'One', replace: 'Two' }] } },
}

/** Of the input: what the object that `make` makes for it must be called with. */
export const neededBy = ({ name }: Operation): object => needs[name]?.called ?? {}

async function makeFor(operation: Operation, api: Call, settings: Call): Promise<string | undefined> {
  const [segment] = operation.name.split('.')
  const create = operations.find(({ name }) => [`${segment}.create`, `${segment}.add`].includes(name))
  if (create === undefined || !parameterNames(pathOf(operation)).includes('id')) return undefined
  const references = await referencesOf(create, api, settings)
  const body = { ...sampleInput(create.input), ...references, ...needs[operation.name]?.made }
  const viaApi = create.audiences.includes('api')
  const made = viaApi
    ? await api(methodOf(create), pathFor(create, 'api'), body)
    : await settings(methodOf(create), pathOf(create), body)
  return must(made).id as string
}

/** Of fields that no schema requires, the one that is given: the call takes one of several. */
const oneOfSeveral: Readonly<Record<string, string>> = { 'comments.create': 'taskId', 'comments.upsert': 'taskId' }

/** For a required `projectId`, a project; for a `sourceId`, another of the same. */
async function referencesOf(operation: Operation, api: Call, settings: Call): Promise<Record<string, unknown>> {
  const { required = [] } = operation.input as { required?: readonly string[] }
  const [segment] = operation.name.split('.')
  const made: Record<string, unknown> = { ...neededBy(operation) }
  const named = [...required, ...[oneOfSeveral[operation.name] ?? []].flat()]
  for (const field of named.filter((name) => name.endsWith('Id'))) {
    const of = field === 'sourceId' ? segment : `${field.slice(0, -2)}s`
    const get = operations.find(({ name }) => name === `${of}.get`)
    const id = get === undefined ? undefined : await makeFor(get, api, settings)
    if (id !== undefined) made[field] = id
  }
  return made
}

async function feed(settings: Call, after: number): Promise<{ last: number; types: string[] }> {
  const { data, lastSequence, hasMore } = must(await settings('GET', `/events?after=${after}&limit=200`))
  const types = (data as { type: string }[]).map(({ type }) => type)
  if (!hasMore) return { last: lastSequence, types }
  const rest = await feed(settings, lastSequence)
  return { last: rest.last, types: [...types, ...rest.types] }
}

/** The body of an answer that a test's preparation relies on. */
export function must({ status, body }: Answer): Answer['body'] {
  if (status < 300) return body
  throw new Error(`Answered ${status}: ${JSON.stringify(body)}`)
}

async function send(url: string, method: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
  const typed = { 'content-type': 'application/json', ...headers }
  const content = body === undefined ? {} : { body: JSON.stringify(body), headers: typed }
  const response = await fetch(url, { method, headers, ...content })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? 'json')
  const read = text === '' ? null : isJson ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body: read }
}
