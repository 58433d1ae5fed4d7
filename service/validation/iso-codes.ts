// Countries of ISO 3166-1 and currencies of ISO 4217: which codes there are, and what is said of one that is none.
import { data as currencyList } from 'currency-codes'
import { iso31661 } from 'iso-3166/1.js'

/** Kosovo has no code of the standard's own; XK is what banks, customs and the European Union write. */
const countries = new Set([...iso31661.map(({ alpha2 }) => alpha2), 'XK'])

/** Codes that are used for a country elsewhere. */
const meantInstead: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' }

const platformCurrencies = Intl.supportedValuesOf('currency')
/** Units of account, for which the standard has no minor unit and the list says 0. */
const unitsOfAccount = new Set(['XDR', 'XSU', 'XUA'])

/**
 * The minor unit of each currency, in digits after the point. The list lacks what the standard has been given since, and
 * what old data still has, which the platform knows. Metals, tests and "no currency" (X…) are no money.
 */
const minorUnits = new Map([
  ...platformCurrencies.map((code): [string, number] => [code, 2]),
  ...currencyList
    .filter(({ code }) => !code.startsWith('X') || (platformCurrencies.includes(code) && !unitsOfAccount.has(code)))
    .map(({ code, digits }): [string, number] => [code, digits]),
])

export const isCountry = (code: string): boolean => countries.has(code)
export const isCurrency = (code: string): boolean => minorUnits.has(code)

export function countryMessage(code: unknown): string {
  const meant = meantInstead[String(code)]
  const known = 'Must be a country of ISO 3166-1 in two capitals, such as DE.'
  return meant === undefined ? known : `${known} For ${String(code)}, send ${meant}.`
}

/** How many digits an amount in this currency may have after the point: 2 for EUR, 0 for JPY. */
export const minorUnitsOf = (currency: string): number => minorUnits.get(currency) ?? 2
