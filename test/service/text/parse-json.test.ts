import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../../service/text/parse-json.ts'

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
