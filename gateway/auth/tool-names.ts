// The form in which a caller over MCP is told the names of tools, with dots or with underscores. Calls take both forms.
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '#contract/faults/fault.ts'
import { toolNamesChoices, type ToolNames } from '#contract/surface.ts'
import { toolNamesChoice, toolNamesHeader, namingBy, type Naming, type NamingHints } from '#contract/tools/names.ts'
import { pairNames, takeParameter } from '../request/request-head.ts'
import type { Key } from '../keys/key.ts'
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Part } from '#runtime/process.ts'
import { openRedis } from '#runtime/redis.ts'

/**
 * The choice of the address (`?toolNames=`), else of a header, else of the key: what is nearer to the call counts more.
 * `auto`, in any of these places, leaves it to the client.
 *
 * `query`: without what named the workspace. It has no other parameter: one that is misspelt is refused, since its
 * caller would wait in vain for what it asks for. A header that cannot be read is left to the service, which refuses
 * it.
 */
export function chosenToolNames(key: Pick<Key, 'toolNames'>, query: string, headers: IncomingHttpHeaders): ToolNames {
  const { value, rest } = takeParameter(query, 'toolNames')
  const [unknown] = pairNames(rest)
  if (unknown !== undefined) throw unknownParameter(unknown)
  const byAddress = value === undefined ? undefined : (toolNamesChoice(value) ?? refuse())
  return byAddress ?? toolNamesChoice([headers[toolNamesHeader]].flat()[0] ?? '') ?? key.toolNames
}

function unknownParameter(name: string): Fault {
  const parameter = name.slice(0, 40)
  const detail = 'Unknown parameter. Only `workspaceId` and `toolNames` are supported.'
  return new Fault('unknown_parameter', `${parameter}: ${detail}`, { errors: [{ parameter, code: 'unknown', detail }] })
}

function refuse(): never {
  const [parameter, detail] = ['toolNames', 'This value is not allowed.']
  const errors = [{ parameter, code: 'not_in_list' as const, detail, allowed: toolNamesChoices }]
  throw new Fault('invalid_parameter', `${parameter}: ${detail}`, { errors })
}

// What a message says of itself decides: the choice of its address, header or key, its client's name, its session. A
// message of the older protocol versions after the handshake names no client, and some clients send no session: then
// the client that last named itself with this key and User-Agent counts, for an hour. That is kept in this gateway and,
// where there is Redis, there too, so that any gateway knows it. A gateway that cannot ask Redis knows what it has seen
// itself, and else lists the names of the specification. What is forgotten costs no call.

/** What all gateways share. Both reject when it is away. */
export type SharedNames = Part & {
  write(client: KnownClient, naming: Naming): Promise<void>
  read(client: KnownClient): Promise<Naming | null>
}
type KnownClient = { readonly keyId: string; readonly userAgentHash: string }
export type NamedMessage = Omit<NamingHints, 'remembered'> & {
  readonly keyId: string
  readonly userAgent: string | undefined
  /** The message opens a session: what comes after it may name no client. */
  readonly handshake: boolean
  /** The answer shows names of tools. */
  readonly showsNames: boolean
}
export type ListedNames = Part & {
  decide(asked: NamedMessage): Promise<Naming>
  size(): number
}

export const rememberedMs = 3_600_000
/** Of clients that name themselves in each message, and are told to the other gateways no more often than this. */
const tellEveryMs = 600_000
const clientsMax = 10_000

export function listedNames(shared: SharedNames | null, now = () => Date.now()): ListedNames {
  const seen = new LRUCache<string, { readonly naming: Naming; readonly at: number }>({
    max: clientsMax,
    ttl: rememberedMs,
    ttlResolution: 0,
    perf: { now },
  })

  async function remember(client: KnownClient, naming: Naming, handshake: boolean): Promise<void> {
    const before = seen.get(nameOf(client))
    if (!handshake && before?.naming === naming && now() - before.at < tellEveryMs) return
    seen.set(nameOf(client), { naming, at: now() })
    const told = shared?.write(client, naming).catch(() => {})
    // The next message may come to another gateway as soon as this one is answered.
    if (handshake) await told
  }

  async function recall(client: KnownClient, showsNames: boolean): Promise<Naming | null> {
    const own = seen.get(nameOf(client))?.naming ?? null
    if (shared === null || !showsNames) return own
    return shared.read(client).catch(() => own)
  }

  async function decide({ keyId, userAgent, handshake, showsNames, ...hints }: NamedMessage): Promise<Naming> {
    const client = (): KnownClient => ({ keyId, userAgentHash: hashOf(userAgent ?? '') })
    const ofClient = namingBy({ client: hints.client ?? null })
    if (ofClient !== null) await remember(client(), ofClient, handshake)
    return namingBy(hints) ?? (await recall(client(), showsNames)) ?? 'dots'
  }
  return { decide, size: () => seen.size, close: async () => shared?.close() }
}

const nameOf = ({ keyId, userAgentHash }: KnownClient): string => `${keyId}.${userAgentHash}`

/** A header of any length becomes a short name; it is no secret. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

// The naming of each client in Redis: for each key a sorted set of its clients by the time at which they named
// themselves, the latest 20 of them, forgotten an hour after the last. So a key that calls under ever new names takes
// no more room.

export const clientsPerKeyMax = 20
const commandTimeoutMs = 250
const namings: readonly Naming[] = ['dots', 'underscores']

/** A client has one naming at a time, the last one. */
const write = `
redis.call('ZREM', KEYS[1], ARGV[1] .. '.dots', ARGV[1] .. '.underscores')
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1] .. '.' .. ARGV[2])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - tonumber(ARGV[4]))
redis.call('PEXPIRE', KEYS[1], ARGV[5])`

export function redisNames(
  url: string,
  brand: string,
  onError: (error: Error) => void,
  now = () => Date.now(),
): SharedNames {
  const redis = openRedis(url, { commandTimeout: commandTimeoutMs })
  redis.on('error', onError)
  const setOf = ({ keyId }: KnownClient): string => `${brand}.tool-names.${keyId}`

  return {
    write: async (client, naming) => {
      await redis.eval(write, 1, setOf(client), client.userAgentHash, naming, now(), clientsPerKeyMax, rememberedMs)
    },
    read: async (client) => {
      const asking = redis.pipeline()
      for (const naming of namings) asking.zscore(setOf(client), `${client.userAgentHash}.${naming}`)
      const answers = (await asking.exec()) ?? []
      const failed = answers.find(([error]) => error !== null)?.[0]
      if (failed) throw failed
      return namings.find((_naming, at) => Number(answers[at]?.[1] ?? 0) > now() - rememberedMs) ?? null
    },
    close: async () => redis.disconnect(),
  }
}
