// Finds what JSON.parse accepts silently, in one pass over the text before it: a name that stands twice in one object
// (the last would win), `__proto__`, nesting that is too deep, and lists and objects that are too long. The text need
// not be valid JSON.
import { listItemsMax } from '#contract/size-limits.ts'
import { Fault } from '#contract/fault.ts'
import type { FieldCode } from '#contract/fault-codes.ts'
import { pointerTo } from './json-pointer.ts'
import { toNfc } from './characters.ts'

export const depthMax = 64

/** An object with the names seen so far and the latest of them, or an array with the current index. */
type Level = { readonly names: Set<string> | null; step: string | number }

export function jsonFlaw(text: string): Fault | null {
  const levels: Level[] = []
  // The string that was read last: a colon makes it a name.
  let start = 0
  let end = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        start = at
        end = at = endOfString(text, at)
        break
      case 0x3a: // :
        if (!isNew(text.slice(start, end + 1), levels.at(-1))) return refusal(levels, 'not_unique', twice)
        if (levels.at(-1)?.step === '__proto__') return refusal(levels, 'wrong_format', ofPrototypes)
        break
      case 0x2c: // ,
        if (isTooLong(levels.at(-1))) return tooLong(levels)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (levels.length === depthMax) return tooDeep()
        levels.push(text[at] === '[' ? { names: null, step: 0 } : { names: new Set(), step: '' })
        break
      case 0x5d: // ]
      case 0x7d: // }
        levels.pop()
    }
  }
  return null
}

/** Returns the index of the closing quotation mark: one without an odd number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slash = end - 1
    while (text.charCodeAt(slash) === 0x5c) slash--
    if ((end - slash) % 2 === 1) return end
  }
  return text.length
}

function isNew(quoted: string, level: Level | undefined): boolean {
  if (level === undefined || level.names === null) return true
  const { names } = level
  const name = toNfc(unquoted(quoted))
  level.step = name
  return names.size < names.add(name).size
}

function unquoted(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}

/** Another value follows in the level: whether that makes more of them than are accepted. */
function isTooLong(level: Level | undefined): boolean {
  if (level === undefined) return false
  if (typeof level.step === 'number') return ++level.step >= listItemsMax
  return level.names !== null && level.names.size >= listItemsMax
}

const twice = 'Stands twice in one object.'
// Libraries on the way drop it, or worse.
const ofPrototypes = 'This name is not taken.'

function refusal(levels: readonly Level[], code: FieldCode, detail: string): Fault {
  const pointer = pointerTo(levels.map(({ step }) => step))
  return new Fault('invalid_json', `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] })
}

function tooLong(levels: readonly Level[]): Fault {
  const pointer = pointerTo(levels.slice(0, -1).map(({ step }) => step))
  const held = levels.at(-1)?.names === null ? 'items' : 'members'
  const detail = `Has more than ${listItemsMax} ${held}.`
  return new Fault('too_many_items', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'too_long', detail }] })
}

const tooDeep = (): Fault => new Fault('invalid_json', `The body is nested deeper than ${depthMax}.`)
