// Callers that leave, in each phase of a call: sockets, slots and memory are then as they were before.
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { edgeOfFile } from '../support/edge.ts'
import { logLines } from '../support/log-lines.ts'
import { answerOk, answerWith, holding, within } from '../support/service.ts'
import { requestText, sendOnEach, type Wire } from '../support/wire.ts'

const callsAtOnce = 80
const keysUsed = 10
const ofKey = 16
const slotsOfKeys = 112

const { log, lines } = logLines()
const { edge } = edgeOfFile({ log, timeouts: { slotMs: 20_000 } })
let tokens: string[]
let socketsBefore: number
const { held, respond: hold } = holding()

beforeAll(async () => {
  const ofOneKey = () => edge.service.key({ workspaces: [within(crypto.randomUUID())] }).token
  tokens = Array.from({ length: keysUsed }, ofOneKey)
  await Promise.all(tokens.map((token) => edge.call('GET', '/api/v1/projects', { token })))
  await idle()
})
beforeEach(async () => {
  held.splice(0)
  lines.splice(0)
  socketsBefore = await idle()
})

/** Both ends of all connections are in this process. */
const sockets = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length

/** Waits until nothing is pending, and returns how many sockets there are. */
async function idle(): Promise<number> {
  let seen = -1
  return eventually(async () => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    const now = sockets()
    const isQuiet = now === seen
    seen = now
    return isQuiet ? now : null
  }, 'that no socket comes or goes')
}

const get = (at: number): string => requestText('GET /api/v1/projects', { token: tokens[at % keysUsed]! })
const upload = (at: number, bytes: number): string =>
  requestText('POST /api/v1/projects', { token: tokens[at]!, headers: [`content-length: ${bytes}`], body: '{' })
const send = (count: number, text: (at: number) => string) => sendOnEach(edge.gateway.port, count, text)

const leave = (wires: readonly Wire[]): void =>
  wires.forEach(({ socket }, at) => void (at % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()))

async function expectAsBefore(begun: number): Promise<void> {
  await eventually(() => lines.length === begun, `${begun} calls are over`)
  await eventually(() => sockets() <= socketsBefore, `no more than ${socketsBefore} sockets`)
}

test('before the answer begins', async () => {
  edge.service.respond = () => {}
  const wires = await send(callsAtOnce, get)
  await eventually(() => edge.service.calls.length === callsAtOnce, 'all arrive')

  leave(wires)

  await expectAsBefore(callsAtOnce)
  await eventually(() => edge.service.cancelled === callsAtOnce, 'all are ended')
  expect(new Set(lines.map((line) => JSON.parse(line).status))).toEqual(new Set([499]))
})

test('while they wait for a slot', async () => {
  edge.service.respond = hold
  const under = await send(ofKey, () => get(0))
  await eventually(() => held.length === ofKey, 'the slots of the key are taken')
  leave(await send(callsAtOnce, () => get(0)))
  await eventually(() => lines.length === callsAtOnce, 'all that wait are seen to leave')

  held.forEach((response) => response.end('{}'))
  await Promise.all(under.map((wire) => wire.hear('{}')))
  leave(under)

  expect(edge.service.calls).toHaveLength(ofKey)
  await expectAsBefore(ofKey + callsAtOnce)
})

test('in the middle of a long answer', async () => {
  const long = Buffer.alloc(1024 * 1024, 0x20)
  edge.service.respond = answerWith(200, { 'content-length': long.length }, long)
  const wires = await send(callsAtOnce, get)
  for (const { socket } of wires) socket.once('data', () => socket.pause())
  await eventually(() => wires.every((wire) => wire.heard().length > 0), 'all answers have begun')

  leave(wires)

  await expectAsBefore(callsAtOnce)
})

test.each([
  ['small body, before the service hears of it', 60_000, 0],
  ['large body, with a call to the service under way', 600_000, callsAtOnce],
])('in the middle of a %s', async (_size, bytes, arriving) => {
  let arrived = 0
  edge.service.beforeBody = () => void (arrived += 1)
  const wires = await send(callsAtOnce, (at) => upload(at % keysUsed, bytes))
  await eventually(() => arrived === arriving && lines.length === 0, 'all that can arrive has arrived')

  leave(wires)

  await expectAsBefore(callsAtOnce)
  expect(edge.service.calls).toHaveLength(0)
})

test('after all of that every slot is free', async () => {
  edge.service.respond = hold
  const wires = await send(keysUsed * ofKey, get)
  await eventually(() => held.length === slotsOfKeys, 'all that can run at once does')

  edge.service.respond = answerOk
  held.forEach((response) => response.end('{"ok":true}'))
  await Promise.all(wires.map((wire) => wire.hear('{"ok":true}')))
  leave(wires)
})
