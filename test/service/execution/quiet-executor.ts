// `execute` alone, on a database of its own, with the product's handlers: no HTTP before it, nobody notified after it.
import { fileBytesMax } from '#contract/files.ts'
import { createSecretKey, randomBytes } from 'node:crypto'
import { operationNamed, type OperationName } from '#contract/api.ts'
import type { EventNotification } from '#contract/internal/deliveries.ts'
import { defaultRates } from '#contract/rate-limits.ts'
import { scopes } from '#contract/scopes.ts'
import { keyring } from '#runtime/keyring.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
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
import { webhookSealer } from '../../../service/webhooks/signing-secrets.ts'
import { stageOn, type Rows } from '../../dispatcher/stage.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { connectionsOfTests } from '../../support/database.ts'
import { sharedDatabase } from '../../support/database-engines.ts'
import { principalWith } from '../../support/principal-headers.ts'

// A test states by its assertions what it expects of a body.
// oxlint-disable-next-line typescript/no-explicit-any
type Answered = Answer & { readonly body: any }
export type QuietExecutor = Awaited<ReturnType<ReturnType<typeof sharedExecutor>>>
type Options = { readonly onNotified?: () => void; readonly readTimeoutSeconds?: number }

/** One database for all tests of a block. Each asks for an executor in a workspace of its own, by what is returned. */
export function sharedExecutor(...given: Parameters<typeof sharedDatabase>) {
  const database = sharedDatabase(...given)
  return async (options: Options = {}) => {
    const rows = await stageOn(database.db)
    await startChain(rows.db, rows.workspaceId)
    return { ...rows, ...executorIn(rows, options), url: database.url }
  }
}

function executorIn({ db, workspaceId }: Rows, { onNotified = () => {}, readTimeoutSeconds }: Options) {
  const ring = keyring([], { internalSecret: randomBytes(32).toString('hex') }, 'all')
  const faultOfDatabase = databaseFaults(constraintFieldsIn(eachCollection))
  const notified: EventNotification[] = []
  const notifyEvents = (those: readonly EventNotification[]) => {
    notified.push(...those)
    onNotified()
  }
  const changes = changeDeps(db, { notifyEvents })
  const slots = openDatabaseSlots(connectionsOfTests)
  const execute = executor({
    ...changes,
    readTimeoutSeconds,
    slots,
    faultOfDatabase,
    assertWorkspace: () => Promise.resolve(),
    recordRefusal: () => {},
    handlers: handlersWith({
      pager: pager(createSecretKey(randomBytes(32))),
      faultOfDatabase,
      sealer: webhookSealer(ring),
      allowed: { ranges: [], http: false },
      rates: defaultRates,
      slots,
      changes,
      passwords: openPasswords(),
      peopleLog: { record: () => {}, recordByEmail: () => {} },
      knownBrowsers: openKnownBrowsers(deriveKey('a secret of the test', 'known-browsers')),
      outbox: null,
      oidc: null,
      secondFactors: {
        keyring: ring,
        challengeKey: createSecretKey(randomBytes(32)),
        issuer: 'Test',
        relyingParty: null,
      },
      signAddress: () => Promise.resolve({ url: '', expiresAt: new Date(0).toISOString() }),
      fileBytesMax,
      deletionGraceDays: 30,
      longPoll: { waitForEvents: () => Promise.resolve(false) },
    }),
    idempotency: idempotencyStore(ring),
  })
  const principal = principalWith({ workspaceId, scopes: [...scopes], surface: 'mcp' })
  return {
    notified,
    execute: (name: OperationName, input: object, more?: Partial<OperationRequest>): Promise<Answered> =>
      execute({ operation: operationNamed(name), input, principal, ...more }),
  }
}
