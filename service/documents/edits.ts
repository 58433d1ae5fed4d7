// Find and replace in a text: all edits, one after the other, or none. Pure.
import { contentBytesMax } from '#contract/documents.ts'
import { invalidField } from '../faults/shared-faults.ts'
import { apart, occurrences } from './occurrences.ts'
import { linesOf } from './markdown.ts'

export type Edit = { readonly find: string; readonly replace: string; readonly all?: boolean }
export type Edited = { readonly text: string; readonly replacements: number[] }

/**
 * Throws `validation_failed` with the edit whose text does not occur, or more than once. `firstLine` is the line of the
 * document that the text begins with.
 */
export function applyEdits(before: string, edits: readonly Edit[], firstLine = 1): Edited {
  const replacements: number[] = []
  const asInText = lineEndsOf(before)
  const text = edits.reduce((current, { find, replace, all = false }, index) => {
    const edit = { find: asInText(find), replace: asInText(replace), all }
    const places = placesOf(current, edit, index, firstLine)
    replacements.push(places.length)
    return replaced(current, edit, places, index)
  }, before)
  return { text, replacements }
}

/** Where all lines end alike, text that is typed with other line breaks is meant to end like them. */
function lineEndsOf(text: string): (typed: string) => string {
  const ends = new Set(text.match(/\r\n|\n|\r/g))
  const [only] = ends
  return ends.size === 1 && only !== undefined ? (typed) => typed.replaceAll(/\r\n|\n|\r/g, only) : (typed) => typed
}

function placesOf(text: string, { find, all = false }: Edit, index: number, firstLine: number): readonly number[] {
  const places = occurrences(text, find)
  if (places.length === 0) {
    throw invalidField(
      `edits/${index}/find`,
      'not_found',
      'Occurs 0 times. It is compared letter by letter, with case and white space.',
    )
  }
  if (all) return apart(places, find.length)
  if (places.length === 1) return places
  const detail = `Occurs ${places.length} times, first in lines ${linesWith(text, places, firstLine)}: take in more of the text around it, or set \`all\`.`
  throw invalidField(`edits/${index}/find`, 'not_unique', detail)
}

const linesNamed = 3

function linesWith(text: string, places: readonly number[], firstLine: number): string {
  const named = places.slice(0, linesNamed).map((at) => firstLine - 1 + linesOf(text.slice(0, at + 1)).count)
  return `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`
}

function replaced(text: string, { find, replace }: Edit, places: readonly number[], index: number): string {
  // A unit of UTF-16 is a byte at least: what is longer than this cannot fit, and need not be built.
  if (text.length + places.length * (replace.length - find.length) > contentBytesMax) {
    throw invalidField(`edits/${index}/replace`, 'too_long', `Makes the content more than ${contentBytesMax} bytes.`)
  }
  let end = 0
  const parts = places.map((at) => {
    const part = text.slice(end, at) + replace
    end = at + find.length
    return part
  })
  return parts.join('') + text.slice(end)
}
