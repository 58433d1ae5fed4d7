// The dashboards for Grafana: what each panel asks is asked of a real Prometheus that scrapes real processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { must } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { lacksPromtool } from '../support/prometheus.ts'
import { startReceiver } from '../support/receiver.ts'
import { freePort } from '../support/servers/server.ts'
import { modes } from '../support/system.ts'
import { callTool, openScene, useIt } from './scene.ts'

type Place = Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
type Panel = {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly gridPos: Place
  readonly targets?: readonly { readonly expr: string }[]
}
type Dashboard = { readonly uid: string; readonly title: string; readonly panels: readonly Panel[] }

const folder = join(import.meta.dirname, '../../deploy/monitoring/dashboards')
const dashboards = globSync('*.json', { cwd: folder }).map(
  (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Dashboard,
)

test('there is one for each tier and one for late webhooks, whose panels say what they show and do not overlap', () => {
  const cover = ({ gridPos: one }: Panel, { gridPos: other }: Panel) =>
    one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h

  expect(dashboards.map(({ uid }) => uid).toSorted()).toEqual([
    'wia-dispatcher',
    'wia-gateway',
    'wia-service',
    'wia-webhooks-late',
  ])
  for (const { panels, title } of dashboards) {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const panel of panels) {
      expect(panel.gridPos.x + panel.gridPos.w).toBeLessThanOrEqual(24)
      expect(
        panels.filter((other) => cover(panel, other)).map((other) => other.title),
        title,
      ).toEqual([panel.title])
      if (panel.type === 'timeseries') expect(panel.description, panel.title).toMatch(/\.$/)
    }
  }
})

test.skipIf(lacksPromtool || !modes.includes('distributed'))(
  'every panel shows something of an installation that is in use',
  { timeout: 240_000 },
  async () => {
    await using scene = await openScene()
    await scene.start('service')
    await Promise.all([scene.start('gateway'), scene.start('dispatcher')])
    await using prometheus = await startPrometheus(scene.metricsUrls)
    const tenant = await scene.tenant()
    await using receiver = await startReceiver((call) => (call.body.includes('Not this one') ? 500 : 200))
    must(await tenant.api('POST', '/api/v1/webhooks', { name: 'R', url: receiver.url, eventTypes: ['projects.*'] }))
    const asks = dashboards.flatMap(({ title, panels }) =>
      panels.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => ({ title: `${title}: ${panel.title}`, expr }))),
    )

    const empty = new Map(asks.map((ask) => [ask, 'never asked']))
    await eventually(
      async () => {
        await useIt(tenant)
        await callTool(tenant)
        must(await tenant.api('POST', '/api/v1/projects', { name: 'Not this one' }))
        await scene.call('GET', '/api/v1/projects', undefined, { authorization: 'Bearer wrong' })
        await tenant.api('POST', '/api/v1/projects', { nonsense: 1 })
        for (const ask of empty.keys()) {
          const answer = await prometheus.ask(ask.expr)
          if (answer.status !== 'success') throw new Error(`${ask.title}: ${JSON.stringify(answer)}`)
          if (answer.data.result.length > 0) empty.delete(ask)
        }
        return empty.size === 0
      },
      'every panel has something',
      120_000,
    ).catch((error: unknown) => {
      throw new Error([...empty.keys()].map(({ title, expr }) => `${title}: ${expr}`).join('\n'), { cause: error })
    })

    expect(asks.length).toBeGreaterThan(60)
  },
)

type Answer = { readonly status: string; readonly data: { readonly result: readonly unknown[] } }

/** Scrapes once a second. */
async function startPrometheus(urls: Readonly<Record<string, string>>) {
  const place = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const targets = Object.values(urls).map((url) => new URL(url).host)
  const scrape = { job_name: 'test', static_configs: [{ targets }] }
  writeFileSync(
    join(place, 'prometheus.yml'),
    stringify({ global: { scrape_interval: '1s' }, scrape_configs: [scrape] }),
  )
  const address = `127.0.0.1:${await freePort()}`
  const options = [`--config.file=${place}/prometheus.yml`, `--storage.tsdb.path=${place}/data`]
  const child = spawn('prometheus', [...options, `--web.listen-address=${address}`], { stdio: 'ignore' })
  const get = (path: string) => fetch(`http://${address}${path}`)
  await eventually(
    () =>
      get('/-/ready').then(
        ({ ok }) => ok,
        () => false,
      ),
    'Prometheus to be ready',
  )
  return {
    ask: async (expr: string): Promise<Answer> => {
      const query = expr.replaceAll('$__rate_interval', '10s').replaceAll('$instance', '.+')
      return (await (await get(`/api/v1/query?query=${encodeURIComponent(query)}`)).json()) as Answer
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
      rmSync(place, { recursive: true, force: true })
    },
  }
}
