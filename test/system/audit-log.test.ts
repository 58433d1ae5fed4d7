// What an owner of a workspace relies on when asking the audit log who did what.
// Operations: audit-entries.verify.
import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { operationNamed, operations } from '#contract/api.ts'
import { type AuditEntry, cliUserAgent, entriesPerExportPage } from '#contract/audit-entries.ts'
import { newId } from '#runtime/new-id.ts'
import { makeEmailToken } from '../../service/identity/accounts/rows.ts'
import { append } from '../../service/audit/rows.ts'
import { draftIn } from '../service/audit/audit-log-fixture.ts'
import { missingId } from '../support/client.ts'
import { codeFor } from '../support/authenticator.ts'
import { eventually } from '../support/eventually.ts'
import { passkeyDevice } from '../support/passkey-device.ts'
import { visitorOf, type Person } from '../support/person.ts'
import { describeMode, modes, must, sharedSystem, type System, type Tenant } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

/** Newest first. */
const entriesOf = async (tenant: Tenant, query = ''): Promise<AuditEntry[]> =>
  must(await tenant.settings('GET', `/audit-entries?limit=200${query}`)).data

const verified = async (tenant: Tenant) => must(await tenant.settings('GET', '/audit-entries/verify'))

const hook = { name: 'Receiver', url: 'https://hooks.example.com/in', eventTypes: ['projects.*'] }
const tool = (id: number, name: string, args: object, more = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...more },
})

/** Another job like this one, which never ends by itself: a service that is far away works on it. */
async function jobInHand({ db }: System, { workspaceId }: Tenant, like: string): Promise<string> {
  const row = await db.job.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId, id: like } } })
  const lease = { leaseOwner: newId(), leaseUntil: new Date(Date.now() + 3_600_000) }
  const { request, createdBy } = row as { request: object; createdBy: object }
  const open = { status: 'running', endedAt: null, toldAt: null, failures: 0, done: 0, files: {} }
  const { failure: _failure, position: _position, ...rest } = row
  const { id } = await db.job.create({ data: { ...rest, request, createdBy, ...open, ...lease, id: newId() } })
  return id
}

