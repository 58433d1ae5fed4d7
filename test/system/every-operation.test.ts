// Promises that hold for every operation of the contract: a new operation is tested here without a line of its own. All
// answers are held against the OpenAPI description, which is read from the gateway.
import { missingId } from '../support/client.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, expect, test } from 'vitest'
import { eventCatalogue, operations } from '#contract/api.ts'
import {
  isOfOperator,
  methodOf,
  pathOf,
  takesIdempotencyKey,
  type Audience,
  type Operation,
} from '#contract/operation.ts'
import { parameterNames, pathFor, publicPaths } from '#contract/route-paths.ts'
import { covers, scopes, type Scope } from '#contract/scopes.ts'
import { sample, sampleInput } from '../support/sample-value.ts'
import { describeMode, describeModes, modes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

const named = (which: (operation: Operation) => boolean): [string, Operation][] =>
  operations.filter(which).map((operation) => [operation.name, operation])
const isOfApi = ({ audiences }: Operation): boolean => audiences.includes('api')
const isInWorkspace = ({ tenancy }: Operation): boolean => tenancy === 'workspace'
const takesBody = (operation: Operation): boolean => !['GET', 'DELETE'].includes(methodOf(operation))

type Change = { readonly id?: string; readonly fields?: object; readonly headers?: Record<string, string> }
type Place = { readonly audience: Audience; readonly id?: string; readonly workspaceId?: string }

/** What an object holds is none that is there. */
const addressOf = (operation: Operation, { audience, id = missingId, workspaceId = '' }: Place): string =>
  pathFor(operation, audience)
    .replace('{workspaceId}', workspaceId)
    .replace('{id}', id)
    .replaceAll(/\{\w+Id\}/g, missingId)

/** Path and body of a call with what is required and, in a patch, something to change; and with further fields. */
function requestOf(operation: Operation, place: Place, fields: object = {}): [path: string, body?: object] {
  const inPath = new Set(parameterNames(pathOf(operation)))
  const { name } = operation.input.properties
  const named = methodOf(operation) === 'PATCH' && name !== undefined ? { name: sample(name) } : {}
  const required = Object.entries(sampleInput(operation.input)).filter(([field]) => !inPath.has(field))
  const input = { ...Object.fromEntries(required), ...named, ...fields }
  const address = addressOf(operation, place)
  if (takesBody(operation)) return [address, input]
  const query = new URLSearchParams(Object.entries(input) as [string, string][]).toString()
  return [query === '' ? address : `${address}?${query}`]
}

const call = (who: Tenant, operation: Operation, { id = missingId, fields, headers }: Change = {}): Promise<Answer> => {
  const [path, body] = requestOf(operation, { audience: 'api', id }, fields)
  return who.api(methodOf(operation), path, body, headers)
}

describeModes('every operation', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  let described: Description
  beforeAll(async () => {
    described = descriptionIn(must(await system.call('GET', publicPaths.json)), 'api')
  })

  /** Those that the product records by itself, of deliveries that nobody takes, come at any moment. */
  const bySystem: ReadonlySet<string> = new Set(eventCatalogue.flatMap((event) => (event.bySystem ? [event.type] : [])))
  const eventsAfter = async (sequence: number): Promise<string[]> =>
    (await tenant.eventTypesAfter(sequence)).filter((type) => !bySystem.has(type))

  test.each(named(isOfApi))(
    '%s answers as described, and records exactly the events that it declares',
    async (_name, operation) => {
      const id = await tenant.make(operation)
      const fields = takesBody(operation) ? await tenant.references(operation) : {}
      const before = await tenant.lastSequence()

      const answer = await call(tenant, operation, { fields, ...(id !== undefined && { id }) })

      // What was made above, and not by the call itself, still has its first version: there was nothing to change.
      const { status, body } = answer
      const successes = [operation.success, ...(operation.creates ? [201] : [])]
      const acted = successes.includes(status) && !(id !== undefined && body?.version === 1 && status !== 201)
      expect([...successes, 404, 409]).toContain(status)
      described.check(operation, answer)
      const declared = acted ? operation.emits.map(({ type }) => type) : []
      const recorded = await eventsAfter(before)
      // One that declares several records those of what it did.
      if (declared.length > 1) expect(declared).toEqual(expect.arrayContaining(recorded))
      else expect(recorded).toEqual(declared)
    },
  )

  test('what they have recorded fits the schema that the catalogue has for its type, and no more than that', async () => {
    const catalogue = must(await tenant.api('GET', '/api/v1/event-types')).data as { type: string; schema: object }[]
    const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true })
    const validators = new Map(catalogue.map(({ type, schema }) => [type, ajv.compile(schema)]))
    const seen = new Set<string>()

    for (let after = 0, more = true; more;) {
      const page = must(await tenant.settings('GET', `/events?after=${after}&limit=200`))
      for (const event of page.data) {
        const validate = validators.get(event.type)
        expect([event.type, validate?.(event), validate?.errors]).toEqual([event.type, true, null])
        expect(validate?.({ ...event, data: { ...event.data, surprise: 1 } }), event.type).toBe(false)
        seen.add(event.type)
      }
      ;[after, more] = [page.lastSequence, page.hasMore]
    }
    expect(seen.size).toBeGreaterThan(15)
  })

  test.each(named((each) => isOfApi(each) && takesIdempotencyKey(each)))(
    '%s sent again with its Idempotency-Key acts once and is answered alike',
    async (_name, operation) => {
      const id = await tenant.make(operation)
      const fields = await tenant.references(operation)
      const headers = { 'idempotency-key': `again-${operation.name}` }
      const [path, body] = requestOf(operation, { audience: 'api', ...(id !== undefined && { id }) }, fields)
      const ask = () => tenant.api(methodOf(operation), path, body, headers)

      const first = await ask()
      const sequence = await tenant.lastSequence()
      const second = await ask()

      expect(second.status).toBe(first.status)
      expect({ ...second.body, requestId: '' }).toEqual({ ...first.body, requestId: '' })
      expect(first.headers.get('idempotency-replayed')).toBeNull()
      if (first.status < 300) expect(second.headers.get('idempotency-replayed')).toBe('true')
      expect(await eventsAfter(sequence)).toEqual([])
    },
  )
})

