// A backup is restored while Redis, RabbitMQ and receivers are where they were: processes that nobody has told refuse
// to start, one that is told begins a new epoch, and nothing is sent twice until the operator says so.
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { clientOf, must } from '../support/client.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { runToEnd, start } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { modes } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

/** `copyTo` makes a database of this name, which holds what another holds; nobody may be connected to that. */
async function adminOf(url: string) {
  const admin = new Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href })
  await admin.connect()
  const copy = async (from: string, to: string): Promise<void> => {
    await admin.query(`DROP DATABASE IF EXISTS ${to} WITH (FORCE)`)
    await admin.query(`CREATE DATABASE ${to} TEMPLATE ${from}`)
  }
  return {
    copy,
    drop: async (name: string) => void (await admin.query(`DROP DATABASE IF EXISTS ${name}`)),
    end: () => admin.end(),
  }
}

test.runIf(modes.includes('distributed'))(
  'a restored database is noticed, told of, and sends nothing twice before it is released',
  { timeout: 120_000 },
  async () => {
    await using stack = new AsyncDisposableStack()
    const { env, operatorToken, close } = await openStores()
    stack.defer(close)
    const admin = await adminOf(env.DATABASE_URL)
    const name = new URL(env.DATABASE_URL).pathname.slice(1)
    const backup = `${name}_backup`
    stack.defer(() => admin.end())
    stack.defer(() => admin.drop(backup))
    const receiver = stack.use(await startReceiver())
    const sent = (called: string): number =>
      receiver.calls.filter(({ body }) => JSON.parse(body.toString()).data.name === called).length

    const service = await start('service/main.ts', env)
    const gateway = stack.use(await start('gateway/main.ts', { ...env, SERVICE_URLS: service.url }))
    const tenant = await clientOf(gateway.url, operatorToken).tenant()
    const { post } = callsOf(tenant)
    must(await tenant.api('POST', '/api/v1/webhooks', { name: 'W', url: receiver.url, eventTypes: ['projects.*'] }))
    await post('/projects', { name: 'waits in the backup' })
    const inBackup = await tenant.lastSequence()
    await service.kill('SIGTERM')
    await admin.copy(name, backup)

    const PORT = new URL(service.url).port
    const again = await start('service/main.ts', { ...env, PORT })
    const isServed = async () => (await tenant.api('GET', '/api/v1/me')).status === 200
    await eventually(isServed, 'the service to be back')
    await post('/projects', { name: 'lost' })
    const late = await tenant.key(['projects:read'])
    must(await late.api('GET', '/api/v1/me'))
    const lost = await tenant.lastSequence()
    const dispatcher = await start('dispatcher/main.ts', env)
    await eventually(() => sent('waits in the backup') === 1 && sent('lost') === 1, 'both deliveries')
    await Promise.all([again.kill('SIGTERM'), dispatcher.kill('SIGTERM')])

    await admin.copy(backup, name)
    const untold = await Promise.all(
      ['service/main.ts', 'dispatcher/main.ts'].map((each) => runToEnd(each as 'service/main.ts', env)),
    )
    for (const { code, stderr } of untold) {
      expect(code).toBe(1)
      expect(stderr).toMatch(/^The database is in an earlier state .*start one service with RESTORED=true/)
    }
    const restored = await start('service/main.ts', { ...env, PORT, RESTORED: 'true' })
    const after = stack.use(await start('dispatcher/main.ts', env))
    await eventually(isServed, 'the restored service')

    expect(restored.stdout()).toMatch(/"deliveries":0,"events":\d.*RESTORED: a new epoch has begun/)
    // A key that was made after the backup is known to nobody, the gateway that has been running all the time included.
    await eventually(async () => (await late.api('GET', '/api/v1/me')).status === 401, 'the gateway to forget it')
    expect(told(await tenant.api('GET', `/api/v1/events?after=${lost}`))).toBe('410 feed_rewound')
    await post('/projects', { name: 'new' })
    await eventually(() => sent('new') === 1, 'the new delivery')
    expect([sent('waits in the backup'), sent('lost')]).toEqual([1, 1])
    const page = await callsOf(tenant).get(`/events?after=${inBackup}`)
    expect(page.data.map((event: { data: { name: string } }) => event.data.name)).toEqual(['new'])
    expect(page.lastSequence).toBeGreaterThan(lost)

    // Without the setting it goes on as any other.
    await restored.kill('SIGTERM')
    stack.use(await start('service/main.ts', { ...env, PORT }))
    await eventually(isServed, 'the next start')
    const operator = clientOf(gateway.url, operatorToken).operator
    const { eventsWithoutDeliveries } = must(await operator('GET', '/settings/api/held-deliveries'))
    expect(eventsWithoutDeliveries).toBeGreaterThan(0)
    must(await operator('POST', '/settings/api/held-deliveries/release', { action: 'send' }))
    await eventually(() => sent('waits in the backup') === 2, 'what was held')
    const ids = receiver.calls.filter(({ body }) => JSON.parse(body.toString()).data.name === 'waits in the backup')
    expect(new Set(ids.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await after.kill('SIGTERM')
  },
)
