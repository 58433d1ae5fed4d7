import fc from 'fast-check'
import { expect, test } from 'vitest'
import { depthMax, jsonFlaw } from '../../../service/text/json-depth-and-duplicates.ts'
import { listItemsMax } from '#contract/operation.ts'

const pointerOf = (text: string): unknown => jsonFlaw(text)?.members.errors?.[0]?.pointer

test.each([
  ['{"a":1,"a":2}', '/a'],
  ['{"a":1, "b":{}, "a" : 2}', '/a'],
  ['{"a":1,"\\u0061":2}', '/a'],
  ['{"x":[{},{"b":{"c":1,"c":1}}]}', '/x/1/b/c'],
  ['[1,{"a/b~c":1,"a/b~c":1}]', '/1/a~1b~0c'],
  ['{"":1,"":2}', '/'],
  ['{"\u00e9":1,"e\u0301":2}', '/\u00e9'],
  ['{"a\\"":1,"a\\"":2}', '/a"'],
])('in %s a name stands twice', (text, pointer) => {
  expect(jsonFlaw(text)?.code).toBe('invalid_json')
  expect(pointerOf(text)).toBe(pointer)
})

test.each([
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
  '{"a":"a","b":"a"}',
  '{"a":"\\",\\"a\\":1","A":2}',
  '{"a":"[[[[{{{{:,:,"}',
  '["a","a"]',
  '{"a\\\\":1,"a":2}',
])('in %s none does', (text) => {
  expect(jsonFlaw(text)).toBeNull()
})

test('`__proto__` is refused as a name, however it is written', () => {
  for (const text of ['{"a":{"__proto__":1}}', '{"a":{"\\u005f_proto__":{}}}']) {
    expect(jsonFlaw(text)?.code).toBe('invalid_json')
    expect(pointerOf(text)).toBe('/a/__proto__')
  }
  expect(jsonFlaw('{"a":"__proto__","constructor":1}')).toBeNull()
})

test('nesting is taken up to the bound, brackets in strings do not count', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

  expect(jsonFlaw(nested(depthMax))).toBeNull()
  expect(jsonFlaw(`{"a":"${'['.repeat(100)}"}`)).toBeNull()
  expect(jsonFlaw(nested(depthMax + 1))?.code).toBe('invalid_json')
  expect(jsonFlaw('{"a":'.repeat(10_000))?.code).toBe('invalid_json')
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
    expect(jsonFlaw(start + made(listItemsMax) + end)).toBeNull()
    const flaw = jsonFlaw(start + made(listItemsMax + 1) + end)
    expect(flaw).toMatchObject({ code: 'too_many_items', status: 413 })
    expect(flaw?.members.errors).toEqual([
      { pointer, code: 'too_long', detail: `Has more than ${listItemsMax} ${held}.` },
    ])
  }
})

test('whatever JSON.stringify makes has no flaw', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(jsonFlaw(JSON.stringify(value))).toBeNull()
    }),
  )
})

test('any name that is said twice is found, wherever it stands', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (name, one, other) => {
      const quoted = JSON.stringify(name)

      const text = `[${JSON.stringify(one)},{${quoted}:${JSON.stringify(other)},"other${name.length}":0,${quoted}:1}]`

      expect(jsonFlaw(text)?.code).toBe('invalid_json')
    }),
  )
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
      expect(jsonFlaw(text)?.code).toBe(saysTwice ? 'invalid_json' : undefined)
    }),
    { numRuns: 500 },
  )
  expect(twice).toBeGreaterThan(50)
  expect(twice).toBeLessThan(450)
})

test('text that is no JSON is passed over, and what stands behind it is looked at all the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('\\', ':', ',', '}', ']', 'a', '""', '"{"') }), (junk) => {
      expect(jsonFlaw(junk)).toBeNull()
      expect(pointerOf(`${junk}{"z":1,"z":2}`)).toBe('/z')
    }),
  )
})

test.each([
  ['"\\', null, null],
  ['"', null, null],
  ['\\"', null, null],
  ['{}', null, null],
  ['[', null, 'invalid_json'],
  [':', null, null],
  ['{"":[', null, 'invalid_json'],
  [',', null, null],
])('a mebibyte of %s is read once', (piece, inString, alone) => {
  const many = piece.repeat(Math.ceil(2 ** 20 / piece.length))
  // A pass that looks back further than one string would take hours here.
  const codes = [jsonFlaw(`{"a":"${many}`), jsonFlaw(many)].map((flaw) => flaw?.code ?? null)
  expect(codes).toEqual([inString, alone])
})

test('a pointer into what is deep and has long names is cut at a step', () => {
  const name = `${'~'.repeat(190)}end`
  const text = `${`{"${name}":`.repeat(depthMax - 1)}{"a":1,"a":2`

  const pointer = String(pointerOf(text))

  expect(pointer.length).toBeLessThan(2_001)
  expect(pointer).toMatch(/^(?:\/(?:~0){190}end)+$/)
})
