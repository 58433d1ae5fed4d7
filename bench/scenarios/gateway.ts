// The gateway alone: what its policies cost, compared with a proxy that has none, in front of the same origin.
import { randomUUID } from 'node:crypto'
import { serveProgram } from '../measure/program.ts'
import { connections, underLoad } from '../measure/requests.ts'
import type { Row } from '../measure/rounds.ts'
import { makeKey } from '../product/keys.ts'
import { newDeployment } from '../product/settings.ts'
import { startGateway } from '../product/tiers.ts'
import type { Plan as Origin } from '../programs/origin.ts'
import type { Plan as ReplyFrom } from '../programs/reply-from.ts'
import type { Column } from '../report/table.ts'
import type { Scenario } from '../scenario.ts'

// A key may ask 600 times a minute: enough of them that none is refused at what one core can do, few enough that the
// warm-up has met each.
const keyCount = 1_024
const peer = 'reply-from'

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'requests/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs/request', digits: 1, compared: true },
  { figure: 'cores', title: 'cores used', digits: 2 },
  { figure: 'p50Ms', title: 'p50 ms', digits: 1 },
  { figure: 'p99Ms', title: 'p99 ms', digits: 1 },
]

export const gateway: Scenario = {
  name: 'gateway',
  about:
    'The gateway process beside bare fastify + @fastify/reply-from, in front of one origin that answers from memory.',
  prepare: async ({ seconds }) => {
    const keys = Array.from({ length: keyCount }, makeKey)
    const origin = await serveProgram('origin', 'load', {
      keys: Object.fromEntries(keys.map(({ hash, record }) => [hash, record])),
    } satisfies Origin)
    const targets = keys.map(({ token }) => ({
      ...{
        method: 'GET' as const,
        path: `/api/v1/projects/${randomUUID()}`,
        headers: { authorization: `Bearer ${token}` },
      },
    }))
    const against = (server: { readonly url: string; readonly pid: number }) =>
      underLoad({ url: server.url, targets, expect: 200, seconds }, async () => ({ own: [server.pid] }))

    const ours = (name: string, settings: Record<string, string>): Row => ({
      name,
      measure: async () => {
        await using server = await startGateway(newDeployment(), origin.url, settings)
        return await against(server)
      },
    })
    const bare: Row = {
      name: peer,
      measure: async () => {
        await using server = await serveProgram('reply-from', 'measured', { origin: origin.url } satisfies ReplyFrom)
        return await against(server)
      },
    }
    const rows = [ours('gateway', {}), ours('gateway, log level warn', { LOG_LEVEL: 'warn' }), bare]
    const about =
      `GET of about 1 KB, ${connections} connections, ${keyCount} keys and paths in a cycle; every answer was 200. ` +
      'The gateway checks key, allowlist, rotation, surface, limit in Redis, workspace and scope, signs the principal, counts use ' +
      'and writes a log line for each request; the peer does none of it.'
    return {
      parts: [{ title: 'GET through the proxy', about, columns, rows, peer }],
      facts: {},
      [Symbol.asyncDispose]: origin.stop,
    }
  },
}
