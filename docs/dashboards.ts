// The dashboards for Grafana, printed as its JSON. `npm run docs` writes them; docs/check.ts refuses outdated ones.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Dashboard, Panel } from './dashboards/panels.ts'
import { dispatcher, gateway, service } from './dashboards/tiers.ts'
import { lastStep, webhooksLate } from './dashboards/webhooks-late.ts'

const folder = join(import.meta.dirname, '../deploy/monitoring/dashboards')

const dashboards: Readonly<Record<string, { readonly dashboard: Dashboard; readonly text?: string }>> = {
  'gateway.json': { dashboard: gateway },
  'service.json': { dashboard: service },
  'dispatcher.json': { dashboard: dispatcher },
  'webhooks-late.json': { dashboard: webhooksLate, text: lastStep },
}

/** Each file with what it should hold. */
export const dashboardFiles = (): [path: string, text: string][] =>
  Object.entries(dashboards).map(([name, { dashboard, text }]) => [
    join(folder, name),
    `${JSON.stringify(model(dashboard, text), null, 2)}\n`,
  ])

const source = { type: 'prometheus', uid: '${datasource}' }
const columns = 24
const rowHeight = 1
const panelHeight = 8

/** Rows from top to bottom, their panels side by side: two, three or four in a line. */
function model({ uid, title, rows }: Dashboard, text?: string): object {
  const panels: object[] = []
  let y = 0
  for (const row of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: columns, h: rowHeight },
    })
    y += rowHeight
    const inLine = row.panels.length % 3 === 0 ? 3 : Math.min(row.panels.length, 4)
    const width = columns / inLine
    row.panels.forEach((each, at) => {
      const gridPos = {
        x: (at % inLine) * width,
        y: y + Math.floor(at / inLine) * panelHeight,
        w: width,
        h: panelHeight,
      }
      panels.push({ id: panels.length + 1, gridPos, ...graph(each) })
    })
    y += Math.ceil(row.panels.length / inLine) * panelHeight
  }
  if (text !== undefined)
    panels.push({
      id: panels.length + 1,
      type: 'text',
      title: '',
      gridPos: { x: 0, y, w: columns, h: panelHeight },
      options: { mode: 'markdown', content: text },
    })
  return {
    uid,
    title,
    tags: ['workspace-integration-api'],
    schemaVersion: 39,
    editable: true,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [dataSource, instances] },
    panels,
  }
}

const graph = ({ title, description, unit, queries }: Panel): object => ({
  type: 'timeseries',
  title,
  description,
  datasource: source,
  fieldConfig: {
    defaults: { unit, min: 0, custom: { lineWidth: 1, fillOpacity: 5, spanNulls: false } },
    overrides: [],
  },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  targets: queries.map(({ expr, legend }, at) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + at),
    datasource: source,
    expr,
    legendFormat: legend,
  })),
})

const dataSource = { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }
const instances = {
  name: 'instance',
  label: 'Instance',
  type: 'query',
  datasource: source,
  query: { query: 'label_values(build_info, instance)', refId: 'instances' },
  refresh: 2,
  multi: true,
  includeAll: true,
  allValue: '.+',
  current: { text: 'All', value: '$__all' },
}

if (import.meta.main) for (const [path, text] of dashboardFiles()) writeFileSync(path, text)
