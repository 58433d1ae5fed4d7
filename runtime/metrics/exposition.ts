// Figures as Prometheus reads them: its text format, version 0.0.4.
import type { Distribution, Labels, Metric, MetricSource, Reading, Sample } from './metric.ts'

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** A figure that several sources have is written as one, with the samples of all. */
export async function exposition(sources: readonly MetricSource[]): Promise<string> {
  const readings = (await Promise.all(sources.map((read) => read()))).flat()
  const byName = Map.groupBy(readings, ({ metric }) => metric.name)
  return [...byName.values()].map(familyText).join('')
}

function familyText(readings: readonly Reading[]): string {
  const [{ metric } = { metric: null }] = readings
  const samples = readings.flatMap((reading) => reading.samples)
  if (metric === null || samples.length === 0) return ''
  const head = `# HELP ${metric.name} ${escapedHelp(metric.help)}\n# TYPE ${metric.name} ${metric.type}\n`
  return head + samples.map((sample) => sampleText(metric, sample)).join('')
}

const sampleText = ({ name }: Metric, { labels, value }: Sample): string =>
  typeof value === 'number' ? line(name, labels, value) : distributionText(name, labels, value)

function distributionText(name: string, labels: Labels, { bounds, counts, sum }: Distribution): string {
  let count = 0
  let text = ''
  for (let at = 0; at <= bounds.length; at++) {
    count += counts[at] ?? 0
    text += line(`${name}_bucket`, { ...labels, le: numberText(bounds[at] ?? Infinity) }, count)
  }
  return text + line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, count)
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapedValue(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}\n`
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

const escapedHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapedValue = (text: string): string => escapedHelp(text).replaceAll('"', '\\"')
