// Environment variables → typed settings. A process declares each setting as a value, from
// which the tables of the documentation are printed too. All mistakes are reported together, and what could be a secret
// is never repeated.
import { parseRange } from './ip-address.ts'
import { webOrigin } from './web-addresses.ts'

export type Setting<T> = {
  readonly name: string
  readonly description: string
  readonly unit: string | null
  /** Undefined when the setting must be given, null when it may be left out. */
  readonly default: T | undefined
  /** For the documentation: what an empty list means. Null when an empty value is a mistake. */
  readonly whenEmpty: string | null
  /** The value is, or may contain, a secret. */
  readonly hidden: boolean
  /** Throws an error that says what the value must be. */
  readonly parse: (text: string) => T
}

export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/** Throws SettingsError. `contradictions` is called once every value has parsed, and returns further mistakes. */
export function readSettings<T>(
  declared: { readonly [K in keyof T]: Setting<T[K]> },
  env: Readonly<Record<string, string | undefined>> = process.env,
  contradictions: (settings: NoInfer<T>) => readonly string[] = () => [],
): T {
  const mistakes: string[] = []
  const entries = Object.entries<Setting<unknown>>(declared).map(([key, setting]) => [
    key,
    valueOf(setting, env, mistakes),
  ])
  if (mistakes.length > 0) throw new SettingsError(mistakes)
  const settings = Object.freeze(Object.fromEntries(entries)) as T
  const contradicting = contradictions(settings)
  if (contradicting.length > 0) throw new SettingsError(contradicting)
  return settings
}

function valueOf(
  setting: Setting<unknown>,
  env: Readonly<Record<string, string | undefined>>,
  mistakes: string[],
): unknown {
  const { name, description, hidden } = setting
  const text = env[name]?.trim()
  if (text === undefined) {
    if (setting.default === undefined) mistakes.push(`${name} is missing: ${description}`)
    return setting.default
  }
  if (text === '' && setting.whenEmpty === null) {
    mistakes.push(
      `${name} is empty: give it a value${setting.default === undefined ? '' : ', or leave it out'}. ${description}`,
    )
    return undefined
  }
  try {
    return setting.parse(text)
  } catch (error) {
    mistakes.push(`${name} ${error instanceof Error ? error.message : String(error)}${hidden ? '' : `, not "${text}"`}`)
    return undefined
  }
}

/** Each function below declares one setting: its name, default, unit and description, and how its text is parsed. */
type About<D> = { readonly description: string; readonly default?: D; readonly unit?: string }

export const text = <D extends string | null = never>(name: string, about: About<D>): Setting<string | D> =>
  setting(name, about, (value) => value)

export function integer<D extends number | null = never>(
  name: string,
  about: About<D> & { readonly min: number; readonly max: number },
): Setting<number | D> {
  return setting(name, about, (value) => integerWithin(value, about.min, about.max))
}

export const port = <D extends number | null = never>(name: string, about: About<D>): Setting<number | D> =>
  integer(name, { ...about, min: 0, max: 65_535 })

/** A number from 0 to 1. */
export const fraction = <D extends number | null = never>(name: string, about: About<D>): Setting<number | D> =>
  setting(name, about, (value) => {
    const number = /^\d{0,3}\.?\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    must(number >= 0 && number <= 1, 'must be a number from 0 to 1')
    return number
  })

/** A list of whole numbers, separated by commas. */
export function integers(
  name: string,
  about: About<readonly number[]> & { readonly min: number; readonly max: number },
): Setting<readonly number[]> {
  return setting(name, about, (value) => items(value).map((item) => integerWithin(item, about.min, about.max)))
}

export const flag = <D extends boolean = never>(name: string, about: About<D>): Setting<boolean | D> =>
  setting(name, about, (value) => {
    must(['true', 'false', '1', '0'].includes(value), 'must be true or false')
    return value === 'true' || value === '1'
  })

export const choice = <const C extends string, D extends C | null = never>(
  name: string,
  about: About<D> & { readonly of: readonly C[] },
): Setting<C | D> =>
  setting(name, about, (value) => {
    const chosen = about.of.find((one) => one === value)
    must(chosen !== undefined, `must be one of ${about.of.join(', ')}`)
    return chosen
  })

type Protocols = { readonly protocols: readonly string[] }

/** Hidden, since a URL may contain a password. Protocols are given without the colon. */
export const url = <D extends string | null = never>(name: string, about: About<D> & Protocols): Setting<string | D> =>
  setting(name, about, (value) => urlOf(value, about.protocols), true)

/** A list of URLs, separated by commas; hidden likewise. */
export const urls = (name: string, about: About<readonly string[]> & Protocols): Setting<readonly string[]> =>
  setting(name, about, (value) => items(value).map((item) => urlOf(item, about.protocols)), true)

/** A list of IPv4 and IPv6 addresses and CIDR ranges, separated by commas, which may be empty. */
export const cidrs = (
  name: string,
  about: About<readonly string[]> & { readonly whenEmpty: string },
): Setting<readonly string[]> => ({
  ...setting(name, about, (value) => {
    const wrong = listed(value).filter((item) => parseRange(item) === null)
    must(wrong.length === 0, `must list addresses or CIDR ranges (${wrong.join(', ')} is none)`)
    return listed(value)
  }),
  whenEmpty: about.whenEmpty,
})

/** The address of a website without a path, as its origin. */
export const origin = <D extends string | null = never>(name: string, about: About<D>): Setting<string | D> =>
  setting(name, about, (value) => {
    const parsed = webOrigin(value)
    must(
      parsed !== null && /^https?:/.test(parsed),
      'must be an address such as https://api.example.com, without a path',
    )
    return parsed
  })

/**
 * A list of what `item` makes of each text between commas, which may be empty. `item` throws an error like a setting's
 * own.
 */
export const list = <T>(
  name: string,
  about: About<readonly T[]> & { readonly whenEmpty: string; readonly item: (text: string) => T },
): Setting<readonly T[]> => ({
  ...setting(name, about, (value) => listed(value).map(about.item)),
  whenEmpty: about.whenEmpty,
})

/** A list of origins, separated by commas, which may be empty. */
export const origins = (
  name: string,
  about: About<readonly string[]> & { readonly whenEmpty: string },
): Setting<readonly string[]> => list(name, { ...about, item: originOf })

const secretLengthMin = 32

export const secret = <D extends string | null = never>(name: string, about: About<D>): Setting<string | D> =>
  setting(
    name,
    about,
    (value) => {
      must(value.length >= secretLengthMin, `must have at least ${secretLengthMin} characters`)
      return value
    },
    true,
  )

function setting<T, D>(name: string, about: About<D>, parse: (text: string) => T, hidden = false): Setting<T | D> {
  const { description, unit = null, default: value } = about
  return { name, description, unit, default: value, whenEmpty: null, hidden, parse }
}

const listed = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

function items(value: string): string[] {
  must(listed(value).length > 0, 'must list at least one')
  return listed(value)
}

function integerWithin(value: string, min: number, max: number): number {
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  must(number >= min && number <= max, `must be a whole number from ${min} to ${max}`)
  return number
}

function urlOf(value: string, protocols: readonly string[]): string {
  const protocol = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : ''
  must(
    protocols.includes(protocol),
    `must be an address that begins with ${protocols.map((one) => `${one}://`).join(' or ')}`,
  )
  return value
}

function originOf(item: string): string {
  const parsed = webOrigin(item)
  must(parsed !== null, `must list origins such as https://app.example.com (${item} is none)`)
  return parsed
}

function must(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message)
}
