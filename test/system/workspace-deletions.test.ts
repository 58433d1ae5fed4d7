// A workspace is deleted for good by the operator, can be taken back for a while, and then is gone; a legal hold keeps
// it. Operations: workspaces.delete, workspaces.restore, workspace-deletions.list, workspace-deletions.get,
// legal-holds.set, legal-holds.release, legal-holds.list.
import { globSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { missingId } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { describeModes, must, sharedSystem, type Tenant } from '../support/system.ts'
import { uploadedFile } from '../support/uploaded-file.ts'
import { rowsNaming } from '../support/workspace-rows.ts'
import { callsOf } from './calls.ts'

const removalWithinMs = 60_000

describeModes('workspaces that are deleted', (mode) => {
  const { system, tenant: other } = sharedSystem(mode)
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver[Symbol.asyncDispose]())

  const operator = (method: string, path: string, body?: object) =>
    system.operator(method, `/settings/api${path}`, body)
  const slugOf = async ({ workspaceId }: Tenant): Promise<string> =>
    must(await operator('GET', `/workspaces/${workspaceId}`)).slug
  const remove = async (tenant: Tenant, query = '') =>
    operator('DELETE', `/workspaces/${tenant.workspaceId}?confirm=${await slugOf(tenant)}${query}`)
  const deletion = async ({ workspaceId }: Tenant) => operator('GET', `/workspace-deletions/${workspaceId}`)
  const hold = ({ workspaceId }: Tenant, reason = 'Case 4711') =>
    operator('PUT', `/legal-holds/${workspaceId}`, { reason })
  const release = ({ workspaceId }: Tenant) => operator('DELETE', `/legal-holds/${workspaceId}`)
  const refusedAs = (code: string) => ({ status: code === 'not_found' ? 404 : 409, body: { code } })

  test('a deletion must name the workspace; until its time is over it is suspended, sends nothing, and can be taken back', async () => {
    const tenant = await system.tenant()
    const { workspaceId, api } = tenant
    must(await api('POST', '/api/v1/webhooks', { name: 'W', url: receiver.url, eventTypes: ['projects.*'] }))
    const path = `/workspaces/${workspaceId}`

    expect(await operator('DELETE', `${path}?confirm=another`)).toMatchObject({ status: 400 })
    expect(await operator('DELETE', path)).toMatchObject({ status: 400 })
    expect(await deletion(tenant)).toMatchObject(refusedAs('not_found'))
    const answer = await remove(tenant)

    expect(answer).toMatchObject({ status: 202, body: { id: workspaceId, status: 'scheduled', startedAt: null } })
    const { createdAt, removeAfter } = answer.body
    expect(Date.parse(removeAfter) - Date.parse(createdAt)).toBe(30 * 86_400_000)
    expect(must(await deletion(tenant))).toMatchObject(answer.body)
    const refusal = { status: 403, body: { code: 'workspace_suspended' } }
    await eventually(async () => (await api('GET', '/api/v1/projects')).status === 403, 'the gateway knows')
    expect(await api('POST', '/api/v1/projects', { name: 'Late' })).toMatchObject(refusal)
    expect(await remove(tenant)).toMatchObject(refusedAs('invalid_transition'))
    expect(await operator('PATCH', path, { suspended: false })).toMatchObject(refusedAs('invalid_transition'))
    const webhook = () => system.db.webhook.findFirst({ where: { workspaceId } })
    expect(await webhook()).toMatchObject({ status: 'disabled', disabledReason: 'The workspace is to be deleted.' })

    expect(must(await operator('POST', `${path}/restore`))).toMatchObject({ id: workspaceId, suspendedAt: null })

    expect(await operator('POST', `${path}/restore`)).toMatchObject(refusedAs('not_deleted'))
    expect(await deletion(tenant)).toMatchObject(refusedAs('not_found'))
    expect(await webhook()).toMatchObject({ status: 'active', disabledReason: null })
    const name = `Back ${workspaceId}`
    const create = () => api('POST', '/api/v1/projects', { name })
    await eventually(async () => (await create()).status === 201, 'its keys work')
    await eventually(() => receiver.calls.some(({ body }) => body.includes(name)), 'its webhooks are sent to')
  })

  test('a workspace that was suspended before, or a webhook that was paused, is so when the deletion is taken back', async () => {
    const tenant = await system.tenant()
    const { workspaceId, api } = tenant
    const made = { name: 'W', url: receiver.url, eventTypes: ['projects.*'] }
    const { id } = must(await api('POST', '/api/v1/webhooks', made))
    must(await api('POST', `/api/v1/webhooks/${id}/pause`))
    const { suspendedAt } = must(await operator('PATCH', `/workspaces/${workspaceId}`, { suspended: true }))

    must(await remove(tenant))
    const back = must(await operator('POST', `/workspaces/${workspaceId}/restore`))

    expect(back.suspendedAt).toBe(suspendedAt)
    expect(await system.db.webhook.findFirst({ where: { workspaceId } })).toMatchObject({ status: 'paused' })
  })

  test('when its time is over nothing of it is left but the certificate: no row, no file, no key; others go on', async () => {
    const tenant = await system.tenant()
    const { workspaceId, api } = tenant
    const { post } = callsOf(tenant)
    const { id: projectId } = await post('/projects', { name: 'Web' })
    await post('/tasks', { projectId, title: 'One', fileIds: [await uploadedFile({ api, url: system.url })] })
    const blobs = () => globSync(`${system.filesFolder}/${workspaceId}/*/*`)
    expect(blobs()).toHaveLength(1)
    const { id: kept } = await callsOf(other).post('/projects', { name: 'Kept' })

    must(await remove(tenant, '&graceDays=0'))

    const done = await eventually(
      async () => {
        const { body } = await deletion(tenant)
        return body.status === 'removed' ? body : null
      },
      'the certificate',
      removalWithinMs,
    )
    expect(done).toMatchObject({
      createdBy: { type: 'system', id: 'operator' },
      removed: { workspace: 1, project: 1, task: 1, file: 1, file_blob: 1, api_key: 1, member: 1 },
    })
    expect(blobs()).toEqual([])
    // A sweep over all keys may have come as far as its keys, and goes on.
    const left = await eventually(async () => {
      const rows = await rowsNaming(system.db, workspaceId)
      return rows.has('background_sweep') ? null : rows
    }, 'the sweep has gone on')
    // Gateways ask for changes of the last minutes.
    left.delete('key_change')
    expect([...left.keys()]).toEqual(['workspace_deletion'])
    expect(left.get('workspace_deletion')?.join()).not.toContain('Acme')
    expect((await api('GET', '/api/v1/projects')).body.code).toMatch(/workspace_suspended|invalid_api_key/)
    expect(await operator('GET', `/workspaces/${workspaceId}`)).toMatchObject(refusedAs('not_found'))
    const { data } = must(await operator('GET', '/workspace-deletions?limit=200'))
    expect(data).toContainEqual(done)
    expect(await operator('POST', `/workspaces/${workspaceId}/restore`)).toMatchObject(refusedAs('not_found'))
    expect(await callsOf(other).get(`/projects/${kept}`)).toMatchObject({ name: 'Kept' })
  })

  test('while there is a legal hold nothing is removed for good: purges and the deletion are refused, one that is scheduled waits', async () => {
    const tenant = await system.tenant()
    const { workspaceId, api } = tenant
    const { post } = callsOf(tenant)
    const { id } = await post('/projects', { name: 'Evidence' })
    const fileId = await uploadedFile({ api, url: system.url })
    for (const path of [`/projects/${id}`, `/files/${fileId}`]) must(await api('DELETE', `/api/v1${path}`))

    const set = await hold(tenant)

    const shown = { id: workspaceId, object: 'legal_hold', reason: 'Case 4711' }
    expect(set).toMatchObject({ status: 200, body: { ...shown, createdBy: { id: 'operator' } } })
    expect((await hold(tenant)).body).toEqual(set.body)
    expect(must(await operator('GET', '/legal-holds?limit=200')).data).toContainEqual(set.body)
    for (const path of [`/projects/${id}`, `/files/${fileId}`])
      expect(await api('POST', `/api/v1${path}/purge`)).toMatchObject(refusedAs('legal_hold'))
    expect(await remove(tenant, '&graceDays=0')).toMatchObject(refusedAs('legal_hold'))
    const entries = must(await tenant.settings('GET', '/audit-entries?action=legal-holds.set')).data
    expect(entries).toMatchObject([{ changes: { legalHold: { from: null, to: 'Case 4711' } } }])

    must(await release(tenant))
    must(await release(tenant))
    must(await api('POST', `/api/v1/projects/${id}/purge`))
    must(await remove(tenant))
    must(await hold(tenant, 'Case 4712'))
    await system.db.workspaceDeletion.update({ where: { id: workspaceId }, data: { removeAfter: new Date() } })
    expect(must(await deletion(tenant))).toMatchObject({ status: 'on_hold', startedAt: null })

    must(await release(tenant))
    await eventually(async () => (await deletion(tenant)).body.status === 'removed', 'the removal', removalWithinMs)
    expect(await hold(tenant)).toMatchObject(refusedAs('not_found'))
  })

  test('only the operator deletes, takes back and holds; what does not exist is not found', async () => {
    expect(await hold({ ...other, workspaceId: missingId })).toMatchObject(refusedAs('not_found'))
    expect(await release({ ...other, workspaceId: missingId })).toMatchObject(refusedAs('not_found'))
    const path = `/settings/api/workspaces/${other.workspaceId}`
    for (const [method, url] of [
      ['DELETE', `${path}?confirm=acme`],
      ['POST', `${path}/restore`],
      ['GET', '/settings/api/legal-holds'],
    ] as const)
      expect(await other.api(method, url)).toMatchObject({ status: 401 })
  })
})
