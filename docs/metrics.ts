// The table of figures in docs/operating/metrics.md, printed from the lists that the tiers publish.
// `node docs/metrics.ts` writes it; docs/check.ts refuses one that is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metric } from '#runtime/metrics/metric.ts'
import { processMetrics } from '#runtime/metrics/common-metrics.ts'
import { dispatcherMetrics } from '../dispatcher/metrics/dispatcher-metrics.ts'
import { gatewayMetrics } from '../gateway/metrics/declared.ts'
import { serviceMetrics } from '../service/metrics/declared.ts'

export const metricsPage = join(import.meta.dirname, 'operating/metrics.md')
const block = /(?<=<!-- metrics -->\n)[^]*(?=<!-- \/metrics -->)/

const sources: Readonly<Record<string, Readonly<Record<string, Metric>>>> = {
  'Gateway (`tier="gateway"`)': gatewayMetrics,
  'Service (`tier="service"`)': serviceMetrics,
  'Dispatcher (`tier="dispatcher"`)': dispatcherMetrics,
  'Every process (without `tier`)': processMetrics,
}

export const withMetrics = (text: string): string =>
  text.replace(block, () =>
    Object.entries(sources)
      .map(([title, metrics]) => section(title, metrics))
      .join(''),
  )

const section = (title: string, metrics: Readonly<Record<string, Metric>>): string =>
  [
    `\n### ${title}\n`,
    '| figure | type | labels | meaning |',
    '|---|---|---|---|',
    ...Object.values(metrics).map(row),
    '',
  ]
    .join('\n')
    .concat('\n')

const row = ({ name, type, labels, help }: Metric): string =>
  `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`

if (import.meta.main) writeFileSync(metricsPage, withMetrics(readFileSync(metricsPage, 'utf8')))
