// The steps of an update or a delete by filter. A page of what matches is written down first, then changed by one batch
// whose answer is kept under a key of the step: a service that takes over a job after a kill sends the very same batch
// again, which acts once. Each object changes only if it is as it was when it was found.
import { batchItemsMax } from '#contract/collection/batch.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { CallAs } from './call-as.ts'
import { failureOf, refusalOf, withRefusals, type Result } from './refusals.ts'
import type { Step, TakenJob } from './rows.ts'

type Found = { readonly id: string; readonly version: number }
/** `left`: how many more may be changed. `found`: the page that is to be changed now; null: the next is to be found. */
type Position = {
  readonly after: string | null
  readonly left: number
  readonly step: number
  readonly found: readonly Found[] | null
}
type Page = { readonly data: readonly Found[]; readonly page: { readonly nextCursor: string | null } }

export async function changeStep(job: TakenJob, call: CallAs): Promise<Step> {
  const { confirmedTotal = 0 } = job.request
  const position = (job.position as Position | null) ?? { after: null, left: confirmedTotal, step: 0, found: null }
  return position.found === null ? findNext(job, position, call) : changeFound(job, position, position.found, call)
}

async function findNext(job: TakenJob, position: Position, call: CallAs): Promise<Step> {
  const { after, left } = position
  const { resource, filter } = job.request
  // One more than may be changed is never changed, but told of.
  const limit = Math.min(batchItemsMax, Math.max(1, left))
  const input = {
    ...filter,
    // What is made later was not counted. The order does not change with the objects: each is found once.
    createdBefore: earlier(filter?.['createdBefore'], job.createdAt),
    sort: ['createdAt'],
    fields: ['createdAt'],
    limit,
    ...(after !== null && { cursor: after }),
  }
  const { data, page } = (await call(`${resource}.list`, input)) as Page
  if (data.length === 0) return { position, completed: true }
  if (left === 0)
    throw new Fault(
      'precondition_failed',
      'More objects match than were confirmed; those that were confirmed are done.',
    )
  const found = data.map(({ id, version }) => ({ id, version }))
  return { position: { ...position, found, after: page.nextCursor } }
}

function earlier(asked: unknown, createdAt: Date): string {
  const start = createdAt.toISOString()
  return typeof asked === 'string' && Date.parse(asked) < createdAt.getTime() ? asked : start
}

async function changeFound(job: TakenJob, position: Position, found: readonly Found[], call: CallAs): Promise<Step> {
  const { kind, request, files } = job
  const items = found.map(({ id, version }) => ({
    action: kind,
    id,
    expectedVersion: version,
    ...(kind === 'update' && { data: request.changes }),
  }))
  const { results } = (await call(`${request.resource}.batch`, { items }, { step: `step-${position.step}` })) as {
    readonly results: readonly Result[]
  }
  const refused = results.flatMap(({ problem }, at) =>
    problem === undefined ? [] : [refusalOf(problem, { id: found[at]?.id })],
  )
  const next: Position = { ...position, found: null, left: position.left - found.length, step: position.step + 1 }
  return {
    position: next,
    done: found.length,
    ...(position.after === null && { completed: true }),
    ...withRefusals(files, refused),
    ...failureOf(results),
  }
}
