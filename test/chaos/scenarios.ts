// Every scenario, by the name that the command takes.
import { herdWaits } from './herd.ts'
import { broker, database, kills } from './kills.ts'
import { noisyTenant } from './noisy-tenant.ts'
import { churn, freeze } from './replicas.ts'
import type { Scenario } from './scenario.ts'
import { poison } from './sick-receivers.ts'
import { soak } from './soak.ts'
import { standalone } from './standalone.ts'

export const scenarios: Readonly<Record<string, Scenario>> = {
  kills,
  broker,
  database,
  churn,
  freeze,
  poison,
  noisy: noisyTenant,
  herd: herdWaits,
  soak,
  standalone,
}
