// Every fault code of the catalogue, provoked through the gateway, here or in the test of what it is about.
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { apiBodyBytesMax } from '#contract/operation.ts'
import { Fault, faultCodes, type FaultCode } from '#contract/faults/fault.ts'
import { describeMode, must, sharedSystem, type Answer, type System, type Tenant } from '../support/system.ts'
import { calledAs, visitorOf } from '../support/person.ts'

type Context = { readonly system: System; readonly tenant: Tenant; readonly other: Tenant }
type Meet = (context: Context) => Promise<Answer>

const projects = '/api/v1/projects'

async function raw(
  { system, tenant }: Context,
  body: string | Buffer,
  headers: Record<string, string> = {},
  path = projects,
): Promise<Answer> {
  const all = { authorization: `Bearer ${tenant.secret}`, 'content-type': 'application/json', ...headers }
  const sent = request(system.url + path, { method: 'POST', headers: all }).end(body)
  // Of a body that is too large the connection may end after the refusal.
  sent.on('error', () => {})
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: new Headers(), body: JSON.parse(await text(response)) }
}

async function rotated(tenant: Tenant, change: object): Promise<Answer> {
  const key = await tenant.key(['projects:read'], change)
  return key.api('GET', projects)
}

const meet: Partial<Record<FaultCode, Meet>> = {
  invalid_json: (context) => raw(context, '{"name":'),
  workspace_invalid: ({ tenant }) => tenant.api('GET', `${projects}?workspaceId=acme`),
  workspace_conflict: ({ tenant: { api, workspaceId }, other }) =>
    api('GET', `${projects}?workspaceId=${workspaceId}`, undefined, { 'x-workspace-id': other.workspaceId }),
  invalid_idempotency_key: ({ tenant }) => tenant.api('POST', projects, { name: 'x' }, { 'idempotency-key': 'a b' }),
  not_signed_in: ({ system }) => visitorOf(system).call('GET', '/sessions/current'),
  wrong_password: ({ system }) => visitorOf(system).signIn('nobody@example.com'),
  https_required: ({ system }) => visitorOf(calledAs(system, 'console.example.com')).signIn('nobody@example.com'),
  ip_not_allowed: ({ tenant }) => rotated(tenant, { ipAllowlist: ['192.0.2.0/24'] }),
  surface_not_allowed: ({ tenant }) => rotated(tenant, { surfaces: ['mcp'] }),
  route_not_found: ({ tenant }) => tenant.api('GET', '/api/v1/project'),
  not_acceptable: ({ tenant }) => tenant.api('GET', projects, undefined, { accept: 'text/html' }),
  idempotency_in_progress: (context) =>
    whileReserved(context, () => context.tenant.api('POST', projects, { name: 'x' }, { 'idempotency-key': 'busy' })),
  body_too_large: (context) => raw(context, Buffer.alloc(apiBodyBytesMax + 1, 0x20)),
  unsupported_media_type: (context) => raw(context, 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }),
  internal_error: async ({ system, tenant }) => {
    const { id } = must(await tenant.api('POST', projects, { name: 'x' }))
    // A row that no code of ours could have written.
    await system.db.project.updateMany({ where: { id }, data: { createdBy: { type: 'nobody' } } })
    return tenant.api('GET', `${projects}/${id}`)
  },
}

/** Runs while another transaction holds the row of the key `busy`. */
async function whileReserved({ system, tenant }: Context, run: () => Promise<Answer>): Promise<Answer> {
  const { keyId: callerId, workspaceId } = tenant
  const request = { operation: 'projects.create', key: 'busy', fingerprint: Buffer.alloc(32), createdAt: new Date() }
  return system.db.$transaction(
    async (tx) => {
      await tx.idempotencyRecord.create({ data: { callerId, workspaceId, ...request } })
      return run()
    },
    { timeout: 15_000 },
  )
}

// On Postgres: PGlite runs one transaction after the other, where none meets another that is in progress.
describeMode('refusals', 'distributed', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  let context: Context
  beforeAll(async () => {
    context = { system, tenant, other: await system.tenant() }
  })

  test.each(Object.entries(meet))('%s says what it is, and nothing of what is inside', async (code, provoke) => {
    const { status, body } = await provoke(context)

    expect(body).toMatchObject({ code, requestId: expect.stringMatching(/\S/) })
    if (body.instance === undefined) return
    expect(status).toBe(new Fault(code as FaultCode, '').status)
    const [title, instance] = [expect.any(String), expect.not.stringContaining('?')]
    expect(body).toMatchObject({ type: `/docs/errors/${code}`, title, status, detail: title, instance })
    if (code !== 'internal_error') return
    expect(Object.keys(body).toSorted()).toEqual(['code', 'detail', 'instance', 'requestId', 'status', 'title', 'type'])
  })

  test('a body of half a million brackets is refused as invalid JSON, with an Idempotency-Key and through MCP too', async () => {
    const body = `{"name":${'['.repeat(500_000)}`
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'['.repeat(10_000) + ']'.repeat(10_000)}}`

    const answers = [await raw(context, body), await raw(context, body, { 'idempotency-key': 'deep' })]
    const overMcp = await raw(context, call, {}, '/api/mcp')

    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
    const error = { code: -32_700, data: { code: 'invalid_json' } }
    expect(overMcp).toMatchObject({ status: 400, body: { jsonrpc: '2.0', error } })
  })
})

test('every code that is not provoked here is in another test', () => {
  const tests = join(import.meta.dirname, '..')
  const others = globSync('**/*.test.ts', { cwd: tests }).filter((file) => !file.endsWith('fault-codes.test.ts'))
  const words = new Set(others.flatMap((file) => readFileSync(join(tests, file), 'utf8').match(/\w+/g) ?? []))

  expect(faultCodes.filter((code) => !(code in meet) && !words.has(code))).toEqual([])
})
