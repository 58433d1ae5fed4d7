// What is found in one item of a batch is that item's alone, over HTTP and in `objects.bulk`: imported rows hold
// anything.
import { expect, test } from 'vitest'
import { listItemsMax } from '#contract/operation.ts'
import { describeMode, must, sharedSystem, type Answer } from '../support/system.ts'
import { callsOf, told, toldEach, type Body } from './calls.ts'

type Row = readonly [name: string, text: string, code: string, pointer: string]

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const long = JSON.stringify(Array.from({ length: listItemsMax + 1 }, () => 'x'))
const wide = JSON.stringify(Object.fromEntries(Array.from({ length: listItemsMax + 1 }, (_, at) => [`n${at}`, 1])))

/** Each is one member of `data`: what is wrong with it, its code, and where in the item it stands. */
const rows: readonly Row[] = [
  ...['\\u0000', '\\u000b', '\\u000c', '\\u001b', '\\u007f', '\\ud83d', '\\ude00\\ud83d'].map((unit): Row => {
    return [`${unit} in text`, `"description":"a${unit}b"`, 'validation_failed', '/data/description']
  }),
  ['a control character in a name', '"a\\u0000b":1', 'validation_failed', '/data/a\0b'],
  ['the number 2^53 + 1', '"customFields":{"a":9007199254740993}', 'validation_failed', '/data/customFields/a'],
  ['a number that is infinite', '"customFields":{"a":1e400}', 'validation_failed', '/data/customFields/a'],
  ['`__proto__` as a name', '"__proto__":{"a":1}', 'invalid_json', '/data/__proto__'],
  ['`__proto__` further down', '"customFields":{"\\u005f_proto__":1}', 'invalid_json', '/data/customFields/__proto__'],
  ['`constructor` with `prototype`', '"constructor":{"prototype":1}', 'validation_failed', '/data/constructor'],
  ['a name that stands twice', '"labels":[],"labels":["a"]', 'invalid_json', '/data/labels'],
  ['a name in two spellings', '"\\u00e9":1,"e\\u0301":2', 'invalid_json', '/data/\u00e9'],
  ['what is nested too deep', `"customFields":${nested(100)}`, 'invalid_json', '/data/customFields'],
  ['a list that is too long', `"labels":${long}`, 'too_many_items', '/data/labels'],
  ['an object with too many members', `"customFields":${wide}`, 'too_many_items', '/data/customFields'],
  ['text that is too long', `"name":"${'x'.repeat(3_000)}"`, 'validation_failed', '/data/name'],
  ['an unknown field', '"nmae":"x"', 'unknown_field', '/data/nmae'],
]

/** The same of what an item holds beside its data. */
const items: readonly Row[] = [
  ['an unknown action', '{"action":"merge","data":{"name":"x"}}', 'validation_failed', '/action'],
  ['no action', '{"data":{"name":"x"}}', 'validation_failed', '/action'],
  ['an unknown member', '{"action":"create","more":1,"data":{"name":"x"}}', 'unknown_field', '/more'],
  ['data that is no object', '{"action":"create","data":["x"]}', 'validation_failed', '/data'],
  ['an id that is too long', `{"action":"delete","id":"${'x'.repeat(2_000)}"}`, 'validation_failed', '/id'],
  ['no version', '{"action":"delete","id":"WEB","expectedVersion":0}', 'validation_failed', '/expectedVersion'],
  ['`__proto__` beside data', '{"action":"create","__proto__":{},"data":{"name":"x"}}', 'invalid_json', '/__proto__'],
  ['null', 'null', 'validation_failed', ''],
  ['text', '"create"', 'validation_failed', ''],
  ['a deep list', nested(100), 'invalid_json', ''],
]

const all = [
  // The last of two equal names would win: the name that is tested is the only one.
  ...rows.map(([name, member, ...found]) => {
    const data = member.startsWith('"name"') ? member : `"name":"x",${member}`
    return [name, `{"action":"create","data":{${data}}}`, ...found] as const
  }),
  ...items,
]

