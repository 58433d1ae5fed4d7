// The service's HTTP server: a route for each operation, MCP, the gateway's own endpoints, and health. Only the gateway
// calls it.
import type { KeyObject } from 'node:crypto'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type RouteHandlerMethod } from 'fastify'
import { operations } from '#contract/api.ts'
import { fileBytesMax } from '#contract/files.ts'
import { addressPurpose } from '#contract/internal/signed-address.ts'
import { goesOn } from '#runtime/lasting-requests.ts'
import { addressSigner } from './files/signed-addresses.ts'
import type { FileStore } from './files/store.ts'
import { fileReader, serveTransfers } from './files/transfers.ts'
import { routeNotFound } from '#contract/faults/fault.ts'
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import { apiBodyBytesMax } from '#contract/operation.ts'
import { defaultRates, type DefaultRates } from '#contract/rate-limits.ts'
import { routesOf, pathSegmentLengthMax } from '#contract/route-paths.ts'
import { graceDaysDefault } from '#contract/workspace-deletions.ts'
import type { Database, OpenedDatabase } from '#prisma/client.ts'
import type { Replica } from '#prisma/replica.ts'
import { countSealedStates, webhookKeyring } from '#prisma/sealing-rows.ts'
import { openKnownBrowsers } from './identity/accounts/known-browsers.ts'
import { openPasswords } from './identity/accounts/passwords.ts'
import { openDeliveryWatch } from './deliveries/watch.ts'
import { heldCounts } from './deliveries/held.ts'
import { relyingPartyOf } from './identity/second-factors/webauthn.ts'
import { openProvider } from './identity/oidc/provider.ts'
import type { OidcConfig } from './identity/oidc/settings.ts'
import type { ServerCertificate } from '#runtime/certificates.ts'
import { endConnectionsWhen } from '#runtime/close-server.ts'
import { keyring, type SealingKey } from '#runtime/keyring.ts'
import { type Log, throttledLog } from '#runtime/log.ts'
import type { MetricSource } from '#runtime/metrics/metric.ts'
import { newId } from '#runtime/new-id.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import type { Tracing } from '#runtime/tracing/tracing.ts'
import { recordDeniedCalls, deniedCallOf, deniedCallQueue, type DeniedCallQueue } from './audit/denied-calls.ts'
import { openPeopleLog, type PeopleLog, refusedMember } from './audit/people-log.ts'
import { writeToolCalls, toolCallQueue } from './audit/tool-calls.ts'
import { pager } from './collection/pagination.ts'
import { eachCollection, constraintFieldsIn } from './collections.ts'
import type { Execute } from './execution/call.ts'
import { onHeldSlot } from './execution/change.ts'
import type { DatabaseSlots } from './execution/database-slots.ts'
import { executor } from './execution/execute.ts'
import type { ReplicaDeps } from './execution/replica-reads.ts'
import { idempotencyStore } from './execution/idempotency.ts'
import { highestQuotaUse } from './execution/quotas.ts'
import { databaseFaults, type FaultOfDatabase } from './faults/database-faults.ts'
import { serveGatewayEndpoints } from './gateway-endpoints.ts'
import { handlersWith, streamsWith, recorders } from './handlers.ts'
import { errorHandler } from './http/error-response.ts'
import { acceptJson } from './http/request-input.ts'
import { logRequests, tellDatabaseTime } from './http/request-log.ts'
import { serveRoute } from './http/routes.ts'
import { serveStreams, type StreamBounds } from './http/streams.ts'
import type { EventNotifier } from './ledger/event-notifier.ts'
import { aheadSeconds } from './ledger/partitions.ts'
import { outboxBacklog } from './ledger/record-events.ts'
import type { Mail } from './open-mail.ts'
import { serveMcp } from './mcp/endpoint.ts'
import { withToolCallsRecorded, type McpFeatures, productFeatures } from './mcp/features.ts'
import { callMetrics, serviceSource } from './metrics.ts'
import { readinessHandler, type Dependencies } from './readiness.ts'
import type { AllowedTargets } from './webhooks/receiver-url.ts'
import { webhookSealer } from './webhooks/signing-secrets.ts'
import { readDeletionFigures } from './workspace-deletions/operations.ts'
import { findWorkspace } from './workspaces/rows.ts'

