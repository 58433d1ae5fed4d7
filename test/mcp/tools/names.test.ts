// How tools are named: the rule itself, what chooses it, what is remembered of a client, and what a message says.
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { textInNaming, toolNamed, tools } from '#contract/tools/catalogue.ts'
import { clientNameIn, namingBy, underscored } from '#contract/tools/names.ts'
import {
  chosenToolNames,
  clientsPerKeyMax,
  listedNames,
  redisNames,
  rememberedMs,
  type NamedMessage,
  type SharedNames,
} from '../../../gateway/auth/tool-names.ts'
import type { Exchange } from '../../../service/mcp/tools/runner.ts'
import { codeOf } from '../../gateway/support/checks.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { initialize, request } from '../support/messages.ts'
import { mcpStage } from '../support/stage.ts'

/** What the APIs of models take as the name of a tool. */
const ofModelApis = /^[a-zA-Z0-9_-]{1,64}$/

test('every tool has one name with underscores that the APIs of models take, and can be called by both', () => {
  const names = tools.map(({ name }) => underscored(name))

  expect(names.filter((name) => !ofModelApis.test(name))).toEqual([])
  expect(new Set(names).size).toBe(tools.length)
  for (const tool of tools) expect([toolNamed(tool.name), toolNamed(underscored(tool.name))]).toEqual([tool, tool])
  expect(toolNamed('Projects.list')).toBeUndefined()
})

const others = [
  ...['claude-code', 'my-app', 'mcp', '', 'streamable-http: https://workspace.example/api/mcp'],
  ...['inspector-bot', 'mcp-inspector-of-ours', 'Inspector', 'conformance-review'],
]
const byHand = ['mcp-inspector', 'mcp-inspector-web', 'inspector-cli', 'conformance-client', 'conformance-test-client']

test('a client is listed names with underscores, but those by which people look: they see dots', () => {
  expect(others.filter((client) => namingBy({ client }) !== 'underscores')).toEqual([])
  expect(byHand.filter((client) => namingBy({ client }) !== 'dots')).toEqual([])
})

test('a choice comes before the client, the client before the session, that before what is remembered', () => {
  const all = { chosen: 'dots', client: 'app', sessionId: 'dots-1', remembered: 'dots' } as const

  expect(namingBy(all)).toBe('dots')
  expect(namingBy({ ...all, chosen: 'auto' })).toBe('underscores')
  expect(namingBy({ ...all, chosen: 'auto', client: null, sessionId: 'underscores-1' })).toBe('underscores')
  expect(namingBy({ client: null, sessionId: 'somebody-elses', remembered: 'underscores' })).toBe('underscores')
  expect(namingBy({ client: null })).toBeNull()
  // As the release before has named its sessions.
  expect(namingBy({ sessionId: 'underscore-0199' })).toBe('underscores')
})

test.each([
  [{ params: { clientInfo: { name: 'a' } } }, 'a'],
  [{ params: { _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'b' } } } }, 'b'],
  [{ params: { clientInfo: { name: 5 } } }, null],
  [{ params: { clientInfo: 'a', _meta: null } }, null],
  [{ params: [1] }, null],
  [null, null],
])('the client of %j is %j', (message, name) => {
  expect(clientNameIn(message)).toBe(name)
})

test('a text names tools as they are listed, and nothing else changes', () => {
  const text = 'Use objects.bulk or `<type>.list`, not tasks.listing, data.status or e.g. crm-entities.get.'

  expect(textInNaming('dots', text)).toBe(text)
  expect(textInNaming('underscores', text)).toBe(
    'Use objects_bulk or `<type>_list`, not tasks.listing, data.status or e.g. crm-entities_get.',
  )
})

