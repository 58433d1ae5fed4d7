// What is found in one item of a batch is that item’s alone, over HTTP and in `objects.bulk`.
import { expect, test } from 'vitest'
import { listItemsMax } from '#contract/operation.ts'
import { describeMode, must, sharedSystem } from '../support/system.ts'
import { sendBytes, told, toldEach, type Body } from './calls.ts'

type Row = readonly [name: string, text: string, code: string, pointer: string]

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const long = JSON.stringify(Array.from({ length: listItemsMax + 1 }, () => 'x'))

/** Each is one member of `data`: what is wrong with it, its code, and where. The unit tests of JSON have more. */
const rows: readonly Row[] = [
  ['a control character', '"description":"a\\u0000b"', 'validation_failed', '/data/description'],
  ['a control character in a name', '"a\\u0000b":1', 'validation_failed', '/data/a\0b'],
  ['a number that is infinite', '"customFields":{"a":1e400}', 'validation_failed', '/data/customFields/a'],
  ['`__proto__` as a name', '"__proto__":{"a":1}', 'invalid_json', '/data/__proto__'],
  ['a name that stands twice', '"labels":[],"labels":["a"]', 'invalid_json', '/data/labels'],
  ['what is nested too deep', `"customFields":${nested(100)}`, 'invalid_json', '/data/customFields'],
  ['a list that is too long', `"labels":${long}`, 'too_many_items', '/data/labels'],
  ['an unknown field', '"nmae":"x"', 'unknown_field', '/data/nmae'],
]

/** The same of what an item holds beside its data. */
const items: readonly Row[] = [
  ['an unknown action', '{"action":"merge","data":{"name":"x"}}', 'validation_failed', '/action'],
  ['`__proto__` beside data', '{"action":"create","__proto__":{},"data":{"name":"x"}}', 'invalid_json', '/__proto__'],
  ['null', 'null', 'validation_failed', ''],
  ['a deep list', nested(100), 'invalid_json', ''],
]

const all = [
  ...rows.map(([name, member, ...found]): Row => {
    return [name, `{"action":"create","data":{"name":"x",${member}}}`, ...found]
  }),
  ...items,
]

describeMode('an item of a batch', 'standalone', () => {
  const by = sharedSystem('standalone')
  const send = (...sent: [path: string, body: string, more?: object]) => sendBytes(by, ...sent)
  const batch = (texts: readonly string[], more = '') =>
    send('/api/v1/projects/batch', `{${more}"items":[${texts.join()}]}`)
  const rpc = (texts: readonly string[], id = 1): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"objects.bulk","arguments":{"type":"projects","items":[${texts.join()}]}}}`
  const good = (name: string): string => `{"action":"create","data":{"name":"${name}"}}`

  test('is refused alone in `objects.bulk` as well, in a batch of messages too', async () => {
    const texts = all.flatMap(([, text], at) => [text, good(`after ${at}`)])

    const { outcomes, done } = must(await send('/api/mcp', rpc(texts))).result.structuredContent
    expect(done).toBe(all.length)
    expect(outcomes.map(({ ok }: Body) => ok)).toEqual(texts.map((_text, at) => at % 2 === 1))
    const pair = `[${rpc([all[3]![1], good('x')])},${rpc([good('y')], 2)}]`
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
