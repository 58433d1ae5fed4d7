import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { openSession } from '#prisma/sql-session.ts'
import { openWatch } from '#prisma/database-watch.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const { postgres } = services()

async function watchThroughProxy(application_name = 'watched') {
  const proxy = await startTcpProxy(postgres ?? '')
  let bytesReceived = 0
  // At first, so that a slow start is no silence.
  let isTalking = true
  const seen: string[] = []
  const looked = () => (isTalking ? ++bytesReceived : bytesReceived)
  const watch = openWatch({
    config: { connectionString: proxy.url, application_name },
    bytesReceived: looked,
    onAway: () => void seen.push('away'),
    onBack: () => void seen.push('back'),
    everyMs: 10,
    silenceMs: 300,
  })
  onTestFinished(async () => {
    await proxy[Symbol.asyncDispose]()
    await watch.close()
  })
  return { proxy, watch, seen, bytesReceived: () => bytesReceived, talk: (talks: boolean) => void (isTalking = talks) }
}

test.skipIf(postgres === null)('silence is told once, and once that it is over', async () => {
  const { proxy, watch, seen, talk } = await watchThroughProxy()

  proxy.freeze()
  talk(false)
  await eventually(watch.isAway, 'the silence')
  talk(true)
  proxy.thaw()
  await eventually(() => !watch.isAway(), 'an answer')

  expect(seen).toEqual(['away', 'back'])
})

test.skipIf(postgres === null)(
  'while anything is bytesReceived on other connections the database is slow, not away',
  async () => {
    const { proxy, watch, seen, bytesReceived, talk } = await watchThroughProxy()

    proxy.freeze()
    const before = bytesReceived()
    await eventually(() => bytesReceived() > before + 6, 'many looks')
    expect(watch.isAway()).toBe(false)

    talk(false)
    await eventually(watch.isAway, 'the silence')
    expect(seen).toEqual(['away'])
  },
)

test.skipIf(postgres === null)(
  'the loss of the connection that it watches on says nothing of the database',
  async () => {
    const application = randomUUID()
    const { seen, watch } = await watchThroughProxy(application)
    const admin = await openSession({ url: postgres ?? '' })
    onTestFinished(admin.close)
    const connection = async () => {
      const [row] = await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name = '${application}'`,
      )
      return row?.pid
    }
    const first = await eventually(connection, 'a connection')

    await admin.query('SELECT pg_terminate_backend($1)', [first])

    await eventually(async () => ((await connection()) ?? first) !== first, 'another connection')
    expect(watch.isAway()).toBe(false)
    expect(seen).toEqual([])
  },
)
