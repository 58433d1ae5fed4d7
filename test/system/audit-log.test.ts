// What an owner of a workspace relies on when asking the audit log who did what.
// Operations: audit-entries.verify.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { operationNamed, operations } from '#contract/api.ts'
import { type AuditEntry, cliUserAgent } from '#contract/audit-entries.ts'
import { scopes } from '#contract/scopes.ts'
import { newId } from '#runtime/new-id.ts'
import { eventually } from '../support/eventually.ts'
import { visitorOf, type Person } from '../support/person.ts'
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
  secrets.push(token, ...(await resetAccessOf(system, workspaceId, memberId)))
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

/** Of an account that the member is given. */
async function resetAccessOf(system: System, workspaceId: string, memberId: string): Promise<string[]> {
  const [id, now] = [newId(), new Date()]
  const email = `${id}@example.com`
  await system.db.account.create({ data: { id, name: 'Grace', email, createdAt: now, updatedAt: now } })
  await system.db.member.update({
    where: { workspaceId_id: { workspaceId, id: memberId } },
    data: { accountId: id },
  })
  const { token } = must(await system.operator('POST', '/settings/api/accounts/reset-access', { email }))
  const newPassword = 'compilers like long walks'
  const person = visitorOf(system)
  must(await person.call('POST', '/accounts/recover', { token, newPassword }))
  const again = `${newPassword} again`
  must(await person.call('POST', '/account/password', { currentPassword: newPassword, newPassword: again }))
  await changeEmailOf(system, workspaceId, memberId, { person, email })
  return [token, newPassword, again]
}

/** Asked for three times, confirmed by the operator in both ways, and declined. */
async function changeEmailOf(
  system: System,
  workspaceId: string,
  memberId: string,
  { person, email }: { readonly person: Person; readonly email: string },
): Promise<void> {
  const path = `/settings/api/workspaces/${workspaceId}/email-changes/${memberId}`
  const ask = async (newEmail: string) => must(await person.call('PATCH', '/account', { email: newEmail }))
  const [one, two] = [`1.${email}`, `2.${email}`]
  await ask(one)
  must(await system.operator('DELETE', path))
  await ask(one)
  must(await system.operator('POST', `${path}/confirm`, { newEmail: one }))
  await ask(two)
  must(await system.operator('POST', '/settings/api/accounts/confirm-email', { email: one, newEmail: two }))
}

