// What is known of an import that may be interrupted at any time: how many rows are done, and which job has the next
// ones. It stands in a file beside the input, so that the same command goes on from there, and does nothing twice.
import { createHash, randomUUID, type Hash } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { UsageError } from './arguments.ts'
import { codeOf } from './profiles.ts'

export type ImportState = {
  readonly id: string
  /** Of where it goes to, and of what was asked. */
  readonly purpose: string
  readonly rowsDone: number
  /** Of the rows that are done. */
  readonly digest: string
  readonly taken: number
  readonly refused: number
  /** How much of the file of refused rows belongs to the rows that are done. */
  readonly refusedBytes: number
  /** Of that much of it. */
  readonly refusedDigest: string
  /** Counts the jobs that were asked for. */
  readonly attempt: number
  /** The job with the rows that follow. */
  readonly jobId: string | null
  readonly completedAt: string | null
}

export const statePath = (file: string): string => `${file}.import.json`

export const purposeOf = (purpose: unknown): string => hashOf(JSON.stringify(purpose))
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The same for the same rows of the same import: a job that is asked for twice is one. */
export const jobKeyOf = ({ id, rowsDone, attempt }: ImportState): string =>
  hashOf(`${id} ${rowsDone} ${attempt}`).slice(0, 64)

export const rowsDigest = (): Hash => createHash('sha256')
export const digestOf = (hash: Hash): string => hash.copy().digest('hex')

/** Throws a UsageError where what is there is of another import. */
export function readState(file: string, purpose: string, restart: boolean): ImportState {
  const path = statePath(file)
  const stored = restart ? null : storedIn(path)
  if (stored !== null && stored.purpose !== purpose)
    throw new UsageError(
      `${path} is of an import with other options, or to another place. Repeat the command as it was, or begin anew with --restart.`,
    )
  if (stored !== null) return stored
  const state: ImportState = {
    id: randomUUID(),
    purpose,
    rowsDone: 0,
    digest: digestOf(rowsDigest()),
    taken: 0,
    refused: 0,
    refusedBytes: 0,
    refusedDigest: '',
    attempt: 0,
    jobId: null,
    completedAt: null,
  }
  if (restart) writeState(file, state)
  else placeState(path, state)
  return state
}

export function writeState(file: string, state: ImportState): void {
  const path = statePath(file)
  writeFileSync(`${path}.new`, textOf(state), { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
}

/** Of two that begin at once, one has made the file; it is never there by half. */
function placeState(path: string, state: ImportState): void {
  const own = `${path}.${state.id}`
  writeFileSync(own, textOf(state), { mode: 0o600, flush: true })
  try {
    linkSync(own, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new UsageError(`Another import of the file has just begun: ${path}.`)
    throw error
  } finally {
    rmSync(own)
  }
}

const textOf = (state: ImportState): string => `${JSON.stringify(state, null, 2)}\n`

function storedIn(path: string): ImportState | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
  try {
    const state = JSON.parse(text) as ImportState
    if (typeof state.id === 'string' && Number.isInteger(state.rowsDone)) return state
  } catch {
    // Refused like what has no such fields.
  }
  throw new UsageError(`${path} is damaged. Begin anew with --restart; rows without an externalId are then made again.`)
}
