// A frozen broker keeps its connections open and accepts bytes: no error shows that it is gone.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { services } from '../support/services.ts'
import { modes, must, startSystem } from '../support/system.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

test.skipIf(!modes.includes('distributed'))(
  'while the broker is frozen writes are delivered, and after the thaw nothing is delivered twice',
  { timeout: 90_000 },
  async () => {
    await using broker = await startTcpProxy(services().rabbit ?? '')
    await using system = await startSystem('distributed', { amqpUrl: broker.url })
    await using receiver = await startReceiver()
    const { api } = await system.tenant()
    must(await api('POST', '/api/v1/webhooks', { name: 'w', url: receiver.url, eventTypes: ['projects.*'] }))
    const names: string[] = []
    const write = async (name: string) => {
      must(await api('POST', '/api/v1/projects', { name }))
      names.push(name)
      await receiver.count(names.length)
    }
    await write('before')

    broker.freeze()
    for (const name of ['frozen', 'still frozen']) await write(name)
    broker.thaw()
    await write('thawed')
    await eventually(async () => (await system.db.outbox.count()) === 0, 'an empty outbox')
    await write('after')

    const sent = receiver.calls.map(({ body }) => JSON.parse(body.toString()).data.name)
    expect(sent).toEqual(names)
  },
)
