// The quiet workspace's calls at a fixed rate, alone or beside one noisy neighbour.
import { setTimeout as after } from 'node:timers/promises'
import { letters } from '../../measure/random-letters.ts'
import { pace } from '../../measure/pace.ts'
import { beginProgram } from '../../measure/program.ts'
import { graceMs, warmSeconds } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import { call } from '../../product/calls.ts'
import type { Database } from '../../product/database.ts'
import type { Deployment } from '../../product/settings.ts'
import { startGateway, startService } from '../../product/tiers.ts'
import type { Kind, Plan, Result } from '../../programs/noisy-neighbour.ts'
import { quantile } from '../../report/figures.ts'
import type { Sample } from '../../report/table.ts'

export type Setting = {
  readonly deployment: Deployment
  readonly seeded: Database
  readonly quiet: readonly string[]
  readonly loud: string
  readonly seconds: number
}

export const alone = 'alone'
/** Whom searches come from, and the keys that send them: so many searches at a time of each. */
export type Searchers = { readonly name: string; readonly tokens: readonly string[]; readonly atATime: number }
export const noisyNeighbours: readonly Kind[] = ['largest batches', 'longest arrays', 'slow bodies', 'unread answers']
export const readsPerSecond = 25
export const writesPerSecond = 5

export const beside = (kind: Kind | null, setting: Setting): Row => ({
  name: kind ?? alone,
  measure: async () => {
    const { deployment, seeded, loud, seconds } = setting
    await using database = await seeded.copy()
    await using service = await startService(deployment, database.url)
    await using gateway = await startGateway(deployment, service.url)
    await quietly(gateway.url, setting, warmSeconds)
    if (kind === null) return { ...(await quietly(gateway.url, setting, seconds)), sent: null }
    const plan: Plan = { kind, url: gateway.url, token: loud, seconds: seconds + graceMs / 1_000 }
    await using neighbour = beginProgram<Result>('noisy-neighbour', 'load', plan)
    await after(warmSeconds * 1_000)
    const figures = await quietly(gateway.url, setting, seconds)
    const { sent } = await neighbour.ended(graceMs)
    return { ...figures, sent }
  },
})

/** The calls of these keys beside searches, or alone. */
export const besideSearches = (searchers: Searchers | null, setting: Setting): Row => ({
  name: searchers?.name ?? alone,
  measure: async () => {
    const { deployment, seeded, seconds } = setting
    await using service = await startService(deployment, seeded.url)
    await using gateway = await startGateway(deployment, service.url)
    await quietly(gateway.url, setting, warmSeconds, true)
    if (searchers === null) return { ...(await quietly(gateway.url, setting, seconds, true)), sent: null }
    await using stack = new AsyncDisposableStack()
    const plan = { kind: 'searches' as const, url: gateway.url, seconds: seconds + graceMs / 1_000 }
    const loud = searchers.tokens.map((token) =>
      stack.use(
        beginProgram<Result>('noisy-neighbour', 'load', { ...plan, token, searches: searchers.atATime } satisfies Plan),
      ),
    )
    await after(warmSeconds * 1_000)
    const figures = await quietly(gateway.url, setting, seconds, true)
    const ended = await Promise.all(loud.map((each) => each.ended(graceMs)))
    return { ...figures, sent: ended.reduce((sum, { sent }) => sum + sent, 0) }
  },
})

async function quietly(url: string, { quiet }: Setting, seconds: number, mayRefuse = false): Promise<Sample> {
  const [reads, writes]: [number[], number[]] = [[], []]
  const refused = { count: mayRefuse ? 0 : null }
  let turn = 0
  const next = () => quiet[turn++ % quiet.length] ?? ''
  const read = () => timed(call(`${url}/api/v1/projects?limit=50`, next()), 200, reads, refused)
  const write = () => timed(call(`${url}/api/v1/projects`, next(), { name: letters(12) }), 201, writes, refused)
  await Promise.all([
    pace({ perSecond: readsPerSecond, seconds }, read),
    pace({ perSecond: writesPerSecond, seconds }, write),
  ])
  return {
    read50: quantile(reads, 0.5),
    read99: quantile(reads, 0.99),
    write50: quantile(writes, 0.5),
    write99: quantile(writes, 0.99),
    refused: refused.count,
  }
}

/** Where refusals are counted, one takes no part in the durations; where not, it ends the bench. */
async function timed(
  calling: ReturnType<typeof call>,
  expect: number,
  durations: number[],
  refused: { count: number | null },
): Promise<void> {
  const { status, ms, body } = await calling
  if (status === expect) durations.push(ms)
  else if (status === 503 && refused.count !== null) refused.count += 1
  else throw new Error(`A call of the quiet workspace was answered ${status} ${body.slice(0, 500)}`)
}