export type ServiceDeps = {
  readonly db: Database
  /** Of the connections to Postgres, for the metrics. */
  readonly poolUsage: OpenedDatabase['poolUsage']
  readonly slots: DatabaseSlots
  /** Serves reads. Null, or left out: the database itself serves all of them. */
  readonly replica?: (ReplicaDeps & { readonly replica: Replica }) | null
  /** How long one statement of a read may run on Postgres. Left out: as long as any statement. */
  readonly readTimeoutSeconds?: number | undefined
  readonly internalSecret: string
  /** A second one, while the first is being changed. */
  readonly acceptedSecret?: string | null
  /** What seals stored secrets. Left out or empty: a key that is derived from the internal secret. */
  readonly sealingKeys?: readonly SealingKey[]
  readonly allowedTargets: AllowedTargets
  readonly eventNotifier: Pick<EventNotifier, 'waitForEvents' | 'notifyEvents' | 'unpublished' | 'closing'>
  readonly notifyKeyChange: (change: KeyChange) => void
  /** The deployment's, for keys and workspaces without limits of their own. */
  readonly rates?: DefaultRates
  /** Where people sign in, beside here or instead. Null, or left out: nowhere else. */
  readonly oidc?: OidcConfig | null
  /** Sends email. Null, or left out: none is sent. */
  readonly mail?: Pick<Mail, 'outbox' | 'sent' | 'figures'> | null
  /** Where callers reach the gateways. Null, or left out: it is not set. */
  readonly publicUrl?: string | null
  readonly dependencies: Dependencies
  /** Whether the database has gone back, and nobody has said so. Left out: it is not known. */
  readonly isRewound?: () => boolean
  /** With it calls come over https. Null, or left out: over http. */
  readonly certificate?: ServerCertificate | null
  readonly fileStore: FileStore
  /** Left out: the most that any installation takes. */
  readonly fileBytesMax?: number | undefined
  /** Left out: the default of the contract. */
  readonly deletionGraceDays?: number | undefined
  readonly log: Log
  /** Null, or left out: no spans are recorded. */
  readonly tracing?: Tracing | null
  /** For tests. */
  readonly streamBounds?: StreamBounds | undefined
  /** For tests, which put what they need around the product's features. */
  readonly mcpFeatures?: ((product: McpFeatures) => McpFeatures) | undefined
}

export type Service = {
  readonly app: FastifyInstance
  readonly metrics: MetricSource
  /** For what the service does with keys beside its calls. */
  readonly execute: Execute
}

const requestTimeoutMs = 30_000
const providerLoggedEveryMs = 10_000

export function buildService(parts: ServiceDeps): Service {
  const { db, log, dependencies } = parts
  const calls = callMetrics()
  const app = openApp(log, parts.certificate ?? null)
  const faultOfDatabase = databaseFaults(constraintFieldsIn(eachCollection))
  const { deniedCalls, toolCalls, peopleLog, lost } = openAuditQueues(db, log)
  const execute = executorFor(parts, { deniedCalls, peopleLog }, faultOfDatabase)
  const principalKey = deriveKey(parts.internalSecret, 'principal', parts.acceptedSecret)
  app.addHook('onClose', deniedCalls.close)
  app.addHook('onClose', toolCalls.close)
  app.addHook('onClose', peopleLog.close)
  app.setErrorHandler(errorHandler(log, faultOfDatabase))
  app.setNotFoundHandler(() => {
    throw routeNotFound()
  })
  acceptJson(app)
  endConnectionsWhen(app, dependencies.isStopping)
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id)
    tellDatabaseTime(reply)
    done()
  })
  logRequests(app, log, calls.onRequest, parts.tracing ?? null)
  const rest = { execute, principalKey, publicUrl: parts.publicUrl ?? null }
  for (const route of routesOf(operations)) serveRoute(app, route, rest)
  serveLive(app, parts, principalKey)
  const transfers = { changes: changesOf(parts), store: parts.fileStore, principalKey }
  serveTransfers(app, transfers)
  const features = withToolCallsRecorded(parts.mcpFeatures?.(productFeatures) ?? productFeatures, (call) => {
    calls.onToolCall(call)
    toolCalls.record(call)
  })
  const readFile = fileReader(transfers)
  serveMcp(app, { features, execute, readFile, principalKey, closing: parts.eventNotifier.closing })
  const ready = readinessHandler(dependencies)
  serveGatewayEndpoints(app, db, principalKey, ready)
  serveHealth(app, ready)
  const metrics = serviceSource({
    calls,
    slots: parts.slots,
    dependencies,
    poolUsage: parts.poolUsage,
    replica: parts.replica?.replica ?? null,
    unpublished: parts.eventNotifier.unpublished,
    outboxBacklog: () => outboxBacklog(db),
    ledgerAhead: () => aheadSeconds(db),
    quotaUse: () => highestQuotaUse(db),
    isRewound: parts.isRewound ?? (() => false),
    held: () => heldCounts(db),
    workspaceDeletions: () => readDeletionFigures(db),
    mail: parts.mail ?? null,
    sealedValues: () => countSealedStates(db, webhookKeyring(parts)),
    audit: {
      denied: { queue: deniedCalls, lost: () => lost.denied },
      tool: { queue: toolCalls, lost: () => lost.tool },
      person: { queue: peopleLog, lost: () => lost.person },
    },
  })
  return { app, metrics, execute }
}

function serveLive(app: FastifyInstance, parts: ServiceDeps, principalKey: KeyObject): void {
  const { db, slots, eventNotifier, log, streamBounds: bounds } = parts
  const onError = (err: unknown): void => log.warn({ err }, 'following what changes failed, its callers come back')
  const deliveryWatch = openDeliveryWatch(db, onError)
  app.addHook('onClose', deliveryWatch.close)
  const followed = streamsWith({
    longPoll: eventNotifier,
    deliveryWatch,
    positionKey: deriveKey(parts.internalSecret, 'positions', parts.acceptedSecret),
  })
  const { closing } = eventNotifier
  serveStreams(app, followed, { db, slots, principalKey, assertWorkspace: findWorkspace, closing, onError, bounds })
}

