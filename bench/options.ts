// What the command line asks for. Everything is bounded: a bench that was started always ends.
import { parseArgs } from 'node:util'

export type Options = { readonly scenarios: readonly string[]; readonly rounds: number; readonly seconds: number }

const roundsMax = 20
const secondsMax = 30

/** Throws, with a sentence, for what it does not know. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '5' } },
  })
  const unknown = positionals.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`There is no scenario ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  return {
    scenarios: positionals.length === 0 ? known : positionals,
    rounds: within('--rounds', values.rounds, roundsMax),
    seconds: within('--seconds', values.seconds, secondsMax),
  }
}

function within(name: string, text: string, max: number): number {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > max) throw new Error(`${name} must be a whole number from 1 to ${max}, not ${text}.`)
  return value
}
