// Values of a list in a filter: as text with commas between them, and with `!` before those that are not wanted. A
// backslash makes the character after it part of the value, where that would mean something else. Pure.

/** `\,` is a comma of the value, and `\\` a backslash; before anything else that is a character like others. */
export function valuesIn(text: string): string[] {
  const values = ['']
  for (const [piece] of text.matchAll(/\\[\\,]|[^\\,]+|[\\,]/g)) {
    if (piece === ',') values.push('')
    else values[values.length - 1] += piece.length === 2 && piece.startsWith('\\') ? piece.slice(1) : piece
  }
  return values
}

export const isNegated = (value: string): boolean => value.startsWith('!')

/** The value itself: `!` is gone from before it, and from `\!` the backslash. */
export const bare = (value: string): string => value.replace(/^!|^\\(?=\\*!)/, '')

/** With `!` before all of them, or before none. */
export function choiceOf(given: readonly string[]): { readonly values: string[]; readonly negated: boolean } {
  return { values: given.map(bare), negated: given.every(isNegated) }
}

/** All of these, or none of these: in between it would be anybody's guess. */
export const hasOneSense = (given: readonly string[]): boolean => given.every(isNegated) || !given.some(isNegated)

export const twoSenses = 'Put `!` before all values of a list, or before none.'
