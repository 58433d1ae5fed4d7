import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import { listItemsMax } from '#contract/operation.ts'
import { canonicalHash, canonicalJson } from '../../../service/text/json.ts'
import { UnreadableItem, depthMax, jsonFault, parseJson } from '../../../service/text/parse-json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

test('valid JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parse(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('what is not UTF-8 is refused: it would be stored as something else', () => {
  const continuation = [0x80]
  const overlongSlash = [0xc0, 0xaf]
  const surrogate = [0xed, 0xa0, 0x80]
  const latin1 = [0xe9]
  const cutShort = [0xe2, 0x82]

  for (const bytes of [continuation, overlongSlash, surrogate, latin1, cutShort])
    expect(() => parseJson(Buffer.from([0x22, ...bytes, 0x22]))).toThrow('not UTF-8')
})

test.each([
  ['not valid', ['{', '{"a":1,}', "{'a':1}", 'NaN', '01', '"\t"', '{}{}', '\u00a0{}', '[1,]', '"\\x"', 'undefined']],
  ['byte order mark', ['\ufeff{}']],
  ['/a: Stands twice', ['{"a":1,"a":1}']],
  ['nested deeper than 64', ['['.repeat(10_000) + ']'.repeat(10_000)]],
  ['/__proto__: This name is not taken', ['{"__proto__":{"isAdmin":true}}']],
])('what is refused is told: %s', (said, texts) => {
  for (const text of texts) expect(() => parse(text)).toThrow(said)
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
  '%#: an item that could only be read by guessing is set apart, the rest is read',
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

  const { texts, dataTexts } = items[0]
  expect([{ ...texts }, { ...dataTexts }]).toEqual([{ id: '1' }, { externalId: '7' }])
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

const pointerOf = (text: string): unknown => jsonFault(text)?.members.errors?.[0]?.pointer

test.each([
  ['/a', ['{"a":1,"a":2}', '{"a":1, "b":{}, "a" : 2}', '{"a":1,"\\u0061":2}']],
  ['/x/1/b/c', ['{"x":[{},{"b":{"c":1,"c":1}}]}']],
  ['/1/a~1b~0c', ['[1,{"a/b~c":1,"a/b~c":1}]']],
  ['/', ['{"":1,"":2}']],
  ['/\u00e9', ['{"\u00e9":1,"e\u0301":2}']],
  ['/a"', ['{"a\\"":1,"a\\"":2}']],
  ['/a/__proto__', ['{"a":{"__proto__":1}}', '{"a":{"\\u005f_proto__":{}}}']],
])('at %s a name stands twice, or is not taken: %j', (pointer, texts) => {
  for (const text of texts) expect([jsonFault(text)?.code, pointerOf(text)]).toEqual(['invalid_json', pointer])
})

test('no name stands twice in other objects, in text, in another case or after a backslash', () => {
  const inOthers = '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}'
  const inText = ['["a","a"]', '{"a":"a","b":"a"}', '{"a":"\\",\\"a\\":1","A":2}', '{"a":"[[[[{{{{:,:,"}']

  for (const text of [inOthers, ...inText, '{"a\\\\":1,"a":2}', '{"a":"__proto__","constructor":1}'])
    expect(jsonFault(text)).toBeNull()
})

test('nesting is taken up to the bound, brackets in strings do not count', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

  expect(jsonFault(nested(depthMax))).toBeNull()
  expect(jsonFault(`{"a":"${'['.repeat(100)}"}`)).toBeNull()
  expect(jsonFault(nested(depthMax + 1))?.code).toBe('invalid_json')
  expect(jsonFault('{"a":'.repeat(10_000))?.code).toBe('invalid_json')
})

const listOf = (items: number) => `[${Array(items).fill('","').join()}]`
const objectOf = (members: number) => `{${Array.from({ length: members }, (_, at) => `"a,${at}":[1,2]`).join()}}`

test.each([
  ['a list', listOf, 'items'],
  ['an object', objectOf, 'members'],
])('%s is taken up to the bound, wherever it stands', (_what, made, held) => {
  for (const [start, end, pointer] of [
    ['', '', ''],
    ['{"a":[1,', ',2]}', '/a/1'],
  ] as const) {
    expect(jsonFault(start + made(listItemsMax) + end)).toBeNull()
    const flaw = jsonFault(start + made(listItemsMax + 1) + end)
    expect(flaw).toMatchObject({ code: 'too_many_items', status: 413 })
    expect(flaw?.members.errors).toEqual([
      { pointer, code: 'too_long', detail: `Must have at most ${listItemsMax} ${held}.` },
    ])
  }
})

type Tree = { readonly text: string; readonly saysTwice: boolean }

/** JSON as it may be written, with few names, so that some stand twice; one of them can be written in two ways. */
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('1', '"a"', '"{\\"a\\":[,"', 'null').map((text): Tree => ({ text, saysTwice: false })),
    fc.array(tie('tree'), { maxLength: 3 }).map((items) => ({
      text: `[${items.map(({ text }) => text).join(' , ')}]`,
      saysTwice: items.some(({ saysTwice }) => saysTwice),
    })),
    fc
      .array(fc.tuple(fc.constantFrom('a', '\\u0061', 'b', 'a:', ''), tie('tree')), { maxLength: 4 })
      .map((members) => ({
        text: `{${members.map(([name, { text }]) => `"${name}" : ${text}`).join(',')}}`,
        saysTwice:
          new Set(members.map(([name]) => JSON.parse(`"${name}"`) as string)).size < members.length ||
          members.some(([, { saysTwice }]) => saysTwice),
      })),
  ),
}))

