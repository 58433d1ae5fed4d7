// Refuses passwords that are guessed first. The rule estimates the cheapest way to compose the password from known
// passwords (in any spelling with digits and signs for letters), the account's own names, runs of the keyboard or the
// alphabet, years, repetitions, and single characters. The number of guesses that this takes decides. The work grows
// with the length alone, which the contract bounds.
import { invalidField } from '../../faults/shared-faults.ts'

/** `field` holds the password. `personal` are the account's name and email. */
export async function assertNotGuessed(field: string, password: string, personal: readonly string[]): Promise<void> {
  const parts = partsOfGuess(password, { common: await commonPasswords(), personal })
  if (parts === null) return
  const reasons = [...new Set(parts)].map((part) => words[part])
  const made = reasons.length === 0 ? 'It is too uniform.' : `It is made of ${listed(reasons)}.`
  throw invalidField(
    field,
    'wrong_format',
    `Is among the passwords that are guessed first. ${made} Take some words more.`,
  )
}

export type GuessedPart = 'common' | 'personal' | 'run' | 'year' | 'repeated'

const words: Readonly<Record<GuessedPart, string>> = {
  common: 'a password that many have',
  personal: 'your name or email',
  run: 'a run of the keyboard or the alphabet',
  year: 'a year',
  repeated: 'a repetition',
}

const listed = (texts: readonly string[]): string => texts.join(', ').replace(/, ([^,]*)$/, ' and $1')

/** Powers of ten: a password that takes fewer guesses is refused. */
const guessesMin = 8
const characterCost = 1
/** A character of a script that has many more characters than a keyboard. */
const foreignCharacterCost = 2
const repeatCost = 0.3
const spellingCost = 0.3
const yearCost = 2
const runCost = 1.3
const wordLengthMin = 3
const wordLengthMax = 25
const runLengthMin = 3

type Known = { readonly common: CommonPasswords; readonly personal: readonly string[] }
type Words = {
  readonly common: CommonPasswords
  readonly own: ReadonlySet<string>
  readonly readings: readonly Reading[]
}
/** A spelling of the whole password, and the same backwards. */
type Reading = { readonly forwards: string; readonly backwards: string }
type Step = { readonly cost: number; readonly from: number; readonly part: GuessedPart | null }

/** Returns the guessable parts of the password in their order; null when it takes enough guesses. */
export function partsOfGuess(password: string, { common, personal }: Known): GuessedPart[] | null {
  const text = password.normalize('NFKC').toLowerCase()
  const known = { common, own: new Set(personal.flatMap(namesIn)), readings: readingsOf(text) }
  const steps: Step[] = [{ cost: 0, from: 0, part: null }]
  for (let end = 1; end <= text.length; end += 1) {
    steps.push(cheapestStep(text, end, steps, known))
  }
  if ((steps.at(-1)?.cost ?? 0) >= guessesMin) return null
  const parts: GuessedPart[] = []
  for (let at = text.length; at > 0; at = steps[at]?.from ?? 0) {
    const part = steps[at]?.part ?? null
    if (part !== null) parts.unshift(part)
  }
  return parts
}

/** The cheapest step that ends at `end`. */
function cheapestStep(text: string, end: number, steps: readonly Step[], known: Words): Step {
  const last = text.slice(end - 1, end)
  const cost = last <= '~' ? characterCost : foreignCharacterCost
  let best: Step = { cost: costAt(steps, end - 1) + cost, from: end - 1, part: null }
  const consider: Consider = (from, more, part) => {
    const total = costAt(steps, from) + more
    if (total < best.cost) best = { cost: total, from, part }
  }
  // A longer text is no run once a shorter end of it is none.
  let mayBeRun = true
  for (let from = end - 1; from >= 0; from -= 1) {
    const part = text.slice(from, end)
    if (text.endsWith(part, from)) consider(from, repeatCost, 'repeated')
    if (part.length >= wordLengthMin && part.length <= wordLengthMax) considerWord(from, end, known, consider)
    mayBeRun &&= isRun(part)
    if (mayBeRun && part.length >= runLengthMin) consider(from, runCost + Math.log10(part.length), 'run')
    if (/^(?:19|20)\d\d$/.test(part)) consider(from, yearCost, 'year')
  }
  return best
}

const costAt = (steps: readonly Step[], at: number): number => steps[at]?.cost ?? 0

type Consider = (from: number, more: number, part: GuessedPart) => void

function considerWord(from: number, end: number, { common, own, readings }: Words, consider: Consider): void {
  for (const [at, { forwards, backwards }] of readings.entries()) {
    const length = forwards.length
    for (const word of [forwards.slice(from, end), backwards.slice(length - end, length - from)]) {
      const place = common.get(word)
      if (place !== undefined) consider(from, Math.log10(place + 1) + at * spellingCost, 'common')
      if (own.has(word)) consider(from, at * spellingCost, 'personal')
    }
  }
}

const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
  '(': 'c',
  '|': 'l',
}

/** The text itself, and with letters in place of their lookalikes, with two readings of `1` and `!`. */
function readingsOf(text: string): Reading[] {
  const spelt = (given: string): string => given.replaceAll(/[^a-z]/g, (sign) => lookalikes[sign] ?? sign)
  const spellings = new Set([text, spelt(text), spelt(text.replaceAll(/[1!]/g, 'l'))])
  return [...spellings].map((forwards) => ({ forwards, backwards: forwards.split('').toReversed().join('') }))
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn',
  'qazwsxedcrfvtgbyhnujmik',
]
const runs = rows.flatMap((row) => [row.repeat(3), row.split('').toReversed().join('').repeat(3)])

const isRun = (part: string): boolean => runs.some((run) => run.includes(part))

const nameLengthMin = 3

const namesIn = (name: string): string[] => {
  const parts = name.toLowerCase().split(/[^\p{L}]+/u)
  return [...parts, parts.join('')].filter(({ length }) => length >= nameLengthMin)
}

/**
 * The rank of each common password: some 49,000 that leaked lists share (MIT, @zxcvbn-ts/language-common), and others
 * that people choose for installations such as this one.
 */
export type CommonPasswords = ReadonlyMap<string, number>

const others = `
passphrase adminadmin rootroot superuser superadmin letmeinplease welcomehome welcometo changemenow changethis
changepassword mypasswordis thisismypassword thepassword oldpassword defaultpassword secretpassword verysecret
supersecret trustnobody iloveyouso iloveyoubaby iloveyouforever sunshinegirl princesses footballer fortnite
jordanmichael robertrobert qwertyqwerty qwertyuiopasdf qwertz qwertzuiop abcdef abcdefgh abcabc abcdabcd testpassword
testaccount demodemo demopassword examplepassword guestguest login loginlogin accessgranted companypassword
wintertime helloworldhello correcthorsebatterystaple correcthorse manchesterunited harleydavidson lordoftherings
fuckyouall successful workspace workspaces serverserver postgres postgrespostgres redis rabbitmq staging development
`
/** Counts as a high rank in the list. */
const placeOfOthers = 100

// Loaded when the first password is chosen: most processes never need it.
let known: Promise<CommonPasswords> | null = null

export const commonPasswords = (): Promise<CommonPasswords> => (known ??= read())

async function read(): Promise<CommonPasswords> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const places = new Map(
    others
      .trim()
      .split(/\s+/)
      .map((word) => [word, placeOfOthers]),
  )
  for (const [at, word] of dictionary['passwords-common'].entries()) places.set(word, at + 1)
  return places
}
