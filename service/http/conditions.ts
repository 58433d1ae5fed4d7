// Conditional requests (RFC 9110, section 13): If-Match is the version that the caller last saw, `If-None-Match: *` on
// PUT asks for a new object only. Fields of the input say the same where there are no headers.
import { Fault } from '#contract/fault.ts'
import { methodOf, type Operation } from '#contract/operation.ts'

export type Conditions = { readonly ifMatch: string | undefined; readonly ifNoneMatch: string | undefined }

const versionMax = 2_147_483_647

export const conditionNames: readonly string[] = ['expectedVersion', 'createOnly']

export const conditions = (operation: Operation, { ifMatch, ifNoneMatch }: Conditions) => ({
  ...expectedVersion(operation, ifMatch),
  ...createOnly(operation, ifNoneMatch),
})

/** `"7"`, the ETag of version 7. */
function expectedVersion(operation: Operation, ifMatch: string | undefined): { expectedVersion?: number } {
  if (ifMatch === undefined || !('expectedVersion' in operation.input.properties)) return {}
  // What is changed or deleted by its id must exist anyhow; what is put need not.
  if (ifMatch === '*' && methodOf(operation) !== 'PUT') return {}
  const version = Number(/^(?:W\/)?"([1-9]\d{0,9})"$/.exec(ifMatch)?.[1])
  if (version <= versionMax) return { expectedVersion: version }
  throw unreadable('If-Match', 'Send the ETag of an earlier answer, with its quotation marks.')
}

function createOnly(operation: Operation, ifNoneMatch: string | undefined): { createOnly?: true } {
  const takes = methodOf(operation) === 'PUT' && 'createOnly' in operation.input.properties
  if (ifNoneMatch === undefined || !takes) return {}
  if (ifNoneMatch.trim() === '*') return { createOnly: true }
  throw unreadable('If-None-Match', 'Send `*`, which refuses where the object exists.')
}

const unreadable = (header: string, detail: string): Fault =>
  new Fault('invalid_header', detail, { errors: [{ header, code: 'wrong_format', detail }] })
