// Whose tokens a call takes, and how many there may be: settled once for a key and a workspace, as long as the key's
// record is the same. A changed limit is a new record.
import { rateOfKey, rateOfWorkspace, type RateLimit } from '#contract/rate-limits.ts'
import type { RateSubject } from '../request/request-context.ts'

export type LimitedKey = {
  readonly id: string
  readonly rateLimit: RateLimit | null
  readonly workspaces: readonly { readonly id: string; readonly rateLimit: RateLimit | null }[]
}
type Defaults = { readonly key: RateLimit; readonly workspace: RateLimit }
type SubjectOf = (key: LimitedKey, workspaceId: string | null) => RateSubject

export function rateSubjects(defaults: Defaults): SubjectOf {
  const known = new WeakMap<LimitedKey, Map<string | null, RateSubject>>()
  return (key, workspaceId) => {
    const ofKey = known.get(key) ?? new Map<string | null, RateSubject>()
    if (ofKey.size === 0) known.set(key, ofKey)
    const subject = ofKey.get(workspaceId) ?? subjectOf(key, workspaceId, defaults)
    ofKey.set(workspaceId, subject)
    return subject
  }
}

function subjectOf(
  { id, rateLimit, workspaces }: LimitedKey,
  workspaceId: string | null,
  defaults: Defaults,
): RateSubject {
  const rate = rateOfKey(
    rateLimit,
    workspaces.map((workspace) => workspace.rateLimit),
    defaults,
  )
  // A key of one workspace is told the limit there even before, or outside of, a call in it.
  const shown = workspaces.length === 1 ? workspaces[0] : workspaces.find((one) => one.id === workspaceId)
  const workspaceRate = shown === undefined ? null : rateOfWorkspace(shown.rateLimit, defaults)
  const ofKey = { name: `key.${id}`, rate }
  const ofWorkspace = { name: `workspace.${workspaceId}`, rate: workspaceRate ?? defaults.workspace }
  return {
    keyId: id,
    rates: { key: rate, workspace: workspaceRate },
    buckets: workspaceId === null ? [ofKey] : [ofKey, ofWorkspace],
  }
}
