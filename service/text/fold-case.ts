// What two texts have in common whose letters differ in case alone: `STRASSEN` and `Straßen` are folded to the same.
// The database's function `folded` does the same for what is searched in tables. Pure.

const dotAbove = '\u0307'

export const foldCase = (text: string): string =>
  text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll(dotAbove, '')
