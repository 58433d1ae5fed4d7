// The gateway alone: what its policies cost, compared with proxies that have none, or fewer, in front of the same origin.
import { serveProgram } from '../../measure/program.ts'
import { connections } from '../../measure/requests.ts'
import { makeKey } from '../../product/keys.ts'
import type { Plan as Origin } from '../../programs/origin.ts'
import type { Column } from '../../report/table.ts'
import type { Goal } from '../../report/goals.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { get, post, postedBytes } from './calls.ts'
import { plainPolicy } from './plain-policy.ts'
import { gatewayRow, httpProxy, replyFrom, type Setting } from './rows.ts'
import { otherProxies } from './other-proxies.ts'

// Enough keys that no limit refuses one at what one core can do.
const keyCount = 4_096
const peer = 'reply-from'

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'requests/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs/request', digits: 1, compared: true },
  { figure: 'cores', title: 'cores used', digits: 2 },
  { figure: 'p50Ms', title: 'p50 ms', digits: 1 },
  { figure: 'p99Ms', title: 'p99 ms', digits: 1 },
]

const cheaperThan = (row: string, atLeast: number): Goal => ({
  says: `CPU of \`${row}\` over that of the gateway`,
  own: { row, figure: 'cpu' },
  over: { row: 'gateway', figure: 'cpu' },
  atLeast,
})

export const gateway: Scenario = {
  name: 'gateway',
  about:
    'The gateway process beside other proxies, in front of one origin that answers from memory. nginx and haproxy are measured where they are installed.',
  prepare: async ({ seconds }) => {
    const keys = Array.from({ length: keyCount }, () => makeKey())
    const records = Object.fromEntries(keys.map(({ hash, record }) => [hash, record]))
    const origin = await serveProgram('origin', 'load', { keys: records } satisfies Origin)
    const setting = { keys, records, origin: origin.url, seconds }
    return { parts: [reading(setting), writing(setting)], facts: {}, [Symbol.asyncDispose]: origin.stop }
  },
}

type Given = Omit<Setting, 'asking'>

function reading(given: Given): Part {
  const setting = { ...given, asking: get }
  const others = otherProxies(setting)
  const rows = [
    gatewayRow('gateway', setting),
    gatewayRow('gateway, log level warn', setting, { LOG_LEVEL: 'warn' }),
    ...[replyFrom(setting), httpProxy(setting), plainPolicy(setting), ...others],
  ]
  const nginx = others.some(({ name }) => name === 'nginx + auth_request')
    ? [cheaperThan('nginx + auth_request', 0.7)]
    : []
  return {
    title: 'GET through the proxy',
    about: `Answers of about 1 KB, ${connections} connections, ${keyCount} keys and paths in a cycle; every answer was 200. The gateway checks key, allowlist, rotation, surface, limits, workspace and scope, signs the principal, counts use and writes a log line for each request; \`reply-from\`, \`http-proxy-3\` and \`nginx\` do none of it, \`plain policy\` reads the key from Redis and counts there, \`nginx + auth_request\` asks a service of its own, whose CPU is in the figure, and \`haproxy\` knows neither scopes nor the age of keys.`,
    ...{ columns, rows, peer, goals: [cheaperThan(peer, 1.3), cheaperThan('plain policy', 2.5), ...nginx] },
  }
}

function writing(given: Given): Part {
  const setting = { ...given, asking: post }
  const rows = [gatewayRow('gateway', setting), replyFrom(setting), plainPolicy(setting)]
  return {
    title: 'POST through the proxy',
    about: `JSON of ${postedBytes} bytes; every answer was 204. \`reply-from\` parses it and writes it anew, as it does by default.`,
    ...{ columns, rows, peer, goals: [cheaperThan(peer, 1.3), cheaperThan('plain policy', 2.5)] },
  }
}
