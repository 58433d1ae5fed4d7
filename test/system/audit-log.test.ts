// What an owner of a workspace relies on when asking the audit log who did what.
// Operations: audit-entries.verify.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { operationNamed, operations } from '#contract/api.ts'
import { type AuditEntry, cliUserAgent } from '#contract/audit-entries.ts'
import { newId } from '#runtime/new-id.ts'
import { eventually } from '../support/eventually.ts'
import { visitorOf } from '../support/person.ts'
import { describeModes, must, sharedSystem, type System, type Tenant } from '../support/system.ts'

/** Newest first. */
const entriesOf = async (tenant: Tenant, query = ''): Promise<AuditEntry[]> =>
  must(await tenant.settings('GET', `/audit-entries?limit=200${query}`)).data

const verified = async (tenant: Tenant) => must(await tenant.settings('GET', '/audit-entries/verify'))

const hook = { name: 'Receiver', url: 'https://hooks.example.com/in', eventTypes: ['projects.*'] }
const call = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** Every change that the log knows, once each, as somebody would make them. */
async function changeEverything(system: System, tenant: Tenant): Promise<string[]> {
  const { settings, api, workspaceId } = tenant
  const secrets: string[] = [tenant.secret]
  const make = async (path: string, body: object): Promise<string> => {
    const made = must(await settings('POST', path, body))
    if (made.secret !== undefined) secrets.push(made.secret)
    return `${path}/${made.id}`
  }
  const rotate = async (path: string) => secrets.push(must(await settings('POST', path)).secret)
  must(await system.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, { apiPolicy: { maxKeyAgeDays: 90 } }))
  must(await api('PATCH', '/api/v1/workspaces/current', { name: 'Acme Ltd' }))
  const key = await make('/api-keys', { name: 'Sync', scopes: ['projects:read'] })
  must(await settings('PATCH', key, { scopes: ['projects:write'] }))
  await rotate(`${key}/rotate`)
  must(await settings('DELETE', key))
  const webhook = await make('/webhooks', {
    ...hook,
    headers: { 'Authorization-Of-Mine': 'header-value-that-is-secret' },
  })
  must(await settings('PATCH', webhook, { headers: { 'Authorization-Of-Mine': 'another-secret-header-value' } }))
  await rotate(`${webhook}/rotate-secret`)
  must(await settings('POST', `${webhook}/revoke-grants`))
  for (const action of ['pause', 'enable']) must(await settings('POST', `${webhook}/${action}`))
  must(await settings('DELETE', webhook))
  const member = await make('/members', { name: 'Grace', email: 'grace@example.com', status: 'active' })
  const memberId = member.split('/').at(-1) ?? ''
  const { token } = must(await settings('POST', '/invitations', { memberId }))
  secrets.push(token, ...(await changeAccountOf(system, workspaceId, memberId)))
  must(await settings('PATCH', member, { role: 'admin' }))
  must(await settings('DELETE', member))
  const field = await make('/custom-fields', { key: 'tier', target: 'project', type: 'text', label: 'Tier' })
  must(await settings('PATCH', field, { label: 'Level' }))
  must(await settings('DELETE', field))
  must(await settings('POST', `${field}/unarchive`))
  for (const segment of ['projects', 'tasks', 'crm-entities', 'documents']) {
    const purging = operationNamed(`${segment}.purge`)
    const id = await tenant.make(purging)
    must(await api('DELETE', `/api/v1/${segment}/${id}`))
    must(await api('POST', `/api/v1/${segment}/${id}/purge`))
  }
  secrets.push(must(await api('POST', '/api/v1/me/rotate', { overlapHours: 24 })).secret)
  return [...secrets, 'header-value-that-is-secret', 'another-secret-header-value']
}

/**
 * Of an account that the member is given. Its e-mail is changed in both ways that the operator can confirm, and once
 * declined.
 */
async function changeAccountOf(system: System, workspaceId: string, memberId: string): Promise<string[]> {
  const [id, now] = [newId(), new Date()]
  const email = `${id}@example.com`
  await system.db.account.create({ data: { id, name: 'Grace', email, createdAt: now, updatedAt: now } })
  const where = { workspaceId_id: { workspaceId, id: memberId } }
  await system.db.member.update({ where, data: { accountId: id } })
  const operator = async (method: string, path: string, body?: object) =>
    must(await system.operator(method, `/settings/api${path}`, body))
  const person = visitorOf(system)
  const call = async (method: string, path: string, body: object) => must(await person.call(method, path, body))

  const { token } = await operator('POST', '/accounts/reset-access', { email })
  const newPassword = 'compilers like long walks'
  await call('POST', '/accounts/recover', { token, newPassword })
  const again = `${newPassword} again`
  await call('POST', '/account/password', { currentPassword: newPassword, newPassword: again })
  const change = `/workspaces/${workspaceId}/email-changes/${memberId}`
  const [one, two] = [`1.${email}`, `2.${email}`]
  await call('PATCH', '/account', { email: one })
  await operator('DELETE', change)
  await call('PATCH', '/account', { email: one })
  await operator('POST', `${change}/confirm`, { newEmail: one })
  await call('PATCH', '/account', { email: two })
  await operator('POST', '/accounts/confirm-email', { email: one, newEmail: two })
  return [token, newPassword, again]
}

