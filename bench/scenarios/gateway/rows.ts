// The gateway, and the proxies in Node that know no policy.
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import { serveProgram } from '../../measure/program.ts'
import { underLoad } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import type { Key } from '../../product/keys.ts'
import { newDeployment } from '../../product/settings.ts'
import { startGateway } from '../../product/tiers.ts'
import type { Plan as HttpProxy } from '../../programs/http-proxy.ts'
import type { Plan as ReplyFrom } from '../../programs/reply-from.ts'
import type { Plan as SamePath } from '../../programs/same-path.ts'
import type { Sample } from '../../report/table.ts'
import type { Asking } from './calls.ts'

export type Setting = {
  readonly keys: readonly Key[]
  /** By the hash of their token. */
  readonly records: Readonly<Record<string, KeyRecord>>
  /** URL. */
  readonly origin: string
  readonly seconds: number
  readonly asking: Asking
}
type Server = AsyncDisposable & { readonly url: string; readonly pid: number }

/** On a slow machine 2 s are too short for Node to have compiled what it runs. */
const warmRequests = 50_000

/** `beside`: processes whose CPU counts as the server's. */
export function against(
  { url, pid }: Pick<Server, 'url' | 'pid'>,
  { keys, asking, seconds }: Setting,
  beside: readonly number[] = [],
): Promise<Sample> {
  const plan = { url, targets: keys.map(asking.target), expect: asking.expect, seconds, warmRequests }
  return underLoad(plan, async () => ({ own: [pid, ...beside] }))
}

const row = (name: string, setting: Setting, serve: () => Promise<Server>): Row => ({
  name,
  measure: async () => {
    await using server = await serve()
    return await against(server, setting)
  },
})

export const gatewayRow = (name: string, setting: Setting, settings: Record<string, string> = {}): Row =>
  row(name, setting, () => startGateway(newDeployment(), setting.origin, settings))

export const replyFrom = (setting: Setting): Row =>
  row('reply-from', setting, () =>
    serveProgram('reply-from', 'measured', { origin: setting.origin } satisfies ReplyFrom),
  )

export const samePath = (setting: Setting): Row =>
  row('same path', setting, () => serveProgram('same-path', 'measured', { origin: setting.origin } satisfies SamePath))

export const httpProxy = (setting: Setting): Row =>
  row('http-proxy-3', setting, () =>
    serveProgram('http-proxy', 'measured', { origin: setting.origin } satisfies HttpProxy),
  )
