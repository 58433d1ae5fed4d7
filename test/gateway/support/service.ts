// A service to stand behind the gateway: it knows keys, answers as it is told, and records what arrived, to the byte.
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { internalPaths, type KeyRecord, type RecentKeyChanges } from '#contract/internal/gateway-endpoints.ts'
import * as claims from '#contract/internal/principal.ts'
import type { DeniedCall, KeyUsage, KeyActivity } from '#contract/internal/reports.ts'
import { deriveKey, digestOf, isMacOf } from '#runtime/sealing-and-signing.ts'
import { makeToken, tokenHash } from '#runtime/bearer-tokens.ts'

type Principal = claims.Principal

export const internalSecret = 'an internal secret of at least 32 characters'

type Arrived = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly principal: Principal | undefined
  /** When the gateway signed who calls; milliseconds since 1970. */
  readonly signedAt: number | undefined
}
export type Respond = (request: IncomingMessage, response: ServerResponse, arrived: Arrived) => void
export type StandIn = Awaited<ReturnType<typeof standIn>>

const reports = ['usage', 'activity', 'denials'] as const

const { keyUsage, keyActivity, deniedCalls, apiCalls } = internalPaths
const reportPaths: ReadonlySet<string> = new Set([keyUsage, keyActivity, deniedCalls, apiCalls])
type Mutable = { -readonly [P in keyof KeyRecord]: KeyRecord[P] }

export const workspaceA = '0190a000-0000-7000-8000-00000000000a'
export const workspaceB = '0190a000-0000-7000-8000-00000000000b'

export const answerOk: Respond = (_request, response) =>
  void response.setHeader('content-type', 'application/json').end('{"ok":true}')
export const answerWith =
  (status: number, headers: OutgoingHttpHeaders = {}, body: string | Buffer = '{}'): Respond =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

export function holding() {
  const held: ServerResponse[] = []
  const respond: Respond = (_request, response) => void held.push(response)
  return { held, respond }
}

/** A workspace as the record of a key has it. */
export const within = (id: string, more: Partial<KeyRecord['workspaces'][number]> = {}) => {
  const refusals: KeyRecord['workspaces'][number]['refusals'] = []
  return { id, suspended: false, refusals, ...more }
}

let made = 0

export async function standIn(port = 0, host = '127.0.0.1') {
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
    // Null where the sender went away.
    const body = await text(request).catch(() => null)
    if (body === null || response.headersSent) return
    if (url === internalPaths.keysByHash)
      return answerKeys((JSON.parse(body) as { hashes: string[] }).hashes, principal, response)
    if (self.unknownPaths.has(url)) return void response.writeHead(404).end()
    if (reportPaths.has(url)) {
      const report = JSON.parse(body) as Partial<Pick<typeof self, (typeof reports)[number]>>
      if (self.reportStatus < 300) for (const kind of reports) self[kind].push(...((report[kind] ?? []) as never[]))
      return void response.writeHead(self.reportStatus).end()
    }
    const arrived = { method: request.method ?? '', url, headers: request.headers, body, principal, signedAt }
    self.calls.push(arrived)
    self.respond(request, response, arrived)
  }

  /** Undefined where the header was not signed for this very request. */
  function claimOf({ method = '', url = '', headers }: IncomingMessage) {
    const read = claims.readHeader(String(headers[claims.principalHeader]))
    if (read === null) return undefined
    const { identity, facts, mac } = read
    const text = claims.signedText(digestOf(identity), facts, method, url.split('?', 1)[0] ?? '')
    if (!isMacOf(key, text, mac)) return undefined
    const { signedAt, ...ofCall } = claims.readFacts(facts)!
    return { signedAt, principal: { ...(claims.identityFrom(identity) as Principal), ...ofCall } }
  }

  async function answerProbe(principal: Principal | undefined, response: ServerResponse): Promise<void> {
    self.probes += 1
    const status = await self.beforeReady()
    response.writeHead(principal?.kind === 'gateway' ? (status ?? 200) : 401).end()
  }

  /** One key by its hash, or several in the order of theirs. */
  async function answerKeys(asked: string | string[], principal: Principal | undefined, response: ServerResponse) {
    const hashes = [asked].flat()
    self.asked.push(...hashes)
    const status = await self.beforeKey()
    if (principal?.kind !== 'gateway') return void response.writeHead(401).end()
    if (status !== undefined) return void response.writeHead(status).end()
    const found = hashes.map((hash) => keys.get(hash) ?? null)
    if (asked !== hashes[0]) return answerJson(response, { keys: found })
    return found[0] === null ? void response.writeHead(404).end() : answerJson(response, found[0])
  }
  const answerJson = (response: ServerResponse, body: unknown): void =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

  const self = {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    /** Calls for callers; the gateway's own are not among them. */
    calls: [] as Arrived[],
    usage: [] as KeyUsage[],
    activity: [] as KeyActivity[],
    denials: [] as DeniedCall[],
    asked: [] as string[],
    keyChanges: [] as RecentKeyChanges['changes'][number][],
    /** How many requests ended before their answers did. */
    cancelled: 0,
    respond: answerOk,
    reportStatus: 204,
    probes: 0,
    /** Paths that it answers with 404, as a release does that does not know them. */
    unknownPaths: new Set<string>(),
    beforeReady: async (): Promise<number | void> => {},
    /** Called when the head of a call is there, and nothing of its body was read. */
    beforeBody: (_request: IncomingMessage, _response: ServerResponse) => {},
    /** Set to hold or fail the questions for keys. */
    beforeKey: async (): Promise<number | void> => {},
    /** Makes a key; the record may be changed later. */
    key: (more: Partial<KeyRecord> = {}) => {
      const { token, hash } = makeToken('wsk')
      const record = { ...recordOf(), ...more }
      keys.set(hash.toString('hex'), record)
      return { token, record }
    },
    /** Makes a key known that another stand-in has made. */
    know: (token: string, record: Mutable) => void keys.set(tokenHash(token).toString('hex'), record),
    close,
    [Symbol.asyncDispose]: close,
  }
  async function close(): Promise<void> {
    server.closeAllConnections()
    if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return self
}

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