// It is decided before the database is asked.
describeMode('every operation refuses', modes.at(-1) ?? 'standalone', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  let other: Tenant
  let described: Readonly<Record<'api' | 'settings', Description>>
  beforeAll(async () => {
    other = await system.tenant()
    const read = async (path: string): Promise<Node> => must(await system.call('GET', path))
    described = {
      api: descriptionIn(await read(publicPaths.json), 'api'),
      settings: descriptionIn(await read(publicPaths.settings), 'settings'),
    }
  })

  const keys = new Map<Scope, Tenant>()
  async function keyWithout(scope: Scope): Promise<Tenant> {
    const key = keys.get(scope) ?? (await tenant.key(scopes.filter((held) => !covers([held], scope))))
    keys.set(scope, key)
    return key
  }
  const unknownName = (operation: Operation): object =>
    takesBody(operation)
      ? { status: 422, body: { code: 'unknown_field', errors: [{ pointer: '/noSuchName', code: 'unknown' }] } }
      : { status: 400, body: { code: 'unknown_parameter', errors: [{ parameter: 'noSuchName', code: 'unknown' }] } }

  test.each(named(isOfApi))(
    'who calls %s without a key or with the operator’s token, by another method or with an unknown name',
    async (_name, operation) => {
      const [method, path] = [methodOf(operation), addressOf(operation, { audience: 'api' })]

      const bare = await system.call(method, path)
      const asOperator = await system.operator(method, path)
      const otherwise = await tenant.api(methodNotTakenAt(pathOf(operation)), path)
      const unknown = await call(tenant, operation, { fields: { noSuchName: 'x' } })

      expect(bare).toMatchObject({ status: 401, body: { code: 'missing_credentials' } })
      expect(bare.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect(asOperator).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } })
      expect(otherwise).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
      expect(otherwise.headers.get('allow')?.split(', ')).toContain(method)
      expect(unknown).toMatchObject(unknownName(operation))
      for (const answer of [bare, asOperator, unknown]) described.api.check(operation, answer)
    },
  )

  test.each(named((each) => isOfApi(each) && isInWorkspace(each)))(
    'who calls %s in a workspace that the key is not for, whether it exists or not',
    async (_name, operation) => {
      const foreign = await call(tenant, operation, { headers: { 'x-workspace-id': other.workspaceId } })
      const none = await call(tenant, operation, { headers: { 'x-workspace-id': missingId } })

      expect(foreign).toMatchObject({ status: 403, body: { code: 'workspace_not_allowed' } })
      expect(withoutIds(none)).toEqual(withoutIds(foreign))
    },
  )

  test.each(
    operations.flatMap((each) => (isOfApi(each) && each.scope ? [[each.name, each, each.scope] as const] : [])),
  )('who calls %s without its scope, and names it', async (_name, operation, scope) => {
    const answer = await call(await keyWithout(scope), operation)

    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope', requiredScopes: [scope] } })
    described.api.check(operation, answer)
  })

  test.each(named(isOfOperator))(
    'who calls %s under settings without the token, with an unknown name or in no workspace, and answers as described',
    async (_name, operation) => {
      const { workspaceId } = other
      const id = operation.tenancy === 'none' ? workspaceId : ((await other.make(operation)) ?? missingId)
      const place: Place = { audience: 'settings', id, workspaceId }
      const [method, [path, body]] = [methodOf(operation), requestOf(operation, place)]

      const answer = await system.operator(method, path, body)
      const bare = await system.call(method, path, body)
      const withKey = await tenant.api(method, path, body)
      const unknown = await system.operator(method, ...requestOf(operation, place, { noSuchName: 'x' }))

      expect(bare).toMatchObject({ status: 401, body: { code: 'missing_credentials' } })
      expect(withKey.status).toBe(401)
      expect(unknown).toMatchObject(unknownName(operation))
      for (const each of [answer, bare, unknown]) described.settings.check(operation, each)
      if (!isInWorkspace(operation)) return
      const nowhere = await system.operator(method, ...requestOf(operation, { ...place, workspaceId: missingId }))
      expect(nowhere).toMatchObject({ status: 404, body: { code: 'not_found' } })
      described.settings.check(operation, nowhere)
    },
  )
})

