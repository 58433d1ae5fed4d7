// A gzip file (RFC 1952) that is written in pieces, by one process after the other: what the next piece has to know of
// the earlier ones fits into a row. All pieces and the end together are one member, which every reader takes. Pure.
import { crc32, deflateRawSync, constants } from 'node:zlib'

/** `bytes`: of the file so far, without its end; `plainBytes` and `crc`: of what is packed in it. */
export type GzipState = {
  readonly chunks: number
  readonly bytes: number
  readonly plainBytes: number
  readonly crc: number
  readonly rows: number
}
export type GzipPiece = {
  readonly state: GzipState
  readonly number: number
  readonly start: number
  readonly bytes: Buffer
}

export const emptyGzip: GzipState = { chunks: 0, bytes: 0, plainBytes: 0, crc: 0, rows: 0 }

/** Magic number, deflate, no flags, no time, no level, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/** Each row is a line. */
export function appendLines(state: GzipState, rows: readonly unknown[]): GzipPiece {
  const plain = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  // A flush ends at a whole byte and is not the end of the member.
  const packed = deflateRawSync(plain, { finishFlush: constants.Z_SYNC_FLUSH })
  const bytes = state.chunks === 0 ? Buffer.concat([header, packed]) : packed
  const next: GzipState = {
    chunks: state.chunks + 1,
    bytes: state.bytes + bytes.length,
    plainBytes: state.plainBytes + plain.length,
    crc: crc32(plain, state.crc),
    rows: state.rows + rows.length,
  }
  return { state: next, number: state.chunks, start: state.bytes, bytes }
}

/** What follows the last piece: an empty last block, checksum, and length modulo 2³². */
export function endOfGzip({ plainBytes, crc }: GzipState): Buffer {
  const end = Buffer.alloc(endBytes)
  end.writeUInt8(3, 0)
  end.writeUInt32LE(crc, 2)
  end.writeUInt32LE(plainBytes % 2 ** 32, 6)
  return end
}

export const endBytes = 10