/** Every change that the log knows, once each, as somebody would make them. Gives all secrets of it. */
async function changeEverything(system: System, tenant: Tenant): Promise<string[]> {
  const { api, workspaceId } = tenant
  const [value, another] = ['header-value-that-is-secret', 'another-secret-header-value']
  const secrets: string[] = [tenant.secret, value, another]
  const act = async (method: string, path: string, body?: object) => {
    const made = must(await tenant.settings(method, path, body))
    if (made?.secret !== undefined) secrets.push(made.secret)
    return made === null ? '' : `${path}/${made.id}`
  }
  must(await system.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, { apiPolicy: { maxKeyAgeDays: 90 } }))
  must(await api('PATCH', '/api/v1/workspaces/current', { name: 'Acme Ltd' }))
  const key = await act('POST', '/api-keys', { name: 'Sync', scopes: ['projects:read'] })
  await act('PATCH', key, { scopes: ['projects:write'] })
  await act('POST', `${key}/rotate`, { overlapHours: 24 })
  await act('POST', `${key}/expire-previous-secret`)
  await act('DELETE', key)
  const webhook = await act('POST', '/webhooks', { ...hook, headers: { 'Authorization-Of-Mine': value } })
  await act('PATCH', webhook, { headers: { 'Authorization-Of-Mine': another } })
  for (const action of ['rotate-secret', 'revoke-grants', 'pause', 'enable']) await act('POST', `${webhook}/${action}`)
  const failing = { workspaceId, webhookId: webhook.split('/').at(-1) ?? '', consecutiveFailures: 5, unwell: 5 }
  const open = { circuitOpenUntil: new Date(Date.now() + 900_000), circuitSeconds: 900 }
  await system.db.webhookHealth.create({ data: { ...failing, ...open } })
  await act('POST', `${webhook}/resume`)
  await act('DELETE', webhook)
  const member = await act('POST', '/members', { name: 'Grace', email: 'grace@example.com', status: 'active' })
  const memberId = member.split('/').at(-1) ?? ''
  const { token } = must(await tenant.settings('POST', '/invitations', { memberId }))
  secrets.push(token, ...(await changeAccountOf(system, workspaceId, memberId)))
  await act('PATCH', member, { role: 'admin' })
  await act('DELETE', member)
  const field = await act('POST', '/custom-fields', { key: 'tier', target: 'project', type: 'text', label: 'Tier' })
  await act('PATCH', field, { label: 'Level' })
  await act('DELETE', field)
  await act('POST', `${field}/unarchive`)
  const { id: jobId } = must(await api('POST', '/api/v1/jobs', { kind: 'export' }))
  must(await api('POST', `/api/v1/jobs/${await jobInHand(system, tenant, jobId)}/cancel`))
  for (const segment of ['projects', 'tasks', 'crm-entities', 'documents', 'comments', 'files']) {
    const path = `/api/v1/${segment}/${await tenant.make(operationNamed(`${segment}.purge`))}`
    must(await api('DELETE', path))
    must(await api('POST', `${path}/purge`))
  }
  await act('PATCH', '/alarms/settings', { recipients: 'owners' })
  // One that is settled is closed at any time.
  const owner = await system.db.member.findFirstOrThrow({ where: { workspaceId, role: 'owner' } })
  const alarm = {
    id: newId(),
    kind: 'owner_added',
    subjectId: owner.id,
    subjectName: owner.name,
    occasion: '',
    openedAt: new Date(),
  }
  await system.db.alarm.create({ data: { workspaceId, ...alarm } })
  await act('POST', `/alarms/${alarm.id}/dismiss`)
  await act('POST', '/workspaces/current/sandboxes', { name: 'Try' })
  await system.db.workspace.update({ where: { id: workspaceId }, data: { sandbox: true } })
  must(await api('POST', '/api/v1/workspaces/current/reset'))
  secrets.push(must(await api('POST', '/api/v1/me/rotate', { overlapHours: 24 })).secret)
  const own = (method: string, path: string, body?: object) => system.operator(method, `/settings/api${path}`, body)
  must(await own('PUT', `/legal-holds/${workspaceId}`, { reason: 'Case 4711' }))
  must(await own('DELETE', `/legal-holds/${workspaceId}`))
  const { slug } = must(await own('GET', `/workspaces/${workspaceId}`))
  must(await own('DELETE', `/workspaces/${workspaceId}?confirm=${slug}`))
  must(await own('POST', `/workspaces/${workspaceId}/restore`))
  return secrets
}

/**
 * Of an account that the member is given. Its email is changed in both ways that the operator can confirm and by its
 * link, and once declined.
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
  const three = `3.${email}`
  await call('PATCH', '/account', { email: three })
  const link = await makeEmailToken(system.db, { accountId: id, email: three }, now)
  await call('POST', '/email-changes/confirm', { token: link ?? '' })
  const ofFactors = await changeFactorsOf(person)
  await operator('POST', '/accounts/remove-second-factors', { email: three })
  return [token, newPassword, again, link ?? '', ...ofFactors]
}

/** Changes two-factor authentication in each way that a person can. It is on afterwards. */
async function changeFactorsOf(person: Person): Promise<string[]> {
  const call = async (method: string, path: string, body?: object) => must(await person.call(method, path, body))
  const enable = async (): Promise<string[]> => {
    const { setup, secret } = await call('POST', '/second-factors/authenticator', {})
    const given = { setup, code: await codeFor(secret) }
    const { recoveryCodes } = await call('POST', '/second-factors/authenticator/enable', given)
    return [secret, ...recoveryCodes]
  }
  const first = await enable()
  const { recoveryCodes } = await call('POST', '/second-factors/recovery-codes', {})
  await call('DELETE', '/second-factors/authenticator')
  const asked = await call('POST', '/passkeys/registration', {})
  const passkey = { setup: asked.setup, name: 'Laptop', credential: passkeyDevice().create(asked.options) }
  const ofPasskey = await call('POST', '/passkeys', passkey)
  const { passkeys } = await call('GET', '/second-factors')
  await call('DELETE', `/passkeys/${passkeys[0].id}`)
  return [...first, ...recoveryCodes, ...ofPasskey.recoveryCodes, ...(await enable())]
}

