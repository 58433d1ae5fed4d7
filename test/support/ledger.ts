// The audit at the end of a crash test: the test's database against its receivers.
import type { Database } from '#prisma/client.ts'
import { auditLedger, readLedger, type Audit } from '../chaos/ledger-audit.ts'
import type { Receiver } from './receiver.ts'

export async function auditOf(db: Database, ...receivers: readonly Receiver[]): Promise<Audit> {
  const calls = receivers.flatMap((receiver) => receiver.calls)
  return auditLedger(
    await readLedger((sql) => db.$queryRawUnsafe(sql)),
    calls.map(({ headers, body, status }) => ({ id: String(headers['webhook-id']), body: body.toString(), status })),
  )
}

/** Nothing lost, nothing that must not be, and every request in the log. */
export const clean = { lost: 0, unrecorded: 0, problems: [] }
