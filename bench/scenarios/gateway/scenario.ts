// The gateway alone: what its policies cost, compared with proxies that have none, or fewer, in front of the same
// origin.
import { serveProgram } from '../../measure/program.ts'
import { connections } from '../../measure/requests.ts'
import { makeKey, unlimitedRecord } from '../../product/keys.ts'
import type { Plan as Origin } from '../../programs/origin.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { get, post, postedBytes } from './calls.ts'
import { expressGateways } from './express-gateway.ts'
import { goalsOf, wantedOfReading, wantedOfWriting } from './goals.ts'
import { latency } from './latency.ts'
import { nginxWithPolicy, otherProxies } from './other-proxies.ts'
import { plainPolicy } from './plain-policy.ts'
import { gatewayRow, httpProxy, replyFrom, samePath, type Setting } from './rows.ts'

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

export const gateway: Scenario = {
  name: 'gateway',
  about:
    'The gateway process beside other proxies, in front of one origin that answers from memory. nginx, haproxy and express-gateway are measured where they are installed.',
  prepare: async ({ seconds }) => {
    const keys = Array.from({ length: keyCount }, () => makeKey())
    const often = makeKey(unlimitedRecord)
    const records = Object.fromEntries([...keys, often].map(({ hash, record }) => [hash, record]))
    const origin = await serveProgram('origin', 'load', { keys: records } satisfies Origin)
    const given = { records, origin: origin.url, seconds }
    try {
      const parts = [reading({ keys, ...given }), writing({ keys, ...given }), await latency({ key: often, ...given })]
      return { parts, facts: {}, [Symbol.asyncDispose]: origin.stop }
    } catch (error) {
      await origin.stop()
      throw error
    }
  },
}

type Given = Omit<Setting, 'asking'>

function reading(given: Given): Part {
  const setting = { ...given, asking: get }
  const rows = [
    gatewayRow('gateway', setting),
    gatewayRow('gateway, log level warn', setting, { LOG_LEVEL: 'warn' }),
    samePath(setting),
    replyFrom(setting),
    httpProxy(setting),
    plainPolicy(setting),
    ...otherProxies(setting),
    ...expressGateways(setting),
  ]
  return {
    title: 'GET through the proxy',
    about:
      `Answers of about 1 KB, ${connections} connections, ${keyCount} keys and paths in a cycle; every answer was 200. ` +
      'The gateway checks key, allowlist, rotation, surface, limits, workspace and scope, signs the principal, counts use and writes a log line for each request; `same path`, `reply-from`, `http-proxy-3` and `nginx` do none of it, `same path` forwarding just as the gateway does. ' +
      '`plain policy` reads the key from Redis and counts there, `nginx + auth_request` asks a service of its own, whose CPU is in the figure, and `haproxy` knows neither scopes nor the age of keys. ' +
      '`express-gateway` reads key and consumer from Redis and counts there, by address as is its default, or by consumer; it knows neither scopes nor the age of keys.',
    columns,
    rows,
    peer,
    goals: goalsOf(rows, wantedOfReading),
  }
}

function writing(given: Given): Part {
  const setting = { ...given, asking: post }
  const rows = [
    gatewayRow('gateway', setting),
    samePath(setting),
    replyFrom(setting),
    plainPolicy(setting),
    ...nginxWithPolicy(setting),
  ]
  return {
    title: 'POST through the proxy',
    about: `JSON of ${postedBytes} bytes; every answer was 204. \`same path\` reads it whole before it goes on, as the gateway does. \`reply-from\` parses it and writes it anew, as it does by default.`,
    columns,
    rows,
    peer,
    goals: goalsOf(rows, wantedOfWriting),
  }
}
