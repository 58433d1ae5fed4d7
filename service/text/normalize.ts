// Everything that comes in, over either protocol, goes through here before it is held against a schema: text becomes
// NFC, and what would be stored otherwise than it was sent is refused by name. What is fine already is not copied.
import type { FieldError } from '#contract/fault.ts'
import { pointerTo } from './json-pointer.ts'
import { flawInText, normalised } from './characters.ts'

const flawsMax = 20

export type Inspected = { readonly value: unknown; readonly flaws: readonly FieldError[] }
type Walk = { readonly path: (string | number)[]; readonly flaws: FieldError[] }

/** Values come out of a parser that bounds their depth. */
export function inspect(value: unknown): Inspected {
  const walk: Walk = { path: [], flaws: [] }
  return { value: inspected(value, walk), flaws: walk.flaws }
}

function inspected(value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') return inspectedText(value, walk)
  if (typeof value === 'number') return inspectedNumber(value, walk)
  if (value === null || typeof value !== 'object') return value
  return Array.isArray(value) ? inspectedItems(value, walk) : inspectedMembers(value, walk)
}

function inspectedText(text: string, walk: Walk): string {
  const flaw = flawInText(text)
  if (flaw !== null) note(walk, 'wrong_format', flaw)
  return normalised(text)
}

/** Beyond 2^53 neighbours are read as the same number. */
function inspectedNumber(number: number, walk: Walk): number {
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) {
    note(walk, number > 0 ? 'too_large' : 'too_small', 'Numbers lie between −9007199254740991 and 9007199254740991.')
  }
  return number
}

function inspectedItems(items: readonly unknown[], walk: Walk): readonly unknown[] {
  let changed: unknown[] | undefined
  for (const [at, item] of items.entries()) {
    walk.path.push(at)
    const better = inspected(item, walk)
    walk.path.pop()
    if (better !== item) (changed ??= [...items])[at] = better
  }
  return changed ?? items
}

function inspectedMembers(members: object, walk: Walk): object {
  let isChanged = false
  const entries = Object.entries(members).map(([name, value]): [string, unknown] => {
    walk.path.push(name)
    const better = inspectedName(name, value, walk)
    const inner = inspected(value, walk)
    walk.path.pop()
    isChanged ||= better !== name || inner !== value
    return [better, inner]
  })
  if (!isChanged) return members
  const rebuilt = Object.fromEntries(entries)
  if (Object.keys(rebuilt).length < entries.length) note(walk, 'not_unique', 'Holds the same name in two spellings.')
  return rebuilt
}

function inspectedName(name: string, value: unknown, walk: Walk): string {
  const flaw = isOfPrototypes(name, value) ? 'This name is not taken.' : flawInText(name)
  if (flaw !== null) note(walk, 'wrong_format', flaw)
  return normalised(name)
}

// Harmless in here, and not in everything that will read what we store and send.
const isOfPrototypes = (name: string, value: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))

function note({ path, flaws }: Walk, code: FieldError['code'], detail: string): void {
  if (flaws.length < flawsMax) flaws.push({ pointer: pointerTo(path), code, detail })
}
