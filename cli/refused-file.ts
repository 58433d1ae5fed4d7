// The file of the rows that an import has refused. People correct it in place, so what an import has not written itself
// is never changed: the file is kept under a numbered name, and another one is begun.
import { createHash } from 'node:crypto'
import { appendFileSync, copyFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import type { ImportState } from './import-state.ts'

type Written = Pick<ImportState, 'refusedBytes' | 'refusedDigest'>

/** `written`: what of it belongs to the rows that are done. What is after that is written again. */
export function openRefused(path: string, { refusedBytes, refusedDigest }: Written, note: (text: string) => void) {
  const content = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  const begun = content.subarray(0, refusedBytes)
  const digest = createHash('sha256')
  let bytes = 0
  const isOwn = refusedBytes > 0 && digestOf(begun) === refusedDigest
  if (content.length > (isOwn ? refusedBytes : 0)) {
    const kept = unusedName(path)
    copyFileSync(path, kept)
    note(`${path} is kept as ${kept}.\n`)
  }
  if (isOwn) {
    digest.update(begun)
    bytes = refusedBytes
  }
  if (content.length > bytes) truncateSync(path, bytes)
  return {
    /** `header`: what a file begins with. */
    append(header: string, text: string): void {
      const added = bytes === 0 ? header + text : text
      appendFileSync(path, added)
      digest.update(added)
      bytes += Buffer.byteLength(added)
    },
    written: (): Written => ({ refusedBytes: bytes, refusedDigest: bytes === 0 ? '' : digest.copy().digest('hex') }),
  }
}

const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** `in.csv.refused.csv` becomes `in.csv.refused.1.csv`. */
function unusedName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = path.replace(/(?=\.[^.]+$)/, `.${number}`)
    if (!existsSync(name)) return name
  }
}
