// Nothing that was answered with success is lost when the one process of the product is killed. Of its parts as
// processes of their own it is shown in dispatcher-lost.test.ts and kill-points.test.ts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientOf } from '../support/client.ts'
import { freshDataFolder } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { start } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { must, settingsFor } from '../support/system.ts'

const [projectCount, webhookCount] = [20, 10]
const deliveryCount = projectCount * webhookCount

test('kill -9 of the standalone process in the middle of 200 deliveries loses none', { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wia-standalone-'))
  await using _removed = { [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }) }
  await freshDataFolder(folder)
  const { operatorToken } = settingsFor('standalone')
  const env = { DATA_DIR: folder, OPERATOR_TOKEN: operatorToken, LOG_LEVEL: 'warn' }
  const first = await start('standalone/main.ts', env)
  // It answers the first 50 calls and keeps the others waiting, so that the process is killed in the middle of its
  // work.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await using receiver = await startReceiver(async (_call, number) => {
    if (number > 50) await released
    return 200
  })
  const arrived = () => Map.groupBy(receiver.calls, ({ headers }) => String(headers['webhook-id']))
  const { api, workspaceId } = await clientOf(first.url, operatorToken).tenant()
  for (let n = 0; n < webhookCount; n += 1)
    must(await api('POST', '/api/v1/webhooks', { name: `w${n}`, url: receiver.url, eventTypes: ['projects.*'] }))

  const made = await Promise.all(
    Array.from({ length: projectCount }, (_, n) => api('POST', '/api/v1/projects', { name: `Project ${n}` })),
  )
  await receiver.count(50)
  await first.kill('SIGKILL')
  const beforeKill = arrived().size
  release()
  await using second = await start('standalone/main.ts', env)
  await eventually(() => arrived().size >= deliveryCount, 'every delivery to arrive', 100_000)

  expect(beforeKill).toBeLessThan(deliveryCount)
  expect(arrived().size).toBe(deliveryCount)
  const told = receiver.calls.map(({ body }) => JSON.parse(body.toString()).resource.id)
  expect(new Set(told)).toEqual(new Set(made.map((answer) => must(answer).id)))
  const open = `/settings/api/workspaces/${workspaceId}/deliveries?status=pending,retrying`
  const { operator } = clientOf(second.url, operatorToken)
  await eventually(
    async () => must(await operator('GET', open)).data.length === 0,
    'every result to be recorded',
    90_000,
  )
  // What it was about to write down is sent a second time, and never a third.
  expect(Math.max(...[...arrived().values()].map((calls) => calls.length))).toBeLessThanOrEqual(2)
})
