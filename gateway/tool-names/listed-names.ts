// Which names of tools a caller over MCP is listed, with dots or with underscores. What a message says of itself decides:
// the choice of its address, header or key, its client's name, its session. A message of the older protocol versions after
// the handshake names no client, and some clients send no session: then the client that last named itself with this key
// and User-Agent counts, for an hour. That is kept in this gateway and, where there is Redis, there too, so that any
// gateway knows it. A gateway that cannot ask Redis knows what it has seen itself, and else lists the names of the
// specification. Calls take both forms, so what is forgotten costs no call.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { namingBy, type Naming, type NamingHints } from '#contract/tools/names.ts'
import type { Part } from '#runtime/process.ts'

/** What all gateways share. Both reject when it is away. */
export type SharedNames = Part & {
  write(client: KnownClient, naming: Naming): Promise<void>
  read(client: KnownClient): Promise<Naming | null>
}
export type KnownClient = { readonly keyId: string; readonly userAgentHash: string }
export type Asked = Omit<NamingHints, 'remembered'> & {
  readonly keyId: string
  readonly userAgent: string | undefined
  /** The message opens a session: what comes after it may name no client. */
  readonly handshake: boolean
  /** The answer shows names of tools. */
  readonly showsNames: boolean
}
export type ListedNames = Part & {
  decide(asked: Asked): Promise<Naming>
  size(): number
}

export const rememberedMs = 3_600_000
/** Of clients that name themselves in each message, and are told to the other gateways no more often than this. */
const tellEveryMs = 600_000
const clientsMax = 10_000

export function listedNames(shared: SharedNames | null, now = () => Date.now()): ListedNames {
  const seen = new LRUCache<string, { readonly naming: Naming; readonly at: number }>({
    ...{ max: clientsMax, ttl: rememberedMs, ttlResolution: 0, perf: { now } },
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

  async function decide({ keyId, userAgent, handshake, showsNames, ...hints }: Asked): Promise<Naming> {
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
