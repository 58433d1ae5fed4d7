// An unknown field is refused by its name, with the known one that was probably meant.
import { distance as levenshtein } from 'fastest-levenshtein'
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import { pointerTo } from '../text/json.ts'

/** The errors that one refusal names. */
export const fieldErrorsMax = 20

/** `parent` is the pointer of the object that holds the field; empty for the whole input. */
export const unknownField = (parent: string, name: string, known: readonly string[]): FieldError => ({
  pointer: parent + pointerTo([name]),
  code: 'unknown',
  detail: `Unknown field.${didYouMean(name, known)}`,
})

/** A Fault of these errors: `unknown_field` when all are unknown fields, else `validation_failed`. */
export function refusedFields(errors: readonly FieldError[]): Fault {
  const code = errors.every((error) => error.code === 'unknown') ? 'unknown_field' : 'validation_failed'
  const details = errors.slice(0, 3).map(({ pointer, detail }) => `${pointer}: ${detail}`)
  return new Fault(code, details.join(' '), { errors })
}

/** Longer names cost time, and are not mistyped. */
const lengthMax = 100

/** Returns a sentence, or empty text where no known name is similar: a wrong suggestion is worse than none. */
export function didYouMean(name: string, known: readonly string[]): string {
  const found = nearest(name, known)
  return found === undefined ? '' : ` Did you mean \`${found}\`?`
}

function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > lengthMax) return undefined
  const written = folded(name)
  const rated = known.map((each) => ({ each, distance: edits(written, folded(each)) }))
  const [first] = rated.toSorted((a, b) => a.distance - b.distance)
  return first !== undefined && first.distance <= distanceMax(name, first.each) ? first.each : undefined
}

/** Letters that changed places are one edit, not two. */
const edits = (a: string, b: string): number => (a !== b && ordered(a) === ordered(b) ? 1 : levenshtein(a, b))

const ordered = (text: string): string => Array.from(text).toSorted().join('')

/** A third of the letters may differ, and one in the shortest names. */
const distanceMax = (a: string, b: string): number => Math.max(1, Math.floor(Math.max(a.length, b.length) / 3))

/** `due_date` and `DueDate` are spellings of `dueDate`. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '')
