// What an owner of a workspace relies on when asking the API log what its keys have called, and why a call was refused.
import { expect, test } from 'vitest'
import type { LoggedRequest } from '#contract/api-calls.ts'
import { mcpPath } from '#contract/route-paths.ts'
import { missingId } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { describeModes, must, sharedSystem, type Tenant } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

const reportedWithinMs = 10_000

/** The calls of the workspace by their request ids, once they are all there. */
async function logged(tenant: Tenant, requestIds: readonly string[]): Promise<readonly LoggedRequest[]> {
  return eventually(
    async () => {
      const { data } = must(await tenant.settings('GET', '/requests?limit=200')) as { data: LoggedRequest[] }
      const found = requestIds.map((id) => data.find(({ requestId }) => requestId === id))
      return found.every((call) => call !== undefined) ? found : null
    },
    'the calls in the log',
    reportedWithinMs,
  )
}

const tool = (name: string, args: object, id = 1) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: args },
})

describeModes('the API log', (mode) => {
  const { system } = sharedSystem(mode)

  test('shows each call of the workspace’s keys with what it was about and why it was refused, to no other workspace, and by the API only with its scope', async () => {
    const [tenant, other] = await Promise.all([system.tenant(), system.tenant()])
    const { call, post } = callsOf(tenant)
    const reader = await tenant.key(['tasks:read', 'requests:read'])
    const limited = await tenant.key(['projects:read'])
    let number = 0
    const ids: string[] = []
    const named = () => {
      ids.push(`call-${tenant.workspaceId}-${(number += 1)}`)
      return { 'x-request-id': ids.at(-1) ?? '' }
    }
    const { id: projectId } = await post('/projects', { name: 'Website', key: 'WEB' })
    const made = must(await call('POST', '/tasks', { projectId, title: 'secret-title' }, named()))
    await call('GET', `/tasks/${made.identifier}?expand=project`, undefined, named())
    await call('GET', `/tasks/${missingId}`, undefined, named())
    await call('PATCH', `/tasks/${made.id}`, { priority: 'very-secret-priority' }, named())
    await limited.api('GET', '/api/v1/tasks?q=secret-word', undefined, named())
    await other.api('GET', '/api/v1/tasks', undefined, { 'x-workspace-id': tenant.workspaceId, ...named() })
    await system.call('GET', '/api/v1/tasks', undefined, { authorization: 'Bearer unknown', ...named() })
    const accept = { accept: 'application/json, text/event-stream', authorization: `Bearer ${tenant.secret}` }
    await system.call('POST', mcpPath, tool('tasks.get', { id: missingId }), { ...accept, ...named() })
    const batch = [tool('projects.list', {}), tool('projects.get', { id: missingId }, 2)]
    await system.call('POST', mcpPath, batch, { ...accept, ...named() })
    await call('GET', '/projects', undefined, named())

    const foreign = new Set([ids[5], ids[6]])
    const calls = await logged(
      tenant,
      ids.filter((id) => !foreign.has(id)),
    )
    const [, read, missing, changed, refused, ofTool, ofBatch] = calls

    const from = { surface: 'http', apiKeyId: tenant.keyId, ip: '127.0.0.1', workspaceId: tenant.workspaceId }
    expect(calls[0]).toMatchObject({
      ...from,
      operation: 'tasks.create',
      method: 'POST',
      path: '/api/v1/tasks',
      status: 201,
    })
    expect(calls[0]).toMatchObject({ objectId: made.id, code: null, detail: null, apiKeyPrefix: expect.any(String) })
    expect(read).toMatchObject({ path: `/api/v1/tasks/${made.identifier}`, status: 200, operation: 'tasks.get' })
    const gone = { objectId: missingId, code: 'not_found' }
    expect(missing).toMatchObject({ path: `/api/v1/tasks/${missingId}`, status: 404, ...gone })
    expect(missing?.detail).toMatch(/task/i)
    expect(changed).toMatchObject({
      status: 422,
      code: 'validation_failed',
      objectId: made.id,
      detail: '/priority: not_in_list',
    })
    const needs = { code: 'insufficient_scope', detail: 'The request requires the scope tasks:read.' }
    expect(refused).toMatchObject({ apiKeyId: limited.keyId, status: 403, ...needs })
    expect(ofTool).toMatchObject({ surface: 'mcp', operation: 'tasks.get', status: 200, ...gone })
    expect(ofBatch).toMatchObject({ surface: 'mcp', operation: 'mcp', status: 200, code: 'not_found' })
    for (const { ms, at } of calls) {
      expect(ms).toBeGreaterThan(0)
      expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000)
    }
    expect(JSON.stringify(calls)).not.toContain('secret')

    // A key that calls another workspace is in the log of its own, and a call without a known key in none.
    const [strange] = await logged(other, [ids[5] ?? ''])
    expect(strange).toMatchObject({
      workspaceId: other.workspaceId,
      apiKeyId: other.keyId,
      code: 'workspace_not_allowed',
    })
    expect(await system.db.apiCall.count({ where: { requestId: ids[6] ?? '' } })).toBe(0)

    expect(told(await limited.api('GET', '/api/v1/requests'))).toBe('403 insufficient_scope')
    const own = must(await reader.api('GET', `/api/v1/requests?outcome=refused&apiKeyId=${limited.keyId}`)).data
    expect(own).toEqual([refused])
    expect(must(await reader.api('GET', `/api/v1/requests/${refused?.id}`))).toEqual(refused)
    expect(told(await other.settings('GET', `/requests/${refused?.id}`))).toBe('404 not_found')
    expect(told(await reader.api('GET', '/api/v1/requests?query=x'))).toBe('400 unknown_parameter query unknown')
    expect(told(await reader.api('GET', '/api/v1/requests?status=600'))).toMatch(/^400 invalid_parameter status/)
    const inLog = must(await tenant.settings('GET', `/requests?apiKeyId=${reader.keyId}`)).data as LoggedRequest[]
    expect(inLog.every(({ operation, status }) => operation !== 'requests.list' || status >= 400)).toBe(true)
  })
})
