// Promises that hold for every operation of the contract: a new operation is tested here without a line of its own. All
// answers are held against the OpenAPI description, which is read from the gateway.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { beforeAll, expect, test } from 'vitest'
import { eventCatalogue, operationNamed, operations } from '#contract/api.ts'
import { exampleBody } from '#contract/openapi/examples.ts'
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
import { requestOf as requestFor } from '../support/arbitrary/http-request.ts'
import { missingId } from '../support/client.ts'
import { reader, type Node } from '../support/json-document.ts'
import { sample, sampleInput } from '../support/sample-value.ts'
import { describeModes, describeOnce, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

const named = (which: (operation: Operation) => boolean): [string, Operation][] =>
  operations.filter(which).map((operation) => [operation.name, operation])
const isOfApi = ({ audiences }: Operation): boolean => audiences.includes('api')
const isInWorkspace = ({ tenancy }: Operation): boolean => tenancy === 'workspace'
const takesBody = (operation: Operation): boolean => !['GET', 'DELETE'].includes(methodOf(operation))

type Change = { readonly id?: string; readonly fields?: object; readonly headers?: Record<string, string> }
type Place = { readonly audience: Audience; readonly id?: string; readonly workspaceId?: string }

/** Path and body of a call with what is required and, in a patch, something to change; and with further fields. */
function requestOf(operation: Operation, place: Place, fields: object = {}): [path: string, body?: object] {
  const { audience, id = missingId, workspaceId = '' } = place
  const { name } = operation.input.properties
  const named = methodOf(operation) === 'PATCH' && name !== undefined ? { name: sample(name) } : {}
  // What an object holds is none that is there.
  const ids = parameterNames(pathOf(operation)).filter((each) => each === 'id' || each.endsWith('Id'))
  const inPath = Object.fromEntries(ids.map((each) => [each, { id, workspaceId }[each] ?? missingId]))
  const input = { ...sampleInput(operation.input), ...named, ...fields, ...inPath }
  const { url, payload } = requestFor(operation, input, audience, workspaceId) as { url: string; payload?: object }
  return payload === undefined ? [url] : [url, payload]
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
describeOnce('every operation refuses', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  let other: Tenant
  let described: Readonly<Record<'api' | 'settings', Description>>
  /** One that has every scope but this, and one that has this alone. */
  const keys = new Map<Scope, readonly Tenant[]>()
  beforeAll(async () => {
    other = await system.tenant()
    for (const scope of scopes) {
      const lacking = scopes.filter((held) => !covers([held], scope))
      keys.set(scope, [await tenant.key(lacking), await tenant.key([scope])])
    }
    const read = async (path: string): Promise<Node> => must(await system.call('GET', path))
    described = {
      api: descriptionIn(await read(publicPaths.json), 'api'),
      settings: descriptionIn(await read(publicPaths.settings), 'settings'),
    }
  })

  const unknownName = (operation: Operation): object =>
    takesBody(operation)
      ? { status: 422, body: { code: 'unknown_field', errors: [{ pointer: '/noSuchName', code: 'unknown' }] } }
      : { status: 400, body: { code: 'unknown_parameter', errors: [{ parameter: 'noSuchName', code: 'unknown' }] } }

  test.each(named(isOfApi))(
    'who calls %s without a key or with the operator’s token, by another method, with an unknown name, in a workspace that is not the key’s or without its scope',
    async (_name, operation) => {
      const [method, [path], { scope }] = [methodOf(operation), requestOf(operation, { audience: 'api' }), operation]

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
      if (isInWorkspace(operation)) {
        const foreign = await call(tenant, operation, { headers: { 'x-workspace-id': other.workspaceId } })
        const none = await call(tenant, operation, { headers: { 'x-workspace-id': missingId } })
        expect(foreign).toMatchObject({ status: 403, body: { code: 'workspace_not_allowed' } })
        expect(withoutIds(none)).toEqual(withoutIds(foreign))
      }
      if (scope === null) return
      const [lacking, alone] = await Promise.all(keys.get(scope)!.map((key) => call(key, operation)))
      expect(lacking).toMatchObject({ status: 403, body: { code: 'insufficient_scope', requiredScopes: [scope] } })
      expect(alone?.body?.requiredScopes ?? []).not.toContain(scope)
      described.api.check(operation, lacking!)
    },
  )

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

// That each example succeeds, and what it is answered, is recorded (recorded-examples.test.ts).
test('the examples do no harm: what is rotated keeps its old secret for a while, and a replay of many is a dry run', () => {
  const ofMany = exampleBody(operationNamed('deliveries.replay-many'))
  const rotating = ['me.rotate', 'api-keys.rotate', 'webhooks.rotate-secret'].map((name) =>
    exampleBody(operationNamed(name)),
  )

  expect(ofMany).toMatchObject({ dryRun: true, filter: { status: ['dead_letter'] } })
  for (const body of rotating) expect(body).toMatchObject({ overlapHours: expect.any(Number) })
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

type Description = { readonly check: (operation: Operation, answer: Answer) => void }

/** Status, type of content and headers of an answer must be there, and its body must fit. */
function descriptionIn(document: Node, audience: Audience): Description {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const validators = new Map<Node, ValidateFunction>()
  const { at } = reader(document)
  function validatorOf(schema: Node): ValidateFunction {
    const made = validators.get(schema) ?? ajv.compile({ ...schema, components: document['components'] })
    validators.set(schema, made)
    return made
  }
  return {
    check(operation, { status, headers, body }) {
      const path = ['paths', pathFor(operation, audience), methodOf(operation).toLowerCase()]
      const response = at(document, ...path, 'responses', String(status))
      expect([operation.name, status, 'description' in response]).toEqual([operation.name, status, true])
      for (const name of headersAlways(response, status)) expect([name, headers.has(name)]).toEqual([name, true])
      const [type] = Object.keys(at(response, 'content'))
      expect(headers.get('content-type')?.split(';')[0]).toBe(type)
      if (type === undefined) return expect(body).toBeNull()
      const validate = validatorOf(at(response, 'content', type, 'schema'))
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
