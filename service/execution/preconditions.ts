// Preconditions of a change: the version that it was made for (`expectedVersion`), and over HTTP the ETags of If-Match
// and If-None-Match (RFC 9110, section 13). Evaluated under the workspace lock, where the object is at hand.
import { Fault } from '#contract/faults/fault.ts'
import { matchesStrongly, matchesWeakly, type EntityTags } from '#runtime/http-headers.ts'

export type Preconditions = {
  readonly ifMatch?: EntityTags | undefined
  readonly ifNoneMatch?: EntityTags | undefined
}

export const unconditional: Preconditions = {}

/** Fields of the input that are headers over HTTP: a body or a query does not hold them. */
export const preconditionFields: readonly string[] = ['expectedVersion', 'createOnly']

type Conditional = { readonly preconditions: Preconditions }
type Versioned = { readonly id: string; readonly version: number }

export function assertVersion(current: Versioned, expected: number | undefined, { preconditions }: Conditional): void {
  const { ifMatch, ifNoneMatch } = preconditions
  const { version } = current
  if (expected !== undefined && expected !== version) throw mismatch(version, `not ${expected}`)
  if (ifMatch !== undefined && !matchesStrongly(ifMatch, opaqueOf(version))) throw unmatched(version, ifMatch)
  if (ifNoneMatch === '*') throw existing(current)
  if (ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, opaqueOf(version))) throw excluded(version)
}

/** For an object that does not exist: throws `precondition_failed` when any version is expected. */
export function assertNoneExpected(expected: number | undefined, { preconditions }: Conditional): void {
  if (expected === undefined && preconditions.ifMatch === undefined) return
  throw new Fault('precondition_failed', 'The object does not exist, so `If-Match` does not match.')
}

export const existing = ({ id, version }: Versioned): Fault =>
  new Fault('precondition_failed', 'The object already exists, so it was not created.', {
    existingId: id,
    currentVersion: version,
  })

/** The text of a version's ETag, without its quotation marks. */
const opaqueOf = (version: number): string => String(version)

const mismatch = (currentVersion: number, instead: string, more: { readonly hint?: string } = {}): Fault =>
  new Fault('version_mismatch', `The object is now at version ${currentVersion}, ${instead}.`, {
    currentVersion,
    ...more,
  })

function unmatched(version: number, tags: EntityTags): Fault {
  const isWeak = tags !== '*' && tags.some(({ weak, opaque }) => weak && opaque === opaqueOf(version))
  const hint = 'A weak tag matches nothing in `If-Match` (RFC 9110, 13.1.1): send it without `W/`.'
  return mismatch(version, 'which does not match `If-Match`', isWeak ? { hint } : {})
}

const excluded = (currentVersion: number): Fault =>
  new Fault('precondition_failed', `The object is at version ${currentVersion}, which matches \`If-None-Match\`.`, {
    currentVersion,
  })
