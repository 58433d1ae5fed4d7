// Debian's Prometheus and its promtool. Alerts are evaluated over figures that real processes have published: each
// phase of a story is what two scrapes have seen, stretched over minutes that nobody waits for.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { scrape, type Exposed } from './exposition.ts'

export const lacksPromtool = process.env['CI'] !== 'true' && spawnSync('promtool', ['--version']).error !== undefined

export const alertsFile = join(import.meta.dirname, '../../deploy/monitoring/alerts.yml')

/** What each process published at one moment, by the name that it has as an instance. */
export type Snapshot = { readonly at: number; readonly exposed: ReadonlyMap<string, Exposed> }
/** `gauges`: when gauges were looked at, if that was not at the end. */
export type Phase = { readonly begin: Snapshot; readonly end: Snapshot; readonly gauges?: Snapshot }
/** How many minutes each phase lasts, one after the other. */
export type Story = readonly (readonly [phase: Phase, minutes: number])[]

/** `urls`: of the metrics of each instance that runs. */
export async function snapshot(urls: Readonly<Record<string, string>>): Promise<Snapshot> {
  const exposed = await Promise.all(Object.entries(urls).map(async ([name, url]) => [name, await scrape(url)] as const))
  return { at: Date.now(), exposed: new Map(exposed) }
}

export type Expectation = {
  readonly alert: string
  /** Its expression: figures that it does not name are left out. */
  readonly expr: string
  readonly story: Story
  /** In which of the phases it fires at the end. */
  readonly firesIn: readonly number[]
}

/** What promtool says of alerts that fire at the end of a wrong phase, or not at that of a right one. */
export function mistakesIn(expectations: readonly Expectation[]): string {
  return promtool(
    expectations.map(({ alert, expr, story, firesIn }) => ({
      interval: '1m',
      input_series: seriesOf(story).filter(({ series }) => expr.includes(series.slice(0, series.indexOf('{')))),
      promql_expr_test: endsOf(story).map((minute, at) => ({
        expr: `clamp_max(count(ALERTS{alertname="${alert}", alertstate="firing"}), 1) or vector(0)`,
        eval_time: `${minute}m`,
        exp_samples: [{ labels: '{}', value: firesIn.includes(at) ? 1 : 0 }],
      })),
    })),
  )
}

/** What promtool says of alerts that fire at the end of a story, of all that there are. */
export function firingIn(story: Story): string {
  const [end = 0] = endsOf(story).slice(-1)
  const quiet = { expr: 'ALERTS{alertstate="firing"}', eval_time: `${end}m`, exp_samples: [] }
  return promtool([{ interval: '1m', input_series: seriesOf(story), promql_expr_test: [quiet] }])
}

/** The last minute of each phase. */
const endsOf = (story: Story): number[] =>
  story.map((_each, at) => story.slice(0, at + 1).reduce((sum, [, minutes]) => sum + minutes, 0) - 1)

/** Empty where all is as expected. */
function promtool(tests: readonly object[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'))
  try {
    const path = join(folder, 'tests.yml')
    writeFileSync(path, stringify({ rule_files: [alertsFile], evaluation_interval: '1m', tests }))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', path], { encoding: 'utf8' })
    return status === 0 && stdout.includes('SUCCESS') ? '' : `promtool: ${stdout}${stderr}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Series = Map<string, { readonly isCounter: boolean; readonly value: number }>

/** Counters go on at the rate of their phase, from where they were. */
function seriesOf(story: Story): { series: string; values: string }[] {
  const phases = story.map(([{ begin, end, gauges = end }, minutes]) => ({
    begin: valuesOf(begin),
    end: valuesOf(end),
    gauges: valuesOf(gauges),
    minutes,
    perMinute: 60_000 / Math.max(end.at - begin.at, 1),
  }))
  const names = new Set(phases.flatMap(({ end }) => [...end.keys()]))
  return [...names].map((name) => {
    const values: string[] = []
    let total = 0
    for (const { begin, end, gauges, minutes, perMinute } of phases) {
      const last = end.get(name)
      const gained = (last?.value ?? 0) - (begin.get(name)?.value ?? 0)
      for (let minute = 0; minute < minutes; minute++) {
        if (last === undefined) values.push(values.length > 0 && values.at(-1) !== '_' && minute === 0 ? 'stale' : '_')
        else if (!last.isCounter) values.push(shown(gauges.get(name)?.value ?? last.value))
        else values.push(shown((total += Math.max(gained, 0) * perMinute)))
      }
    }
    return { series: name, values: values.join(' ') }
  })
}

const shown = (value: number): string => (Number.isFinite(value) ? String(value) : value > 0 ? 'Inf' : '-Inf')

function valuesOf({ exposed }: Snapshot): Series {
  const series: Series = new Map()
  for (const [instance, families] of exposed) {
    for (const [, { type, samples }] of families) {
      for (const { name, labels, value } of samples) {
        const pairs = Object.entries({ ...labels, instance }).map((pair) => `${pair[0]}=${JSON.stringify(pair[1])}`)
        series.set(`${name}{${pairs.join(',')}}`, { isCounter: type !== 'gauge', value })
      }
    }
  }
  return series
}