test('a text is refused just where one of its objects says a name twice', () => {
  let twice = 0
  fc.assert(
    fc.property(tree, ({ text, saysTwice }) => {
      twice += Number(saysTwice)
      expect(jsonFault(text)?.code).toBe(saysTwice ? 'invalid_json' : undefined)
    }),
    { numRuns: 500 },
  )
  expect(twice).toBeGreaterThan(50)
  expect(twice).toBeLessThan(450)
})

test('text that is no JSON is passed over, and what stands behind it is looked at all the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('\\', ':', ',', '}', ']', 'a', '""', '"{"') }), (junk) => {
      expect(jsonFault(junk)).toBeNull()
      expect(pointerOf(`${junk}{"z":1,"z":2}`)).toBe('/z')
    }),
  )
})

test('a mebibyte of whatever opens, closes or parts is read once', () => {
  const many = (piece: string) => piece.repeat(Math.ceil(2 ** 20 / piece.length))
  const pieces = ['"\\', '"', '\\"', '{}', ':', ',']

  // A pass that looks back further than one string would take hours here.
  for (const piece of pieces) expect([jsonFault(`{"a":"${many(piece)}`), jsonFault(many(piece))]).toEqual([null, null])
  for (const piece of ['[', '{"":['])
    expect([jsonFault(`{"a":"${many(piece)}`), jsonFault(many(piece))?.code]).toEqual([null, 'invalid_json'])
})

test('a pointer into what is deep and has long names is cut at a step', () => {
  const name = `${'~'.repeat(190)}end`
  const text = `${`{"${name}":`.repeat(depthMax - 1)}{"a":1,"a":2`

  const pointer = String(pointerOf(text))

  expect(pointer.length).toBeLessThan(2_001)
  expect(pointer).toMatch(/^(?:\/(?:~0){190}end)+$/)
})

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).map(([name, inner]) => [name, reversed(inner)])
  return Object.fromEntries(members.toReversed())
}

test('of the canonical form the order of names makes no difference, at any depth', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalHash(reversed(value))).toEqual(canonicalHash(value))
    }),
  )
})

test('its names are sorted, numbers first as in any object, and what JSON leaves out is left out', () => {
  const value = { b: [{ z: 1, a: undefined }, undefined], '10': 'x', a: null, '9': new Date(0) }

  expect(canonicalJson(value)).toBe('{"9":"1970-01-01T00:00:00.000Z","10":"x","a":null,"b":[{"z":1},null]}')
})

test('the order of items and any other value make a difference to it', () => {
  expect(canonicalHash([1, 2])).not.toEqual(canonicalHash([2, 1]))
  expect(canonicalHash({ a: 1 })).not.toEqual(canonicalHash({ a: '1' }))
  expect(canonicalHash({ a: null })).not.toEqual(canonicalHash({}))
})
