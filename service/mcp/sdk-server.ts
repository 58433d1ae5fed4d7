// The SDK's MCP server over the features, one for each message: no session is kept, so any replica can serve any call.
import { ProtocolError, Server, type Result, type ServerContext } from '@modelcontextprotocol/server'
import { Fault } from '#contract/faults/fault.ts'
import { rpcCodes } from '#contract/faults/json-rpc.ts'
import { toolNamed } from '#contract/tools/catalogue.ts'
import type { Exchange } from '../mcp-tools/exchange.ts'
import { refusal } from '../mcp-tools/refusal.ts'
import type { Deadline } from './deadline.ts'
import type { McpFeatures } from './features.ts'
import { legacyVersions } from './protocol-versions.ts'
import { progressOf } from './progress.ts'
import { isMeant, protocolErrorOf, resourceMissing } from './rpc-faults.ts'
import { paramsFlaw } from './validate-params.ts'

export type ServerParts = {
  readonly features: McpFeatures
  readonly exchange: Exchange
  readonly deadline: Deadline
  /** What comes before the result can be sent. */
  readonly canStream: boolean
  /** The client's version has subscriptions, and its key may read the feed. */
  readonly canSubscribe: boolean
  /** Empty for messages whose answer does not hold them. */
  readonly instructions: string
  readonly onUnexpected: (error: unknown) => void
}

// Lists and objects differ by key and workspace, so no cache may share them.
const listsFresh = { ttlMs: 60_000, cacheScope: 'private' } as const
const objectsFresh = { ttlMs: 0, cacheScope: 'private' } as const
const cacheHints = {
  'server/discover': listsFresh,
  'tools/list': listsFresh,
  'prompts/list': listsFresh,
  'resources/templates/list': listsFresh,
  'resources/list': objectsFresh,
  'resources/read': objectsFresh,
}
const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }
const withSubscriptions = { ...capabilities, resources: { subscribe: true, listChanged: true } }

/** With the handlers that a message of this method can reach: a server lives for one message. */
export function serverFor(method: string, parts: ServerParts): Server {
  const server = new GuardedServer(parts)
  handlersOf.get(method.split('/', 1)[0] ?? '')?.(server, parts)
  return server
}

const handlersOf: ReadonlyMap<string, (server: Server, parts: ServerParts) => void> = new Map([
  ['tools', serveTools],
  ['resources', serveResources],
  ['prompts', servePrompts],
  ['completion', serveCompletion],
])

type Handler = Parameters<Server['_wrapHandler']>[1]

/** Every request is served within the deadline, with parameters and errors in our words. */
class GuardedServer extends Server {
  readonly #parts: ServerParts

  constructor(parts: ServerParts) {
    super(
      { name: 'workspace-integration-api', version: '1.0.0' },
      {
        capabilities: parts.canSubscribe ? withSubscriptions : capabilities,
        ...{ cacheHints, instructions: parts.instructions, supportedProtocolVersions: legacyVersions },
      },
    )
    this.#parts = parts
  }

  // The SDK's hook for subclasses. Its constructor calls it for handlers of its own, before there are parts.
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const handle = super._wrapHandler(method, handler)
    return (request, context) => this.#guard(method, request.params, () => handle(request, context))
  }

  async #guard(method: string, params: object | undefined, handle: () => Promise<Result>): Promise<Result> {
    const { exchange, deadline, onUnexpected } = this.#parts
    const { requestId } = exchange.caller.principal
    try {
      return await deadline.race(handle)
    } catch (thrown) {
      // The SDK has refused them before anything was done, in the words of its schemas.
      const flaw = paramsFlaw(method, params)
      if (flaw !== null) throw new ProtocolError(rpcCodes.invalidParams, flaw, { code: 'invalid_parameter', requestId })
      if (!isMeant(thrown)) onUnexpected(thrown)
      if (method === 'tools/call' && isTimeout(thrown)) return refusal(thrown, toolIn(params), exchange.caller)
      throw protocolErrorOf(thrown, requestId)
    }
  }
}

/** Of a call whose parameters have been validated. */
const toolIn = (params: object | undefined) => toolNamed((params as { readonly name: string }).name)

const isTimeout = (thrown: unknown): thrown is Fault => thrown instanceof Fault && thrown.code === 'timeout'

function serveTools(server: Server, { features, exchange, canStream }: ServerParts): void {
  server.setRequestHandler('tools/list', ({ params }) => {
    assertNoCursor(params?.cursor)
    return { tools: features.listTools(exchange) }
  })
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const onProgress = canStream ? progressOf(context) : undefined
    const withProgress = { ...exchange, ...(onProgress && { onProgress }) }
    return features.callTool(params.name, params.arguments ?? {}, withProgress, context)
  })
}

function serveResources(server: Server, { features, exchange }: ServerParts): void {
  server.setRequestHandler('resources/list', ({ params }) => features.listResources(params?.cursor, exchange))
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    assertNoCursor(params?.cursor)
    return features.listResourceTemplates(exchange)
  })
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    try {
      return await features.readResource(uri, exchange)
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== 'not_found') throw thrown
      throw resourceMissing(thrown, uri, exchange.caller.principal.requestId)
    }
  })
}

function servePrompts(server: Server, { features, exchange }: ServerParts): void {
  server.setRequestHandler('prompts/list', ({ params }) => {
    assertNoCursor(params?.cursor)
    return features.listPrompts(exchange)
  })
  server.setRequestHandler('prompts/get', ({ params }, context: ServerContext) =>
    features.getPrompt(params.name, params.arguments ?? {}, exchange, context),
  )
}

function serveCompletion(server: Server, { features, exchange }: ServerParts): void {
  server.setRequestHandler('completion/complete', ({ params }) => features.complete(params, exchange))
}

/** Lists that come whole have given no cursor to anybody. */
function assertNoCursor(cursor: string | undefined): void {
  if (cursor !== undefined)
    throw new Fault('invalid_cursor', 'This list comes whole: there is no cursor to go on from. Leave `cursor` out.')
}
