// Sandboxes: workspaces to try things in, whose keys say so.
// Operations: workspaces.create, workspaces.create-sandbox, workspaces.reset, webhooks.list-inspected-requests,
// webhooks.get-inspected-request, event-types.trigger.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { eventCatalogue } from '#contract/api.ts'
import { eventRecordOf } from '#contract/event.ts'
import { scopes } from '#contract/scopes.ts'
import { eventually } from '../support/eventually.ts'
import { firstOwner, memberOf } from '../support/person.ts'
import { describeModes, must, sharedSystem, type Tenant } from '../support/system.ts'

describeModes('a sandbox', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  // Filled once for all tests: each finds it as the one before has left it.
  let opened: Awaited<ReturnType<typeof keyIn>> | undefined
  async function sandbox(): Promise<NonNullable<typeof opened>> {
    if (opened !== undefined) return opened
    const given = { name: 'Try', sandbox: true, apiPolicy: { allowUnboundKeys: true } }
    const { id } = must(await system.operator('POST', '/settings/api/workspaces', given))
    return (opened = await keyIn(id))
  }
  const keyIn = async (id: string, more = {}) => {
    const path = `/settings/api/workspaces/${id}/api-keys`
    const key = must(await system.operator('POST', path, { name: 'Try', scopes, ...more }))
    const api: Tenant['api'] = (method, path, body, headers = {}) =>
      system.call(method, path, body, { authorization: `Bearer ${key.secret}`, ...headers })
    return { workspaceId: id, key, api }
  }

  test('has keys that say so in their text, in `me` and in every answer, also with a new secret', async () => {
    const { key, api, workspaceId } = await sandbox()

    const me = await api('GET', '/api/v1/me')
    const rotated = must(
      await system.operator('POST', `/settings/api/workspaces/${workspaceId}/api-keys/${key.id}/rotate`),
    )
    const others = await tenant.api('GET', '/api/v1/me')

    expect(key).toMatchObject({ prefix: expect.stringMatching(/^wsk_test_[0-9A-Za-z]{8}$/) })
    for (const { secret } of [key, rotated]) expect(secret).toMatch(/^wsk_test_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/)
    expect(me.body).toMatchObject({ apiKey: { prefix: key.prefix }, workspaces: [{ id: workspaceId, sandbox: true }] })
    expect(me.headers.get('x-sandbox')).toBe('true')
    const withNew = await system.call('GET', '/api/v1/me', undefined, { authorization: `Bearer ${rotated.secret}` })
    expect([withNew.status, withNew.headers.get('x-sandbox')]).toEqual([200, 'true'])
    expect([others.body.workspaces[0].sandbox, others.headers.get('x-sandbox')]).toEqual([false, null])
    expect(tenant.secret).toMatch(/^wsk_[0-9A-Za-z]{8}_/)
  })

  test('shares no key with another workspace', async () => {
    const { workspaceId } = await sandbox()
    const real = { name: 'Real', apiPolicy: { allowUnboundKeys: true } }
    const { id: other } = must(await system.operator('POST', '/settings/api/workspaces', real))
    const makeKey = (home: string, workspaceIds: string[]) =>
      system.operator('POST', `/settings/api/workspaces/${home}/api-keys`, { name: 'x', scopes, workspaceIds })

    const unbound = must(await makeKey(workspaceId, [workspaceId]))
    const mixed = [await makeKey(workspaceId, [workspaceId, other]), await makeKey(other, [workspaceId])]

    expect(unbound.prefix).toMatch(/^wsk_test_/)
    for (const refused of mixed)
      expect(refused).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '/workspaceIds' }] },
      })
  })

  const counts = async (api: Tenant['api']) => {
    const totals: Record<string, number> = {}
    for (const of of ['projects', 'tasks', 'crm-entities', 'documents'])
      totals[of] = must(await api('GET', `/api/v1/${of}/count`)).total
    return totals
  }
  // Archived documents are left out.
  const filled = { projects: 12, tasks: 216, 'crm-entities': 150, documents: 36 }

  test('is filled with a company: deals in all stages, members, custom fields; the events of it all are in the feed', async () => {
    const { api } = await sandbox()

    expect(await counts(api)).toEqual(filled)
    const usage = must(await api('GET', '/api/v1/workspaces/current'))
    expect(usage).toMatchObject({
      sandbox: true,
      quotas: { objects: 10_000 },
      usage: { objects: 500, customFields: 5 },
    })
    const deals = must(await api('GET', '/api/v1/crm-entities/count?kind=deal&groupBy=stage'))
    expect(deals.groups.map(({ count }: { count: number }) => count)).toEqual(Array(6).fill(7))
    expect(must(await api('GET', '/api/v1/members')).data).toHaveLength(5)
    expect(must(await api('GET', '/api/v1/tasks?customFields.severity=High&limit=1')).data).toHaveLength(1)
    const { data } = must(await api('GET', '/api/v1/events?after=0&eventTypes=projects.created&limit=100'))
    expect(data.map((event: { data: { key: string } }) => event.data.key)).toContain('FLOW')
  })

  test('is put back as it was: what was changed, added or deleted is gone, keys, webhooks and files are not', async () => {
    const { api } = await sandbox()
    const {
      data: [project],
    } = must(await api('GET', '/api/v1/projects?limit=1'))
    must(await api('DELETE', `/api/v1/projects/${project.id}`))
    must(await api('POST', '/api/v1/projects', { name: 'Mine', key: 'MINE' }))
    must(await api('POST', '/api/v1/custom-fields', { key: 'mine', target: 'task', type: 'text', label: 'Mine' }))
    must(
      await api('POST', '/api/v1/webhooks', { name: 'w', url: 'http://127.0.0.1:8099/', eventTypes: ['projects.*'] }),
    )
    const { lastSequence } = must(await api('GET', '/api/v1/events?occurredAfter=2100-01-01T00:00:00Z'))

    const answer = await api('POST', '/api/v1/workspaces/current/reset')

    expect(answer).toMatchObject({ status: 200, body: { object: 'workspace', sandbox: true } })
    expect(await counts(api)).toEqual(filled)
    expect(must(await api('GET', '/api/v1/workspaces/current')).usage).toMatchObject({
      objects: 500,
      customFields: 5,
      webhooks: 1,
      members: 5,
    })
    const keys = must(await api('GET', '/api/v1/projects?limit=100')).data.map(({ key }: { key: string }) => key)
    expect([keys.includes('MINE'), keys.length]).toEqual([false, 12])
    const { data } = must(await api('GET', `/api/v1/events?after=${lastSequence}&limit=100`))
    const types = data.map(({ type }: { type: string }) => type)
    expect([types[0], new Set(types).has('crm-entities.created')]).toEqual(['workspaces.reset', true])
  })

  test('is put back by a key that may do nothing else, also when sample members were suspended or removed', async () => {
    const { api, workspaceId } = await sandbox()
    const [one, two] = must(await api('GET', '/api/v1/members')).data
    const members = `/settings/api/workspaces/${workspaceId}/members`
    must(await system.operator('PATCH', `${members}/${one.id}`, { status: 'suspended' }))
    must(await system.operator('DELETE', `${members}/${two.id}`))
    const { secret } = (await keyIn(workspaceId, { scopes: ['workspaces:write'] })).key

    const reset = await system.call('POST', '/api/v1/workspaces/current/reset', undefined, {
      authorization: `Bearer ${secret}`,
    })

    expect(reset.status).toBe(200)
    expect(await counts(api)).toEqual(filled)
    expect(must(await api('GET', '/api/v1/members')).data).toHaveLength(5)
  })

  test('is not made where its quotas leave no room for what it is filled with: then there is no workspace', async () => {
    const given = { name: 'Small', slug: `small-${mode}`, sandbox: true, quotas: { members: 0 } }

    const refused = await system.operator('POST', '/settings/api/workspaces', given)

    expect(refused).toMatchObject({ status: 409, body: { code: 'quota_reached', quota: 'members' } })
    expect(await system.db.workspace.count({ where: { slug: given.slug } })).toBe(0)
  })

  /** What was changed before may still wait to be fanned out, to webhooks that have come meanwhile as well. */
  async function quietSandbox(): ReturnType<typeof sandbox> {
    const made = await sandbox()
    const { workspaceId } = made
    const waiting = () => system.db.outbox.count({ where: { workspaceId } })
    await eventually(async () => (await waiting()) === 0, 'earlier events to be fanned out', 60_000)
    return made
  }

  const inspectorUrl = 'https://inspector.invalid/'
  const toInspector = (query = '', eventTypes = ['projects.*']) => ({
    name: 'i',
    url: inspectorUrl + query,
    eventTypes,
  })

  test('may have webhooks that are sent to the inspector, which shows what it received; other workspaces may not', async () => {
    const { api, workspaceId } = await quietSandbox()
    const { id } = must(await api('POST', '/api/v1/webhooks', toInspector('?status=202')))
    const listed = async (as: Tenant['api']) => as('GET', `/api/v1/webhooks/${id}/inspected-requests`)
    const { deliveryId } = must(await api('POST', `/api/v1/webhooks/${id}/test`, { eventType: 'tasks.updated' }))

    const received = await eventually(async () => {
      const { data } = must(await listed(api))
      return data.find((each: { deliveryId: string }) => each.deliveryId === deliveryId)
    }, 'the test to be received')
    const whole = must(await api('GET', `/api/v1/webhooks/${id}/inspected-requests/${received.id}`))

    const valid = { isValid: true, problem: null }
    const request = { workspaceId, webhookId: id, deliveryId, attempt: 1, answeredStatus: 202, path: '/?status=202' }
    expect(received).toMatchObject({ ...request, signatures: { standard: valid, own: valid } })
    expect(received).not.toHaveProperty('body')
    const { body, ...rest } = whole
    expect(rest).toEqual(received)
    expect(JSON.parse(body)).toMatchObject({ type: 'tasks.updated', workspaceId, test: true })
    expect(Buffer.byteLength(body)).toBe(received.bodyBytes)
    expect((await listed(tenant.api)).body).toMatchObject({ code: 'not_found' })
    const unknown = await api('GET', `/api/v1/webhooks/${id}/inspected-requests/${id}`)
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('is where the inspector takes webhooks alone, at its very address and with parameters that it knows', async () => {
    const { api } = await sandbox()
    const hook = must(await tenant.api('POST', '/api/v1/webhooks', { ...toInspector(), url: 'http://127.0.0.1:8099/' }))
    const elsewhere = [
      await tenant.api('POST', '/api/v1/webhooks', toInspector()),
      await tenant.api('PATCH', `/api/v1/webhooks/${hook.id}`, { url: inspectorUrl }),
    ]
    const wrong = ['https://inspector.invalid:8443/', 'http://inspector.invalid/', 'https://inspector.invalid./']
    const asked = [...wrong, `${inspectorUrl}?delay=5`, `${inspectorUrl}?status=99`]

    for (const refused of elsewhere) expect(refused).toMatchObject({ status: 409, body: { code: 'sandbox_only' } })
    for (const url of asked) {
      const refused = await api('POST', '/api/v1/webhooks', { ...toInspector(), url })
      const parameter = url.split('?')[1]?.split('=')[0] ?? ''
      const errors = [{ pointer: '/url', detail: expect.stringContaining(parameter) }]
      expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed', errors } })
    }
    const check = (id: string) =>
      system.operator(
        'GET',
        `/settings/api/workspaces/${id}/webhooks/check-url?url=${encodeURIComponent(inspectorUrl)}`,
      )
    expect(must(await check(tenant.workspaceId))).toMatchObject({
      url: null,
      problem: expect.stringMatching(/sandboxes/),
    })
    expect(must(await check((await sandbox()).workspaceId))).toMatchObject({ url: inspectorUrl, problem: null })
  })

  const trigger = (as: Tenant['api'], eventType: string, input: object = {}) =>
    as('POST', `/api/v1/event-types/${eventType}/trigger`, input)
  const received = (as: Tenant['api'], id: string, count: number) =>
    eventually(async () => {
      const { data } = must(await as('GET', `/api/v1/webhooks/${id}/inspected-requests`))
      return data.length === count ? data : null
    }, `${count} received requests`)

  test.each(['with its sample data', 'without any object'])(
    '%s has events of every type triggered, in the feed and for the webhooks that subscribe; nothing changes',
    async (which) => {
      const isEmpty = which === 'without any object'
      const { api } = isEmpty ? await emptySandbox() : await quietSandbox()
      const { id } = must(await api('POST', '/api/v1/webhooks', toInspector('', ['*'])))
      const before = isEmpty ? null : await counts(api)
      const { lastSequence } = must(await api('GET', '/api/v1/events?occurredAfter=2100-01-01T00:00:00Z'))
      const types = eventCatalogue.map(({ type }) => type)

      const answers = []
      for (const type of types) answers.push(await trigger(api, type))

      expect(answers.map(({ status, body }) => [status, body.eventType])).toEqual(types.map((type) => [202, type]))
      const requests = await received(api, id, types.length)
      expect(requests.map(({ eventType }: { eventType: string }) => eventType).toSorted()).toEqual(types)
      const { data } = must(await api('GET', `/api/v1/events?after=${lastSequence}&limit=200`))
      const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } })
      for (const [n, event] of eventCatalogue.entries()) {
        expect(ajv.validate(eventRecordOf(event), data[n]), `${event.type} ${ajv.errorsText()}`).toBe(true)
        expect(data[n]).toMatchObject({ id: answers[n]?.body.eventId, origin: 'trigger' })
        expect(Object.keys(data[n].changes).length > 0).toBe(
          /updated$|merged|archived|quarantin|released|disabled/.test(event.type),
        )
        if (event.type.endsWith('.deleted')) expect(data[n].data.deletedAt).not.toBeNull()
      }
      if (before !== null) expect(await counts(api)).toEqual(before)
      must(await api('DELETE', `/api/v1/webhooks/${id}`))
    },
  )

  /** One that nothing was put into. */
  async function emptySandbox() {
    const made = { name: 'Empty', apiPolicy: { allowUnboundKeys: true } }
    const { id } = must(await system.operator('POST', '/settings/api/workspaces', made))
    await system.db.workspace.update({ where: { id }, data: { sandbox: true } })
    return keyIn(id)
  }

  test('has an event triggered of a certain object and for one webhook; the object and its history stay as they are', async () => {
    const { api } = await quietSandbox()
    const [one, other] = [
      must(await api('POST', '/api/v1/webhooks', toInspector('', ['tasks.*']))),
      must(await api('POST', '/api/v1/webhooks', toInspector('', ['tasks.*']))),
    ]
    const { data } = must(await api('GET', '/api/v1/tasks?limit=2'))
    const task = data[1]

    const { eventId } = must(await trigger(api, 'tasks.updated', { objectId: task.id, webhookId: one.id }))

    const [request] = await received(api, one.id, 1)
    const { body } = must(await api('GET', `/api/v1/webhooks/${one.id}/inspected-requests/${request.id}`))
    const changes = { title: { from: expect.any(String), to: task.title } }
    expect(JSON.parse(body)).toMatchObject({
      id: eventId,
      data: task,
      changes,
      resource: { id: task.id },
      origin: 'trigger',
    })
    expect(must(await api('GET', `/api/v1/deliveries?eventId=${eventId}`)).data).toMatchObject([{ webhookId: one.id }])
    expect(must(await api('GET', `/api/v1/tasks/${task.id}`))).toEqual(task)
    expect(must(await api('GET', `/api/v1/tasks/${task.id}/history`)).data).toEqual([])
    for (const { id } of [one, other]) must(await api('DELETE', `/api/v1/webhooks/${id}`))
  })

  test('has no event triggered of what is not there, is not subscribed to or may not be read; other workspaces have none', async () => {
    const { api, workspaceId } = await sandbox()
    const { id: webhookId } = must(await api('POST', '/api/v1/webhooks', toInspector()))
    const narrow = (await keyIn(workspaceId, { scopes: ['webhooks:write', 'tasks:read'] })).api
    const missing = '019b8f3e-6a00-7000-8000-ffffffffffff'
    const { id: foreign } = must(await tenant.api('POST', '/api/v1/projects', { name: 'Elsewhere' }))

    const refusals = [
      [await trigger(tenant.api, 'projects.created'), 409, 'sandbox_only'],
      [await trigger(api, 'projects.exploded'), 400, 'invalid_parameter'],
      [await trigger(api, 'projects.created', { objectId: missing }), 422, 'reference_not_found'],
      [await trigger(api, 'projects.created', { objectId: foreign }), 422, 'reference_not_found'],
      [await trigger(api, 'projects.created', { webhookId: missing }), 422, 'reference_not_found'],
      [await trigger(api, 'tasks.created', { webhookId }), 422, 'validation_failed'],
      [await trigger(api, 'tasks.comment_created', { objectId: missing }), 422, 'validation_failed'],
      [await trigger(api, 'tasks.created', { object: {} }), 422, 'unknown_field'],
      [await trigger(narrow, 'projects.created'), 403, 'insufficient_scope'],
    ] as const

    for (const [{ status, body }, wanted, code] of refusals) expect([status, body.code]).toEqual([wanted, code])
    expect((await trigger(narrow, 'tasks.created')).status).toBe(202)
    must(await api('DELETE', `/api/v1/webhooks/${webhookId}`))
  })

  test('is put back also when it is full', async () => {
    const { api, workspaceId } = await sandbox()
    const quotas = { objects: 500 }
    must(await system.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, { quotas }))
    const oneMore = await api('POST', '/api/v1/projects', { name: 'One more' })
    expect(oneMore).toMatchObject({ body: { code: 'quota_reached' } })

    must(await api('POST', '/api/v1/workspaces/current/reset'))

    expect(await counts(api)).toEqual(filled)
  })

  test('is made by an admin, who owns it; counted, audited, of the same country, and not made from a sandbox', async () => {
    const owner = await firstOwner(system, { workspaceName: 'Acme' })
    const home = `/settings/api/workspaces/${owner.workspaceId}`
    must(
      await system.operator('PATCH', home, {
        defaultCountry: 'DE',
        timeZone: 'Europe/Berlin',
        quotas: { sandboxes: 1 },
      }),
    )
    const admin = await memberOf(system, owner.workspaceId, 'admin')
    const member = await memberOf(system, owner.workspaceId, 'member')
    const create = (by: typeof admin | typeof owner, from = owner.workspaceId) =>
      by.call('POST', `/workspaces/${from}/workspaces/current/sandboxes`, { name: 'Trying things' })
    // On a slow machine the second would wait longer for the first than a call may wait: it is told to come again.
    const patiently = () =>
      eventually(
        async () => {
          const answer = await create(admin)
          return answer.status === 503 ? null : answer
        },
        'an answer of one that is not busy',
        50_000,
      )

    // There is room for one of both.
    const both = await Promise.all([patiently(), patiently()])

    const [made, refused] = both.toSorted((one, other) => one.status - other.status)
    expect(made).toMatchObject({
      status: 201,
      body: { sandbox: true, defaultCountry: 'DE', timeZone: 'Europe/Berlin' },
    })
    expect(refused).toMatchObject({ status: 409, body: { code: 'quota_reached', quota: 'sandboxes' } })
    expect(await create(owner)).toMatchObject({ status: 409, body: { code: 'quota_reached' } })
    expect(await system.db.workspace.count({ where: { sandboxOf: owner.workspaceId } })).toBe(1)
    expect(must(await owner.call('GET', `/workspaces/${owner.workspaceId}`)).usage).toMatchObject({ sandboxes: 1 })
    const { id } = made!.body
    expect(must(await admin.call('GET', '/sessions/current')).workspaces).toMatchObject([
      { workspaceId: owner.workspaceId, role: 'admin', sandbox: false },
      { workspaceId: id, role: 'owner', sandbox: true },
    ])
    const { data: members } = must(await admin.call('GET', `/workspaces/${id}/members`))
    expect(members).toHaveLength(6)
    expect(members.map(({ email }: { email: string }) => email)).toContain(admin.email)
    const audited = async (of: string, by: typeof admin | typeof owner) =>
      must(await by.call('GET', `/workspaces/${of}/audit-entries?action=workspaces.create-sandbox`)).data
    expect(await audited(owner.workspaceId, owner)).toMatchObject([{ actor: { id: admin.memberId }, target: { id } }])
    expect(await audited(id, admin)).toMatchObject([{ actor: { name: 'Grace Hopper' }, target: { id } }])
    expect(await owner.call('GET', `/workspaces/${id}/members`)).toMatchObject({ status: 403 })
    expect(await create(member)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(await create(admin, id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
    expect(must(await admin.call('POST', `/workspaces/${id}/workspaces/current/reset`)).id).toBe(id)
  })

  test('is not what a workspace is that was made as none, and is left as it is under a legal hold', async () => {
    const { api, workspaceId } = await sandbox()
    must(await system.operator('PUT', `/settings/api/legal-holds/${workspaceId}`, { reason: 'A case' }))
    const task = must(await api('GET', '/api/v1/tasks?limit=1')).data[0]

    const reset = await api('POST', '/api/v1/workspaces/current/reset')
    const other = await tenant.api('POST', '/api/v1/workspaces/current/reset')

    expect(reset).toMatchObject({ status: 409, body: { code: 'legal_hold' } })
    expect(must(await api('GET', `/api/v1/tasks/${task.id}`))).toEqual(task)
    expect(other).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
  })
})
