// Two real services behind a real gateway. One freezes, or loses its database: callers do not notice.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, type Tenant } from '../support/client.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { start, type Running } from '../support/processes.ts'
import { modes } from '../support/system.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

type Scene = {
  readonly service: Running
  readonly gateway: Running
  readonly database: Awaited<ReturnType<typeof startTcpProxy>>
  readonly tenant: Tenant
  close(): Promise<void>
}

describe.skipIf(!modes.includes('distributed'))('one service of two', () => {
  let it: Scene
  beforeAll(async () => void (it = await openScene()), 120_000)
  afterAll(() => it.close())

  test('is frozen: reads in flight are answered by the other, and later calls do not fail', async () => {
    await usable(2)
    const before = timesOut()
    it.service.freeze()

    const inFlight = await Promise.all(Array.from({ length: 10 }, read))
    await eventually(() => timesOut() > before, 'that it is found')
    const later = await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? read() : write())))
    const ready = await fetch(`${it.gateway.url}/ready`)

    expect([inFlight, later].flat().filter((status) => status > 201)).toEqual([])
    expect(ready.status).toBe(200)
    it.service.thaw()
    await usable(2)
  })

  test('loses its database: it gets no calls until the database is back', async () => {
    await usable(2)
    const before = timesOut()
    it.database.freeze()
    await eventually(() => timesOut() > before, 'that it is found')

    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? read() : write())))

    expect(answers.filter((status) => status > 201)).toEqual([])
    it.database.thaw()
    await usable(2)
  })

  /** How often the gateway has said in its log that it takes this service out of rotation. */
  const timesOut = () =>
    it.gateway
      .stdout()
      .split('\n')
      .filter((line) => line.includes(`"service":"${it.service.url}","reason"`)).length
  const read = async () => (await it.tenant.api('GET', '/api/v1/projects')).status
  const write = async () => (await it.tenant.api('POST', '/api/v1/projects', { name: 'x' })).status

  async function usable(count: number): Promise<void> {
    const known = async () => {
      const answer = (await (await fetch(`${it.gateway.url}/ready`)).json()) as { services?: { usable: number } }
      return answer.services?.usable === count
    }
    await eventually(known, `${count} usable services`, 30_000)
  }
})

async function openScene(): Promise<Scene> {
  const { env, operatorToken, close } = await openStores()
  const database = await startTcpProxy(env.DATABASE_URL)
  const [other, service] = await Promise.all([
    start('service/main.ts', env),
    start('service/main.ts', { ...env, DATABASE_URL: database.url }),
  ])
  const gateway = await start('gateway/main.ts', { ...env, SERVICE_URLS: `${other.url},${service.url}` })
  return {
    service,
    gateway,
    database,
    tenant: await clientOf(gateway.url, operatorToken).tenant(),
    close: async () => {
      await Promise.all([gateway, other, service].map((process) => process.kill('SIGKILL')))
      await database[Symbol.asyncDispose]()
      await close()
    },
  }
}
