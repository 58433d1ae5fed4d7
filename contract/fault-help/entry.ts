// The shape of what is said about one code, and how it is written down.
import type { FaultMembers } from '../fault.ts'

export type Help = {
  /** What has happened. */
  readonly meaning: string
  /** What to do about it. */
  readonly advice: string
  readonly example: { readonly detail: string; readonly members: FaultMembers; readonly instance: string }
}

/** `detail` and `members` are those of the example; `instance` is the path that was called in it, empty where it could not be read. */
export const help = (
  meaning: string,
  advice: string,
  detail: string,
  members: FaultMembers = {},
  instance = '/api/v1/projects',
): Help => ({ meaning, advice, example: { detail, members, instance } })
