// The options of the command line. All of them have a maximum, so that a bench always ends.
import { parseArgs } from 'node:util'

/** Sizes and durations. Each scenario has defaults for what is not given. */
export type Sizes = {
  readonly seconds: number
  readonly rows?: number | undefined
  readonly minutes?: number | undefined
  readonly rate?: number | undefined
}
export type Options = Sizes & { readonly scenarios: readonly string[]; readonly rounds: number }

const most = { rounds: 20, seconds: 60, rows: 10_000_000, minutes: 60, rate: 1_000 }

/** Throws an error with a sentence for an unknown option or value. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '5' },
      rows: { type: 'string' },
      minutes: { type: 'string' },
      rate: { type: 'string' },
    },
  })
  const unknown = positionals.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`There is no scenario ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  const given = (name: 'rows' | 'minutes' | 'rate') => {
    const text = values[name]
    return text === undefined ? undefined : within(name, text)
  }
  return {
    scenarios: positionals.length === 0 ? known : positionals,
    rounds: within('rounds', values.rounds),
    seconds: within('seconds', values.seconds),
    rows: given('rows'),
    minutes: given('minutes'),
    rate: given('rate'),
  }
}

function within(name: keyof typeof most, text: string): number {
  const value = /^\d{1,8}$/.test(text) ? Number(text) : 0
  const max = most[name]
  if (value < 1 || value > max) throw new Error(`--${name} must be a whole number from 1 to ${max}, not ${text}.`)
  return value
}
