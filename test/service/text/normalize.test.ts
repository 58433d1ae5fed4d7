import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalize } from '../../../service/validation/normalize-input.ts'

const flaws = (value: unknown) => normalize(value).flaws.map(({ pointer, code }) => [pointer, code])

test('text comes out in NFC, names too', () => {
  const { value, flaws } = normalize({
    name: 'Cafe\u0301',
    'e\u0301': ['\u212b', { deep: '\u1112\u1161\u11ab' }],
    n: 1,
  })

  expect(value).toEqual({ name: 'Caf\u00e9', '\u00e9': ['\u00c5', { deep: '\ud55c' }], n: 1 })
  expect(flaws).toEqual([])
})

test('any value comes out in NFC, and what was so before is not copied', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { value: once } = normalize(value)

      expect(JSON.stringify(once)).toBe(JSON.stringify(once).normalize('NFC'))
      expect(normalize(once).value).toBe(once)
    }),
  )
})

test('two spellings of one name are refused', () => {
  expect(flaws({ in: { '\u00e9': 1, 'e\u0301': 2 } })).toEqual([['/in', 'not_unique']])
})

test.each([
  ['NUL', '\0', 'U+0000'],
  ['escape', '\u001b', 'U+001B'],
  ['vertical tab', '\v', 'U+000B'],
  ['delete', '\u007f', 'U+007F'],
  ['half a pair', '\ud83d', 'surrogate'],
  ['the other half', '\ude00', 'surrogate'],
])('%s is refused where it stands, in a value and in a name', (_name, character, said) => {
  const { flaws } = normalize({ a: ['ok', `x${character}y`], [`b${character}`]: 1 })

  expect(flaws.map(({ pointer }) => pointer)).toEqual(['/a/1', `/b${character}`])
  for (const { detail } of flaws) expect(detail).toContain(said)
})

test.each(['line\nbreak\r\n\ttab', '\u202eturned\u202c', '\u0085\u0092', '😀👩‍👩‍👧', '\u200f\u200b\ufeff', '\uffff\ufffd'])(
  '%j is taken',
  (text) => {
    expect(normalize(text)).toEqual({ value: text.normalize('NFC'), flaws: [] })
  },
)

test.each([
  ['9007199254740993', 'too_large'],
  ['-9007199254740993', 'too_small'],
  ['9007199254740992', 'too_large'],
  ['1e400', 'too_large'],
  ['-1e400', 'too_small'],
  ['123456789012345678901234567890.5', 'too_large'],
])('the number %s is refused: it would be read as another', (number, code) => {
  expect(flaws(JSON.parse(`{"n":[${number}]}`))).toEqual([['/n/0', code]])
})

test.each(['9007199254740991', '-9007199254740991', '0.1', '-0', '1e15', '5e-324'])(
  'the number %s is taken',
  (number) => {
    expect(flaws(JSON.parse(number))).toEqual([])
  },
)

test.each([
  ['{"customFields":{"__proto__":{"isAdmin":true}}}', '/customFields/__proto__'],
  ['{"constructor":{"prototype":{"isAdmin":true}}}', '/constructor'],
])('%s is refused, and changes no prototype', (text, pointer) => {
  expect(flaws(JSON.parse(text))).toEqual([[pointer, 'wrong_format']])
  expect('isAdmin' in {}).toBe(false)
})

test('`constructor` alone is a name', () => {
  expect(flaws({ constructor: 'Ada', prototype: 1 })).toEqual([])
})

test('twenty flaws are named, the rest is left', () => {
  expect(flaws(Array.from({ length: 100 }, () => '\0')).length).toBe(20)
})
