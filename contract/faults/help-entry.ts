// The help for one fault code.
import type { FaultMembers } from './fault.ts'

export type Help = {
  /** What has happened, for people. */
  readonly meaning: string
  /** What the caller can do. */
  readonly advice: string
  readonly example: { readonly detail: string; readonly members: FaultMembers; readonly instance: string }
}

/**
 * `detail`, `members` and `instance` are those of an example. `instance`: the path of the call; empty if it was not
 * read.
 */
export const help = (
  meaning: string,
  advice: string,
  detail: string,
  members: FaultMembers = {},
  instance = '/api/v1/projects',
): Help => ({ meaning, advice, example: { detail, members, instance } })
