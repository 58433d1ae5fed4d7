import type { Input } from '#contract/operation.ts'
import type { DefaultRates } from '#contract/rate-limits.ts'
import type { createWorkspace } from '#contract/workspaces.ts'
import { newId } from '#runtime/new-id.ts'
import type { Db, Handler } from '../execution/call.ts'
import { insertMember } from '../members/rows.ts'
import { draft as draftMember } from '../members/rules.ts'
import { changedQuotas } from '../execution/quotas.ts'
import { withLimits } from './describe-limits.ts'
import { defaultPolicy, noGrace } from '../key-policy/change-policy.ts'
import { insertWorkspace, type WorkspaceRow } from './rows.ts'
import { assertTimeZone } from './time-zone.ts'
import { slugCandidates } from './slug.ts'
import { duplicate } from '../faults/shared-faults.ts'

const randomSlugs = 5

export const create =
  (rates: DefaultRates): Handler<typeof createWorkspace> =>
  async ({ owner, ...input }, { db, now, actor, audit }) => {
    const draft = draftOf(input, now)
    assertTimeZone(draft.timeZone)
    const slugs = input.slug === undefined ? slugCandidates(input.name, Math.random, randomSlugs) : [input.slug]
    const workspace = await insertUnderFreeSlug(db, draft, slugs)
    if (owner !== undefined) {
      const origin = { id: newId(now), workspaceId: workspace.id, actor, now }
      await insertMember(db, draftMember({ ...owner, role: 'owner', status: 'active' }, origin))
    }
    audit({ ...workspace, ...(owner !== undefined && { owner }) })
    return withLimits(workspace, rates)
  }

function draftOf(
  { apiPolicy, quotas = {}, ...input }: Omit<Input<typeof createWorkspace>, 'owner'>,
  now: Date,
): WorkspaceRow {
  return {
    id: newId(now),
    object: 'workspace',
    slug: '',
    timeZone: 'UTC',
    defaultCurrency: 'EUR',
    sandbox: false,
    rateLimit: null,
    suspendedAt: null,
    version: 1,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    ...input,
    quotas: changedQuotas({}, quotas),
    apiPolicy: { ...defaultPolicy, ...apiPolicy },
    apiPolicyFrom: noGrace,
  }
}

async function insertUnderFreeSlug(db: Db, draft: WorkspaceRow, slugs: Iterable<string>): Promise<WorkspaceRow> {
  for (const slug of slugs) {
    const workspace = { ...draft, slug }
    if (await insertWorkspace(db, workspace)) return workspace
  }
  throw duplicate('slug', undefined)
}
