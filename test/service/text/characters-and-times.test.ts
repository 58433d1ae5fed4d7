import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { foldCase, identityNameError, isLine } from '../../../service/text/characters.ts'
import { inUtc, isDay, isTime, lacksPlus, timeError } from '../../../service/text/times.ts'
import { assertInput } from '../../../service/validation/validate-operation.ts'
import { errorsOf } from '../../support/faults.ts'
import { timePlaces } from '../../support/input-pointers.ts'

test('a line has something in it that can be seen, and nothing that breaks it or turns it around', () => {
  const lines = ['Website', ' kept ', 'a\u00a0b', '日本語', 'שלום\u200f', '🚀', '.', '\u2068Ada\u2069', 'o\u0301']
  const blank = ['', ' ', '\u00a0\u3000', '\u200b\u200d\ufeff']
  const broken = ['a\nb', 'a\tb', 'a\u2028b', 'a\u0085b', 'a\u202eb', '\u001b[31m']

  expect(lines.filter((text) => !isLine(text))).toEqual([])
  expect([...blank, ...broken].filter(isLine)).toEqual([])
})

test('text is folded whatever its case, also where a letter has more forms than two', () => {
  const texts = ['STRASSEN', 'STRAẞE', 'ΟΔΟΣ', 'IĞDIR', 'İzmir']

  expect(texts.map(foldCase)).toEqual(['Straßen', 'strasse', 'οδος', 'iğdır', 'izmir'].map(foldCase))
})

const errorOf = (name: string): string | null => identityNameError(name.normalize('NFC'))

test('names in the scripts of the world, emoji and signs are taken', () => {
  const names = `Ada Lovelace | José Ñandú | O'Brien-Smith | Ng\u0169g\u0129 wa Thiong\u02bco | Łukasz | İpek | Ðức |
    Иван Иванов | Σωκράτης | Հայկ | דוד בן־גוריון | محمد | ނަޝީދު | محمدرضا می\u200cخواهم | علی\u200cاکبر |
    كۆمپانیای ئه\u200cم | श्री\u200d | क्\u200dष | ക്\u200c | ശ്രീ ന്\u200d | සිංහල ශ්\u200dරී | 山田太郎 |
    山田\u3000太郎 | 辻\u{e0100} | 葛\ufe00城 | 김민수 | ᠮᠣᠩᠭᠣᠯ\u180b | ไทย | မြန်မာ | Team 👩\u200d💻 | ❤\ufe0f Ops |
    ©\ufe0f | 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} | 👍🏽 | 🇩🇪 | 1\ufe0f⃣ | μTorrent | Δelta | β-Test |
    Иванов & Smith | SMS-рассылка | Отдел IT | PRостор | Яndex | 100 Ω | a\u00a0b | CI / deploy (prod) №1 |
    <img src=x> | 日本 Inc. | Grup 漢字ABC`.split(/ \|\s+/)

  expect(names).toHaveLength(50)
  expect(names.filter((name) => errorOf(name) !== null)).toEqual([])
})

test.each([
  ['a non-joiner behind a Persian word', 'علی\u200c', 'U+200C'],
  ['two non-joiners in a Persian word', 'می\u200c\u200cخواهم', 'U+200C'],
  ['a joiner at the end of an emoji', '👩\u200d', 'U+200D'],
  ['a selector behind a digit', 'Admin 1\ufe0f', 'U+FE0F'],
  ['a Cyrillic a in a Latin word', '\u0430dmin', 'U+0430'],
  ['a Cyrillic o in the second word', 'Acme C\u043erp', 'U+043E'],
  ['a Latin e in a Cyrillic word', 'Ив\u0061нов', 'U+0418'],
  ['a Greek omicron in a Latin word', 'R\u03bfot', 'U+03BF'],
])('%s is refused, and named', (_what, name, code) => {
  expect(errorOf(name)).toContain(code)
})

test('what is drawn as nothing, or turns the text, is refused wherever it stands in a Latin name, and named', () => {
  const codes = `200b 200c 200d 2060 2062 2064 feff 00ad 034f 115f 180e 3164 2800 fe0f e0020 e0041 e0fff
    061c 200f 202b 202d 202e 2067 2068`.split(/\s+/)
  const letter = fc.constantFrom('a', 'b', 'z', ' ', 'Ö', '9', '-')
  fc.assert(
    fc.property(fc.string({ unit: letter }), fc.constantFrom(...codes), fc.string(), (before, code, after) => {
      const name = before + String.fromCodePoint(Number.parseInt(code, 16)) + after

      expect(identityNameError(name)).toContain(`U+${code.toUpperCase()}`)
    }),
  )
})

