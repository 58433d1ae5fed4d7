// Codes of countries and currencies: what real data has, and what only looks like a code.

import { expect, test } from 'vitest'
import { countryMessage, isCountry, isCurrency, minorUnitsOf } from '../../../service/validation/string-formats.ts'

test('every code of ISO 3166-1 is a country, and so is XK', () => {
  const codes = ['DE', 'GB', 'US', 'TW', 'AX', 'SS', 'BQ', 'XK']

  expect(codes.filter((code) => !isCountry(code))).toEqual([])
})

test('codes that are reserved, unknown, for all of a union or not in capitals are no countries', () => {
  const codes = ['UK', 'EL', 'ZZ', 'EU', 'UN', 'AA', 'SU', 'AN', 'de', 'D', '']

  expect(codes.filter(isCountry)).toEqual([])
})

test('who sends UK or EL is told which code is meant', () => {
  expect(countryMessage('UK')).toContain('send GB')
  expect(countryMessage('EL')).toContain('send GR')
  expect(countryMessage('ZZ')).not.toContain('send')
})

test('currencies are those in use, those that old data has, and no metals, tests or absence of one', () => {
  const currencies = ['EUR', 'VED', 'VES', 'XCG', 'XOF', 'CLF', 'SLE', 'HRK']
  const none = ['XXX', 'XTS', 'XAU', 'BTC', 'eur', 'ZZZ', '']

  expect(currencies.filter((code) => !isCurrency(code))).toEqual([])
  expect(none.filter(isCurrency)).toEqual([])
})

test('minor units are those of the standard, not of how amounts are usually shown', () => {
  const codes = ['JPY', 'EUR', 'IDR', 'IQD', 'KWD', 'CLF', 'XAF', 'XCG']

  expect(codes.map(minorUnitsOf)).toEqual([0, 2, 2, 3, 3, 4, 0, 2])
})
