// Parses JSON strictly: bytes that could only be read by guessing are refused as `invalid_json`, in a batch item by item.
import { isUtf8 } from 'node:buffer'
import { Fault } from '#contract/faults/fault.ts'
import { jsonFlaw, type ItemPlace } from './json-depth-and-duplicates.ts'

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

/** What is wrong in an item at one of `places` becomes an UnreadableItem there; anything else refuses the body. */
export function parseJson(bytes: Buffer, places: readonly ItemPlace[] = []): unknown {
  if (bytes.subarray(0, 3).equals(byteOrderMark)) throw invalid('The body begins with a byte order mark. Leave it out.')
  if (!isUtf8(bytes)) throw invalid('The body is not UTF-8.')
  const text = bytes.toString()
  const found: { readonly path: readonly (string | number)[]; readonly fault: Fault }[] = []
  const flaw = jsonFlaw(text, { places, note: (path, fault) => void found.push({ path, fault }) })
  if (flaw !== null) throw flaw
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
