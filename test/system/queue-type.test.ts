// AMQP_QUEUE_TYPE is changed on a running installation, one process after the other, while callers write.
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from 'amqplib'
import { expect, test } from 'vitest'
import { namesFor, queueTypes, type QueueType } from '#runtime/broker-names.ts'
import { clientOf, must } from '../support/client.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/servers/server.ts'
import { start } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { modes } from '../support/system.ts'

const everyMs = 20

test.skipIf(!modes.includes('distributed'))(
  'each event is delivered once while dispatchers and services change the type of the queues, and the former ones are gone afterwards',
  { timeout: 180_000 },
  async () => {
    await using stack = new AsyncDisposableStack()
    const { env, operatorToken, close } = await openStores({ LOG_LEVEL: 'info' })
    stack.defer(close)
    const receiver = stack.use(await startReceiver())
    const servicePort = await freePort()
    const startService = async (type: QueueType) =>
      stack.use(await start('service/main.ts', { ...env, PORT: String(servicePort), AMQP_QUEUE_TYPE: type }))
    const startDispatcher = async (type: QueueType) =>
      stack.use(await start('dispatcher/main.ts', { ...env, AMQP_QUEUE_TYPE: type }))
    const service = await startService('quorum')
    const first = await startDispatcher('quorum')
    const gateway = stack.use(await start('gateway/main.ts', { ...env, SERVICE_URLS: service.url }))
    const { api } = await clientOf(gateway.url, operatorToken).tenant()
    must(await api('POST', '/api/v1/webhooks', { name: 'W', url: receiver.url, eventTypes: ['projects.created'] }))
    const written: string[] = []
    const writing = new AbortController()
    const load = (async () => {
      for (let n = 0; !writing.signal.aborted; n++) {
        const { status, body } = await api('POST', '/api/v1/projects', { name: `Project ${n}` })
        if (status === 201) written.push(body.id)
        await delay(everyMs)
      }
    })()
    const some = async (): Promise<void> => {
      const wanted = written.length + 10
      await eventually(() => written.length >= wanted, 'some more projects')
    }

    await some()
    const second = await startDispatcher('classic')
    await some()
    await first.kill('SIGTERM')
    await some()
    await service.kill('SIGTERM')
    await startService('classic')
    await eventually(() => second.stdout().includes('was deleted'), 'the end of the former queues', 60_000)
    expect(await queuesAt(env.AMQP_URL, env.BRAND)).toEqual(['classic'])
    await some()
    writing.abort()
    await load

    const delivered = () =>
      receiver.calls.map(({ body }) => (JSON.parse(body.toString()) as { data: { id: string } }).data.id)
    await eventually(() => written.every((id) => delivered().includes(id)), 'all deliveries', 60_000)
    expect(delivered().length).toBe(new Set(delivered()).size)
  },
)

/** The types whose queue is there. */
async function queuesAt(url: string, brand: string): Promise<QueueType[]> {
  const connection = await connect(url)
  connection.on('error', () => {})
  const there: QueueType[] = []
  for (const type of queueTypes) {
    const channel = await connection.createChannel()
    channel.on('error', () => {})
    const { queue } = namesFor(brand, type)
    if (await channel.checkQueue(queue).catch(() => null)) there.push(type)
  }
  await connection.close()
  return there
}
