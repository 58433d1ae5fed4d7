// Values of a list in a filter: with `!` before those that are not wanted. A backslash before `!` makes it part of the
// value. Pure.

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
