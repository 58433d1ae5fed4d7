// Parses JSON strictly: bytes that could only be read by guessing are refused as `invalid_json`, in a batch item by
// item. JSON.parse accepts some of it silently. That is found in one pass over the text before it: a name that stands
// twice in one object (the last would win), `__proto__`, nesting that is too deep, and lists and objects that are too
// long.
import { isUtf8 } from 'node:buffer'
import { Fault, type FieldCode } from '#contract/faults/fault.ts'
import { listItemsMax } from '#contract/operation.ts'
import { toNfc } from './characters.ts'
import { pointerTo } from './json.ts'

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Takes the place of an item of a batch that could only be read by guessing. Of what was sent it has the plain text, so
 * that its refusal can say which item it is.
 */
export class UnreadableItem {
  readonly fault: Fault
  readonly texts: Texts
  readonly dataTexts: Texts

  constructor(fault: Fault, sent: unknown) {
    this.fault = fault
    this.texts = textsIn(sent)
    this.dataTexts = textsIn((sent as { readonly data?: unknown } | null)?.data)
  }
}

type Texts = Readonly<Record<string, string>>
const textsMax = 50

function textsIn(value: unknown): Texts {
  if (typeof value !== 'object' || value === null) return {}
  const texts = Object.entries(value).filter(([name, each]) => typeof each === 'string' && name !== '__proto__')
  return Object.fromEntries(texts.slice(0, textsMax)) as Texts
}

/** An error in an item at one of `places` becomes an UnreadableItem there; anything else refuses the body. */
export function parseJson(bytes: Buffer, places: readonly ItemPlace[] = []): unknown {
  if (bytes.subarray(0, 3).equals(byteOrderMark)) throw invalid('The body begins with a byte order mark. Leave it out.')
  if (!isUtf8(bytes)) throw invalid('The body is not UTF-8.')
  const text = bytes.toString()
  const found: { readonly path: readonly (string | number)[]; readonly fault: Fault }[] = []
  const ofBody = jsonFault(text, {
    places,
    note: (path, fault) => {
      found.push({ path, fault })
    },
  })
  if (ofBody !== null) throw ofBody
  const body = parsed(text)
  for (const { path, fault } of found) replaceItem(body, path, fault)
  return body
}

/** The path was read from the same text, in which no name on the way stands twice. */
function replaceItem(body: unknown, path: readonly (string | number)[], fault: Fault): void {
  const list = path.slice(0, -1).reduce((value, step) => (value as Record<string | number, unknown>)[step], body)
  const index = Number(path.at(-1))
  const items = list as unknown[]
  items[index] = new UnreadableItem(fault, items[index])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw invalid('The body is not valid JSON.', cause)
  }
}

const invalid = (detail: string, cause?: unknown): Fault => new Fault('invalid_json', detail, {}, cause)

export const depthMax = 64

/** Where the items of a body are: the names on the way to them, `*` for any index. */
export type ItemPlace = readonly string[]
/**
 * An error in an item at one of `places` is noted with the way to the item, and names its place from there. The rest of
 * the text is read on.
 */
export type ItemFaults = {
  readonly places: readonly ItemPlace[]
  readonly note: (path: Path, fault: Fault) => void
}
type Path = readonly (string | number)[]

type JsonError = { readonly code: 'invalid_json' | 'too_many_items'; readonly why: FieldCode; readonly detail: string }

/** An object with the names seen so far and the latest of them, or an array with the current index. */
type Level = { readonly names: Set<string> | null; step: string | number }

type Scan = {
  readonly text: string
  readonly levels: Level[]
  readonly items: ItemFaults | undefined
  /** The string that was read last: a colon makes it a name. */
  start: number
  end: number
  /** Brackets that are open in what is passed over, the rest of an item with an error; null: nothing is passed over. */
  skipped: number | null
  /** How many levels there are around that item. */
  outside: number
}

/**
 * Returns the fault of the text, which need not be valid JSON, as a whole. Without `items` that is the first one,
 * wherever it is.
 */
export function jsonFault(text: string, items?: ItemFaults): Fault | null {
  const scan: Scan = { text, levels: [], items, start: 0, end: 0, skipped: null, outside: 0 }
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quotationMark) {
      scan.start = at
      scan.end = at = endOfString(text, at)
    } else if (scan.skipped !== null) {
      skip(scan, character)
    } else {
      const error = errorAt(scan, character)
      if (error !== null && !isOfItem(scan, character, error)) return faultOf(error, scan.levels)
    }
  }
  return null
}

function errorAt({ text, levels, start, end }: Scan, character: number): JsonError | null {
  switch (character) {
    case 0x3a: // :
      if (!isNew(text.slice(start, end + 1), levels.at(-1))) return twice
      return levels.at(-1)?.step === '__proto__' ? ofPrototypes : null
    case 0x2c: // ,
      return isTooLong(levels.at(-1)) ? tooLong(levels) : null
    case openList:
    case openObject:
      if (levels.length === depthMax) return tooDeep
      levels.push(character === openList ? { names: null, step: 0 } : { names: new Set(), step: '' })
      return null
    case closeList:
    case closeObject:
      levels.pop()
      return null
    default:
      return null
  }
}

const quotationMark = 0x22
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d
const opens = (character: number): boolean => character === openList || character === openObject
const closes = (character: number): boolean => character === closeList || character === closeObject

/** Notes the error as that of an item, where it lies in one: the rest of that item is then passed over. */
function isOfItem(scan: Scan, character: number, error: JsonError): boolean {
  const { levels, items } = scan
  const place = items?.places.find((each) => levels.length > each.length && isAt(each, levels))
  if (items === undefined || place === undefined) return false
  items.note(stepsOf(levels.slice(0, place.length)), faultOf(error, levels.slice(place.length)))
  scan.outside = place.length
  // A bracket that is too deep is open, and has made no level.
  scan.skipped = opens(character) ? 1 : 0
  return true
}

const isAt = (place: ItemPlace, levels: readonly Level[]): boolean =>
  place.every((name, at) => (name === '*' ? typeof levels[at]?.step === 'number' : levels[at]?.step === name))

function skip(scan: Scan, character: number): void {
  const { levels, skipped, outside } = scan
  if (skipped === null) return
  if (opens(character)) scan.skipped = skipped + 1
  if (!closes(character)) return
  if (skipped > 0) scan.skipped = skipped - 1
  else levels.pop()
  if (levels.length <= outside) scan.skipped = null
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

const twice: JsonError = { code: 'invalid_json', why: 'not_unique', detail: 'Stands twice in one object.' }
// Libraries on the way drop it, or worse.
const ofPrototypes: JsonError = { code: 'invalid_json', why: 'wrong_format', detail: 'This name is not taken.' }
const tooDeep: JsonError = { code: 'invalid_json', why: 'too_large', detail: `Is nested deeper than ${depthMax}.` }

const tooLong = (levels: readonly Level[]): JsonError => ({
  code: 'too_many_items',
  why: 'too_long',
  detail: `Must have at most ${listItemsMax} ${levels.at(-1)?.names === null ? 'items' : 'members'}.`,
})

/** An error of length is that of the level itself; any other is at the latest step in it. */
function faultOf({ code, why, detail }: JsonError, levels: readonly Level[]): Fault {
  const pointer = pointerTo(stepsOf(code === 'too_many_items' ? levels.slice(0, -1) : levels))
  return new Fault(code, `${pointer}: ${detail}`, { errors: [{ pointer, code: why, detail }] })
}

const stepsOf = (levels: readonly Level[]): Path => levels.map(({ step }) => step)
