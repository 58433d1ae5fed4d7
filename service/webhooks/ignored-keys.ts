// The keys whose changes a webhook leaves out: those of the workspace and those that may act in it, revoked or not. A
// webhook that names a key goes on doing so when the key is revoked, or may no longer act here.
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import type { Call } from '../execution/handler.ts'

type Caller = Pick<Call, 'db' | 'workspaceId' | 'principal'>

/** `named`: what the webhook names already. Throws `reference_not_found` for any other key that is not there. */
export async function assertKeys(
  { db, workspaceId, principal }: Caller,
  ids: readonly string[],
  named: readonly string[] = [],
): Promise<void> {
  const isCaller = (id: string) => principal.kind === 'api_key' && id === principal.id
  const asked = ids.filter((id) => !isCaller(id) && !named.includes(id))
  if (asked.length === 0) return
  const found = await db.apiKey.findMany({
    where: { id: { in: asked }, OR: [{ workspaceId }, { grants: { some: { workspaceId } } }] },
    select: { id: true },
  })
  const errors = ids.flatMap((id, at) =>
    !asked.includes(id) || found.some((key) => key.id === id) ? [] : [missingAt(at)],
  )
  if (errors.length === 0) return
  throw new Fault('reference_not_found', '`ignoredKeyIds` names a key that this workspace does not have.', { errors })
}

const missingAt = (at: number): FieldError => ({
  pointer: `/ignoredKeyIds/${at}`,
  code: 'not_found',
  detail: 'Does not exist in this workspace.',
})
