// Promises that hold for every operation of the contract: a new operation is tested here without a line of its own.
import { beforeAll, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { isOfOperator, methodOf, pathOf, takesIdempotencyKey, type Operation } from '#contract/operation.ts'
import { parameterNames, pathFor } from '#contract/route-paths.ts'
import { covers, scopes } from '#contract/scopes.ts'
import { sample, sampleInput } from '../support/sample-value.ts'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

type Named = readonly [string, Operation]
const named = (which: (operation: Operation) => boolean): Named[] =>
  operations.filter(which).map((operation) => [operation.name, operation])

const isOfApi = ({ audiences }: Operation): boolean => audiences.includes('api')
const isOfSettings = isOfOperator
const isInWorkspace = ({ tenancy }: Operation): boolean => tenancy === 'workspace'
const takesId = (operation: Operation): boolean => parameterNames(pathOf(operation)).includes('id')
const takesBody = (operation: Operation): boolean => !['GET', 'DELETE'].includes(methodOf(operation))

const missingId = '01999999-0000-7000-8000-000000000000'
/** What an object holds is none that is there. */
const pathOfApi = (operation: Operation, id = missingId): string =>
  pathFor(operation, 'api')
    .replace('{id}', id)
    .replaceAll(/\{\w+Id\}/g, missingId)
const pathOfSettings = (operation: Operation, workspaceId: string): string =>
  pathFor(operation, 'settings').replace('{workspaceId}', workspaceId).replace('{id}', missingId)

type Change = { readonly id?: string; readonly fields?: object; readonly headers?: Record<string, string> }

const call = (who: Tenant, operation: Operation, { id, fields = {}, headers = {} }: Change = {}): Promise<Answer> =>
  takesBody(operation)
    ? who.api(methodOf(operation), pathOfApi(operation, id), { ...bodyOf(operation), ...fields }, headers)
    : who.api(
        methodOf(operation),
        withQuery(pathOfApi(operation, id), { ...queryOf(operation), ...fields }),
        undefined,
        headers,
      )

describeModes('every operation', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  let other: Tenant
  beforeAll(async () => {
    other = await system.tenant()
    // A key for each operation.
    const quotas = { apiKeys: 1_000 }
    must(await system.operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, { quotas }))
  })

  test.each(named(isOfApi))('%s without a key is 401', async (_name, operation) => {
    const answer = await system.call(methodOf(operation), pathOfApi(operation))

    expect(answer).toMatchObject({ status: 401, body: { code: 'missing_credentials' } })
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  test.each(named(isOfApi))('%s with the operator’s token is 401', async (_name, operation) => {
    const authorization = `Bearer ${system.operatorToken}`

    const answer = await system.call(methodOf(operation), pathOfApi(operation), undefined, { authorization })

    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } })
  })

  test.each(named(isOfApi))(
    '%s with another method is 405 and names those that there are',
    async (_name, operation) => {
      const answer = await tenant.api(methodNotTakenAt(pathOf(operation)), pathOfApi(operation))

      expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
      expect(answer.headers.get('allow')?.split(', ')).toContain(methodOf(operation))
    },
  )

  test.each(named((each) => isOfApi(each) && isInWorkspace(each)))(
    '%s in a workspace that the key is not for is 403, whether it exists or not',
    async (_name, operation) => {
      const foreign = await call(tenant, operation, { headers: { 'x-workspace-id': other.workspaceId } })
      const none = await call(tenant, operation, { headers: { 'x-workspace-id': missingId } })

      expect(foreign).toMatchObject({ status: 403, body: { code: 'workspace_not_allowed' } })
      expect(withoutIds(none)).toEqual(withoutIds(foreign))
    },
  )

  test.each(named((each) => isOfApi(each) && each.scope !== null))(
    '%s without its scope is 403 and names it',
    async (_name, operation) => {
      const lacking = await tenant.key(scopes.filter((scope) => operation.scope && !covers([scope], operation.scope)))

      const answer = await call(lacking, operation)

      expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
      expect(answer.body.requiredScopes).toEqual([operation.scope])
    },
  )

  test.each(named(isOfApi))('%s with an unknown field or parameter is refused by name', async (_name, operation) => {
    const answer = await call(tenant, operation, { fields: { noSuchName: 'x' } })

    expect(answer).toMatchObject(
      takesBody(operation)
        ? { status: 422, body: { code: 'unknown_field', errors: [{ pointer: '/noSuchName', code: 'unknown' }] } }
        : { status: 400, body: { code: 'unknown_parameter', errors: [{ parameter: 'noSuchName', code: 'unknown' }] } },
    )
  })

  test.each(named((each) => isOfApi(each) && takesId(each)))(
    '%s on somebody else’s object is the same 404 as on none',
    async (_name, operation) => {
      const theirs = (await other.make(operation)) ?? missingId

      const foreign = await call(tenant, operation, { id: theirs })
      const none = await call(tenant, operation)

      expect(none).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(withoutIds(foreign)).toEqual(withoutIds(none))
    },
  )

  test.each(named(isOfApi))('%s records exactly the events that it declares', async (_name, operation) => {
    const id = await tenant.make(operation)
    const fields = takesBody(operation) ? await tenant.references(operation) : {}
    const before = await tenant.lastSequence()

    const { status, body } = await call(tenant, operation, { fields, ...(id !== undefined && { id }) })

    // What was made above, and not by the call itself, still has its first version: there was nothing to change.
    const successes = [operation.success, ...(operation.creates ? [201] : [])]
    const acted = successes.includes(status) && !(id !== undefined && body?.version === 1 && status !== 201)
    expect([...successes, 404, 409]).toContain(status)
    const declared = acted ? operation.emits.map(({ type }) => type) : []
    const recorded = await tenant.eventTypesAfter(before)
    // One that declares several records those of what it did.
    if (declared.length > 1) expect(declared).toEqual(expect.arrayContaining(recorded))
    else expect(recorded).toEqual(declared)
  })

  test.each(named((each) => isOfApi(each) && takesIdempotencyKey(each)))(
    '%s sent again with its Idempotency-Key acts once and is answered alike',
    async (_name, operation) => {
      const id = await tenant.make(operation)
      const fields = { ...bodyOf(operation), ...(await tenant.references(operation)) }
      const headers = { 'idempotency-key': `again-${operation.name}` }
      const asked = { fields, headers, ...(id !== undefined && { id }) }

      const first = await call(tenant, operation, asked)
      const sequence = await tenant.lastSequence()
      const second = await call(tenant, operation, asked)

      expect(second.status).toBe(first.status)
      expect(withoutRequestId(second)).toEqual(withoutRequestId(first))
      expect(first.headers.get('idempotency-replayed')).toBeNull()
      if (first.status < 300) expect(second.headers.get('idempotency-replayed')).toBe('true')
      expect(await tenant.eventTypesAfter(sequence)).toEqual([])
    },
  )

  test.each(named((each) => isOfApi(each) && takesId(each) && 'expectedVersion' in each.input.properties))(
    '%s with an If-Match of another version is 412, says the current one and changes nothing',
    async (_name, operation) => {
      const id = await tenant.make(operation)
      if (id === undefined) throw new Error(`There is no way to make what ${operation.name} is called on`)
      const sequence = await tenant.lastSequence()

      const answer = await call(tenant, operation, { id, headers: { 'if-match': '"99"' } })

      // An object within this one is not there, and so has no version.
      if (answer.status !== 404) {
        expect(answer).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 1 } })
      }
      expect(await tenant.eventTypesAfter(sequence)).toEqual([])
    },
  )

  test.each(named(isOfSettings))(
    '%s under settings is 401 without a token, and with an API key',
    async (_name, operation) => {
      const path = pathOfSettings(operation, tenant.workspaceId)

      const bare = await system.call(methodOf(operation), path)
      const withKey = await tenant.api(methodOf(operation), path)

      expect(bare).toMatchObject({ status: 401, body: { code: 'missing_credentials' } })
      expect(withKey).toMatchObject({ status: 401 })
    },
  )

  test.each(named(isOfSettings))('%s under settings refuses an unknown name', async (_name, operation) => {
    const path = pathOfSettings(operation, tenant.workspaceId)

    const answer = takesBody(operation)
      ? await system.operator(methodOf(operation), path, { ...bodyOf(operation), noSuchName: 'x' })
      : await system.operator(methodOf(operation), `${path}?noSuchName=x`)

    expect(answer.body).toMatchObject({ code: takesBody(operation) ? 'unknown_field' : 'unknown_parameter' })
  })

  test.each(named((each) => isOfSettings(each) && isInWorkspace(each)))(
    '%s under settings, in a workspace that is none, is 404',
    async (_name, operation) => {
      const body = takesBody(operation) ? bodyOf(operation) : undefined

      const answer = await system.operator(methodOf(operation), pathOfSettings(operation, missingId), body)

      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    },
  )
})

