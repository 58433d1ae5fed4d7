// Parses JSON strictly: bytes that could only be read by guessing are refused as `invalid_json`.
import { isUtf8 } from 'node:buffer'
import { Fault } from '#contract/fault.ts'
import { jsonFlaw } from './json-depth-and-duplicates.ts'

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

export function parseJson(bytes: Buffer): unknown {
  if (bytes.subarray(0, 3).equals(byteOrderMark)) throw invalid('The body begins with a byte order mark. Leave it out.')
  if (!isUtf8(bytes)) throw invalid('The body is not UTF-8.')
  const text = bytes.toString()
  const flaw = jsonFlaw(text)
  if (flaw !== null) throw flaw
  return parsed(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw invalid('The body is not valid JSON.', cause)
  }
}

const invalid = (detail: string, cause?: unknown): Fault => new Fault('invalid_json', detail, {}, cause)
