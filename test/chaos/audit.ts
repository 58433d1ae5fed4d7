// The ledger against what the receivers got, at the end of a scenario.
import type { EventRecord } from '#contract/event.ts'
import { auditLedger, bodyProblems, readLedger } from './ledger-audit.ts'
import { quantile } from '../../bench/report/figures.ts'
import type { Sample } from '../../bench/report/table.ts'
import type { Receiver } from '../support/receiver.ts'

export type Outcome = { readonly figures: Sample; readonly notes: readonly string[] }
export type Seen = {
  readonly kills: number
  readonly of: readonly Receiver[]
  /** Those whose latency counts: all of them, unless said. */
  readonly timed?: readonly Receiver[]
  /** The projects whose creation was answered. */
  readonly written: readonly string[]
}

const notesMax = 5

export async function audited(
  ask: Parameters<typeof readLedger>[0],
  { kills, of, timed = of, written }: Seen,
): Promise<Outcome> {
  const ledger = await readLedger(ask)
  const calls = of.flatMap((receiver) => receiver.calls)
  const text = onceEach((body: Buffer) => body.toString())
  const audit = auditLedger(
    ledger,
    calls.map(({ headers, body, status }) => ({ id: String(headers['webhook-id']), body: text(body), status })),
  )
  const known = new Set(ledger.events.map(({ body }) => (JSON.parse(body) as EventRecord).resource.id))
  const forgotten = written.filter((id) => !known.has(id)).map((id) => `project ${id} was answered and has no event`)
  const notes = [...audit.problems, ...forgotten, ...calls.flatMap(({ body }) => bodyProblems(text(body)))]
  const { expected, lost, duplicates, interrupted, unrecorded } = audit
  const figures = {
    kills,
    expected,
    lost: lost + forgotten.length,
    problems: notes.length,
    duplicates,
    interrupted,
    unrecorded,
    perKill: kills === 0 ? null : duplicates / kills,
    ...latencies(timed),
  }
  return { figures, notes: notes.slice(0, notesMax) }
}

/** Receivers may keep one body for all calls that brought it. */
function onceEach<Given, Made>(make: (given: Given) => Made): (given: Given) => Made {
  const made = new Map<Given, Made>()
  return (given) => {
    const known = made.get(given)
    if (known !== undefined) return known
    const fresh = make(given)
    made.set(given, fresh)
    return fresh
  }
}

function latencies(receivers: readonly Receiver[]) {
  const first = new Map<string, number>()
  for (const { headers, body, at } of receivers.flatMap(({ calls }) => calls)) {
    const id = String(headers['webhook-id'])
    const { occurredAt } = JSON.parse(body.toString()) as EventRecord
    if (!first.has(id)) first.set(id, at - Date.parse(occurredAt))
  }
  const all = [...first.values()]
  return { p50: quantile(all, 0.5), p99: quantile(all, 0.99) }
}
