// `npm run bench -- [scenario…] [--rounds N] [--seconds N] …`: runs the scenarios one after the other, prints each
// result and keeps it in bench/results. Starts all that it needs but Postgres, Redis and RabbitMQ, and ends what it
// started.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endAll } from './measure/child.ts'
import { pinSelf } from './measure/cores.ts'
import { inRounds } from './measure/rounds.ts'
import { readOptions, type Options } from './options.ts'
import { environment } from './report/environment.ts'
import { goalLine } from './report/goals.ts'
import { page, type Section } from './report/page.ts'
import { table } from './report/table.ts'
import type { Part, Scenario } from './scenario.ts'
import { aborts } from './scenarios/aborts/scenario.ts'
import { apiLog } from './scenarios/api-log/scenario.ts'
import { capacity } from './scenarios/capacity/scenario.ts'
import { gateway } from './scenarios/gateway/scenario.ts'
import { gatewayScale } from './scenarios/gateway-scale/scenario.ts'
import { history } from './scenarios/history/scenario.ts'
import { importing } from './scenarios/import/scenario.ts'
import { limits } from './scenarios/limits/scenario.ts'
import { mcp } from './scenarios/mcp/scenario.ts'
import { memory } from './scenarios/memory/scenario.ts'
import { moving } from './scenarios/move/scenario.ts'
import { neighbours } from './scenarios/neighbours/scenario.ts'
import { pages } from './scenarios/pages/scenario.ts'
import { projects } from './scenarios/projects/scenario.ts'
import { replica } from './scenarios/replica/scenario.ts'
import { restarts } from './scenarios/restarts/scenario.ts'
import { revocation } from './scenarios/revocation/scenario.ts'
import { statements } from './scenarios/statements/scenario.ts'
import { sync } from './scenarios/sync/scenario.ts'
import { tracing } from './scenarios/tracing/scenario.ts'
import { webhookFairness } from './scenarios/webhook-fairness/scenario.ts'
import { webhooks } from './scenarios/webhooks/scenario.ts'

const scenarios: readonly Scenario[] = [
  gateway,
  gatewayScale,
  webhooks,
  webhookFairness,
  projects,
  importing,
  sync,
  pages,
  memory,
  moving,
  neighbours,
  statements,
  history,
  replica,
  restarts,
  revocation,
  mcp,
  limits,
  aborts,
  capacity,
  tracing,
  apiLog,
]
const results = join(import.meta.dirname, 'results')
const longestMs = 3 * 60 * 60_000
const leavesWithinMs = 30_000

for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, interrupt)
setTimeout(interrupt, longestMs).unref()

try {
  const options = readOptions(
    process.argv.slice(2),
    scenarios.map(({ name }) => name),
  )
  pinSelf('load')
  for (const scenario of scenarios.filter(({ name }) => options.scenarios.includes(name))) await run(scenario, options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
  // What a scenario had begun before it failed may hold this process.
  interrupt()
}

/** Databases and queues are removed on the way out; a second signal does not wait for that. */
function interrupt(): void {
  endAll()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1))
  setTimeout(() => process.exit(1), leavesWithinMs).unref()
}

async function run({ name, about, prepare }: Scenario, { rounds, ...sizes }: Options): Promise<void> {
  await using prepared = await prepare(sizes)
  const facts = { ...environment(), rounds: `${rounds} of ${sizes.seconds} s`, ...prepared.facts }
  const sections: Section[] = []
  for (const part of prepared.parts) sections.push(await measured(part, rounds))
  const text = page(name, about, facts, sections)
  console.log(text)
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, `${name}.md`), text)
}

async function measured(part: Part, wanted: number): Promise<Section> {
  const { title, about, columns, rows, peer, goals = [], roundsMax = wanted } = part
  const rounds = Math.min(wanted, roundsMax)
  const measuredRows = await inRounds(rows, rounds, (row, round) =>
    console.error(`${title}: ${row}, round ${round} of ${rounds}`),
  )
  return {
    title,
    about,
    table: table(columns, measuredRows, peer),
    goals: goals.map((goal) => goalLine(goal, measuredRows)),
  }
}
