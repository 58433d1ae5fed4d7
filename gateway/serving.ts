// What every way through the gateway is served with.
import type { AddressRange } from '#runtime/ip-address.ts'
import type { OverloadProtection } from './overload/overload-protection.ts'
import type { KeptRefusals } from './refusals/kept-refusals.ts'
import type { RequestLog } from './request/request-log.ts'
import type { Policies } from './auth/policies.ts'

export type Serving = {
  readonly policies: Policies
  readonly requestLog: RequestLog
  readonly overload: OverloadProtection
  readonly trustedProxies: readonly AddressRange[]
  readonly refusals: Pick<KeptRefusals, 'find'>
}
