import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import { UnreadableItem, parseJson } from '../../../service/text/parse-json.ts'
import { listItemsMax } from '#contract/operation.ts'

const parse = (text: string) => parseJson(Buffer.from(text))
const bytes = (...given: number[]): Buffer => Buffer.from([0x22, ...given, 0x22])

test('valid JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parse(text)).toEqual(JSON.parse(text))
    }),
  )
})

test.each([
  ['a lone continuation byte', bytes(0x80)],
  ['an overlong slash', bytes(0xc0, 0xaf)],
  ['a surrogate in three bytes', bytes(0xed, 0xa0, 0x80)],
  ['Latin-1', bytes(0xe9)],
  ['a character cut short', bytes(0xe2, 0x82)],
])('%s is refused: it would be stored as something else', (_name, body) => {
  expect(() => parseJson(body)).toThrow('not UTF-8')
})

test('a byte order mark is refused by name', () => {
  expect(() => parse('\ufeff{}')).toThrow('byte order mark')
})

test.each(['{', '{"a":1,}', "{'a':1}", 'NaN', '01', '"\t"', '{}{}', '\u00a0{}', '[1,]', '"\\x"', 'undefined'])(
  '%j is not JSON',
  (text) => {
    expect(() => parse(text)).toThrow('not valid JSON')
  },
)

test('a name that stands twice and nesting without end are refused', () => {
  expect(() => parse('{"a":1,"a":1}')).toThrow('/a: Stands twice')
  expect(() => parse('['.repeat(10_000) + ']'.repeat(10_000))).toThrow('nested deeper than 64')
})

test('`__proto__` as a name is refused', () => {
  expect(() => parse('{"__proto__":{"isAdmin":true}}')).toThrow('/__proto__: This name is not taken')
})

const places = [
  ['items', '*'],
  ['*', 'params', 'items', '*'],
]
const itemsOf = (text: string) => parseJson(Buffer.from(text), places)

/** Each is one item that can only be read by guessing, and where in it that is. */
const unreadable: readonly (readonly [string, string])[] = [
  ['{"a":1,"a":2}', '/a'],
  ['{"b":[{"__proto__":[1,[2],"]"]}],"c":"}{"}', '/b/0/__proto__'],
  [`[${'['.repeat(200)}${']'.repeat(200)},1]`, '/0/0'],
  [`{"d":[${'0,'.repeat(listItemsMax)}0],"d":1}`, '/d'],
]

test.each(unreadable)(
  '%#: an item that could only be read by guessing is set apart, and the rest is read',
  (item, place) => {
    const { items } = itemsOf(`{"a":[1],"items":[1,${item},{"a":"]"},${item}],"z":[[]]}`) as { items: unknown[] }

    expect(items).toEqual([1, expect.any(UnreadableItem), { a: ']' }, expect.any(UnreadableItem)])
    for (const at of [1, 3]) {
      const [error] = (items[at] as UnreadableItem).fault.members.errors ?? []
      expect(error?.pointer).toMatch(place.startsWith('/0/0') ? /^(?:\/0){20,}$/ : new RegExp(`^${place}$`))
    }
  },
)

test('what it says of itself in plain text is kept', () => {
  const item = '{"id":"1","n":2,"__proto__":"x","data":{"externalId":"7","__proto__":"x","deep":{"a":"b"}}}'

  const { items } = itemsOf(`{"items":[${item}]}`) as { items: [UnreadableItem] }

  expect(items[0]).toMatchObject({ texts: { id: '1' }, dataTexts: { externalId: '7' } })
  expect([...Object.keys(items[0].texts), ...Object.keys(items[0].dataTexts)]).toEqual(['id', 'externalId'])
})

test('any items around one that is set apart are read as JSON reads them', () => {
  const bad = fc.constantFrom(...unreadable.map(([item]) => item))
  const good = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value))
  fc.assert(
    fc.property(fc.array(fc.oneof(good, bad), { maxLength: 8 }), fc.boolean(), (texts, isInCall) => {
      const list = `"items":[${texts.join()}]`

      const body = itemsOf(isInCall ? `[{},{"params":{${list}}}]` : `{${list}}`)

      const holder = isInCall ? (body as { params: unknown }[]).at(-1)?.params : body
      expect((holder as { items: unknown[] } | undefined)?.items).toEqual(
        texts.map((text) =>
          unreadable.some(([item]) => item === text) ? expect.any(UnreadableItem) : (JSON.parse(text) as unknown),
        ),
      )
    }),
  )
})

test.each([
  ['beside the items', '{"a":1,"a":2,"items":[1]}'],
  ['in items that are not where items are', '{"params":{"items":[{"a":1,"a":2}]}}'],
  ['in items that are no list', '{"items":{"0":{"a":1,"a":2}}}'],
  ['in the list of items itself', `{"items":[${'0,'.repeat(listItemsMax)}0]}`],
  ['as a second list of items', '{"items":[{"a":1,"a":2}],"items":[]}'],
  ['in an item, which is no JSON either', '{"items":[{"a":1,"a":2,}]}'],
  ['in an item that does not end', '{"items":[{"a":1,"a":[2}]}'],
])('what is wrong %s refuses the whole text', (_where, text) => {
  expect(() => itemsOf(text)).toThrow(Fault)
})

test('a mebibyte of what is wrong in items is read once', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  // A pass that kept what it skips, or went back for each item, would take minutes here.
  const many = Array.from({ length: 900 }, () => '{"a":1,"a":2}').join()

  const { items } = itemsOf(`{"items":[${many},${deep},{"b":[${deep}]}]}`) as { items: unknown[] }

  expect(items.filter((item) => item instanceof UnreadableItem)).toHaveLength(902)
})