const ofKey = { toolNames: 'dots' } as const
const header = (value: string) => ({ 'x-mcp-tool-names': value })
test.each([
  ['', {}, 'dots'],
  ['', header('underscores'), 'underscores'],
  ['', header('underscore'), 'underscores'],
  ['', header('unreadable'), 'dots'],
  ['toolNames=auto', header('underscores'), 'auto'],
  ['toolNames=dot', header('underscores'), 'dots'],
  ['tool%4eames=underscores', {}, 'underscores'],
  ['toolNames=camel', {}, 'invalid_parameter'],
  ['toolNames=dots&toolNames=dots', {}, 'invalid_parameter'],
  ['toolNames=dots&x=1', {}, 'unknown_parameter'],
  ['%zz', {}, 'unknown_parameter'],
])('the address "%s" and the headers %j choose before the key: %s', (query, headers, expected) => {
  let chosen = ''
  const code = codeOf(() => (chosen = chosenToolNames(ofKey, query, headers)))

  expect(code === 'passes' ? chosen : code).toBe(expected)
})

// Which names a client is listed that does not name itself in this message: what it, or another of its key and
// User-Agent, has said within the hour; here, at another gateway, and without Redis.

const { redis } = services()
const opened: SharedNames[] = []
afterAll(async () => {
  for (const each of opened) await each.close()
})

/** Over one Redis, or none, on one clock that the test moves. */
function clocked(url: string | null) {
  let now = 1_800_000_000_000
  const clock = () => now
  const brand = `test-${randomUUID().slice(0, 8)}`
  const gateway = async () => {
    const shared = url === null ? null : redisNames(url, brand, () => {}, clock)
    if (shared !== null) opened.push(shared)
    if (shared !== null && url === redis) await eventually(() => isThere(shared), 'Redis')
    return listedNames(shared, clock)
  }
  return { gateway, wait: (ms: number) => (now += ms) }
}

const isThere = async (shared: SharedNames) => {
  const answer = await shared.read({ keyId: '', userAgentHash: '' }).catch((error: unknown) => ({ error }))
  return answer === null || !('error' in Object(answer))
}

const from = (userAgent: string | undefined, more: Partial<NamedMessage> = {}): NamedMessage => ({
  keyId: 'key-1',
  userAgent,
  client: null,
  handshake: false,
  showsNames: true,
  ...more,
})
const handshake = (userAgent: string, client: string): NamedMessage => from(userAgent, { client, handshake: true })

const places: [string, string | null][] = [['in one gateway', null]]
if (redis !== null) places.push(['in Redis', redis])

describe.each(places)('a client is remembered %s', (_where, url) => {
  test('by its key and User-Agent, for an hour', async () => {
    const { gateway, wait } = clocked(url)
    const one = await gateway()
    const next = url === null ? one : await gateway()

    expect(await one.decide(from('node'))).toBe('dots')
    expect(await one.decide(handshake('node', 'my-app'))).toBe('underscores')

    expect(await next.decide(from('node'))).toBe('underscores')
    expect(await next.decide(from('python-httpx/0.28'))).toBe('dots')
    expect(await next.decide(from('node', { keyId: 'key-2' }))).toBe('dots')
    expect(await next.decide(from(undefined))).toBe('dots')
    wait(rememberedMs - 1_000)
    expect(await next.decide(from('node'))).toBe('underscores')
    wait(1_001)
    expect(await next.decide(from('node'))).toBe('dots')
  })

  test('as the one that has named itself last', async () => {
    const { gateway } = clocked(url)
    const one = await gateway()
    const next = url === null ? one : await gateway()

    await one.decide(handshake('node', 'my-app'))
    await next.decide(handshake('node', 'mcp-inspector'))

    for (const each of [one, next]) expect(await each.decide(from('node'))).toBe('dots')
  })
})

test('a call that shows no names, or whose client or session says which, asks nobody; a client is told once in ten minutes', async () => {
  let [now, asked, told] = [1_800_000_000_000, 0, 0]
  const shared: SharedNames = {
    write: async () => void (told += 1),
    read: async () => ((asked += 1), null),
    close: async () => {},
  }
  const names = listedNames(shared, () => now)

  await names.decide(from('node', { showsNames: false }))
  for (const more of [{ chosen: 'underscores' as const }, { client: 'my-app' }, { sessionId: 'underscores-1' }])
    expect(await names.decide(from('other', more))).toBe('underscores')
  told = 0
  expect(asked).toBe(0)
  await names.decide(from('node'))
  expect(asked).toBe(1)
  for (let calls = 0; calls < 5; calls++) await names.decide(from('node', { client: 'my-app' }))
  expect(told).toBe(1)
  now += 600_000
  await names.decide(from('node', { client: 'my-app' }))
  expect(told).toBe(2)
})

