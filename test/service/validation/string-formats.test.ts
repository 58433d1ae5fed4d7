// Codes of countries and currencies: what real data has, and what only looks like a code.

import { expect, test } from 'vitest'
import { countryMessage, isCountry, isCurrency, minorUnitsOf } from '../../../service/validation/string-formats.ts'

test('every code of ISO 3166-1 is a country, and XK; none that is reserved, unknown, of a union or not in capitals', () => {
  const countries = ['DE', 'GB', 'US', 'TW', 'AX', 'SS', 'BQ', 'XK']
  const others = ['UK', 'EL', 'ZZ', 'EU', 'UN', 'AA', 'SU', 'AN', 'de', 'D', '']

  expect([...countries, ...others].filter(isCountry)).toEqual(countries)
})

test('who sends UK or EL is told which code is meant', () => {
  expect(countryMessage('UK')).toContain('send GB')
  expect(countryMessage('EL')).toContain('send GR')
  expect(countryMessage('ZZ')).not.toContain('send')
})

test('currencies are those in use, those that old data has, and no metals, tests or absence of one', () => {
  const currencies = ['EUR', 'VED', 'VES', 'XCG', 'XOF', 'CLF', 'SLE', 'HRK']
  const others = ['XXX', 'XTS', 'XAU', 'BTC', 'eur', 'ZZZ', '']

  expect([...currencies, ...others].filter(isCurrency)).toEqual(currencies)
})

test('minor units are those of the standard, not of how amounts are usually shown', () => {
  const codes = ['JPY', 'EUR', 'IDR', 'IQD', 'KWD', 'CLF', 'XAF', 'XCG']

  expect(codes.map(minorUnitsOf)).toEqual([0, 2, 2, 3, 3, 4, 0, 2])
})
