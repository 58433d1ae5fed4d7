// Calls that a job makes with the key that started it: through `execute`, as if each had come over HTTP.
import { operationNamed } from '#contract/api.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Database } from '#prisma/client.ts'
import { newTraceparent } from '#runtime/tracing/trace-context.ts'
import type { Execute } from '../execution/call.ts'
import { keyActing } from '../keys/api-keys/acting-key.ts'
import type { TakenJob } from './rows.ts'

/**
 * Of a change: the same `step`, made again after a kill, acts once and gets the same answer. A dry run is rolled back.
 */
type Change = { readonly step: string; readonly dryRun?: boolean }
export type CallAs = (operation: string, input: Readonly<Record<string, unknown>>, change?: Change) => Promise<unknown>

/** Throws what a call with the job's key would be refused with: the key may have been revoked since the step before. */
export async function callAs(db: Database, execute: Execute, job: TakenJob): Promise<CallAs> {
  const { workspaceId, scopes, id } = job
  const key = await keyActing(db, job.keyId, { workspaceId, scopes, now: new Date() })
  const principal: Principal = {
    kind: 'api_key',
    id: key.id,
    name: key.name,
    workspaceId,
    scopes: [...key.scopes],
    surface: 'internal',
    // Events and entries of the audit log that a job brings about name it.
    requestId: id,
    clientAddress: '',
    quota: null,
    traceparent: newTraceparent(),
  }
  return async (name, input, change) => {
    const { body } = await execute({
      operation: operationNamed(name),
      input,
      principal,
      ...(change && { idempotencyKey: `job-${id}-${change.step}`, dryRun: change.dryRun }),
    })
    return body
  }
}
