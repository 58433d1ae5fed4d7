// The tiers on hosts of their own, and the links between them cut, cut one way, slow or lossy.
import { setTimeout as after } from 'node:timers/promises'
import { hostsRange, openHosts, type Hosts, type Link, type TierName } from './hosts.ts'
import { openStage, startFickleReceiver, type Row, type Scenario, type Spread, type StoreName } from './stage.ts'

type LinkName =
  | `${'service' | 'dispatcher'} – Postgres`
  | `${'service' | 'dispatcher'} – RabbitMQ`
  | `${'gateway' | 'service'} – Redis`
  | 'gateway – service'
  | 'dispatcher – receiver'
type Links = Map<LinkName, Link>
type Harm = (links: Links, hosts: Hosts) => void

const stores: Readonly<Record<StoreName, string>> = {
  DATABASE_URL: 'Postgres',
  AMQP_URL: 'RabbitMQ',
  REDIS_URL: 'Redis',
}
const usedBy: Readonly<Record<TierName, readonly StoreName[]>> = {
  gateway: ['REDIS_URL'],
  service: ['DATABASE_URL', 'AMQP_URL', 'REDIS_URL'],
  dispatcher: ['DATABASE_URL', 'AMQP_URL'],
}

const spreadOver =
  (hosts: Hosts, links: Links): Spread =>
  async (env, servicePort) => {
    const linked = async (tier: TierName, store: StoreName): Promise<[string, string]> => {
      const url = new URL(env[store])
      const link = await hosts.link(tier, { host: url.hostname, port: Number(url.port) })
      links.set(`${tier} – ${stores[store]}` as LinkName, link)
      url.host = `${link.address}:${link.port}`
      return [store, url.href]
    }
    const spotOf = async (tier: TierName) => ({
      place: hosts.place(tier),
      env: {
        HOST: hosts.address(tier),
        WEBHOOK_ALLOW_CIDRS: hostsRange,
        ...Object.fromEntries(await Promise.all(usedBy[tier].map((store) => linked(tier, store)))),
      },
    })
    const toService = await hosts.link('gateway', { host: hosts.address('service'), port: servicePort })
    links.set('gateway – service', toService)
    const gateway = await spotOf('gateway')
    return {
      gateway: {
        ...gateway,
        env: { ...gateway.env, SERVICE_URLS: `http://${toService.address}:${toService.port}` },
      },
      service: await spotOf('service'),
      dispatcher: await spotOf('dispatcher'),
    }
  }

export const harmed = (name: string, seconds: number, harm: Harm): Row => ({
  name,
  measure: async () => {
    await using hosts = await openHosts()
    await using receiver = await startFickleReceiver()
    const links: Links = new Map()
    const { hostname, port, pathname } = new URL(receiver.url)
    const toReceiver = await hosts.link('dispatcher', { host: hostname, port: Number(port) })
    links.set('dispatcher – receiver', toReceiver)
    const url = `http://${toReceiver.address}:${toReceiver.port}${pathname}`
    await using stage = await openStage({ receivers: [{ url }, { url }] }, spreadOver(hosts, links))
    await after(1_000)
    harm(links, hosts)
    await after(seconds * 1_000)
    hosts.heal()
    await after(2_000)
    await stage.stopLoad()
    const drainSeconds = await stage.drained()
    const { figures, notes } = await stage.audit({ kills: 0, of: [receiver] })
    return { figures: { ...stage.callers(), ...figures, drainSeconds }, notes }
  },
})

export const cut =
  (name: LinkName, which: 'sent' | 'received' | 'both' = 'both'): Harm =>
  (links) =>
    links.get(name)?.drop(which)

const slow =
  (ms: number): Harm =>
  (links) =>
    links.forEach((link) => link.delay(ms))

const linkNames: readonly LinkName[] = [
  'gateway – service',
  'gateway – Redis',
  'service – Postgres',
  'service – RabbitMQ',
  'service – Redis',
  'dispatcher – Postgres',
  'dispatcher – RabbitMQ',
  'dispatcher – receiver',
]

export const network: Scenario = {
  title: 'Network',
  about:
    'Gateway, service and dispatcher have a host of their own each (network namespaces), and reach the stores, the service and the receiver over links that fail for the seconds above: no packet goes through any more, without either end being told. Then all is well again.',
  rows: ({ seconds }) => [
    harmed('nothing fails', seconds, () => {}),
    ...linkNames.map((name) => harmed(`${name} cut`, seconds, cut(name))),
    harmed('gateway – service, answers lost', seconds, cut('gateway – service', 'received')),
    harmed('service – Postgres, answers lost', seconds, cut('service – Postgres', 'received')),
    harmed('dispatcher – Postgres, answers lost', seconds, cut('dispatcher – Postgres', 'received')),
    harmed('200 ms more on every link, each way', seconds, slow(200)),
    harmed('2 % of all packets lost', seconds, (_links, hosts) => hosts.lose(0.02)),
  ],
}
