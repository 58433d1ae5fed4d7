// Looks at the bytes of an upload as they pass: how many, their SHA-256, and what the first of them say they are. More
// than were announced end it at once.
import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { fileTypeFromBuffer } from 'file-type'
import { sizeMismatch, type Received } from './rules.ts'

/** As many as file-type asks for. */
const sampleBytes = 4_100

export type ByteMeter = {
  readonly through: Transform
  /** Once all have passed. */
  received(): Promise<Received>
}

export function byteMeter(announced: number): ByteMeter {
  const hash = createHash('sha256')
  const sample: Buffer[] = []
  let [bytes, sampled] = [0, 0]
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > announced) return done(sizeMismatch(announced, bytes))
      hash.update(chunk)
      if (sampled < sampleBytes) {
        const part = Buffer.from(chunk.subarray(0, sampleBytes - sampled))
        sample.push(part)
        sampled += part.length
      }
      return done(null, chunk)
    },
  })
  const received = async (): Promise<Received> => {
    const found = await fileTypeFromBuffer(Buffer.concat(sample)).catch(() => undefined)
    return { bytes, sha256: hash.digest('hex'), detectedType: found?.mime ?? null }
  }
  return { through, received }
}
