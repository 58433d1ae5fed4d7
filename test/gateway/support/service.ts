// A service to stand behind the gateway: it knows the keys that a test gives it, answers as it is told, and records
// what arrived, to the byte.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  identityFrom,
  readFacts,
  readHeader,
  signedText,
  principalHeader,
  type Principal,
} from '#contract/internal/principal.ts'
import {
  internalPaths,
  type KeyRecord,
  type KeyRecords,
  type RecentKeyChanges,
} from '#contract/internal/gateway-endpoints.ts'
import type { DeniedCall, KeyUsage, KeyActivity } from '#contract/internal/reports.ts'
import { deriveKey, digestOf, isMacOf } from '#runtime/sealing-and-signing.ts'
import { makeToken, tokenHash } from '#runtime/bearer-tokens.ts'

export const internalSecret = 'an internal secret of at least 32 characters'

type Arrived = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly principal: Principal | undefined
  /** When the gateway signed who calls; milliseconds since 1970. */
  readonly signedAt: number | undefined
}
export type Respond = (request: IncomingMessage, response: ServerResponse, arrived: Arrived) => void
export type StandIn = {
  readonly url: string
  /** Calls for callers; the gateway's own are not among them. */
  readonly calls: Arrived[]
  readonly usage: KeyUsage[]
  readonly activity: KeyActivity[]
  readonly denials: DeniedCall[]
  readonly asked: string[]
  /** What it says has changed of late. */
  readonly keyChanges: RecentKeyChanges['changes']
  /** Called for each request that ended before its answer did. */
  cancelled: number
  respond: Respond
  /** Called when the head of a call is there, and nothing of its body was read. */
  beforeBody: (request: IncomingMessage, response: ServerResponse) => void
  /** Makes a key; the record may be changed later. */
  key(more?: Partial<KeyRecord>): { readonly token: string; readonly record: Mutable }
  /** Makes a key known that another stand-in has made. */
  know(token: string, record: Mutable): void
  /** Set to hold or fail the questions for keys. */
  beforeKey: () => Promise<number | void>
  probes: number
  /** Set to hold or fail the probes. */
  beforeReady: () => Promise<number | void>
  /** What reports are answered with. */
  reportStatus: number
  /** Paths that it answers with 404, as a release does that does not know them. */
  readonly unknownPaths: Set<string>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
type Report = {
  readonly usage?: KeyUsage[]
  readonly activity?: KeyActivity[]
  readonly denials?: DeniedCall[]
}
const reportPaths: ReadonlySet<string> = new Set([
  internalPaths.keyUsage,
  internalPaths.keyActivity,
  internalPaths.deniedCalls,
])
type Mutable = { -readonly [P in keyof KeyRecord]: KeyRecord[P] }

export const workspaceA = '0190a000-0000-7000-8000-00000000000a'
export const workspaceB = '0190a000-0000-7000-8000-00000000000b'

export const answerOk: Respond = (_request, response) =>
  void response.setHeader('content-type', 'application/json').end('{"ok":true}')
export const answerWith =
  (status: number, headers: OutgoingHttpHeaders = {}, body: string | Buffer = '{}'): Respond =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

/** Keeps answers back until a test gives them. */
export function holding() {
  const held: ServerResponse[] = []
  const respond: Respond = (_request, response) => void held.push(response)
  return { held, respond }
}

/** A workspace as the record of a key has it. */
export const within = (id: string, more: Partial<KeyRecord['workspaces'][number]> = {}) => ({
  id,
  suspended: false,
  refusals: [],
  ...more,
})

let made = 0

export async function standIn(port = 0, host = '127.0.0.1'): Promise<StandIn> {
  const key = deriveKey(internalSecret, 'principal')
  const keys = new Map<string, Mutable>()
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(port, host, resolve))

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.once('close', () => response.writableFinished || (self.cancelled += 1))
    const url = request.url ?? ''
    const { principal, signedAt } = claimOf(request) ?? {}
    if (url === internalPaths.ready) return answerProbe(principal, response)
    if (url.startsWith(`${internalPaths.keyByHash}/`))
      return answerKeys(url.slice(internalPaths.keyByHash.length + 1), principal, response)
    if (url === internalPaths.keyChanges) return answerJson(response, { changes: self.keyChanges, complete: true })
    if (principal?.kind !== 'gateway') self.beforeBody(request, response)
    const body = await textOf(request)
    if (body === null || response.headersSent) return
    if (url === internalPaths.keysByHash)
      return answerKeys((JSON.parse(body) as { hashes: string[] }).hashes, principal, response)
    if (self.unknownPaths.has(url)) return void response.writeHead(404).end()
    if (reportPaths.has(url)) {
      if (self.reportStatus < 300) keepReport(JSON.parse(body) as Report)
      return void response.writeHead(self.reportStatus).end()
    }
    const arrived = { method: request.method ?? '', url, headers: request.headers, body, principal, signedAt }
    self.calls.push(arrived)
    self.respond(request, response, arrived)
  }

  /** Undefined where the header was not signed for this very request. */
  function claimOf({ method = '', url = '', headers }: IncomingMessage) {
    const read = readHeader(String(headers[principalHeader]))
    if (read === null) return undefined
    const { identity, facts, mac } = read
    const text = signedText(digestOf(identity), facts, method, url.split('?', 1)[0] ?? '')
    if (!isMacOf(key, text, mac)) return undefined
    const { signedAt, ...ofCall } = readFacts(facts)!
    return { signedAt, principal: { ...(identityFrom(identity) as Principal), ...ofCall } }
  }

  async function answerProbe(principal: Principal | undefined, response: ServerResponse): Promise<void> {
    self.probes += 1
    const status = await self.beforeReady()
    response.writeHead(principal?.kind === 'gateway' ? (status ?? 200) : 401).end()
  }

  function keepReport({ usage = [], activity = [], denials = [] }: Report): void {
    self.usage.push(...usage)
    self.activity.push(...activity)
    self.denials.push(...denials)
  }

  /** One key by its hash, or several in the order of theirs. */
  async function answerKeys(asked: string | string[], principal: Principal | undefined, response: ServerResponse) {
    const hashes = [asked].flat()
    self.asked.push(...hashes)
    const status = await self.beforeKey()
    if (principal?.kind !== 'gateway') return void response.writeHead(401).end()
    if (status !== undefined) return void response.writeHead(status).end()
    const found = hashes.map((hash) => keys.get(hash) ?? null)
    if (asked !== hashes[0]) return answerJson(response, { keys: found } satisfies KeyRecords)
    return found[0] === null ? void response.writeHead(404).end() : answerJson(response, found[0])
  }
  const answerJson = (response: ServerResponse, body: unknown): void =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

  const self: StandIn = {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    calls: [],
    usage: [],
    activity: [],
    denials: [],
    asked: [],
    keyChanges: [],
    cancelled: 0,
    respond: answerOk,
    reportStatus: 204,
    probes: 0,
    unknownPaths: new Set(),
    beforeReady: async () => {},
    beforeBody: () => {},
    beforeKey: async () => {},
    key: (more = {}) => {
      const { token, hash } = makeToken('wsk')
      const record = { ...recordOf(), ...more }
      keys.set(hash.toString('hex'), record)
      return { token, record }
    },
    know: (token, record) => void keys.set(tokenHash(token).toString('hex'), record),
    close,
    [Symbol.asyncDispose]: close,
  }
  async function close(): Promise<void> {
    server.closeAllConnections()
    if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return self
}

/** A key that may do everything with projects in one workspace. */
export function recordOf(): Mutable {
  const id = `0190b000-0000-7000-8000-${String(++made).padStart(12, '0')}`
  return {
    id,
    name: 'Key',
    bound: true,
    workspaces: [within(workspaceA)],
    scopes: ['projects:write', 'projects:delete'],
    surfaces: ['http', 'mcp'],
    ipAllowlist: [],
    expiresAt: null,
    revokedAt: null,
    maxAgeDays: null,
    secret: { createdAt: new Date().toISOString(), expiresAt: null },
  }
}

/** Null where the sender went away. */
async function textOf(request: IncomingMessage): Promise<string | null> {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  } catch {
    return null
  }
}
