// The current workspace: what a key may read and change of it.
// Operations: workspaces.get, workspaces.get-current, workspaces.update-current.
import { expect, test } from 'vitest'
import { standardQuotas } from '#contract/quotas.ts'
import { describeModes, must, sharedSystem, type Tenant } from '../support/system.ts'
import { pageItemsMax } from '#contract/pagination.ts'

const path = '/api/v1/workspaces/current'

describeModes('the current workspace', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const patch = (who: Tenant, body: object, headers = {}) => who.api('PATCH', path, body, headers)

  test('is the workspace that the key acts in, with its limits, as the settings show it', async () => {
    const answer = await tenant.api('GET', path)

    expect(answer).toMatchObject({
      status: 200,
      body: {
        id: tenant.workspaceId,
        name: 'Acme',
        limits: { pageItems: pageItemsMax, webhooks: standardQuotas.webhooks },
      },
    })
    expect(answer.headers.get('etag')).toMatch(/^"1-[0-9a-f]{16}"$/)
    expect(await system.operator('GET', `/settings/api/workspaces/${tenant.workspaceId}`)).toMatchObject({
      status: 200,
      body: answer.body,
    })
  })

  test('is 304 for the current ETag', async () => {
    const { headers } = await tenant.api('GET', path)

    const again = await tenant.api('GET', path, undefined, { 'if-none-match': headers.get('etag') ?? '' })

    expect(again.status).toBe(304)
  })

  test('can be given another name, time zone and currency, with a new version', async () => {
    const fresh = await system.tenant()

    const changed = await patch(fresh, { name: 'Umbrella', timeZone: 'Europe/Rome' }, { 'if-match': '"1"' })
    const same = await patch(fresh, { name: 'Umbrella' })
    const stale = await patch(fresh, { defaultCurrency: 'USD' }, { 'if-match': '"1"' })

    expect(changed).toMatchObject({ status: 200, body: { name: 'Umbrella', timeZone: 'Europe/Rome', version: 2 } })
    expect(changed.headers.get('etag')).toBe('"2"')
    expect(same.body).toEqual(changed.body)
    expect(stale).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 2 } })
    expect(must(await fresh.api('GET', path))).toMatchObject(changed.body)
    const { data } = must(await fresh.settings('GET', '/audit-entries?action=workspaces.update-current'))
    expect(data).toMatchObject([
      { actor: { id: fresh.keyId }, changes: { name: { from: 'Acme', to: 'Umbrella' }, timeZone: { from: 'UTC' } } },
    ])
  })

  test.each([
    ['slug', 'read_only'],
    ['apiPolicy', 'read_only'],
    ['suspended', 'unknown'],
    ['sandbox', 'read_only'],
    ['limits', 'read_only'],
    ['id', 'read_only'],
  ])('refuses a change of `%s` by a key', async (field, code) => {
    const before = must(await tenant.api('GET', path))

    const answer = await patch(tenant, { [field]: before[field] ?? true })

    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: `/${field}`, code }] } })
    expect(must(await tenant.api('GET', path))).toEqual(before)
  })

  test('refuses an unknown time zone, an invalid currency and an empty name', async () => {
    for (const [field, value] of [
      ['timeZone', 'Mars/Olympus'],
      ['defaultCurrency', 'euro'],
      ['defaultCurrency', 'ZZZ'],
      ['name', '  '],
    ] as const) {
      expect(await patch(tenant, { [field]: value })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: `/${field}` }] },
      })
    }
  })

  test('needs the read scope for reading and the write scope for updates', async () => {
    const reader = await tenant.key(['workspaces:read'])

    expect(await reader.api('GET', path)).toMatchObject({ status: 200 })
    expect(await patch(reader, { name: 'x' })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', requiredScopes: ['workspaces:write'] },
    })
  })

  test('is not found when the operator names a workspace that does not exist', async () => {
    expect(await system.operator('GET', '/settings/api/workspaces/01999999-0000-7000-8000-000000000000')).toMatchObject(
      {
        status: 404,
        body: { code: 'not_found' },
      },
    )
  })

  test('gateways are notified of changes that affect keys, and not of a new name or slug', async () => {
    const fresh = await system.tenant()
    const change = (fields: object) =>
      system.operator('PATCH', `/settings/api/workspaces/${fresh.workspaceId}`, fields).then(must)
    const recordedChanges = () => system.db.keyChange.count({ where: { subjectId: fresh.workspaceId } })
    const before = await recordedChanges()

    await change({ name: 'Another', slug: `other-${fresh.workspaceId.slice(-6)}` })
    const ofName = (await recordedChanges()) - before
    await change({ apiPolicy: { requireExpiry: true } })
    await change({ suspended: true })

    expect([ofName, (await recordedChanges()) - before]).toEqual([0, 2])
  })

  test('changes of the operator and of a key at the same time are all kept', async () => {
    const fresh = await system.tenant()
    const settings = `/settings/api/workspaces/${fresh.workspaceId}`

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        n % 2 === 0
          ? patch(fresh, { name: `Key ${n}` })
          : system.operator('PATCH', settings, { slug: `s-${fresh.workspaceId.slice(-6)}-${n}` }),
      ),
    )

    for (const answer of answers) must(answer)
    expect(must(await fresh.api('GET', path)).version).toBe(11)
  })
})