const two = (number: number): string => String(number).padStart(2, '0')
const moment = fc.date({ min: new Date('0001-01-03'), max: new Date('9999-12-29'), noInvalidDate: true })
const offset = fc
  .tuple(fc.constantFrom('+', '-'), fc.nat({ max: 23 }), fc.nat({ max: 59 }))
  .map(([sign, hours, minutes]) => `${sign}${two(hours)}:${two(minutes)}`)
const fraction = fc.stringMatching(/^(\.\d{1,9})?$/)
const written = fc
  .tuple(moment, fraction, offset)
  .map(([at, digits, zone]) => `${at.toISOString().slice(0, 19)}${digits}${zone}`)

test('every time is the same moment in UTC, with the digits that it was given', () => {
  fc.assert(
    fc.property(written, (text) => {
      const utc = inUtc(text)

      expect(isTime(text)).toBe(true)
      expect(utc).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/)
      expect(Date.parse(utc)).toBe(Date.parse(text))
      expect(/\.\d+/.exec(utc)?.[0]).toBe(/\.\d+/.exec(text)?.[0])
      expect(inUtc(utc)).toBe(utc)
    }),
  )
})

const clock = '2026-03-29T12:00:00'
/** From 16 hours on, the database’s own reading of offsets ends. */
const offsets = ['00:00', '00:01', '05:45', '15:59', '16:00', '23:59'].flatMap((each) => [`+${each}`, `-${each}`])
const taken = [
  ...offsets.map((given) => clock + given),
  ...['2026-03-29t12:00:00z', '2026-03-29 12:00:00Z', `${clock}.123456789+23:59`, '2024-02-29T23:59:59-23:59'],
  ...['0001-01-01T00:00:00Z', '0001-01-02T00:00:00+23:59', '9999-12-31T23:59:59Z', '9999-12-30T23:59:59.999-23:59'],
]
const refused = [
  ...['2016-12-31T23:59:60Z', '2016-12-31T23:59:60.5+16:00', '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'],
  ...['0000-12-31T23:59:59Z', '2026-02-29T00:00:00Z', `${clock}+24:00`, `${clock}-23:60`, `${clock}+99:99`, clock],
  ...[`${clock}.1234567890Z`, '2026-03-29T24:00:00Z', '2026-03-29', '1774785600', 'infinity', 'now'],
]
const taking = operations.flatMap((operation) =>
  timePlaces(operation.input).map((place) => [`${operation.name} ${place.pointer}`, operation, place] as const),
)

test.each(taking)('%s takes every offset and year, and refuses by name what is no time', (_name, operation, place) => {
  const { pointer, inputWith } = place

  for (const time of taken)
    expect(JSON.stringify(assertInput(operation, inputWith(time)))).toContain(JSON.stringify(inUtc(time)))
  for (const time of refused) {
    const errors = errorsOf(() => assertInput(operation, inputWith(time))) ?? []
    const told = errors.map(({ code, ...at }) => [at.pointer ?? `/${at.parameter}`, code])
    expect([time, told]).toEqual([time, [[pointer, 'wrong_format']]])
  }
})

test('there are operations of each kind that take a time', () => {
  const known = 'tasks.list tasks.count events.list deliveries.list audit-entries.list api-keys.create members.list'
  const names = taking.map(([, { name }]) => name)
  expect(names).toEqual(expect.arrayContaining([...known.split(' '), 'deliveries.replay-many']))
})

test('what is no time stays as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(inUtc(text)).toBe(text)
    }),
  )
  for (const text of ['2026-02-30T00:00:00Z', '2016-12-31T23:59:60Z', '2026-01-01T00:00:00+24:00', '2026-01-01'])
    expect([inUtc(text), isTime(text), isTime(timeError(text))]).toEqual([text, false, false])
})

test('a space is taken for a lost plus sign only where an offset follows', () => {
  expect(['2026-01-31T12:00:00 02:00', '2026-01-31 12:00:00.5 02:00'].every(lacksPlus)).toBe(true)
  expect(['2026-01-31T12:00:00Z', '2026-01-31 12:00:00', 'a 02:00', '2026-01-31 02:00'].some(lacksPlus)).toBe(false)
})

test('a day is one of the calendar', () => {
  expect(['0001-01-01', '2024-02-29', '9999-12-31'].every(isDay)).toBe(true)
  expect(['0000-01-01', '2023-02-29', '2024-02-30', '2024-1-1', '10000-01-01'].some(isDay)).toBe(false)
})
