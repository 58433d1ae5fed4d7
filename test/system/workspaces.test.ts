// The current workspace: what a key may read and change of it.
// Operations: workspaces.get, workspaces.get-current, workspaces.update-current.
import { expect, test } from 'vitest'
import { standardQuotas } from '#contract/quotas.ts'
import { pageItemsMax } from '#contract/pagination.ts'
import { missingId } from '../support/client.ts'
import { describeMode, modes, must, sharedSystem, type Tenant } from '../support/system.ts'

const path = '/api/v1/workspaces/current'

describeMode('the current workspace', modes.at(-1) ?? 'standalone', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const patch = (who: Tenant, body: object, headers = {}) => who.api('PATCH', path, body, headers)

  test('is the workspace that the key acts in, with its limits, as the settings show it', async () => {
    const answer = await tenant.api('GET', path)

    const limits = { pageItems: pageItemsMax, webhooks: standardQuotas.webhooks }
    expect(answer).toMatchObject({ status: 200, body: { id: tenant.workspaceId, name: 'Acme', limits } })
    const shown = (id: string) => system.operator('GET', `/settings/api/workspaces/${id}`)
    expect(must(await shown(tenant.workspaceId))).toMatchObject(answer.body)
    expect(await shown(missingId)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('can be given another name, time zone and currency, with a new version', async () => {
    const fresh = await system.tenant()

    const changed = await patch(fresh, { name: 'Umbrella', timeZone: 'Europe/Rome' }, { 'if-match': '"1"' })
    const same = await patch(fresh, { name: 'Umbrella' })
    const stale = await patch(fresh, { defaultCurrency: 'USD' }, { 'if-match': '"1"' })
    const unknown = await patch(fresh, { timeZone: 'Mars/Olympus' })
    const offset = await patch(fresh, { timeZone: '+02:00' })

    expect(changed).toMatchObject({ status: 200, body: { name: 'Umbrella', timeZone: 'Europe/Rome', version: 2 } })
    expect(same.body).toEqual(changed.body)
    for (const refused of [unknown, offset])
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/timeZone' }] } })
    expect(stale).toMatchObject({ status: 412, body: { currentVersion: 2 } })
    expect(must(await fresh.api('GET', path))).toMatchObject(changed.body)
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
    const own = `/settings/api/workspaces/${fresh.workspaceId}`

    const asKey = (n: number) => patch(fresh, { name: `Key ${n}` })
    const asOperator = (n: number) => system.operator('PATCH', own, { slug: `s-${fresh.workspaceId.slice(-6)}-${n}` })
    const answers = await Promise.all([1, 2, 3, 4, 5].flatMap((n) => [asKey(n), asOperator(n)]))

    for (const answer of answers) must(answer)
    expect(must(await fresh.api('GET', path)).version).toBe(11)
  })
})
