// Messages reach every listener; what could not be said is said later; a listener finds its way back.
import { afterEach, expect, test } from 'vitest'
import { openAnnouncer, openListener, type Announcer, type Listener } from '#runtime/redis-pub-sub.ts'
import { eventually } from '../support/eventually.ts'
import { installed } from '../support/servers/server.ts'
import { services, startRedis } from '../support/services.ts'

const redisBinary = installed('/usr/bin/redis-server', '/usr/local/bin/redis-server')
const opened: (Announcer | Listener)[] = []
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())))
const channelOfTest = () => `test-${crypto.randomUUID()}`

function hearing(url: string, channel: string) {
  const messages: string[] = []
  const line = openListener(url, channel, {
    message: (text) => messages.push(text),
    error: () => {},
  })
  opened.push(line)
  return { messages, line }
}

function speaking(url: string, channel: string): Announcer {
  const announcer = openAnnouncer(url, channel, () => {})
  opened.push(announcer)
  return announcer
}

test.skipIf(services().redis === null)(
  'what is announced reaches all who listen to the channel, and nobody else',
  async () => {
    const url = services().redis!
    const channel = channelOfTest()
    const [one, two, other] = [hearing(url, channel), hearing(url, channel), hearing(url, channelOfTest())]
    for (const { line } of [one, two, other]) await eventually(() => line.isConnected(), 'connected')
    const announcer = speaking(url, channel)
    announcer.announce('a')
    announcer.announce('b')
    for (const { messages } of [one, two]) await eventually(() => messages.length === 2, 'both messages')
    expect([one.messages, other.messages]).toEqual([['a', 'b'], []])
  },
)

test.skipIf(redisBinary === null)(
  'a Redis that goes and comes back is listened to again, and what was said meanwhile is said then',
  async () => {
    await using server = (await startRedis())!
    const channel = channelOfTest()
    const { messages, line } = hearing(server.url, channel)
    const announcer = speaking(server.url, channel)
    await eventually(() => line.isConnected(), 'connected')
    await server.stop('SIGKILL')
    await eventually(() => !line.isConnected(), 'the loss is noticed')
    announcer.announce('meanwhile')
    announcer.announce('meanwhile')
    await server.start()
    await eventually(() => line.isConnected(), 'the return is noticed')
    announcer.announce('after')
    await eventually(() => messages.includes('after'), 'messages come again')
    expect(messages.filter((text) => text === 'meanwhile').length).toBeLessThanOrEqual(1)
  },
)

test.skipIf(redisBinary === null)('a Redis that hangs is noticed within a few seconds', async () => {
  await using server = (await startRedis())!
  const { line } = hearing(server.url, channelOfTest())
  await eventually(() => line.isConnected(), 'connected')
  server.freeze()
  await eventually(() => !line.isConnected(), 'the silence is noticed', 5_000)
  server.thaw()
  await eventually(() => line.isConnected(), 'the return is noticed')
})
