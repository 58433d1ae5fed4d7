// What a broken chain of the audit log means, and what to do about it. Pure.
import type { ChainFlaw } from '#contract/audit-entries.ts'

const number = new Intl.NumberFormat('en')
export const numberText = (of: number): string => number.format(of)

/** `at`: the number of the first entry that is wrong or missing. */
export function meaningOf(reason: ChainFlaw, at: number): string {
  const [entry, before] = [`Entry ${numberText(at)}`, `entry ${numberText(at - 1)}`]
  switch (reason) {
    case 'entry_changed':
      return `${entry} does not match its hash: it was changed after it was written.`
    case 'entry_missing':
      return `${entry} is missing: it was deleted.`
    case 'link_broken':
      return `${entry} does not hold the hash of ${before}: one of the two was replaced.`
    case 'start_missing':
      return `${entry} is missing. The log begins after it, with an entry that is less than a year old: older entries were deleted too early.`
    case 'end_mismatch':
      return `The log does not end as the workspace has recorded it: from ${entry.toLowerCase()} on, entries were deleted, added or replaced.`
    default:
      return reason satisfies never
  }
}

export const whatIsChecked = [
  'Each entry matches its own hash.',
  'Each entry holds the hash of the entry before it.',
  'No number is missing between the first entry and the newest.',
  'The newest entry is the one that the workspace has recorded as its last.',
] as const

/** In their order. */
export const stepsAfterABreak = [
  'Print this page, and download the audit log as it is now.',
  'Ask the operator to copy the database before anything in it is changed, with the logs of the database server.',
  'Report the break to the people responsible for security: the entry, the reason and the hash of the last valid entry.',
  'Restore the last backups into separate databases and verify the log there. The newest backup with a valid log shows after which time the log was changed.',
  'Find out who could write to the database since then. The API and these settings cannot change entries.',
  'Replace the credentials of the database, and rotate the keys of this workspace.',
] as const
