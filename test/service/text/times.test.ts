import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inUtc, isDay, isTime, lacksPlus, timeError } from '../../../service/text/times.ts'

const two = (number: number): string => String(number).padStart(2, '0')
const moment = fc.date({ min: new Date('0001-01-03'), max: new Date('9999-12-29'), noInvalidDate: true })
const offset = fc
  .tuple(fc.constantFrom('+', '-'), fc.integer({ max: 23, min: 0 }), fc.integer({ max: 59, min: 0 }))
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
