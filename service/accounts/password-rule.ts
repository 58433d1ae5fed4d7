// Which passwords are refused because they are guessed first: common words dressed up with digits, signs or repetition,
// runs of the keyboard or the alphabet, and what the account itself is called. Pure.
import { invalidField } from '../faults/field-refusals.ts'
import { commonPasswords } from './common-passwords.ts'

/** `field` holds the password. `personal` are the account's name and e-mail. */
export function assertNotGuessed(field: string, password: string, personal: readonly string[]): void {
  if (isGuessedFirst(password, personal))
    throw invalidField(field, 'wrong_format', 'Is among the passwords that are guessed first. Take some words more.')
}

export function isGuessedFirst(password: string, personal: readonly string[]): boolean {
  const plain = password.toLowerCase()
  const bare = unit(spelt(plain).replaceAll(/[^a-z]/g, ''))
  const known = [...commonPasswords, ...personal.flatMap(wordsOf)]
  return unit(plain).length <= unitLengthMax || isRun(plain) || known.includes(bare)
}

/** Of a name that is too short to be worth a guess. */
const nameLengthMin = 4
/** A password that repeats no more than this is as good as this alone. */
const unitLengthMax = 6

const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Letters in the place of what is taken for them, but for what stands at the end. */
const spelt = (text: string): string =>
  text.replace(/[^a-z]+$/, '').replaceAll(/[013457@$!]/g, (sign) => lookalikes[sign] ?? sign)

/** The shortest text that this one repeats. */
function unit(text: string): string {
  const length = (text + text).indexOf(text, 1)
  return text.slice(0, Math.max(length, 0))
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn',
]
const runs = rows.flatMap((row) => [row.repeat(3), row.split('').toReversed().join('').repeat(3)])

/** Made of at most two runs, as `qwertyasdfgh`. */
function isRun(text: string): boolean {
  const isIn = (part: string): boolean => part.length > 1 && runs.some((run) => run.includes(part))
  return Array.from(text, (_letter, at) => at).some(
    (at) => isIn(text.slice(at)) && (at === 0 || isIn(text.slice(0, at))),
  )
}

const wordsOf = (name: string): string[] => {
  const words = name.toLowerCase().split(/[^a-z]+/)
  return [...words, words.join('')].filter(({ length }) => length >= nameLengthMin)
}