describeMode('an item of a batch', 'standalone', () => {
  const { system, tenant } = sharedSystem('standalone')

  /** The very bytes, which no JSON.stringify has tidied. */
  async function send(path: string, body: string, more: object = {}): Promise<Answer> {
    const headers = { authorization: `Bearer ${tenant.secret}`, 'content-type': 'application/json', ...more }
    const response = await fetch(system.url + path, { method: 'POST', headers, body })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const batch = (texts: readonly string[], more = '') =>
    send('/api/v1/projects/batch', `{${more}"items":[${texts.join()}]}`)
  const rpc = (texts: readonly string[], id = 1): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"objects.bulk","arguments":{"type":"projects","items":[${texts.join()}]}}}`
  const good = (name: string): string => `{"action":"create","data":{"name":"${name}"}}`

  test('is refused alone in `objects.bulk` as well, in a batch of messages too', async () => {
    const texts = all.flatMap(([, text], at) => [text, good(`after ${at}`)])

    for (const part of [texts.slice(0, 26), texts.slice(26, 50), texts.slice(50)]) {
      const { outcomes, done } = must(await send('/api/mcp', rpc(part))).result.structuredContent
      expect(done).toBe(part.length / 2)
      expect(outcomes.map(({ ok }: Body) => ok)).toEqual(part.map((_text, at) => at % 2 === 1))
    }
    const pair = `[${rpc([all[10]![1], good('x')])},${rpc([good('y')], 2)}]`
    const two = must(await send('/api/mcp', pair, { 'mcp-protocol-version': '2025-03-26' }))
    expect(two.map(({ result }: Body) => result.structuredContent ?? result.content[0].text)).toMatchObject([
      expect.stringMatching(/^Done: 1\. Refused: 1\.\n- 0 create: invalid_json/),
      expect.stringMatching(/^Done: 1\. Refused: 0\./),
    ])
  })

  test.each(all)('has its code and place in a batch of its own: %s', async (_name, text, code, pointer) => {
    const [first, second] = must(await batch([text, good('x')])).results

    expect(first.problem).toMatchObject({ code, errors: [{ pointer: expect.stringContaining(`/items/0${pointer}`) }] })
    expect([first.index, second.index, second.status]).toEqual([0, 1, 201])
  })

  test('in an atomic batch takes all with it, and is named', async () => {
    const answer = await batch([good('never'), '{"action":"create","data":{"name":"a\\u000bb"}}'], '"atomic":true,')

    expect(told(answer)).toBe('422 batch_failed')
    expect(toldEach(answer.body.results)).toEqual(['422 validation_failed /items/1/data/name wrong_format'])
  })

  test('that is refused names the object by the id that its caller gave it, and so does one that deletes', async () => {
    const own = '"externalSource":"erp","externalId":"7"'
    const texts = [
      `{"action":"create","data":{${own},"name":"a\\u0000b"}}`,
      `{"action":"create","data":{${own},"name":"a","name":"b"}}`,
      `{"action":"upsert",${own},"data":{"name":""}}`,
      `{"action":"merge",${own}}`,
      `{"action":"create","data":{"externalSource":7,"externalId":"${'x'.repeat(2_000)}"}}`,
      `{"action":"upsert",${own},"data":{"name":"Kept"}}`,
      `{"action":"delete",${own}}`,
    ]

    const { results } = must(await batch(texts))
    const { outcomes } = must(await send('/api/mcp', rpc(texts.slice(0, 4)))).result.structuredContent

    const named = { externalSource: 'erp', externalId: '7' }
    for (const at of [0, 1, 2, 3, 6]) expect(results[at], String(at)).toMatchObject(named)
    for (const at of [4, 5]) expect(results[at]).not.toHaveProperty('externalId')
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: false, ...named })
  })

  test('that names an object by its caller’s own id changes, deletes and restores that one', async () => {
    const { call, post } = callsOf(tenant)
    const own = { externalSource: 'erp', externalId: 'Gro\u0308\u00dfe' }
    const made = must(await call('PUT', '/projects/by-external-id/erp/Gr%C3%B6%C3%9Fe', { name: 'Ours' }))
    const items = [
      { action: 'update', data: { name: 'Renamed' }, expectedVersion: 1 },
      { action: 'delete', expectedVersion: 1 },
      { action: 'delete', expectedVersion: 2 },
      { action: 'delete' },
      { action: 'restore' },
      { action: 'restore' },
    ].map((item) => ({ ...item, ...own }))

    const { results } = await post('/projects/batch', { items })

    expect(toldEach(results)).toEqual(['200', '412 version_mismatch', '200', '200', '200', '409 not_deleted'])
    const [renamed, stale, deleted, , restored] = results
    const { id, externalId } = made
    expect(renamed.data).toMatchObject({ id, externalId, name: 'Renamed', version: 2 })
    expect([stale.problem.currentVersion, deleted.data]).toEqual([2, null])
    expect([deleted, restored.data]).toMatchObject([own, { id, deletedAt: null }])
  })

  test.each([
    ['text that is no JSON beside a flaw', '{"action":"create","data":{"__proto__":{},"name":x}}', 400, 'invalid_json'],
    ['far too many items', Array.from({ length: 1_001 }, () => '{}').join(), 413, 'too_many_items'],
    ['a list of items that stands twice', '{"__proto__":1}],"items":[{}', 400, 'invalid_json'],
  ])('cannot answer for the whole body: %s refuses the call', async (_name, text, status, code) => {
    expect(await batch([good('never'), text])).toMatchObject({ status, body: { code } })
  })

  test('is told apart in batches alone: elsewhere a body is refused as a whole', async () => {
    expect(await send('/api/v1/projects', '{"name":"x","items":[{"__proto__":1}]}')).toMatchObject({
      status: 400,
      body: { code: 'invalid_json', errors: [{ pointer: '/items/0/__proto__' }] },
    })
  })
})
