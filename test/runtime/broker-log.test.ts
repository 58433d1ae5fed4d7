import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { openPublisher } from '#runtime/broker-publisher.ts'
import { namesFor, brokerLog } from '#runtime/broker-connection.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'

const { rabbit } = services()

function given() {
  const lines: { level: number; msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const said = () => lines.map(({ level, msg }) => `${pino.levels.labels[level]}: ${msg}`)
  return { said, onState: brokerLog(log) }
}

const away = 'warn: RabbitMQ is away, trying again until it is back'

test('an outage is one warning, however many reconnects it takes, and the next outage is another', () => {
  const { said, onState } = given()

  onState('connected')
  for (let n = 0; n < 5; n++) onState('disconnected', new Error('connect ECONNREFUSED'))
  onState('connected')
  onState('disconnected', new Error('Heartbeat timeout'))

  expect(said()).toEqual(['info: RabbitMQ is connected', away, 'info: RabbitMQ is connected', away])
})

test('a refusal is explained, once, though the broker was away before', () => {
  const { said, onState } = given()

  onState('disconnected', new Error('Unexpected close'))
  for (let n = 0; n < 3; n++)
    onState('disconnected', new Error('403 (ACCESS-REFUSED) with message "ACCESS_REFUSED - access to queue"'))

  expect(said()).toEqual([away, expect.stringMatching(/^warn: RabbitMQ refuses .* permissions/)])
})

test("each refusal is told of once, in the broker's own words", () => {
  const { said, onState } = given()
  const refused = (words: string) =>
    new Error(`Operation failed: QueueDeclare; 404 (NOT-FOUND) with message "NOT_FOUND - ${words}"`)

  onState('disconnected', new Error('Unexpected close'))
  for (let n = 0; n < 3; n++) {
    onState('disconnected', refused("home node 'a' of durable queue 'x' is down"))
    onState('disconnected', refused("home node 'b' of durable queue 'x' is down"))
  }

  expect(said()).toEqual([
    away,
    "warn: RabbitMQ refuses what it is asked for: NOT_FOUND - home node 'a' of durable queue 'x' is down",
    "warn: RabbitMQ refuses what it is asked for: NOT_FOUND - home node 'b' of durable queue 'x' is down",
  ])
})

test('what is wrong with dead letters is told of once, and not during an outage, which has been told of', () => {
  const { said, onState } = given()

  onState('disconnected', new Error('connect ECONNREFUSED'))
  onState('dead letters not kept', new Error('connect ECONNREFUSED'))
  onState('connected')
  for (let n = 0; n < 3; n++) onState('dead letters not kept', new Error('RabbitMQ does not answer'))
  onState('dead letters kept')
  onState('dead letters not kept', new Error('RabbitMQ does not answer'))

  const notKept = expect.stringMatching(/^warn: RabbitMQ does not keep rejected messages, /)
  expect(said()).toEqual([away, 'info: RabbitMQ is connected', notKept, notKept])
})

describe.skipIf(rabbit === null)('with RabbitMQ', () => {
  test.each([
    ['a wrong password', (url: URL) => void (url.password = 'wrong'), /refuses the login: the user or the password/],
    ['an unknown virtual host', (url: URL) => void (url.pathname = '/nowhere'), /refuses the virtual host/],
  ])('%s is a warning that names the cause', async (_what, spoil, words) => {
    const { said, onState } = given()
    const url = new URL(rabbit ?? '')
    spoil(url)
    const publisher = await openPublisher(url.href, namesFor('test'), onState)

    await eventually(() => said().length > 0, 'a line')
    await publisher.close()

    expect(said()).toEqual([expect.stringMatching(words)])
    expect(said()[0]).toMatch(/^warn: /)
  })
})
