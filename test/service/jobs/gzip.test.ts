import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appendLines, endBytes, emptyGzip, endOfGzip, type GzipPiece } from '../../../service/jobs/gzip.ts'

test('pieces make one gzip file that holds each row as a line, whatever they are', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.jsonValue(), { maxLength: 5 }), { minLength: 1, maxLength: 5 }), (pages) => {
      const pieces: GzipPiece[] = []
      for (const rows of pages) pieces.push(appendLines(pieces.at(-1)?.state ?? emptyGzip, rows))
      const state = pieces.at(-1)?.state ?? emptyGzip

      const bytes = Buffer.concat([...pieces.map((piece) => piece.bytes), endOfGzip(state)])

      const rows = pages.flat()
      expect(gunzipSync(bytes).toString()).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
      expect(state).toMatchObject({ rows: rows.length, bytes: bytes.length - endBytes, chunks: pieces.length })
      expect(pieces.map(({ start }) => start)).toEqual(
        pieces.map((_, at) => Buffer.concat(pieces.slice(0, at).map((piece) => piece.bytes)).length),
      )
    }),
  )
})