describeModes('the audit log', (mode) => {
  const { system } = sharedSystem(mode)

  test('holds one entry with its changes for each change of keys, webhooks, members and policies, and no secret', async () => {
    const tenant = await system.tenant()

    const secrets = await changeEverything(system, tenant)

    const entries = await entriesOf(tenant)
    const audited = operations.filter(({ audited: is }) => is).map(({ name }) => name)
    const actions = entries.map(({ action }) => action)
    // The workspace's first key was made besides, and a new e-mail asked for three times.
    const besides = ['api-keys.create', 'account.update', 'account.update']
    expect(actions.toSorted()).toEqual([...audited, ...besides].toSorted())
    expect(entries.map(({ number }) => number)).toEqual(actions.map((_action, at) => actions.length - at))
    expect(entries.filter(({ changes }) => Object.keys(changes).length === 0)).toEqual([])
    const rows = await system.db.auditEntry.findMany({ where: { workspaceId: tenant.workspaceId } })
    const stored = JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    for (const secret of secrets) expect(stored).not.toContain(secret)
    expect(await verified(tenant)).toMatchObject({ intact: true, complete: true, checked: actions.length })
  })

  test('shows actor, origin, target and changes, and tells the command line from the console', async () => {
    const tenant = await system.tenant()
    const { id } = must(await tenant.settings('POST', '/api-keys', { name: 'Sync', scopes: ['projects:read'] }))

    must(await tenant.settings('PATCH', `/api-keys/${id}`, { name: 'Robot' }, { 'x-request-id': 'asked-1' }))
    must(await tenant.api('POST', '/api/v1/webhooks', hook, { 'user-agent': 'robot/2' }))
    must(await tenant.settings('POST', '/webhooks', hook, { 'user-agent': cliUserAgent }))

    const [byCli, byKey, byOperator] = await entriesOf(tenant)
    expect(byCli).toMatchObject({ surface: 'cli', userAgent: cliUserAgent })
    expect(byOperator).toMatchObject({
      action: 'api-keys.update',
      surface: 'console',
      outcome: 'success',
      code: null,
      count: 1,
      ip: '127.0.0.1',
      requestId: 'asked-1',
      workspaceId: tenant.workspaceId,
      object: 'audit_entry',
      actor: { type: 'system', id: 'operator', keyPrefix: null },
      target: { type: 'api_key', id, name: 'Robot' },
      changes: { name: { from: 'Sync', to: 'Robot' } },
    })
    expect(byKey).toMatchObject({
      action: 'webhooks.create',
      surface: 'http',
      userAgent: 'robot/2',
      previousHash: byOperator?.hash,
      actor: { type: 'api_key', id: tenant.keyId, keyPrefix: tenant.secret.slice(0, 12) },
      target: { type: 'webhook', name: 'Receiver' },
    })
  })

  test('shows every field of a new object, also those that were left open', async () => {
    const tenant = await system.tenant()
    const granted = {
      name: 'Sync',
      scopes: ['projects:read', 'tasks:write'],
      surfaces: ['http'],
      ipAllowlist: ['192.0.2.0/24'],
      expiresAt: '2999-01-01T00:00:00.000Z',
      rotationPolicy: { maxAgeDays: 30 },
    }
    const from = (fields: object) =>
      Object.fromEntries(Object.entries(fields).map(([field, to]) => [field, { from: null, to }]))

    const key = must(await tenant.settings('POST', '/api-keys', granted))
    must(await tenant.settings('POST', '/api-keys', { name: 'Open', scopes: ['projects:read'] }))
    must(await tenant.settings('POST', '/webhooks', { ...hook, headers: { 'X-Team': 'a' } }))
    must(await tenant.settings('POST', '/members', { name: 'Grace', email: 'grace@example.com', role: 'admin' }))
    const field = { key: 'tier', target: 'project', type: 'text', label: 'Tier', required: true }
    must(await tenant.settings('POST', '/custom-fields', field))

    const [ofField, ofMember, ofWebhook, ofOpen, ofKey, , ofWorkspace] = await entriesOf(tenant)
    expect(ofKey).toMatchObject({ action: 'api-keys.create', target: { id: key.id }, changes: from(granted) })
    expect(ofOpen?.changes).toMatchObject(from({ expiresAt: null, ipAllowlist: [], surfaces: ['http', 'mcp'] }))
    expect(ofWebhook?.changes).toMatchObject({
      ...from({ url: hook.url, eventTypes: hook.eventTypes, headerNames: ['X-Team'], payload: 'full', filter: null }),
      grants: { from: null, to: { scopes: ['projects:read'] } },
    })
    expect(ofMember?.changes).toMatchObject(from({ email: 'grace@example.com', role: 'admin' }))
    expect(ofField?.changes).toMatchObject(from(field))
    expect(ofWorkspace?.changes).toMatchObject({
      ...from({ owner: { name: 'Ada', email: 'ada@example.com' } }),
      apiPolicy: { from: null, to: { requireIpAllowlist: false, allowUnboundKeys: false } },
    })
    expect(JSON.stringify(await entriesOf(tenant))).not.toContain(key.secret)
  })

  test('holds no entry for calls that changed nothing or were refused', async () => {
    const tenant = await system.tenant()
    const { id } = must(await tenant.settings('POST', '/webhooks', hook))
    must(await tenant.settings('DELETE', `/webhooks/${id}`))
    const before = await entriesOf(tenant)

    must(await tenant.settings('DELETE', `/webhooks/${id}`))
    must(await tenant.settings('PATCH', `/api-keys/${tenant.keyId}`, { name: 'Test' }))
    must(await system.operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, { suspended: false }))
    const refused = await tenant.settings('PATCH', `/api-keys/${tenant.keyId}`, { expiresAt: '2020-01-01T00:00:00Z' })
    const invalid = await tenant.settings('POST', '/webhooks', { ...hook, url: 'http://10.0.0.1/' })

    expect([refused.status, invalid.status]).toEqual([422, 422])
    expect(await entriesOf(tenant)).toEqual(before)
  })

  test('changes of all kinds at the same time, one of them repeated, make one unbroken chain; what is manipulated is detected', async () => {
    const tenant = await system.tenant()
    const workspace = `/settings/api/workspaces/${tenant.workspaceId}`
    const changes = Array.from({ length: 5 }, (_, at) => [
      system.operator('PATCH', workspace, { slug: `acme-${mode}-${at}` }),
      tenant.settings('POST', `/api-keys/${tenant.keyId}/rotate`, { overlapHours: 1 }),
      tenant.settings('POST', '/webhooks', { ...hook, name: `Receiver ${at}` }),
      tenant.settings('POST', '/webhooks', hook, { 'idempotency-key': 'once' }),
    ])

    for (const answer of await Promise.all(changes.flat())) must(answer)

    expect(await verified(tenant)).toMatchObject({ intact: true, checked: 18, lastNumber: 18 })
    await system.db.$executeRaw`ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only`
    await system.db
      .$executeRaw`UPDATE audit_entry SET ip = '10.0.0.1' WHERE workspace_id = ${tenant.workspaceId}::uuid AND number = 3`
    await system.db.$executeRaw`ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_append_only`
    expect(await verified(tenant)).toMatchObject({ intact: false, brokenAt: 3, reason: 'entry_changed', checked: 2 })
  })

  test('holds calls that the gateway, a tool or the service denies, equal ones as one entry with a count', async () => {
    const tenant = await system.tenant()
    const other = await system.tenant()
    const reader = await tenant.key(['projects:read'])
    const maker = await tenant.key(['webhooks:write'])

    for (let made = 0; made < 3; made += 1) await reader.api('POST', '/api/v1/projects', { name: 'x' })
    await reader.api('GET', '/api/v1/projects', undefined, { 'x-workspace-id': other.workspaceId })
    await reader.api('POST', '/api/mcp', [call(1, 'projects.create', { name: 'a' }), call(2, 'projects.list', {})])
    // Of events that its maker may not read.
    const ofWebhook = await maker.api('POST', '/api/v1/webhooks', hook)

    const denied = await eventually(async () => {
      const entries = await entriesOf(tenant, '&outcome=denied')
      return entries.reduce((sum, { count }) => sum + count, 0) === 6 ? entries : null
    }, 'all six refusals')
    const told = denied.map(({ surface, action, code, actor }) => `${surface} ${action} ${code} ${actor.id}`)
    expect(new Set(told)).toEqual(
      new Set([
        `http projects.create insufficient_scope ${reader.keyId}`,
        `http projects.list workspace_not_allowed ${reader.keyId}`,
        `mcp tools.call insufficient_scope ${reader.keyId}`,
        `http webhooks.create insufficient_scope ${maker.keyId}`,
      ]),
    )
    expect(denied.find(({ action }) => action === 'projects.create')).toMatchObject({ target: null, changes: {} })
    const { requestId } = ofWebhook.body
    expect(denied.find(({ action }) => action === 'webhooks.create')).toMatchObject({ requestId, ip: '127.0.0.1' })
    expect(ofWebhook).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(await entriesOf(other, '&outcome=denied')).toEqual([])
    expect(await verified(tenant)).toMatchObject({ intact: true })
  })

  test('holds each tool call with its outcome and the hash of its arguments, never the arguments', async () => {
    const tenant = await system.tenant()
    const args = { name: 'a name that nobody shall read' }
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const missing = call(3, 'projects.get', { id: '01999999-0000-7000-8000-000000000000' })

    await tenant.api('POST', '/api/mcp', [
      call(1, 'projects.create', args),
      call(2, 'projects_list', {}),
      { ...missing, params: { ...missing.params, _meta: { traceparent } } },
      call(4, 'nothing.list', {}),
    ])

    const entries = await eventually(async () => {
      const found = await entriesOf(tenant, '&action=tools.call')
      return found.length >= 3 ? found : null
    }, 'the entries')
    const argumentsHash = createHash('sha256').update(JSON.stringify(args)).digest('hex')
    const origin = { surface: 'mcp', changes: {}, ip: '127.0.0.1', actor: { id: tenant.keyId } }
    expect(Object.fromEntries(entries.map((entry) => [entry.target?.id, entry]))).toMatchObject({
      'projects.create': { outcome: 'success', code: null, argumentsHash, ...origin },
      'projects.list': { outcome: 'success' },
      'projects.get': { outcome: 'failed', code: 'not_found', traceId: traceparent.slice(3, 35) },
    })
    expect(entries).toHaveLength(3)
    expect(JSON.stringify(entries)).not.toContain(args.name)
    expect(await verified(tenant)).toMatchObject({ intact: true, complete: true })
  })

  test('is listed in pages, newest first, and filtered by action, outcome, actor and time', async () => {
    const tenant = await system.tenant()
    const auditor = await tenant.key(['audit-entries:read'])
    for (let made = 0; made < 3; made += 1) must(await tenant.settings('POST', '/webhooks', hook))
    const read = async (query: string) => must(await auditor.api('GET', `/api/v1/audit-entries?${query}`))
    const numbers = ({ data }: { data: AuditEntry[] }) => data.map(({ number }) => number)

    const all = await read('')
    const first = await read('limit=4')
    const second = await read(`limit=4&cursor=${first.page.nextCursor}`)
    const [newest, , oldestHook] = all.data as AuditEntry[]

    expect(numbers(all)).toEqual([6, 5, 4, 3, 2, 1])
    expect([...numbers(first), ...numbers(second)]).toEqual(numbers(all))
    expect(second.page).toMatchObject({ hasMore: false, nextCursor: null })
    for (const [query, found] of [
      ['action=webhooks.create', [6, 5, 4]],
      ['action=webhooks.create,workspaces.create', [6, 5, 4, 1]],
      ['outcome=denied', []],
      ['actorId=operator&limit=2', [6, 5]],
      [`actorId=${auditor.keyId}`, []],
      [`targetId=${auditor.keyId}`, [3]],
      ['targetId=none', []],
      [`createdBefore=${newest?.at}&action=webhooks.create`, [5, 4]],
      [`createdAfter=${oldestHook?.at}&action=webhooks.create`, [6, 5]],
    ] as const)
      expect([query, numbers(await read(query))]).toEqual([query, found])
    expect(
      await auditor.api('GET', `/api/v1/audit-entries?limit=4&outcome=denied&cursor=${first.page.nextCursor}`),
    ).toMatchObject({ status: 400, body: { code: 'cursor_mismatch' } })
  })

  test('is not shown to another workspace', async () => {
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    must(await tenant.settings('POST', '/webhooks', hook))

    const theirs = must(await other.api('GET', '/api/v1/audit-entries')).data as AuditEntry[]

    expect(theirs.map(({ action }) => action)).toEqual(['api-keys.create', 'workspaces.create'])
    expect(JSON.stringify(theirs)).not.toContain(tenant.workspaceId)
    expect(await tenant.api('GET', '/api/v1/audit-entries/verify')).toMatchObject({ status: 404 })
  })
})
