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
      return `${entry} is missing: it was deleted too early. Entries are kept for a year, but the oldest remaining entry is less than a year old.`
    case 'end_mismatch':
      return `The end of the log differs from what the workspace has recorded: from ${entry.toLowerCase()} on, entries were deleted, added or replaced.`
    default:
      return reason satisfies never
  }
}

export const whatIsChecked = [
  'Each entry matches its own hash.',
  'Each entry holds the hash of the entry before it.',
  'No number is missing between the first entry and the newest.',
  'The newest entry in the log matches the record of the last entry, which is stored separately.',
] as const

/** In their order. */
export const stepsAfterABreak = [
  'Print this page, and download the audit log as it is now.',
  'Ask the operator to copy the database and the logs of the database server before anything in the database is changed.',
  'Tell the people responsible for security that the log is broken. Include the entry, the reason and the hash of the last valid entry.',
  'Restore the last backups into separate databases, and verify the log in each. Find the newest backup in which the log is still intact: the log was changed after that backup.',
  'Find out who has been able to write to the database since then. The API and these settings cannot change entries.',
  'Replace the credentials of the database, and rotate the keys of this workspace.',
] as const
