// What a job was refused: a line of a file for each object. What all further objects would be refused for as well ends
// the job.
import type { Problem } from '#contract/faults/problem-details.ts'
import type { Fault } from '#contract/faults/fault.ts'
import { appendLines, emptyGzip } from './gzip.ts'
import type { JobFiles, Step } from './rows.ts'

/** What names the object, and the line that it came in. */
type Named = Readonly<Record<string, unknown>>

/** The places that its errors name begin at the object's own data. */
export function refusalOf({ code, detail, errors = [] }: Problem, named: Named): object {
  const own = errors.map(({ pointer = '', ...error }) => ({
    pointer: pointer.replace(/^\/items\/\d+(?:\/data)?/, ''),
    ...error,
  }))
  return { object: 'refusal', ...named, code, detail, errors: own }
}

/** Of a row that could not be read: its code and detail. */
export const withoutPlaces = ({ code, message }: Fault) => ({ code, detail: message })

export function withRefusals(files: JobFiles, refused: readonly object[]): Pick<Step, 'files' | 'pieces' | 'refused'> {
  if (refused.length === 0) return {}
  const piece = appendLines(files.refusals ?? emptyGzip, refused)
  return {
    refused: refused.length,
    files: { ...files, refusals: piece.state },
    pieces: [{ ...piece, file: 'refusals' }],
  }
}

/** Of an item of a batch; `outcome` and `matchedBy` of an upsert. */
export type Result = {
  readonly status: number
  readonly outcome?: string
  readonly matchedBy?: string | null
  readonly data?: unknown
  readonly problem?: Problem
}

/** Of a quota that is used up the rest would be refused, too. */
export function failureOf(results: readonly Result[]): Pick<Step, 'failure'> {
  const problem = results.find((result) => result.problem?.code === 'quota_reached')?.problem
  return problem === undefined ? {} : { failure: { code: problem.code, detail: problem.detail } }
}
