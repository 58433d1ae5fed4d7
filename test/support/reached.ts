import type { Dependencies } from '../../service/readiness.ts'

/** Of a service whose tests are about something else. */
export const allDependenciesUp: Dependencies = {
  database: () => true,
  redis: () => true,
  broker: () => true,
  storage: () => true,
  isStopping: () => false,
}
