import { invalidValue } from '../faults/shared-faults.ts'

/** Throws `validation_failed` for a name that is no IANA time zone. */
export function assertTimeZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw invalidValue('/timeZone', 'not_in_list', 'Is not an IANA time zone.')
  }
}
