// Every fault code of the catalogue, provoked through the gateway. A code without a test does not compile.
import { defaultRates } from '#contract/rate-limits.ts'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fault, faultCodes, type FaultCode } from '#contract/faults/fault.ts'
import { logger } from '#runtime/log.ts'
import { memoryRateLimiter } from '../../gateway/rate-limit/limiter.ts'
import { startGateway } from '../../gateway/server.ts'
import { clientOf } from '../support/client.ts'
import { fillDisk } from '../support/full-disk.ts'
import { describeModes, must, startSystem, type Answer, type System, type Tenant } from '../support/system.ts'
import { calledAs, firstOwner, visitorOf } from '../support/person.ts'
import { apiBodyBytesMax } from '#contract/operation.ts'
import { customFieldsPerTargetMax } from '#contract/custom-fields.ts'

type Context = { readonly system: System; readonly tenant: Tenant; readonly other: Tenant }
type Meet = (context: Context) => Promise<Answer>

const missingId = '01999999-0000-7000-8000-000000000000'
const projects = '/api/v1/projects'
const dayMs = 86_400_000

const raw = (
  { system, tenant }: Context,
  body: string | Buffer,
  headers: Record<string, string> = {},
  path = projects,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${tenant.secret}`, 'content-type': 'application/json', ...headers }
    const sent = request(system.url + path, { method: 'POST', headers: all }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(),
          body: JSON.parse(Buffer.concat(chunks).toString()),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })

async function refusedOverMcp(context: Context, headers: Record<string, string>): Promise<Answer> {
  const { body, ...answer } = await raw(context, '{"jsonrpc":"2.0","id":1,"method":"ping"}', headers, '/api/mcp')
  return { ...answer, body: body.error.data }
}

/** A gateway whose service is as the test needs it. */
async function throughGateway({ system, tenant }: Context, service: string): Promise<Answer> {
  const { internalSecret, operatorToken, brand } = system.settings
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    services: [service],
    internalSecret,
    operatorToken,
    brand,
    trustedProxies: [],
    publicUrl: null,
    allowedOrigins: [],
    failedCredentialsPerMinute: 60,
    log: logger('fatal', 'test'),
    rateLimiter: memoryRateLimiter(defaultRates),
    listen: () => ({ isConnected: () => true, close: async () => {} }),
  })
  const answer = await clientOf(gateway.url, '').call('GET', projects, undefined, {
    authorization: `Bearer ${tenant.secret}`,
  })
  await gateway.close()
  return answer
}

async function withProject(tenant: Tenant): Promise<string> {
  return `${projects}/${must(await tenant.api('POST', projects, { name: 'x' })).id}`
}

async function rotated(tenant: Tenant, change: object): Promise<Answer> {
  const key = await tenant.key(['projects:read'], change)
  return key.api('GET', projects)
}

/** With a key that was there before its workspace demanded this. */
async function underPolicy(system: System, apiPolicy: object): Promise<Answer> {
  const { workspaceId, api } = await system.tenant()
  must(await system.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, { apiPolicy }))
  return api('GET', projects)
}

/** Codes that need a service that fails, or limits that other tests do not meet. */
const elsewhere = {
  request_cancelled: 'test/service/execution/cancelled.test.ts',
  request_timeout: 'test/gateway/overload/concurrent-calls-limit.test.ts',
  invalid_http: 'test/gateway/responses/gateway-headers.test.ts',
  headers_too_large: 'test/gateway/responses/gateway-headers.test.ts',
  expectation_failed: 'test/gateway/responses/gateway-headers.test.ts',
  tool_disabled: 'test/service/mcp/tools/run-tool.test.ts',
  password_sign_in_off: 'test/system/sign-in-provider.test.ts',
  sign_in_expired: 'test/system/sign-in-provider.test.ts',
  provider_refused: 'test/system/sign-in-provider.test.ts',
  provider_answer_invalid: 'test/system/sign-in-provider.test.ts',
  provider_unavailable: 'test/system/sign-in-provider.test.ts',
  email_not_verified: 'test/system/sign-in-provider.test.ts',
  email_domain_not_allowed: 'test/system/sign-in-provider.test.ts',
  no_membership: 'test/system/sign-in-provider.test.ts',
  upstream_error: 'test/gateway',
  query_too_costly: 'test/service/execution/read-timeout.test.ts',
  timeout: 'test/gateway',
  rate_limited: 'test/system/rate-limits.test.ts',
} as const satisfies Partial<Record<FaultCode, string>>

const meet: Record<Exclude<FaultCode, keyof typeof elsewhere>, Meet> = {
  invalid_json: (context) => raw(context, '{"name":'),
  unknown_parameter: ({ tenant }) => tenant.api('GET', `${projects}?limits=3`),
  invalid_parameter: ({ tenant }) => tenant.api('GET', `${projects}?limit=201`),
  invalid_header: async ({ tenant }) =>
    tenant.api('PATCH', await withProject(tenant), { name: 'y' }, { 'if-match': 'seven' }),
  invalid_cursor: ({ tenant }) => tenant.api('GET', `${projects}?cursor=made-up`),
  cursor_mismatch: async ({ tenant }) => {
    await Promise.all([withProject(tenant), withProject(tenant)])
    const { page } = must(await tenant.api('GET', `${projects}?limit=1`))
    return tenant.api('GET', `${projects}?limit=1&status=active&cursor=${page.nextCursor}`)
  },
  workspace_required: async ({ system, tenant }) => {
    must(
      await system.operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, {
        apiPolicy: { allowUnboundKeys: true },
      }),
    )
    return rotated(tenant, { workspaceIds: [tenant.workspaceId] })
  },
  workspace_invalid: ({ tenant }) => tenant.api('GET', `${projects}?workspaceId=acme`),
  workspace_conflict: ({ tenant, other }) =>
    tenant.api('GET', `${projects}?workspaceId=${tenant.workspaceId}`, undefined, {
      'x-workspace-id': other.workspaceId,
    }),
  invalid_idempotency_key: ({ tenant }) => tenant.api('POST', projects, { name: 'x' }, { 'idempotency-key': 'a b' }),
  missing_credentials: ({ system }) => system.call('GET', projects),
  invalid_api_key: ({ system, tenant }) =>
    system.call('GET', projects, undefined, { authorization: `Bearer ${tenant.secret.replace(/.$/, '_')}` }),
  api_key_revoked: async ({ tenant }) => {
    const key = await tenant.key(['projects:read'])
    must(await tenant.settings('DELETE', `/api-keys/${key.keyId}`))
    return key.api('GET', projects)
  },
  api_key_expired: async ({ system, tenant }) => {
    const key = await tenant.key(['projects:read'])
    await system.db.apiKey.updateMany({ where: { id: key.keyId }, data: { expiresAt: new Date(Date.now() - 1) } })
    return key.api('GET', projects)
  },
  api_key_suspended: async ({ tenant }) => {
    const member = must(
      await tenant.settings('POST', '/members', { name: 'Grace', email: 'held@example.com', status: 'active' }),
    )
    const key = await tenant.key(['projects:read'], { ownerId: member.id })
    must(await tenant.settings('PATCH', `/members/${member.id}`, { status: 'suspended' }))
    return key.api('GET', projects)
  },
  not_signed_in: ({ system }) => visitorOf(system).call('GET', '/sessions/current'),
  wrong_password: ({ system }) => visitorOf(system).signIn('nobody@example.com'),
  https_required: ({ system }) => visitorOf(calledAs(system, 'console.example.com')).signIn('nobody@example.com'),
  confirmation_required: async ({ system }) => {
    const owner = await firstOwner(system, { workspaceName: 'Acme' })
    await system.db.session.updateMany({ data: { confirmedAt: null } })
    return owner.call('PATCH', '/account', { name: 'Grace' })
  },
  ip_not_allowed: ({ tenant }) => rotated(tenant, { ipAllowlist: ['192.0.2.0/24'] }),
  api_key_rotation_required: async ({ system, tenant }) => {
    const key = await tenant.key(['projects:read'], { rotationPolicy: { maxAgeDays: 1 } })
    await system.db.apiKeySecret.updateMany({
      where: { apiKeyId: key.keyId },
      data: { createdAt: new Date(Date.now() - 2 * dayMs) },
    })
    return key.api('GET', projects)
  },
  ip_allowlist_required: ({ system }) => underPolicy(system, { requireIpAllowlist: true }),
  key_expiry_required: ({ system }) => underPolicy(system, { requireExpiry: true }),
  unbound_key_not_allowed: async ({ system }) => {
    const { workspaceId, key } = await system.tenant()
    const change = async (allowUnboundKeys: boolean) =>
      must(
        await system.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, { apiPolicy: { allowUnboundKeys } }),
      )
    await change(true)
    const unbound = await key(['projects:read'], { workspaceIds: [workspaceId] })
    await change(false)
    return unbound.api('GET', projects, undefined, { 'x-workspace-id': workspaceId })
  },
  api_key_has_no_scopes: async ({ system, tenant }) => {
    const key = await tenant.key(['projects:read'])
    await system.db.apiKey.updateMany({ where: { id: key.keyId }, data: { scopes: [] } })
    return key.api('GET', projects)
  },
  insufficient_scope: async ({ tenant }) => (await tenant.key(['events:read'])).api('GET', projects),
  surface_not_allowed: ({ tenant }) => rotated(tenant, { surfaces: ['mcp'] }),
  workspace_not_allowed: ({ tenant, other }) => tenant.api('GET', `${projects}?workspaceId=${other.workspaceId}`),
  host_not_allowed: (context) => refusedOverMcp(context, { host: 'evil.example' }),
  origin_not_allowed: (context) => refusedOverMcp(context, { origin: 'https://evil.example' }),
  workspace_suspended: async ({ system }) => {
    const suspended = await system.tenant()
    must(await system.operator('PATCH', `/settings/api/workspaces/${suspended.workspaceId}`, { suspended: true }))
    return suspended.api('GET', projects)
  },
  not_found: ({ tenant }) => tenant.api('GET', `${projects}/${missingId}`),
  route_not_found: ({ tenant }) => tenant.api('GET', '/api/v1/project'),
  method_not_allowed: ({ tenant }) => tenant.api('PUT', projects, {}),
  not_acceptable: ({ tenant }) => tenant.api('GET', projects, undefined, { accept: 'text/html' }),
  duplicate: async ({ tenant }) => {
    must(await tenant.api('POST', projects, { name: 'x', key: 'SAME' }))
    return tenant.api('POST', projects, { name: 'y', key: 'SAME' })
  },
  invalid_transition: async ({ tenant }) => {
    const path = await withProject(tenant)
    must(await tenant.api('PATCH', path, { status: 'cancelled' }))
    return tenant.api('PATCH', path, { status: 'paused' })
  },
  project_archived: async ({ tenant }) => {
    const path = await withProject(tenant)
    must(await tenant.api('POST', `${path}/archive`))
    return tenant.api('POST', '/api/v1/tasks', { projectId: path.split('/').at(-1), title: 'x' })
  },
  not_deleted: async ({ tenant }) => tenant.api('POST', `${await withProject(tenant)}/restore`),
  idempotency_in_progress: (context) =>
    whileReserved(context, () => context.tenant.api('POST', projects, { name: 'x' }, { 'idempotency-key': 'busy' })),
  limit_reached: async ({ system }) => {
    const full = await system.tenant()
    const make = (key: string) =>
      full.api('POST', '/api/v1/custom-fields', { target: 'task', key, label: key, type: 'text' })
    for (let n = 0; n < customFieldsPerTargetMax; n += 1) must(await make(`f${n}`))
    return make('one_too_many')
  },
  quota_reached: async ({ system }) => {
    const full = await system.tenant()
    must(await system.operator('PATCH', `/settings/api/workspaces/${full.workspaceId}`, { quotas: { objects: 0 } }))
    return full.api('POST', projects, { name: 'x' })
  },
  purged: async ({ system, tenant }) => {
    const path = await withProject(tenant)
    must(await tenant.api('DELETE', path))
    await system.db.project.updateMany({
      where: { id: path.split('/').at(-1)! },
      data: { deletedAt: new Date(Date.now() - 31 * dayMs) },
    })
    return tenant.api('POST', `${path}/restore`)
  },
  cursor_expired: async ({ system }) => {
    const quiet = await system.tenant()
    await withProject(quiet)
    await system.db.$executeRaw`
      UPDATE event_sequence SET expired = last WHERE workspace_id = ${quiet.workspaceId}::uuid`
    return quiet.api('GET', '/api/v1/events?after=0')
  },
  version_mismatch: async ({ tenant }) =>
    tenant.api('PATCH', await withProject(tenant), { name: 'y' }, { 'if-match': '"9"' }),
  precondition_failed: async ({ tenant }) =>
    tenant.api('PATCH', await withProject(tenant), { name: 'y' }, { 'if-none-match': '*' }),
  body_too_large: (context) => raw(context, Buffer.alloc(apiBodyBytesMax + 1, 0x20)),
  too_many_items: async (context) => {
    const batch = JSON.stringify(Array.from({ length: 51 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })))
    const { status, headers, body } = await raw(context, batch, {}, '/api/mcp')
    return { status, headers, body: body.error.data }
  },
  unsupported_media_type: (context) => raw(context, 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }),
  validation_failed: ({ tenant }) => tenant.api('POST', projects, { name: '' }),
  unknown_field: ({ tenant }) => tenant.api('POST', projects, { name: 'x', nmae: 'y' }),
  reference_not_found: ({ tenant }) => tenant.api('POST', projects, { name: 'x', ownerId: missingId }),
  batch_failed: ({ tenant }) =>
    tenant.api('POST', `${projects}/batch`, { atomic: true, items: [{ action: 'create', data: {} }] }),
  depends_on_failed: async ({ tenant }) => {
    const own = { externalSource: 'erp', externalId: 'never' }
    const items = ['create', 'delete'].map((action) => ({ action, ...own }))
    const { headers, body } = await tenant.api('POST', `${projects}/batch`, { items })
    const { problem } = body.results[1]
    return { status: problem.status, headers, body: problem }
  },
  idempotency_key_reused: async ({ tenant }) => {
    must(await tenant.api('POST', projects, { name: 'x' }, { 'idempotency-key': 'once' }))
    return tenant.api('POST', projects, { name: 'y' }, { 'idempotency-key': 'once' })
  },
  internal_error: async ({ system, tenant }) => {
    const path = await withProject(tenant)
    // A row that no code of ours could have written.
    await system.db.project.updateMany({
      where: { id: path.split('/').at(-1)! },
      data: { createdBy: { type: 'nobody' } },
    })
    return tenant.api('GET', path)
  },
  storage_full: async ({ system, tenant }) => {
    await using _full = await fillDisk(system.db, 'project')
    return await tenant.api('POST', projects, { name: 'No room' })
  },
  unavailable: (context) => throughGateway(context, 'http://127.0.0.1:1'),
}

/** Runs while another transaction holds the row of the key `busy`. */
async function whileReserved({ system, tenant }: Context, run: () => Promise<Answer>): Promise<Answer> {
  const { keyId: callerId, workspaceId } = tenant
  const data = {
    callerId,
    workspaceId,
    operation: 'projects.create',
    key: 'busy',
    fingerprint: Buffer.alloc(32),
    createdAt: new Date(),
  }
  return system.db.$transaction(
    async (tx) => {
      await tx.idempotencyRecord.create({ data })
      return run()
    },
    { timeout: 15_000 },
  )
}

/** PGlite runs one transaction after the other: there a second request waits instead of being told to. */
const onPostgresOnly: ReadonlySet<string> = new Set<FaultCode>(['idempotency_in_progress'])

describeModes('refusals', (mode) => {
  let context: Context
  beforeAll(async () => {
    const system = await startSystem(mode)
    context = { system, tenant: await system.tenant(), other: await system.tenant() }
  })
  afterAll(() => context?.system[Symbol.asyncDispose]())

  const here = Object.entries(meet).filter(([code]) => mode === 'distributed' || !onPostgresOnly.has(code))
  test.each(here)('%s', async (code, provoke) => {
    const { status, body } = await provoke(context)

    expect(body.code).toBe(code)
    expect(body.requestId).toMatch(/\S/)
    if (body.instance !== undefined) {
      expect(status).toBe(new Fault(code as FaultCode, '').status)
      expect(body).toMatchObject({
        type: `/docs/errors/${code}`,
        title: expect.any(String),
        status,
        detail: expect.any(String),
      })
      expect(body.instance).not.toContain('?')
    }
  })

  test.each([
    ['half a million brackets', '{"name":' + '['.repeat(500_000)],
    ['nesting that closes', '{"name":' + '['.repeat(100_000) + ']'.repeat(100_000) + '}'],
    ['a name that is no name', '{"name":"x","__proto__":{"admin":true}}'],
    ['two values', '{"name":"x"} {}'],
    ['half of one', '{"name":"x'],
  ])('a body of %s is refused as invalid JSON, with an Idempotency-Key or without', async (_name, body) => {
    const answers = [await raw(context, body), await raw(context, body, { 'idempotency-key': 'deep' })]

    expect(answers).toMatchObject([
      { status: 400, body: { code: 'invalid_json' } },
      { status: 400, body: { code: 'invalid_json' } },
    ])
  })

  test('the same through MCP is refused with a JSON-RPC error', async () => {
    const params = '{"name":"projects.list","arguments":' + '['.repeat(10_000) + ']'.repeat(10_000) + '}'
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`

    expect(await raw(context, body, {}, '/api/mcp')).toMatchObject({
      status: 400,
      body: { jsonrpc: '2.0', error: { code: -32_700, data: { code: 'invalid_json' } } },
    })
  })

  test('no refusal shows internal errors', async () => {
    const { body } = await meet.internal_error(context)

    expect(Object.keys(body).toSorted()).toEqual(['code', 'detail', 'instance', 'requestId', 'status', 'title', 'type'])
  })
})

test('every code of the catalogue is provoked here or in the test that is named', () => {
  expect([...Object.keys(meet), ...Object.keys(elsewhere)].toSorted()).toEqual(faultCodes.toSorted())
})
