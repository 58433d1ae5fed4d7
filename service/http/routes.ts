// One route for each operation and audience: parts of the request in, the operation's answer out.
import type { KeyObject } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { routeNotFound } from '#contract/faults/fault.ts'
import { browserHeader, sessionEnded, sessionHeader } from '#contract/internal/gateway-endpoints.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { changes, isPartial, partialType, type Admission } from '#contract/operation.ts'
import { colonPath, workspaceParameterOf, type Route } from '#contract/route-paths.ts'
import { answersBytes, answersLines, type FileBody, type LinesBody } from '#contract/file-answer.ts'
import type { Answer, Execute } from '../execution/call.ts'
import type { Preconditions } from '../execution/preconditions.ts'
import {
  compressed,
  assertIfMatch,
  isNotModified,
  preconditionsOf,
  contentLocation,
  locationOf,
  etagOf,
  type MadeObject,
} from './answer.ts'
import { principalOf, verifyPrincipal } from './principal.ts'
import { sendFile, sendLines } from './send-file.ts'
import { inputFrom, assertDecodable } from './request-input.ts'
import { tellOutcome } from './call-outcome.ts'
import { countedFor } from './request-log.ts'

type RouteDeps = {
  readonly execute: Execute
  readonly principalKey: KeyObject
  /** The address at which callers reach the gateways; null where it is not set. */
  readonly publicUrl: string | null
}

export function serveRoute(app: FastifyInstance, route: Route, { execute, principalKey, publicUrl }: RouteDeps): void {
  app.route({
    method: route.method,
    url: colonPath(route.path),
    bodyLimit: route.operation.bodyBytesMax,
    config: {
      operation: route.operation.name,
      ...(route.operation.cost === 'items' && { itemPlaces: [['items', '*']] }),
    },
    onRequest: verifyPrincipal(principalKey, (principal, { params }) =>
      assertMayCall(route, principal, params as PathParams),
    ),
    onSend: compressed,
    handler: async (request, reply) => {
      const { operation } = route
      const principal = principalOf(request)
      const input = inputOf(route, request)
      const preconditions = preconditionsOf(operation, request.headers)
      const asked = {
        operation,
        input,
        principal,
        idempotencyKey: idempotencyKeyOf(route, request),
        preconditions,
        signal: signalOf(reply),
        browser: browserOf(request),
      }
      const answer = await countedFor(reply, () => execute(asked))
      return send({ ...route, input, publicUrl }, request, reply, answer, preconditions)
    },
  })
}

/** The gateway alone sets it. */
const browserOf = ({ headers }: FastifyRequest): string | null => {
  const given = headers[browserHeader]
  return typeof given === 'string' ? given : null
}

/** A signal that is aborted when the connection closes before the answer is out. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const aborting = new AbortController()
  raw.once('close', () => raw.writableFinished || aborting.abort())
  return aborting.signal
}

type PathParams = { readonly workspaceId?: string; readonly id?: string }

/** The API is for keys, the settings for those whom the operation admits, in the workspace of the path. */
export function assertMayCall(
  { audience, operation }: Pick<Route, 'audience' | 'operation'>,
  principal: Principal,
  params: PathParams,
): void {
  const expected: readonly Principal['kind'][] = audience === 'settings' ? admitted[operation.admits] : ['api_key']
  const parameter = principal.kind === 'member' ? workspaceParameterOf(operation) : 'workspaceId'
  const named = parameter === null ? undefined : params[parameter]
  const isThere = named === undefined ? principal.kind !== 'member' : named.toLowerCase() === principal.workspaceId
  if (!expected.includes(principal.kind) || !isThere) throw routeNotFound()
}

const admitted: Readonly<Record<Admission, readonly Principal['kind'][]>> = {
  operator: ['operator'],
  member: ['operator', 'member'],
  account: ['account'],
  anyone: ['account', 'visitor'],
}

function inputOf({ operation }: Route, request: FastifyRequest): Record<string, unknown> {
  assertDecodable(request.url)
  const path = request.params as Record<string, unknown>
  const query = request.query as Record<string, unknown>
  return inputFrom(operation, { path, query, body: request.body })
}

/** A read has nothing to repeat. The draft writes the key as a quoted string; most clients send it bare. */
function idempotencyKeyOf({ operation }: Route, { headers }: FastifyRequest): string | undefined {
  if (!changes(operation)) return undefined
  const [key] = [headers['idempotency-key']].flat()
  return key?.replace(/^"(.*)"$/, '$1')
}

function send(
  route: Route & { readonly input: Readonly<Record<string, unknown>>; readonly publicUrl: string | null },
  request: FastifyRequest,
  reply: FastifyReply,
  { body, replayed, created = false, sessionToken, browserToken }: Answer,
  preconditions: Preconditions,
): FastifyReply {
  const { operation, method, path, publicUrl } = route
  if (sessionToken !== undefined) reply.header(sessionHeader, sessionToken ?? sessionEnded)
  if (browserToken !== undefined) reply.header(browserHeader, browserToken)
  if (replayed) reply.header('idempotency-replayed', 'true')
  if (answersBytes(operation)) return sendFile(request, reply, body as FileBody)
  if (answersLines(operation)) return sendLines(request, reply, body as LinesBody)
  const etag = etagOf(body, route)
  if (etag !== null) {
    if (method === 'GET') assertIfMatch(preconditions, etag, (body as { version: number }).version)
    reply.header('etag', etag)
    const instead = contentLocation(route, request.params as Record<string, string>, body)
    if (instead !== null) reply.header('content-location', instead)
    // The tag of what stood here before may be the same as that of what stands in its place.
    const known = instead === null && isNotModified(preconditions, etag)
    if (method === 'GET' && known) return reply.code(304).send()
  }
  const status = created ? 201 : operation.success
  if (status === 201) {
    reply.header('location', (publicUrl ?? '') + locationOf(path, request.url, body as MadeObject))
    tellOutcome(reply, { objectId: (body as MadeObject).id })
  }
  const next = nextCursorOf(body)
  if (next !== null) reply.header('link', linkTo((publicUrl ?? '') + request.url, next))
  if (isPartial(operation, route.input)) reply.type(partialType)
  return operation.success === 204 ? reply.code(204).send() : reply.code(status).send(body)
}

function nextCursorOf(body: unknown): string | null {
  return (body as { page?: { nextCursor: string | null } } | null)?.page?.nextCursor ?? null
}

/** RFC 8288. Relative to the request where the public address is not known. */
function linkTo(url: string, cursor: string): string {
  const [path, query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', cursor)
  return `<${path}?${parameters.toString()}>; rel="next"`
}
