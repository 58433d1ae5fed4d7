// Normalizes all input before it is validated: text becomes NFC, and what would be stored otherwise than it was sent is
// refused. What is normal already is not copied.
import type { FieldError } from '#contract/faults/fault.ts'
import { pointerTo } from './json-pointer.ts'
import { textFlaw, toNfc } from './characters.ts'

const flawsMax = 20

export type Normalized = { readonly value: unknown; readonly flaws: readonly FieldError[] }
type Walk = { readonly path: (string | number)[]; readonly flaws: FieldError[] }

/** The parser bounds how deep a value is nested. */
export function normalize(value: unknown): Normalized {
  const walk: Walk = { path: [], flaws: [] }
  return { value: normalized(value, walk), flaws: walk.flaws }
}

function normalized(value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') return normalizedText(value, walk)
  if (typeof value === 'number') return checkedNumber(value, walk)
  if (value === null || typeof value !== 'object') return value
  return Array.isArray(value) ? normalizedItems(value, walk) : normalizedMembers(value, walk)
}

function normalizedText(text: string, walk: Walk): string {
  const flaw = textFlaw(text)
  if (flaw !== null) note(walk, 'wrong_format', flaw)
  return toNfc(text)
}

/** Beyond 2^53 neighbouring numbers are parsed as the same one. */
function checkedNumber(number: number, walk: Walk): number {
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) {
    note(walk, number > 0 ? 'too_large' : 'too_small', 'Numbers lie between −9007199254740991 and 9007199254740991.')
  }
  return number
}

function normalizedItems(items: readonly unknown[], walk: Walk): readonly unknown[] {
  let changed: unknown[] | undefined
  for (const [at, item] of items.entries()) {
    walk.path.push(at)
    const better = normalized(item, walk)
    walk.path.pop()
    if (better !== item) (changed ??= [...items])[at] = better
  }
  return changed ?? items
}

function normalizedMembers(members: object, walk: Walk): object {
  let isChanged = false
  const entries = Object.entries(members).map(([name, value]): [string, unknown] => {
    walk.path.push(name)
    const better = normalizedName(name, value, walk)
    const inner = normalized(value, walk)
    walk.path.pop()
    isChanged ||= better !== name || inner !== value
    return [better, inner]
  })
  if (!isChanged) return members
  const rebuilt = Object.fromEntries(entries)
  if (Object.keys(rebuilt).length < entries.length) note(walk, 'not_unique', 'Holds the same name in two spellings.')
  return rebuilt
}

function normalizedName(name: string, value: unknown, walk: Walk): string {
  const flaw = isOfPrototypes(name, value) ? 'This name is not taken.' : textFlaw(name)
  if (flaw !== null) note(walk, 'wrong_format', flaw)
  return toNfc(name)
}

// Harmless here, but not in everything that reads what we store and send.
const isOfPrototypes = (name: string, value: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))

function note({ path, flaws }: Walk, code: FieldError['code'], detail: string): void {
  if (flaws.length < flawsMax) flaws.push({ pointer: pointerTo(path), code, detail })
}
