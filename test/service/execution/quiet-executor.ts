import { deriveKey } from '#runtime/sealing-and-signing.ts'
// `execute` alone, on a database of its own, with the product's handlers: no HTTP before it, nobody notified after it.
import { createSecretKey, randomBytes } from 'node:crypto'
import { operationNamed, type OperationName } from '#contract/api.ts'
import type { EventNotification } from '#contract/internal/deliveries.ts'
import { defaultRates } from '#contract/rate-limits.ts'
import { scopes } from '#contract/scopes.ts'
import { startChain } from '../../../service/audit/rows.ts'
import { openKnownBrowsers } from '../../../service/identity/accounts/known-browsers.ts'
import { openPasswords } from '../../../service/identity/accounts/passwords.ts'
import { eachCollection, constraintFieldsIn } from '../../../service/collections.ts'
import { openDatabaseSlots } from '../../../service/execution/database-slots.ts'
import { executor } from '../../../service/execution/execute.ts'
import { idempotencyStore } from '../../../service/execution/idempotency.ts'
import type { Answer, OperationRequest } from '../../../service/execution/call.ts'
import { databaseFaults } from '../../../service/faults/database-faults.ts'
import { handlersWith } from '../../../service/handlers.ts'
import { pager } from '../../../service/collection/pagination.ts'
import { keyring } from '#runtime/keyring.ts'
import { webhookSealer } from '../../../service/webhooks/signing-secrets.ts'
import { stageOn, type Rows } from '../../dispatcher/stage.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { connectionsOfTests, freshDatabase, type DatabaseKind } from '../../support/database.ts'
import { keyId } from '../quiet-service.ts'

// A test states by its assertions what it expects of a body.
// oxlint-disable-next-line typescript/no-explicit-any
type Answered = Answer & { readonly body: any }
export type QuietExecutor = AsyncDisposable &
  Rows & {
    /** Called as a key that holds all scopes. */
    execute(name: OperationName, input: object, more?: Partial<OperationRequest>): Promise<Answered>
    /** What others were notified of. */
    readonly notified: readonly EventNotification[]
    /** Of the database; null on PGlite. */
    readonly url: string | null
  }
type Options = Parameters<typeof freshDatabase>[1] & {
  readonly onNotified?: () => void
  readonly readTimeoutSeconds?: number
}

export async function quietExecutor(
  kind: DatabaseKind,
  { onNotified = () => {}, readTimeoutSeconds, ...options }: Options = {},
): Promise<QuietExecutor> {
  const database = await freshDatabase(kind, options)
  const rows = await stageOn(database.db)
  await startChain(database.db, rows.workspaceId)
  const key = createSecretKey(randomBytes(32))
  const ring = keyring([], randomBytes(32).toString('hex'), 'all')
  const faultOfDatabase = databaseFaults(constraintFieldsIn(eachCollection))
  const notified: EventNotification[] = []
  const changes = changeDeps(database.db, {
    notifyEvents: (those) => {
      notified.push(...those)
      onNotified()
    },
  })
  const execute = executor({
    ...changes,
    readTimeoutSeconds,
    slots: openDatabaseSlots(connectionsOfTests),
    faultOfDatabase,
    assertWorkspace: () => Promise.resolve(),
    recordRefusal: () => {},
    handlers: handlersWith({
      pager: pager(key),
      faultOfDatabase,
      sealer: webhookSealer(ring),
      allowed: { ranges: [], http: false },
      rates: defaultRates,
      changes,
      passwords: openPasswords(),
      peopleLog: { record: () => {} },
      knownBrowsers: openKnownBrowsers(deriveKey('a secret of the test', 'known-browsers')),
      oidc: null,
      longPoll: { waitForEvents: () => Promise.resolve(false) },
    }),
    idempotency: idempotencyStore(ring),
  })
  const principal = {
    kind: 'api_key' as const,
    id: keyId,
    name: 'Test',
    workspaceId: rows.workspaceId,
    scopes: [...scopes],
    surface: 'mcp' as const,
    requestId: 'r',
    clientAddress: '127.0.0.1',
    quota: null,
  }
  return {
    ...rows,
    notified,
    url: database.url ?? null,
    execute: (name, input, more) => execute({ operation: operationNamed(name), input, principal, ...more }),
    [Symbol.asyncDispose]: database.close,
  }
}
