// Telephone numbers in one form, by which they are compared: E.164 where the country is known, else their digits. A
// number that is no number of its country keeps its digits too: extensions of a company, short codes, mistakes. Pure.
import { isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js'

const extension = String.raw`(?:\s*(?:;ext=|ext\.?|extension|x|#)\s*\p{Nd}{1,7})?`
const typed = new RegExp(String.raw`^\s*(?:tel:)?[+＋]?[\p{Nd}\s()./\-‐-―*#]+${extension}\s*$`, 'iu')
const digit = /\p{Nd}/gu
const digitsMin = 2

/** Whether the text is a number and nothing else, as people type one. */
export const isPhoneNumber = (text: string): boolean => typed.test(text) && digitsOf(text).length >= digitsMin

/**
 * The form by which the number is compared: `+49301234`, with its extension `+49301234;ext=5`, or its digits where the
 * country says nothing. A number without a country code is one of `country`. Text without digits stands for itself.
 */
export function normalizePhone(sent: string, country: string | null): string {
  const { number, extension: own } = readPhone(sent, country)
  return own === undefined ? number : `${number};ext=${own}`
}

/** All forms by which a stored number is found: one with an extension, also without it. */
export const phoneForms = (sent: string, country: string | null): readonly string[] => [
  ...new Set([readPhone(sent, country).number, normalizePhone(sent, country)]),
]

type ReadPhone = { readonly number: string; readonly extension?: string | undefined }

function readPhone(sent: string, country: string | null): ReadPhone {
  // Nearly everywhere 00 is dialled for the country code. Where something else is, the default country says so.
  const text = country === null ? sent.replace(/^\s*00/, '+') : sent
  const read = parsePhoneNumberFromString(text, ...(country !== null && isSupported(country) ? [country] : []))
  if (read !== undefined) return { number: read.number, extension: read.ext }
  return { number: digitsOf(sent) || sent.trim().toLowerCase() }
}

/** Antarctica, for one, has no numbers of its own. */
const isSupported = (country: string): country is CountryCode => isSupportedCountry(country)

/** In the digits of ASCII, whichever the script. */
const digitsOf = (text: string): string => (text.match(digit) ?? []).map((each) => String(valueOf(each))).join('')

/** The ten digits of a script follow each other, and those of some scripts follow those of others. */
function valueOf(of: string): number {
  const code = of.codePointAt(0) ?? 0
  let before = 0
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before += 1
  return before % 10
}
