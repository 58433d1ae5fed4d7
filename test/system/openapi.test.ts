// Answers of the product are checked against its OpenAPI description, which is read from the gateway.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationNamed, operations } from '#contract/api.ts'
import { isOfOperator, methodOf, pathOf, type Audience, type Operation } from '#contract/operation.ts'
import { parameterNames, pathFor, publicPaths } from '#contract/route-paths.ts'
import { covers, scopes } from '#contract/scopes.ts'
import { sample, sampleInput } from '../support/sample-value.ts'
import {
  describeMode,
  must,
  sharedSystem,
  startSystem,
  type Answer,
  type System,
  type Tenant,
} from '../support/system.ts'
import { bodySchema, takesBody } from '#contract/openapi/request-fields.ts'

const ofApi = operations.filter(({ audiences }) => audiences.includes('api')).map((each) => [each.name, each] as const)
const ofSettings = operations.filter(isOfOperator).map((each) => [each.name, each] as const)
const noId = '01999999-0000-7000-8000-000000000000'

type Node = Readonly<Record<string, unknown>>

describeMode('the description', 'standalone', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  let promised: Promises
  beforeAll(async () => {
    // A key for each operation.
    const quotas = { apiKeys: 1_000 }
    must(await system.operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, { quotas }))
    promised = promisesOf(must(await system.call('GET', '/api/v1/openapi.json')))
  })

  const call = (who: Tenant, operation: Operation, id = noId): Promise<Answer> => {
    const { path, body } = requestFor(operation, id)
    return who.api(methodOf(operation), path, body)
  }

  test.each(ofApi)('%s answers as described when it succeeds, or with a problem', async (_name, operation) => {
    const id = await tenant.make(operation)

    const answer = await call(tenant, operation, id)

    expect(answer.status).not.toBe(500)
    promised.check(operation, answer)
  })

  test.each(ofApi)(
    '%s refuses as promised: without a key, without its scope, with what is unknown',
    async (_name, operation) => {
      const { path, body } = requestFor(operation, noId)
      const few = await tenant.key(
        scopes.filter((scope) => operation.scope === null || !covers([scope], operation.scope)),
      )
      const unknown = takesBody(operation)
        ? await tenant.api(methodOf(operation), path, { ...(body as object), noSuchField: 1 })
        : await tenant.api(methodOf(operation), `${path.split('?')[0]}?noSuchParameter=1`)

      const answers = [await system.call(methodOf(operation), path), await call(few, operation), unknown]

      expect(answers.map(({ status }) => status)).toEqual([
        401,
        operation.scope === null ? expect.any(Number) : 403,
        takesBody(operation) ? 422 : 400,
      ])
      for (const answer of answers) promised.check(operation, answer)
    },
  )
})

describeMode('the description of the settings', 'standalone', (mode) => {
  let system: System
  let tenant: Tenant
  let promised: Promises
  beforeAll(async () => {
    system = await startSystem(mode)
    tenant = await system.tenant()
    promised = promisesOf(must(await system.call('GET', publicPaths.settings)), 'settings')
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  test.each(ofSettings)('%s answers as described when it succeeds and when it refuses', async (_name, operation) => {
    const id = operation.tenancy === 'none' ? tenant.workspaceId : ((await tenant.make(operation)) ?? noId)
    const { path, body } = requestFor(operation, id, 'settings', tenant.workspaceId)
    const elsewhere = requestFor(operation, id, 'settings', noId)
    const method = methodOf(operation)

    const answers = [
      await system.operator(method, path, body),
      await system.call(method, path, body),
      await system.operator(method, elsewhere.path, elsewhere.body),
      await (takesBody(operation)
        ? system.operator(method, path, { ...(body as object), noSuchField: 1 })
        : system.operator(method, `${path.split('?')[0]}?noSuchParameter=1`)),
    ]

    for (const answer of answers) promised.check(operation, answer)
    expect(answers[1]?.status).toBe(401)
    if (operation.tenancy === 'workspace') expect(answers[2]?.status).toBe(404)
    expect(answers[3]?.status).toBe(takesBody(operation) ? 422 : 400)
  })
})

test('an answer that differs from the description is detected', async () => {
  await using system = await startSystem('standalone')
  const tenant = await system.tenant()
  const { check } = promisesOf(must(await system.call('GET', '/api/v1/openapi.json')))
  const operation = operationNamed('projects.list')
  const answer = await tenant.api('GET', '/api/v1/projects')
  const headers = new Headers({ 'content-type': 'application/json' })

  check(operation, answer)

  expect(() => check(operation, { ...answer, status: 299 })).toThrow('299')
  expect(() => check(operation, { ...answer, body: { data: [{}] } })).toThrow('required')
  expect(() => check(operation, { ...answer, headers })).toThrow('X-Request-Id')
})

type Promises = { check(operation: Operation, answer: Answer): void }

/** Status, content and headers of an answer must be there, and its body must fit. */
function promisesOf(document: Node, audience: Audience = 'api'): Promises {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'api')
  return {
    check(operation, { status, headers, body }) {
      const pointer = [
        'paths',
        pathFor(operation, audience),
        methodOf(operation).toLowerCase(),
        'responses',
        String(status),
      ]
      const { node: response, way } = follow(document, pointer)
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

function requestFor(
  operation: Operation,
  id: string,
  audience: Audience = 'api',
  workspaceId = noId,
): { path: string; body: unknown } {
  const inPath = parameterNames(pathOf(operation))
  const path = pathFor(operation, audience)
    .replace('{workspaceId}', workspaceId)
    .replace('{id}', id)
    .replaceAll(/\{\w+Id\}/g, noId)
    .replace('{source}', 'erp')
  const needed = Object.entries(sampleInput(operation.input)).filter(([name]) => !inPath.includes(name))
  if (!takesBody(operation)) {
    const query = new URLSearchParams(needed as [string, string][]).toString()
    return { path: query === '' ? path : `${path}?${query}`, body: undefined }
  }
  const { name } = bodySchema(operation).properties
  const body = Object.fromEntries(needed)
  return { path, body: methodOf(operation) === 'PATCH' && name !== undefined ? { ...body, name: sample(name) } : body }
}
