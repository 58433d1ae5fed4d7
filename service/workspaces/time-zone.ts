// What a workspace may be. Pure.
import { Fault } from '#contract/fault.ts'

export function assertTimeZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone })
  } catch {
    const error = { pointer: '/timeZone', code: 'not_in_list', detail: 'Is not an IANA time zone.' } as const
    throw new Fault('validation_failed', '/timeZone: Is not an IANA time zone.', { errors: [error] })
  }
}