/** Of those that a body-less call can be made with. */
function methodNotTakenAt(path: string): string {
  const taken = new Set(operations.filter((each) => pathOf(each) === path).map(methodOf))
  return (['PUT', 'DELETE', 'PATCH', 'POST'] as const).find((method) => !taken.has(method)) ?? 'OPTIONS'
}

function withoutIds({ status, body }: Answer) {
  const text = JSON.stringify(body).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
  return { status, body: JSON.parse(text) as unknown }
}

type Node = Readonly<Record<string, unknown>>
type Description = { readonly check: (operation: Operation, answer: Answer) => void }

/** Status, type of content and headers of an answer must be there, and its body must fit. */
function descriptionIn(document: Node, audience: Audience): Description {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'api')
  return {
    check(operation, { status, headers, body }) {
      const path = ['paths', pathFor(operation, audience), methodOf(operation).toLowerCase()]
      const { node: response, way } = follow(document, [...path, 'responses', String(status)])
      expect([operation.name, status, 'description' in response]).toEqual([operation.name, status, true])
      for (const name of headersAlways(response, status)) expect([name, headers.has(name)]).toEqual([name, true])
      const [type] = Object.keys((response['content'] as Node | undefined) ?? {})
      expect(headers.get('content-type')?.split(';')[0]).toBe(type)
      if (type === undefined) return expect(body).toBeNull()
      const validate = ajv.compile({ $ref: `api#${[...way, 'content', type, 'schema'].map(escaped).join('')}` })
      validate(body)
      expect(ajv.errorsText(validate.errors)).toBe('No errors')
    },
  }
}

/** Those that depend on more than the status are left out. */
const headersAlways = (response: Node, status: number): string[] => {
  const listed = Object.keys((response['headers'] as Node | undefined) ?? {})
  const always = new Set(['X-Request-Id', 'ETag', 'Location', status === 401 ? 'WWW-Authenticate' : 'RateLimit-Policy'])
  return listed.filter((name) => always.has(name))
}

/** Where a way through the document ends, references followed. */
function follow(document: Node, pointer: readonly string[]): { node: Node; way: readonly string[] } {
  let node: Node = document
  for (const [at, name] of pointer.entries()) {
    node = (node[name] ?? {}) as Node
    const { $ref } = node as { $ref?: string }
    if ($ref !== undefined) return follow(document, [...$ref.slice(2).split('/'), ...pointer.slice(at + 1)])
  }
  return { node, way: pointer }
}

const escaped = (name: string): string => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`