describeMode('the audit log', modes.at(-1) ?? 'standalone', (mode) => {
  const { system } = sharedSystem(mode)

  test('holds one entry with its changes for each change of keys, webhooks, members and policies, and no secret', async () => {
    const tenant = await system.tenant()

    const secrets = await changeEverything(system, tenant)

    const entries = await entriesOf(tenant)
    const audited = operations.filter(({ audited: is }) => is).map(({ name }) => name)
    const actions = entries.map(({ action }) => action)
    // The workspace's first key was made besides, a new email asked for four times, and an app set up twice.
    const besides = ['api-keys.create', 'account.update', 'account.update', 'account.update']
    besides.push('second-factors.enable-authenticator')
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
    const { workspaceId, keyId, secret } = tenant
    const asked = { surface: 'http', workspaceId, ip: '127.0.0.1', requestId: 'asked-1', outcome: 'success' }
    const changed = { target: { type: 'api_key', id, name: 'Robot' }, changes: { name: { from: 'Sync', to: 'Robot' } } }
    const actor = { type: 'api_key', id: keyId, keyPrefix: secret.slice(0, 12) }
    const sent = { surface: 'http', userAgent: 'robot/2', previousHash: byOperator?.hash }
    expect(byCli).toMatchObject({ surface: 'cli', userAgent: cliUserAgent })
    expect(byOperator).toMatchObject({ ...asked, ...changed, actor: { type: 'system', id: 'operator' } })
    expect(byKey).toMatchObject({ ...sent, actor, target: { type: 'webhook', name: 'Receiver' } })
  })

  test('shows every field of a new object, also those that were left open', async () => {
    const tenant = await system.tenant()
    const bounds = { surfaces: ['http'], ipAllowlist: ['192.0.2.0/24'], rotationPolicy: { maxAgeDays: 30 } }
    const granted = { name: 'Sync', scopes: ['tasks:write'], ...bounds, expiresAt: '2999-01-01T00:00:00.000Z' }
    const field = { key: 'tier', target: 'project', type: 'text', label: 'Tier', required: true }
    must(await tenant.settings('POST', '/api-keys', granted))
    must(await tenant.settings('POST', '/webhooks', { ...hook, headers: { 'X-Team': 'a' } }))
    must(await tenant.settings('POST', '/custom-fields', field))

    const entries = await entriesOf(tenant)

    const from = (fields: object) =>
      Object.fromEntries(Object.entries(fields).map(([name, to]) => [name, { from: null, to }]))
    const grants = { from: null, to: { scopes: ['projects:read'] } }
    const { url, eventTypes } = hook
    expect(entries.map(({ changes }) => changes)).toMatchObject([
      from(field),
      { ...from({ url, eventTypes, headerNames: ['X-Team'], payload: 'full', filter: null }), grants },
      from(granted),
      from({ expiresAt: null, ipAllowlist: [], surfaces: ['http', 'mcp'] }),
      from({ owner: { name: 'Ada', email: 'ada@example.com' }, apiPolicy: { allowUnboundKeys: false } }),
    ])
  })

  test('holds no entry for calls that changed nothing or were refused', async () => {
    const tenant = await system.tenant()
    const [webhook, key] = [must(await tenant.settings('POST', '/webhooks', hook)).id, `/api-keys/${tenant.keyId}`]
    must(await tenant.settings('DELETE', `/webhooks/${webhook}`))
    const before = await entriesOf(tenant)

    must(await tenant.settings('DELETE', `/webhooks/${webhook}`))
    must(await tenant.settings('PATCH', key, { name: 'Test' }))
    must(await system.operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, { suspended: false }))
    const refused = await tenant.settings('PATCH', key, { expiresAt: '2020-01-01T00:00:00Z' })
    const invalid = await tenant.settings('POST', '/webhooks', { ...hook, url: 'http://10.0.0.1/' })

    expect([refused.status, invalid.status]).toEqual([422, 422])
    expect(await entriesOf(tenant)).toEqual(before)
  })

  test('holds calls that the gateway, a tool or the service denies, equal ones as one entry with a count', async () => {
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    const reader = await tenant.key(['projects:read'])
    const maker = await tenant.key(['webhooks:write'])

    for (let made = 0; made < 3; made += 1) await reader.api('POST', '/api/v1/projects', { name: 'x' })
    await reader.api('GET', '/api/v1/projects', undefined, { 'x-workspace-id': other.workspaceId })
    await reader.api('POST', '/api/mcp', [tool(1, 'projects.create', { name: 'a' }), tool(2, 'projects.list', {})])
    // Of events that its maker may not read.
    const ofWebhook = await maker.api('POST', '/api/v1/webhooks', hook)

    const denied = await eventually(async () => {
      const entries = await entriesOf(tenant, '&outcome=denied')
      return entries.reduce((sum, { count }) => sum + count, 0) === 6 ? entries : null
    }, 'all six refusals')
    const found = denied.map((entry) => [`${entry.surface} ${entry.action} ${entry.code} ${entry.actor.id}`, entry])
    const { requestId } = ofWebhook.body
    expect(Object.fromEntries(found)).toMatchObject({
      [`http projects.create insufficient_scope ${reader.keyId}`]: { target: null, changes: {} },
      [`http projects.list workspace_not_allowed ${reader.keyId}`]: {},
      [`mcp tools.call insufficient_scope ${reader.keyId}`]: {},
      [`http webhooks.create insufficient_scope ${maker.keyId}`]: { requestId, ip: '127.0.0.1' },
    })
    expect(told(ofWebhook)).toBe('403 insufficient_scope')
    expect(await entriesOf(other, '&outcome=denied')).toEqual([])
    expect(await verified(tenant)).toMatchObject({ intact: true })
  })

  test('holds each tool call with its outcome and the hash of its arguments, never the arguments', async () => {
    const tenant = await system.tenant()
    const args = { name: 'a name that nobody shall read' }
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

    await tenant.api('POST', '/api/mcp', [
      tool(1, 'projects.create', args),
      tool(2, 'projects_list', {}),
      tool(3, 'projects.get', { id: missingId }, { _meta: { traceparent } }),
      tool(4, 'nothing.list', {}),
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

  test('is listed in pages, newest first, filtered by action, outcome, actor and time, and not shown to another workspace', async () => {
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    const auditor = await tenant.key(['audit-entries:read'])
    for (let made = 0; made < 3; made += 1) must(await tenant.settings('POST', '/webhooks', hook))
    const { call, get } = callsOf(auditor)
    const read = (query: string) => get(`/audit-entries?${query}`)
    const numbers = ({ data }: { data: AuditEntry[] }) => data.map(({ number }) => number)

    const all = await read('')
    const first = await read('limit=4')
    const second = await read(`limit=4&cursor=${first.page.nextCursor}`)
    const theirs = must(await other.api('GET', '/api/v1/audit-entries')).data as AuditEntry[]

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
      [`search=${auditor.keyId}`, [3]],
      ['search=RECEIVER', [6, 5, 4]],
      ['search=Receiver&action=workspaces.create', []],
      ['surface=system', []],
      [`requestId=${newest?.requestId}`, [6]],
      [`createdBefore=${newest?.at}&action=webhooks.create`, [5, 4]],
      [`createdAfter=${oldestHook?.at}&action=webhooks.create`, [6, 5]],
    ] as const)
      expect([query, numbers(await read(query))]).toEqual([query, found])
    for (const [query, named] of [
      ['action=webhooks.paint', 'action'],
      ['outcome=maybe', 'outcome'],
      ['surface=paper', 'surface'],
      ['actor=me', 'actor'],
    ] as const)
      expect([query, JSON.stringify((await call('GET', `/audit-entries?${query}`)).body)]).toEqual([
        query,
        expect.stringContaining(`"${named}"`),
      ])
    expect(theirs.map(({ action }) => action)).toEqual(['api-keys.create', 'workspaces.create'])
    expect(JSON.stringify(theirs)).not.toContain(tenant.workspaceId)
    expect((await call('GET', '/audit-entries/verify')).status).toBe(404)
  })

  describe('is exported', () => {
    const exported = async (tenant: Tenant, query: string) => {
      const path = `/settings/api/workspaces/${tenant.workspaceId}/audit-entries/export?${query}`
      const response = await fetch(system.url + path, { headers: { authorization: `Bearer ${system.operatorToken}` } })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
    const actionsIn = (text: string) =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).action)

    test('as one JSON object a line, oldest first, with the filters in force, and the export is recorded', async () => {
      const tenant = await system.tenant()
      for (let made = 0; made < 3; made += 1) must(await tenant.settings('POST', '/webhooks', hook))

      const whole = await exported(tenant, 'format=ndjson')
      const some = await exported(tenant, 'format=ndjson&action=webhooks.create')

      const entries = (await entriesOf(tenant)).toReversed()
      expect(whole.text).toBe(
        entries
          .slice(0, 5)
          .map((entry) => `${JSON.stringify(entry)}\n`)
          .join(''),
      )
      expect(whole.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
      expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-[\d-]{10}\.ndjson"$/)
      expect(actionsIn(some.text)).toEqual(Array(3).fill('webhooks.create'))
      const [first, second] = entries.slice(5)
      const recorded = { action: 'audit-entries.export', surface: 'http', outcome: 'success', target: null }
      expect(first).toMatchObject({ ...recorded, changes: { format: { from: null, to: 'ndjson' } } })
      expect(second?.changes).toMatchObject({ action: { from: null, to: ['webhooks.create'] } })
      expect(await verified(tenant)).toMatchObject({ intact: true, complete: true })
    })

    test('as CSV, in which no text is a formula or breaks out of its cell', async () => {
      const tenant = await system.tenant()
      for (const name of ['=HYPERLINK("https://evil.example")', '+1', '-1', '@SUM(A1)', 'commas, "quotes"'])
        must(await tenant.settings('POST', '/webhooks', { ...hook, name }))

      const { text, headers } = await exported(tenant, 'format=csv&action=webhooks.create')

      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
      const [head = [], ...rows] = parse(text)
      expect(head.slice(0, 4)).toEqual(['number', 'at', 'action', 'outcome'])
      expect(rows.map((row) => row[head.indexOf('target.name')])).toEqual([
        `'=HYPERLINK("https://evil.example")`,
        `'+1`,
        `'-1`,
        `'@SUM(A1)`,
        'commas, "quotes"',
      ])
      expect(rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
    })

    test('whole, though it is longer than what is read at a time, and though most of it does not match', async () => {
      const tenant = await system.tenant()
      const { workspaceId } = tenant
      const count = entriesPerExportPage * 2 + 1
      const [last] = await system.db.auditEntry.findMany({
        where: { workspaceId },
        orderBy: { number: 'desc' },
        take: 1,
      })
      const from = Number(last?.number)
      await system.db.$transaction((tx) =>
        append(
          tx,
          workspaceId,
          Array.from({ length: count }, (_none, at) => ({
            ...draftIn(workspaceId),
            action: at % 3 === 0 ? 'webhooks.update' : 'webhooks.pause',
          })),
        ),
      )

      const { text } = await exported(tenant, 'format=ndjson')
      const third = await exported(tenant, 'format=ndjson&action=webhooks.update&search=Receiver')

      const numbers = text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).number)
      expect(numbers).toEqual(Array.from({ length: from + count }, (_none, at) => at + 1))
      expect(actionsIn(third.text)).toEqual(Array(Math.ceil(count / 3)).fill('webhooks.update'))
    })

    test('not with a filter that is unknown, and not to a member who may not read the log', async () => {
      const tenant = await system.tenant()

      const wrong = await exported(tenant, 'format=xlsx')
      const unknown = await exported(tenant, 'format=csv&actors=me')
      const withKey = await tenant.api('GET', '/api/v1/audit-entries/export?format=csv')

      expect([wrong.status, JSON.parse(wrong.text).code]).toEqual([400, 'invalid_parameter'])
      expect(unknown.text).toContain('actors')
      expect(withKey.status).toBe(404)
      expect((await entriesOf(tenant, '&action=audit-entries.export')).length).toBe(0)
    })
  })
})