test('while Redis is away each gateway knows what it has seen itself', async () => {
  const { gateway } = clocked('redis://127.0.0.1:1')
  const [one, other] = [await gateway(), await gateway()]

  expect(await one.decide(handshake('node', 'my-app'))).toBe('underscores')
  expect(await one.decide(from('node'))).toBe('underscores')
  expect(await other.decide(from('node'))).toBe('dots')
})

test.skipIf(redis === null)('a key under ever new names is remembered for the latest of them alone', async () => {
  const { gateway, wait } = clocked(redis)
  const [one, other] = [await gateway(), await gateway()]
  for (let each = 0; each <= clientsPerKeyMax; each++) {
    await one.decide(handshake(`agent/${each}`, 'my-app'))
    wait(1)
  }

  expect(await other.decide(from('agent/0'))).toBe('dots')
  expect(await other.decide(from('agent/1'))).toBe('underscores')
  expect(await other.decide(from(`agent/${clientsPerKeyMax}`))).toBe('underscores')
})

test('a gateway holds ten thousand clients at most', async () => {
  const names = listedNames(null)
  for (let each = 0; each < 10_050; each++) await names.decide(handshake(`agent/${each}`, 'my-app'))

  expect(names.size()).toBe(10_000)
  expect(await names.decide(from('agent/0'))).toBe('dots')
  expect(await names.decide(from('agent/10049'))).toBe('underscores')
})

describe('the service', () => {
  const named = (name: string) => initialize({ clientInfo: { name, version: '1' } })
  const list = request('tools/list')
  const namingStage = () => {
    const seen: string[] = []
    const note = ({ caller }: Exchange) => void seen.push(caller.naming)
    const stage = mcpStage({
      listTools: (exchange) => (note(exchange), []),
      instructions: async (exchange) => (note(exchange), ''),
    })
    return { stage, seen }
  }

  test.each([
    ['claude-ai (via mcp-remote 0.1.37)', 'underscores'],
    ['my-app', 'underscores'],
    ['mcp-inspector', 'dots'],
  ])('knows %s by a session id that any replica understands', async (name, naming) => {
    const one = namingStage()
    const other = namingStage()

    const { headers } = await one.stage.post(named(name))
    await other.stage.post(list, { 'mcp-session-id': String(headers['mcp-session-id']) })

    expect(headers['mcp-session-id']).toMatch(/^[\u{21}-\u{7e}]+$/u)
    expect([...one.seen, ...other.seen]).toEqual([naming, naming])
  })

  test('is told the client by each message of 2026-07-28, which has no sessions', async () => {
    const { stage, seen } = namingStage()
    const of = (name: string) => ({ _meta: { 'io.modelcontextprotocol/clientInfo': { name, version: '1' } } })

    await stage.postModern('tools/list', of('cursor-vscode'))
    await stage.postModern('tools/list', of('mcp-inspector'))
    const { headers } = await stage.postModern('tools/list')

    expect(seen).toEqual(['underscores', 'dots', 'dots'])
    expect(headers['mcp-session-id']).toBeUndefined()
  })

  test('goes by what the gateway has decided, by a header of the caller where it has not, and lists dots else', async () => {
    const { stage, seen } = namingStage()
    const decided = { 'x-internal-tool-names': 'dots', 'x-mcp-tool-names': 'underscore' }

    await stage.post(named('cursor-vscode'), decided)
    await stage.post(named('cursor-vscode'), { 'x-mcp-tool-names': 'dot' })
    await stage.post(list, { 'x-mcp-tool-names': 'underscore' })
    await stage.post(list)
    await stage.post(list, { 'mcp-session-id': 'somebody-elses' })

    expect(seen).toEqual(['dots', 'dots', 'underscores', 'dots', 'dots'])
  })
})
