// The dependencies of each way through the gateway, made once when it starts (gateway/server.ts).
import type { AddressRange } from '#runtime/ip-address.ts'
import type { Log } from '#runtime/log.ts'
import type { Policies } from '../auth/policies.ts'
import type { OverloadProtection } from '../overload/overload-protection.ts'
import type { KeptRefusals } from '../refusals/kept-refusals.ts'
import type { RequestLog } from '../request/request-log.ts'
import type { Proxy } from '../upstream/proxy.ts'

export type GatewayDeps = {
  readonly policies: Policies
  readonly overload: OverloadProtection
  readonly proxy: Proxy
  readonly requestLog: RequestLog
  readonly refusals: Pick<KeptRefusals, 'find'>
  readonly trustedProxies: readonly AddressRange[]
  readonly brand: string
  readonly log: Log
  isStopping(): boolean
}
