// The answer of an operation that is a file and no JSON, such as the result of a job.
import { Type } from 'typebox'
import type { Operation } from './operation.ts'

/** The type of every file that is answered. */
export const fileType = 'application/gzip'

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

export const answersFile = ({ output }: Pick<Operation, 'output'>): boolean => output === FileOutput
