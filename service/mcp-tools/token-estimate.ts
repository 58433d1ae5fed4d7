// How many tokens a text has for a model, judged by its characters: a tokenizer would cost more than the answer itself.
// Errs on the side of too many. Pure.

type Kind = 'lower' | 'upper' | 'digit' | 'space' | 'sign' | 'alphabet' | 'other'

/** What a run of characters of one kind costs: common words are one token, ids and digits are many. */
const costOfRun: Readonly<Record<Kind, (length: number) => number>> = {
  lower: (length) => Math.ceil(length / 5),
  upper: (length) => Math.ceil(length / 2),
  digit: (length) => Math.ceil(length / 2),
  // One space belongs to the word that follows it.
  space: (length) => (length === 1 ? 0 : 1),
  sign: (length) => length * 0.75,
  // Greek to Thai: their words are known, if less well.
  alphabet: (length) => Math.ceil(length / 2),
  other: (length) => length,
}

export function estimateTokens(text: string): number {
  let tokens = 0
  let start = 0
  let kind = kindOf(text.charCodeAt(0))
  for (let at = 1; at <= text.length; at += 1) {
    const next = at === text.length ? null : kindOf(text.charCodeAt(at))
    if (next === kind) continue
    // `Word` is one run: its capital stands for the space before it.
    const isCapital = kind === 'upper' && next === 'lower' && at - start === 1
    tokens += isCapital ? 0 : costOfRun[kind](at - start)
    start = at
    kind = next ?? kind
  }
  return Math.ceil(tokens)
}

function kindOf(code: number): Kind {
  if (code >= 0x61 && code <= 0x7a) return 'lower'
  if (code >= 0x30 && code <= 0x39) return 'digit'
  if (code >= 0x41 && code <= 0x5a) return 'upper'
  if (code === 0x20) return 'space'
  if (code < 0x80) return 'sign'
  return code >= 0x370 && code < 0x1100 ? 'alphabet' : 'other'
}

/** A text has at most about as many tokens as characters, so that most need no closer look. */
export const fits = (text: string, tokensMax: number): boolean =>
  text.length <= tokensMax || estimateTokens(text) <= tokensMax

/** Of a value written as JSON, which is not written where it fits in any case. */
export const fitsAsJson = (value: unknown, tokensMax: number): boolean =>
  lengthBound(value) <= tokensMax || fits(JSON.stringify(value), tokensMax)

/** At least as long as the JSON, but for characters that are written as six: those are few tokens again. */
function lengthBound(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length + 3
  if (typeof value !== 'object' || value === null) return numberLengthMax
  let length = 3
  if (Array.isArray(value)) for (const item of value) length += lengthBound(item)
  else for (const name of Object.keys(value)) length += name.length + 3 + lengthBound((value as JsonObject)[name])
  return length
}

const numberLengthMax = 26
type JsonObject = Readonly<Record<string, unknown>>
