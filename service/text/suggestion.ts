// The valid name that a wrong one was probably meant to be.
import { distance } from 'fastest-levenshtein'

/** Longer names cost time, and nobody mistypes one. */
const lengthMax = 100

/** Returns a sentence, or empty text where no known name is similar: a wrong suggestion is worse than none. */
export function didYouMean(name: string, known: readonly string[]): string {
  const found = nearest(name, known)
  return found === undefined ? '' : ` Did you mean \`${found}\`?`
}

function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > lengthMax) return undefined
  const written = folded(name)
  const rated = known.map((each) => ({ each, far: slips(written, folded(each)) }))
  const [first] = rated.toSorted((a, b) => a.far - b.far)
  return first !== undefined && first.far <= reach(name, first.each) ? first.each : undefined
}

/** Letters that changed places are one slip, not two. */
const slips = (a: string, b: string): number => (a !== b && ordered(a) === ordered(b) ? 1 : distance(a, b))

const ordered = (text: string): string => Array.from(text).toSorted().join('')

// A third of the letters may differ, and one in the shortest names.
const reach = (a: string, b: string): number => Math.max(1, Math.floor(Math.max(a.length, b.length) / 3))

/** `due_date` and `DueDate` are spellings of `dueDate`. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '')