/** Of those that a body-less call can be made with. */
function methodNotTakenAt(path: string): string {
  const taken = new Set(operations.filter((each) => pathOf(each) === path).map(methodOf))
  return (['PUT', 'DELETE', 'PATCH', 'POST'] as const).find((method) => !taken.has(method)) ?? 'OPTIONS'
}

/** What is required and, in a patch, something to change. */
function bodyOf(operation: Operation): Record<string, unknown> {
  const inPath = new Set(parameterNames(pathOf(operation)))
  const body = Object.fromEntries(Object.entries(sampleInput(operation.input)).filter(([field]) => !inPath.has(field)))
  const { name } = operation.input.properties
  return methodOf(operation) === 'PATCH' && name !== undefined ? { ...body, name: sample(name) } : body
}

/** The parameters that it cannot be called without. */
function queryOf(operation: Operation): Record<string, unknown> {
  const inPath = new Set(parameterNames(pathOf(operation)))
  return Object.fromEntries(Object.entries(sampleInput(operation.input)).filter(([name]) => !inPath.has(name)))
}

const withQuery = (path: string, parameters: object): string => {
  const query = new URLSearchParams(Object.entries(parameters)).toString()
  return query === '' ? path : `${path}?${query}`
}

function withoutRequestId({ body }: Answer): unknown {
  const { requestId: _requestId, ...rest } = (body ?? {}) as Record<string, unknown>
  return rest
}

function withoutIds({ status, body }: Answer) {
  const text = JSON.stringify(body).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
  return { status, body: JSON.parse(text) as unknown }
}