describeModes('the audit log', (mode) => {
  const { system } = sharedSystem(mode)

  test('holds one entry for each change of keys, webhooks, members and policies, and no secret', async () => {
    const tenant = await system.tenant()

    const secrets = await changeEverything(system, tenant)

    const entries = await entriesOf(tenant)
    const audited = operations.filter(({ audited: is }) => is).map(({ name }) => name)
    const actions = entries.map(({ action }) => action)
    // The workspace's first key was made besides, and a new e-mail asked for three times.
    const besides = ['api-keys.create', 'account.update', 'account.update']
    expect(actions.toSorted()).toEqual([...audited, ...besides].toSorted())
    expect(entries.map(({ number }) => number)).toEqual(actions.map((_action, at) => actions.length - at))
    const stored = JSON.stringify(await system.db.auditEntry.findMany(), (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    for (const secret of secrets) expect(stored).not.toContain(secret)
    expect(await verified(tenant)).toMatchObject({ intact: true, complete: true, checked: actions.length })
  })

  test('shows actor, origin, target and changes', async () => {
    const tenant = await system.tenant()
    const { id } = must(await tenant.settings('POST', '/api-keys', { name: 'Sync', scopes: ['projects:read'] }))

    must(await tenant.settings('PATCH', `/api-keys/${id}`, { name: 'Robot' }, { 'x-request-id': 'asked-1' }))
    must(await tenant.api('POST', '/api/v1/webhooks', hook, { 'user-agent': 'robot/2' }))

    const [byKey, byOperator] = await entriesOf(tenant)
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

  test('every entry of a change has changes', async () => {
    const tenant = await system.tenant()

    await changeEverything(system, tenant)

    const empty = (await entriesOf(tenant)).filter(({ changes }) => Object.keys(changes).length === 0)
    expect(empty.map(({ action }) => action)).toEqual([])
  })

  test('distinguishes the command line from the console', async () => {
    const tenant = await system.tenant()

    must(await tenant.settings('POST', '/webhooks', hook, { 'user-agent': cliUserAgent }))

    expect((await entriesOf(tenant))[0]).toMatchObject({ surface: 'cli', userAgent: cliUserAgent })
  })

  test('holds no entry for calls that changed nothing or were refused', async () => {
    const tenant = await system.tenant()
    const { id } = must(await tenant.settings('POST', '/webhooks', hook))
    must(await tenant.settings('DELETE', `/webhooks/${id}`))
    const before = await entriesOf(tenant)
    const suspended = { suspended: false }

    must(await tenant.settings('DELETE', `/webhooks/${id}`))
    must(await tenant.settings('PATCH', `/api-keys/${tenant.keyId}`, { name: 'Test' }))
    must(await system.operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, suspended))
    const refused = await tenant.settings('PATCH', `/api-keys/${tenant.keyId}`, { expiresAt: '2020-01-01T00:00:00Z' })
    const invalid = await tenant.settings('POST', '/webhooks', { ...hook, url: 'http://10.0.0.1/' })

    expect([refused.status, invalid.status]).toEqual([422, 422])
    expect(await entriesOf(tenant)).toEqual(before)
  })

  test('a repeated request with an Idempotency-Key is one entry', async () => {
    const tenant = await system.tenant()
    const create = () => tenant.settings('POST', '/webhooks', hook, { 'idempotency-key': 'once' })

    const answers = await Promise.all([create(), create(), create()])

    const ids = new Set(answers.map((answer) => must(answer).id))
    expect(ids.size).toBe(1)
    expect(await entriesOf(tenant, '&action=webhooks.create')).toHaveLength(1)
  })

  test('twenty changes of all kinds at the same time make one unbroken chain', async () => {
    const tenant = await system.tenant()
    const changes = Array.from({ length: 20 }, (_, at) =>
      at % 4 === 0
        ? system.operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, { slug: `acme-${mode}-${at}` })
        : at % 4 === 1
          ? tenant.settings('POST', `/api-keys/${tenant.keyId}/rotate`, { overlapHours: 1 })
          : tenant.settings('POST', '/webhooks', { ...hook, name: `Receiver ${at}` }),
    )

    for (const answer of await Promise.all(changes)) must(answer)

    expect(await verified(tenant)).toMatchObject({ intact: true, checked: 22, lastNumber: 22 })
  })

  test('a manipulated entry is detected', async () => {
    const tenant = await system.tenant()
    for (let made = 0; made < 4; made += 1) must(await tenant.settings('POST', '/webhooks', hook))

    await system.db.$executeRaw`ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only`
    await system.db
      .$executeRaw`UPDATE audit_entry SET ip = '10.0.0.1' WHERE workspace_id = ${tenant.workspaceId}::uuid AND number = 3`
    await system.db.$executeRaw`ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_append_only`

    expect(await verified(tenant)).toMatchObject({ intact: false, brokenAt: 3, reason: 'entry_changed', checked: 2 })
  })

  test('holds calls that the gateway denies, equal ones as one entry with a count', async () => {
    const tenant = await system.tenant()
    const other = await system.tenant()
    const reader = await tenant.key(['projects:read'])

    for (let made = 0; made < 3; made += 1) await reader.api('POST', '/api/v1/projects', { name: 'x' })
    await reader.api('GET', '/api/v1/projects', undefined, { 'x-workspace-id': other.workspaceId })

    const denied = await eventually(async () => {
      const entries = await entriesOf(tenant, `&outcome=denied&actorId=${reader.keyId}`)
      return entries.reduce((sum, { count }) => sum + count, 0) === 4 ? entries : null
    }, 'all four refusals')
    expect(denied.map(({ action, code }) => [action, code])).toEqual(
      expect.arrayContaining([
        ['projects.create', 'insufficient_scope'],
        ['projects.list', 'workspace_not_allowed'],
      ]),
    )
    for (const entry of denied) expect(entry).toMatchObject({ surface: 'http', target: null, changes: {} })
    expect(await entriesOf(other, '&outcome=denied')).toEqual([])
    expect(await verified(tenant)).toMatchObject({ intact: true })
  })

  test('holds a denied call for a webhook with events that its creator may not read', async () => {
    const tenant = await system.tenant()
    const maker = await tenant.key(['webhooks:write'])

    const answer = await maker.api('POST', '/api/v1/webhooks', hook)

    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    const [denied] = await eventually(async () => {
      const entries = await entriesOf(tenant, '&outcome=denied&action=webhooks.create')
      return entries.length > 0 ? entries : null
    }, 'the refusal')
    expect(denied).toMatchObject({ code: 'insufficient_scope', requestId: answer.body.requestId, ip: '127.0.0.1' })
  })

  test('holds tool calls that were denied for a missing scope', async () => {
    const tenant = await system.tenant()
    const reader = await tenant.key(['projects:read'])

    await reader.api('POST', '/api/mcp', [call(1, 'projects.create', { name: 'a' }), call(2, 'projects.list', {})])

    const denied = await eventually(async () => {
      const entries = await entriesOf(tenant, `&outcome=denied&actorId=${reader.keyId}`)
      return entries.length > 0 ? entries : null
    }, 'the refusal')
    expect(denied).toMatchObject([{ surface: 'mcp', code: 'insufficient_scope', count: 1 }])
  })

  test('holds each tool call with its outcome and the hash of its arguments, never the arguments', async () => {
    const tenant = await system.tenant()
    const args = { name: 'a name that nobody shall read' }
    const missing = { id: '01999999-0000-7000-8000-000000000000' }
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const traced = call(3, 'projects.get', missing)

    await tenant.api('POST', '/api/mcp', [
      call(1, 'projects.create', args),
      call(2, 'projects_list', {}),
      { ...traced, params: { ...traced.params, _meta: { traceparent } } },
      call(4, 'nothing.list', {}),
    ])

    const entries = await eventually(async () => {
      const found = await entriesOf(tenant, '&action=tools.call')
      return found.length >= 3 ? found : null
    }, 'the entries')
    const of = (tool: string) => entries.find(({ target }) => target?.id === tool)
    expect(entries).toHaveLength(3)
    expect(of('projects.create')).toMatchObject({
      outcome: 'success',
      code: null,
      surface: 'mcp',
      changes: {},
      ip: '127.0.0.1',
      argumentsHash: createHash('sha256').update(JSON.stringify(args)).digest('hex'),
      actor: { id: tenant.keyId },
    })
    expect(of('projects.list')).toMatchObject({ outcome: 'success' })
    expect(of('projects.get')).toMatchObject({
      outcome: 'failed',
      code: 'not_found',
      traceId: traceparent.slice(3, 35),
    })
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
    expect(numbers(await read('action=webhooks.create'))).toEqual([6, 5, 4])
    expect(numbers(await read('action=webhooks.create,workspaces.create'))).toEqual([6, 5, 4, 1])
    expect(numbers(await read('outcome=denied'))).toEqual([])
    expect(numbers(await read('actorId=operator&limit=2'))).toEqual([6, 5])
    expect(numbers(await read(`actorId=${auditor.keyId}`))).toEqual([])
    expect(numbers(await read(`targetId=${auditor.keyId}`))).toEqual([3])
    expect(numbers(await read('targetId=none'))).toEqual([])
    expect(numbers(await read(`createdBefore=${newest?.at}&action=webhooks.create`))).toEqual([5, 4])
    expect(numbers(await read(`createdAfter=${oldestHook?.at}&action=webhooks.create`))).toEqual([6, 5])
    expect(
      await auditor.api('GET', `/api/v1/audit-entries?limit=4&outcome=denied&cursor=${first.page.nextCursor}`),
    ).toMatchObject({ status: 400, body: { code: 'cursor_mismatch' } })
  })

  test('is not shown to another workspace or to a key without the scope', async () => {
    const tenant = await system.tenant()
    const other = await system.tenant()
    const lacking = await tenant.key(scopes.filter((scope) => scope !== 'audit-entries:read'))
    must(await tenant.settings('POST', '/webhooks', hook))

    const theirs = must(await other.api('GET', '/api/v1/audit-entries')).data as AuditEntry[]

    expect(theirs.map(({ action }) => action)).toEqual(['api-keys.create', 'workspaces.create'])
    expect(JSON.stringify(theirs)).not.toContain(tenant.workspaceId)
    expect(await lacking.api('GET', '/api/v1/audit-entries')).toMatchObject({ status: 403 })
    expect(await tenant.api('GET', '/api/v1/audit-entries/verify')).toMatchObject({ status: 404 })
  })
})
