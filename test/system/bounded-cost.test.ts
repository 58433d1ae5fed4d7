// Lists with far too many items are refused before they cost other callers time, over HTTP and MCP.
import { expect, test } from 'vitest'
import { mcpPath } from '#contract/route-paths.ts'
import { sharedSystem } from '../support/system.ts'

/** Of all that a call costs this process: the client’s part, both tiers, parsing included. */
const cpuMsMax = 150

const { tenant } = sharedSystem('standalone')

const many = Array.from({ length: 50_000 }, (_, at) => `v${at}`)
const listing = (args: object) => {
  const params = { name: 'projects.list', arguments: args }
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
}

test.each([
  ['POST /api/v1/webhooks', { name: 'x', url: 'https://example.com', eventTypes: many }],
  ['POST /api/v1/projects', { name: 'x', labels: many }],
  ['POST /api/v1/tasks/batch', { items: many }],
  [`POST ${mcpPath}`, listing({ sort: many })],
  [`POST ${mcpPath}`, listing({ status: many })],
] as const)('%s with 50,000 items is refused at a bounded cost', async (target, body) => {
  const [method = '', path = ''] = target.split(' ')
  const costs: number[] = []
  for (const _run of [1, 2, 3, 4]) {
    const before = process.cpuUsage()

    const answer = await tenant.api(method, path, body)

    const { user, system: kernel } = process.cpuUsage(before)
    costs.push((user + kernel) / 1_000)
    expect(JSON.stringify(answer.body)).toMatch(/too_long|too_many_items/)
  }
  expect(Math.min(...costs)).toBeLessThan(cpuMsMax)
})
