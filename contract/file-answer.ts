// The answer of an operation that is a file and no JSON: bytes that are stored, such as the result of a job, or lines
// that are read while they are sent.
import { Type } from 'typebox'
import type { Operation } from './operation.ts'

/** The type of every file of stored bytes. */
export const fileType = 'application/gzip'
/** The types of files of lines. */
export const linesTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/** What the handler returns. `read` gives the bytes of a part, and is called once the answer has begun. */
export type FileBody = {
  readonly fileName: string
  readonly bytes: number
  /** With its quotation marks. The same tag never stands for other bytes. */
  readonly etag: string
  /** `to` is not part of it. */
  readonly read: (from: number, to: number) => AsyncIterable<Uint8Array>
}

/** The output of such an operation. */
export const FileOutput = Type.Unsafe<FileBody>(Type.String({ format: 'binary', description: 'The bytes.' }))

/** What the handler returns. `lines` gives one part after the other, and is called once the answer has begun. */
export type LinesBody = {
  readonly fileName: string
  readonly type: (typeof linesTypes)[keyof typeof linesTypes]
  readonly lines: () => AsyncIterable<string>
}

/** The output of an operation whose file has no length before its end. It takes no `Range`. */
export const LinesOutput = Type.Unsafe<LinesBody>(
  Type.String({ description: 'Lines of text. A file that is cut short ends with a broken connection.' }),
)

type Declared = Pick<Operation, 'output'>
export const answersBytes = ({ output }: Declared): boolean => output === FileOutput
export const answersLines = ({ output }: Declared): boolean => output === LinesOutput
export const answersFile = (declared: Declared): boolean => answersBytes(declared) || answersLines(declared)
