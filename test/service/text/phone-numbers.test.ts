import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPhoneNumber, normalizePhone, phoneForms } from '../../../service/text/phone-numbers.ts'

test.each([
  ['DE', '+49301234', ['+49 30 1234', '0301234', '(030) 1234', '+49 (0)30 1234', '0049 30/1234', 'tel:+49-30-1234']],
  ['DE', '+49301234', ['٠٣٠ ١٢٣٤', '０３０－１２３４', 'Zentrale: 030 1234']],
  [null, '+49301234', ['+49 30 1234', '00 49 30 1234']],
  [null, '0301234', ['030 1234', '(030) 1234', '𝟘𝟛𝟘𝟙𝟚𝟛𝟜']],
  ['IT', '+39061234567', ['06 1234567', '+39 06 1234567']],
  ['AR', '+5491123456789', ['011 15 2345-6789', '+54 9 11 2345 6789']],
  ['US', '+49301234', ['011 49 30 1234']],
  ['US', '+12125550100;ext=12', ['(212) 555-0100 x12', '+1 212 555 0100 ext. 12', '212-555-0100;ext=12']],
  ['DE', '99912', ['+999 12']],
  ['DE', '1', ['1']],
  // Has no numbers of its own.
  ['AQ', '0301234', ['030 1234']],
  ['DE', 'n/a', ['N/A ']],
])('of %s, %s is how each notation is compared', (country, normalized, notations) => {
  expect(notations.map((each) => normalizePhone(each, country))).toEqual(notations.map(() => normalized))
})

test('a number with an extension is found with it and without it; any other in one form', () => {
  expect(phoneForms('030 1234 ext. 5', 'DE')).toEqual(['+49301234', '+49301234;ext=5'])
  expect(phoneForms('030 1234', 'DE')).toEqual(['+49301234'])
})

test('what people type is a number, words and dates in words are none', () => {
  const numbers = ['110', '+49 30 1234', '(030) 1234', '0049-30-1234', '٠٣٠١٢٣٤', '212.555.0100 x12', '030/1234 #5']
  const others = ['', '+', '1', 'acme', '030 1234 Ada', '1-800-FLOWERS', 'room 12', '12 May', '12:30', '1,5']

  expect(numbers.filter((each) => !isPhoneNumber(each))).toEqual([])
  expect(others.filter(isPhoneNumber)).toEqual([])
})

test('a number of digits with blanks and signs anywhere is the number without them, in every country', () => {
  const digits = fc.stringMatching(/^[0-9]{6,11}$/)
  const signs = fc.array(fc.constantFrom('', ' ', '-', '.', ' '), { minLength: 11, maxLength: 11 })
  fc.assert(
    fc.property(digits, signs, fc.constantFrom('DE', 'US', 'FR', 'IN', 'BR', 'JP', null), (plain, between, country) => {
      const typed = Array.from(plain, (digit, at) => digit + (between[at] ?? '')).join('')

      expect(normalizePhone(typed, country)).toBe(normalizePhone(plain, country))
    }),
  )
})
