import type { Reached } from '../../service/readiness.ts'

/** Of a service whose tests are about something else. */
export const allReached: Reached = {
  database: () => true,
  redis: () => true,
  broker: () => true,
  storage: () => true,
  isStopping: () => false,
}
