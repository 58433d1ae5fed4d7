// The whole product in one process on embedded parts, killed at random moments.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { openDatabase } from '#prisma/client.ts'
import { clientOf } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { start } from '../support/processes.ts'
import { freePort } from '../support/servers/server.ts'
import { audited } from './audit.ts'
import { startFickleReceiver, startLoad, unlimited, type Row, type Scenario } from './stage.ts'

const roundsEach = 5
const drainWithinMs = 300_000
const load = { perSecond: 10 }

const killed = (rounds: number): Row => ({
  name: 'the one process',
  measure: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'standalone-'))
    await using receiver = await startFickleReceiver()
    const operatorToken = randomUUID() + randomUUID()
    const env = {
      DATA_DIR: folder,
      PORT: String(await freePort()),
      OPERATOR_TOKEN: operatorToken,
      LOG_LEVEL: 'fatal',
      WEBHOOK_RETRY_SCHEDULE: '1,1,2,2,5,5,10,10',
      ...unlimited,
    }
    let running = await start('standalone/main.ts', env)
    const client = clientOf(running.url, operatorToken)
    const writing = await startLoad(client, { receivers: [receiver, receiver], ...load })
    for (let round = 0; round < rounds; round++) {
      await after(1_000 + Math.random() * 2_000)
      await running.kill('SIGKILL')
      running = await start('standalone/main.ts', env)
    }
    await writing.stop()
    const startedAt = performance.now()
    const open = `/settings/api/workspaces/${writing.workspaceId}/deliveries?status=pending,retrying&limit=1`
    const isDrained = async () => (await client.operator('GET', open)).body.data.length === 0
    await eventually(isDrained, 'everything to be delivered', drainWithinMs)
    const drainSeconds = (performance.now() - startedAt) / 1_000
    await running.kill('SIGTERM')

    const { db, close } = await openDatabase({ folder: join(folder, 'database') })
    try {
      const { figures, notes } = await audited((sql) => db.$queryRawUnsafe(sql), {
        kills: rounds,
        of: [receiver],
        written: writing.written,
      })
      return { figures: { ...figures, drainSeconds }, notes }
    } finally {
      await close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
})

export const standalone: Scenario = {
  title: 'Standalone (SIGKILL)',
  about: 'Killed at random moments under load and started again, on the embedded database and without a broker.',
  rows: ({ rounds }) => [killed(Math.ceil(rounds / roundsEach))],
}