/** `lost` counts the entries that are missing. */
function openAuditQueues(db: Database, log: Log) {
  const lost = { denied: 0, tool: 0, person: 0 }
  const deniedCalls = deniedCallQueue(
    (calls) => recordDeniedCalls(db, calls),
    (count, err) => {
      lost.denied += count
      log.warn({ err, count }, 'denied calls are missing from the audit log')
    },
  )
  const toolCalls = toolCallQueue(writeToolCalls(db), (count, err) => {
    lost.tool += count
    log.warn({ err, count }, 'tool calls are missing from the audit log')
  })
  const peopleLog = openPeopleLog(db, (count, err) => {
    lost.person += count
    log.warn({ err, count }, 'refusals and sign-ins of people are missing from the audit log')
  })
  return { deniedCalls, toolCalls, peopleLog, lost }
}

// The type of an instance says which server it has, and nobody asks that.
const openApp = (log: FastifyBaseLogger, certificate: ServerCertificate | null): FastifyInstance =>
  fastify({
    ...(certificate !== null && { https: certificate as never }),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: apiBodyBytesMax,
    requestTimeout: requestTimeoutMs,
    clientErrorHandler: (error, socket) => {
      if (goesOn(error, socket)) return
      // Gateways alone call, and send whole requests: there is nobody to be told more.
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')
      else socket.destroy()
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestIdHeader: 'x-request-id',
    genReqId: () => newId(),
    routerOptions: { maxParamLength: pathSegmentLengthMax },
  })

type RefusalQueues = { readonly deniedCalls: DeniedCallQueue; readonly peopleLog: PeopleLog }

function executorFor(
  parts: ServiceDeps,
  { deniedCalls, peopleLog }: RefusalQueues,
  faultOfDatabase: FaultOfDatabase,
): Execute {
  const changes = changesOf(parts)
  const keyFor = (purpose: string) => deriveKey(parts.internalSecret, purpose, parts.acceptedSecret)
  return executor({
    ...changes,
    readTimeoutSeconds: parts.readTimeoutSeconds,
    replica: parts.replica,
    faultOfDatabase,
    assertWorkspace: findWorkspace,
    recordRefusal: (fault, { operation, principal }) => {
      const now = new Date()
      const call = deniedCallOf(fault, operation, principal, now)
      if (call !== null) deniedCalls.add(call)
      peopleLog.record(refusedMember(fault, operation, principal, now))
    },
    handlers: handlersWith({
      pager: pager(keyFor('cursors')),
      faultOfDatabase,
      sealer: webhookSealer(webhookKeyring(parts)),
      allowed: parts.allowedTargets,
      longPoll: parts.eventNotifier,
      rates: parts.rates ?? defaultRates,
      slots: parts.slots,
      changes: onHeldSlot(changes),
      passwords: openPasswords(),
      knownBrowsers: openKnownBrowsers(keyFor('known-browsers')),
      secondFactors: {
        keyring: webhookKeyring(parts),
        challengeKey: keyFor('factor-challenges'),
        issuer: installationName(parts.publicUrl ?? null),
        relyingParty: relyingPartyOf(parts.publicUrl ?? null, installationName(parts.publicUrl ?? null)),
      },
      peopleLog,
      outbox: parts.mail?.outbox ?? null,
      oidc: signInAtProvider(parts, keyFor('sign-in-flows')),
      signAddress: addressSigner(keyFor(addressPurpose), parts.publicUrl ?? null),
      fileBytesMax: parts.fileBytesMax ?? fileBytesMax,
      deletionGraceDays: parts.deletionGraceDays ?? graceDaysDefault,
    }),
    idempotency: idempotencyStore(keyring(parts.sealingKeys ?? [], parts, 'idempotency')),
  })
}

const changesOf = ({ db, slots, eventNotifier, notifyKeyChange }: ServiceDeps) => ({
  db,
  slots,
  notifyEvents: eventNotifier.notifyEvents,
  notifyKeyChange,
  ...recorders,
})

/** What authenticator apps and browsers show beside the email. */
const installationName = (publicUrl: string | null): string =>
  publicUrl === null ? 'Workspace' : new URL(publicUrl).hostname

/** A provider that fails for many people is logged once in a while. */
function signInAtProvider({ oidc = null, log }: ServiceDeps, sealingKey: KeyObject) {
  if (oidc === null) return null
  const throttled = throttledLog(providerLoggedEveryMs)
  const provider = openProvider(oidc, (reason) =>
    throttled('provider', 1, (count) => log.warn({ reason, count }, 'signing in at the provider has failed')),
  )
  return { config: oidc, provider, sealingKey }
}

function serveHealth(app: FastifyInstance, ready: RouteHandlerMethod): void {
  app.get('/health', async () => ({ status: 'ok' }))
  app.get('/ready', ready)
}
