// The dependencies of each way through the gateway, made once when it starts (gateway/server.ts).
import type { AddressRange } from '#runtime/ip-address.ts'
import type { Log } from '#runtime/log.ts'
import type { AdmissionDeps } from '../auth/admission-deps.ts'
import type { OverloadProtection } from '../overload/overload-protection.ts'
import type { KeptRefusals } from '../refusals/kept-refusals.ts'
import type { RequestLog } from '../request/request-log.ts'
import type { Proxy } from '../upstream/proxy.ts'

export type GatewayDeps = {
  readonly policies: AdmissionDeps
  readonly overload: OverloadProtection
  readonly proxy: Proxy
  readonly requestLog: RequestLog
  readonly refusals: Pick<KeptRefusals, 'find'>
  readonly trustedProxies: readonly AddressRange[]
  readonly brand: string
  readonly log: Log
  isStopping(): boolean
}
