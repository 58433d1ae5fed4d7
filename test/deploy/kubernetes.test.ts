// No cluster is needed: what is read here is what `kubectl apply -k` would send.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { logSettings } from '#runtime/log.ts'
import { readSettings, type Setting } from '#runtime/settings.ts'
import { databaseUrl, rateContradictions } from '#runtime/shared-settings.ts'
import type { Metric } from '#runtime/metrics/metric.ts'
import { dispatcherMetrics } from '../../dispatcher/metrics/dispatcher-metrics.ts'
import { settings as dispatcher } from '../../dispatcher/settings.ts'
import { isSecret, valuesIn } from '../../docs/kubernetes-settings.ts'
import { gatewayMetrics } from '../../gateway/metrics/gateway-metrics.ts'
import { settings as gateway } from '../../gateway/settings.ts'
import { serviceMetrics } from '../../service/metrics.ts'
import { fileContradictions } from '../../service/files/settings.ts'
import { oidcContradictions } from '../../service/identity/oidc/settings.ts'
import { settings as service } from '../../service/settings.ts'
import { foreign, lacksForeign } from '../support/foreign.ts'
import {
  environmentOf,
  lacksKustomize,
  manifestsFolder,
  named,
  podOf,
  rendered,
  tierNames,
  type Container,
  type Manifest,
} from '../support/kubernetes.ts'
import { permissionsBy } from '../support/node-permissions.ts'

const root = join(import.meta.dirname, '../..')
const tiers: Record<string, Record<string, Setting<unknown>>> = { gateway, service, dispatcher }
const settingsOf: Record<string, Setting<unknown>[]> = {
  ...Object.fromEntries(Object.entries(tiers).map(([name, settings]) => [name, Object.values(settings)])),
  migrate: Object.values({ databaseUrl, ...logSettings }),
}
const all = new Map(Object.values(settingsOf).flatMap((list) => list.map((setting) => [setting.name, setting])))
const values: Record<string, string> = {
  AMQP_URL: 'amqps://app:secret@rabbitmq.example.com',
  DATABASE_URL: 'postgres://app:secret@postgres.example.com/app',
  REDIS_URL: 'rediss://:secret@redis.example.com',
  INTERNAL_SECRET: 'i'.repeat(32),
  OPERATOR_TOKEN: 'o'.repeat(32),
}
const linesOf = (more: Readonly<Record<string, string>>): string =>
  Object.entries({ ...values, ...more })
    .map((pair) => `${pair.join('=')}\n`)
    .join('')
/** What the secrets.env of each overlay has. */
const overlays = {
  'one-node': linesOf({ STORE_PASSWORD: 's'.repeat(32) }),
  production: linesOf({ FILES_S3_ENDPOINT: 'https://s3.example.com', FILES_S3_SECRET_ACCESS_KEY: 'secret' }),
}
const secondsOfStop = 25

describe.skipIf(lacksKustomize).each(Object.entries(overlays))(
  'deploy/kubernetes/overlays/%s',
  (overlay, secretLines) => {
    const manifests = lacksKustomize ? [] : rendered(overlay, secretLines)
    const of = (kind: string): Manifest[] => manifests.filter((each) => each.kind === kind)
    const containerOf = (name: string): Container =>
      podOf(named(manifests, name === 'migrate' ? 'Job' : 'Deployment', name)).containers[0]!

    test.each(Object.keys(settingsOf))(
      '%s is given its settings and can read them, and only its own secrets',
      (name) => {
        const settings = settingsOf[name] ?? []
        const container = containerOf(name)
        const environment = environmentOf(manifests, container)
        const secrets = (container.env ?? []).filter(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined)
        const isOptional = ({ default: value }: Setting<unknown>) => value !== undefined

        expect(
          secrets.map(({ name: key, valueFrom }) => [
            key,
            valueFrom?.secretKeyRef?.key,
            valueFrom?.secretKeyRef?.optional,
          ]),
        ).toEqual(
          expect.arrayContaining(
            settings.filter(isSecret).map((each) => [each.name, each.name, isOptional(each) || undefined]),
          ),
        )
        expect(secrets).toHaveLength(settings.filter(isSecret).length)
        for (const { name: key, parse, default: value } of settings) {
          const text = environment[key]
          if (text === undefined) expect(value, key).not.toBeUndefined()
          else expect(() => parse(text), key).not.toThrow()
        }
      },
    )

    test('no setting contradicts another', () => {
      const environment = environmentOf(manifests, containerOf('service'))

      const read = readSettings(service, environment, (given) => [
        ...rateContradictions(given),
        ...oidcContradictions(given),
        ...fileContradictions(given),
      ])

      expect(read.filesS3Endpoint === null).toBe(overlay === 'one-node')
    })

    test('the ConfigMap names nothing but settings, and no secret', () => {
      const [config] = of('ConfigMap')
      const names = Object.keys(config?.data ?? {})

      expect(names).toContain('PUBLIC_URL')
      expect(names.filter((name) => !all.has(name) || isSecret(all.get(name)!))).toEqual([])
    })

    test.each(Object.keys(settingsOf))(
      '%s runs as an ordinary user who can write nothing, of the one image',
      (name) => {
        const pod = podOf(named(manifests, name === 'migrate' ? 'Job' : 'Deployment', name))
        const { image, securityContext, volumeMounts = [], resources } = containerOf(name)

        expect(pod.containers).toHaveLength(1)
        expect(pod).toMatchObject({
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
        })
        for (const right of ['hostNetwork', 'hostPID', 'hostIPC']) expect(pod).not.toHaveProperty(right)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(volumeMounts).toEqual(
          name === 'service' && overlay === 'one-node' ? [{ name: 'files', mountPath: '/files' }] : [],
        )
        expect(image).toBe(containerOf('gateway').image)
        expect(image).toMatch(/:\d+\.\d+\.\d+$/)
        expect(Object.keys(resources.requests)).toEqual(['cpu', 'memory'])
        expect(resources.limits).toHaveProperty('memory')
      },
    )

    test.each(Object.keys(settingsOf))(
      '%s is held by Node to what it needs: it starts nothing, and writes files alone',
      (name) => {
        const options = environmentOf(manifests, containerOf(name))['NODE_OPTIONS'] ?? ''

        expect(permissionsBy(options, ['/files/x', '/app/x', '/tmp/x'])).toEqual({
          scopes: ['fs.read'],
          mayWrite: name === 'service' && overlay === 'one-node' ? ['/files/x'] : [],
        })
      },
    )

    test.each(tierNames)('%s is asked at its own port whether it is alive and ready, and has time to stop', (name) => {
      const { terminationGracePeriodSeconds: grace } = podOf(named(manifests, 'Deployment', name))
      const container = containerOf(name)
      const environment = environmentOf(manifests, container)
      const port = tiers[name]?.['port']?.default
      const drain = name === 'dispatcher' ? 0 : Number(environment['DRAIN_SECONDS'] ?? gateway.drainSeconds.default)

      expect(environment).toMatchObject({ HOST: '0.0.0.0', PORT: String(port), METRICS_PORT: '9464' })
      expect(container.ports).toEqual([
        { name: 'http', containerPort: port },
        { name: 'metrics', containerPort: 9464 },
      ])
      expect(container.startupProbe?.httpGet).toEqual({ path: '/health', port: 'http' })
      expect(container.livenessProbe?.httpGet).toEqual({ path: '/health', port: 'http' })
      expect(container.readinessProbe?.httpGet).toEqual({ path: '/ready', port: 'http' })
      expect(grace).toBeGreaterThan(drain + secondsOfStop + 5)
      expect(container.command).toEqual(['node', `${name}/main.ts`])
      expect(named(manifests, 'Deployment', name).spec?.['strategy']).toMatchObject({
        rollingUpdate: { maxUnavailable: 0 },
      })
    })

    test('every selector finds the pods that it is for, and every Service and probe a port that these have', () => {
      const pods = [...of('Deployment'), ...of('StatefulSet'), ...of('Job')].map((each) => each.spec!.template!)
      const isOf = (labels: Readonly<Record<string, string>>) => (pod: (typeof pods)[number]) =>
        Object.entries(labels).every(([key, value]) => pod.metadata.labels[key] === value)

      for (const { metadata, spec } of of('Service')) {
        const { selector, ports } = spec as {
          selector: Record<string, string>
          ports: { targetPort: string | number }[]
        }
        const found = pods.filter(isOf(selector))
        const offered = found[0]?.spec.containers.flatMap(({ ports: its = [] }) =>
          its.flatMap((port) => [port.name, port.containerPort]),
        )
        expect(found, metadata.name).toHaveLength(1)
        for (const { targetPort } of ports) expect(offered, metadata.name).toContain(targetPort)
      }
      for (const { metadata, spec } of [...of('PodDisruptionBudget'), ...of('Deployment')]) {
        const { matchLabels } = (spec as { selector: { matchLabels: Record<string, string> } }).selector
        expect(pods.filter(isOf(matchLabels)), metadata.name).toHaveLength(1)
      }
      expect(of('PodDisruptionBudget').map(({ metadata }) => metadata.name)).toEqual(tierNames.toSorted())
    })

    test('gateways find every service pod behind the one name', () => {
      const [address = ''] = (environmentOf(manifests, containerOf('gateway'))['SERVICE_URLS'] ?? '').split(',')
      const { spec } = named(manifests, 'Service', new URL(address).hostname)

      expect(spec).toMatchObject({ clusterIP: 'None', ports: [{ port: Number(new URL(address).port) }] })
    })

    test('callers come in over https, at the one address that gateways and services name', () => {
      const { hostname, protocol } = new URL(environmentOf(manifests, containerOf('gateway'))['PUBLIC_URL'] ?? '')
      const [ingress, ...more] = of('Ingress')

      expect(protocol).toBe('https:')
      expect(more).toEqual([])
      expect(ingress?.spec).toMatchObject({
        tls: [{ hosts: [hostname], secretName: 'workspace-tls' }],
        rules: [
          {
            host: hostname,
            http: { paths: [{ path: '/', backend: { service: { name: 'gateway', port: { name: 'http' } } } }] },
          },
        ],
      })
    })

    test('only gateways are reached from outside, and each pod reaches no more than it needs', () => {
      const policies = of('NetworkPolicy')
      const specOf = (name: string) => named(policies, 'NetworkPolicy', name).spec as Policy
      const from = (name: string) => (specOf(name).ingress ?? []).flatMap((rule) => rule.from ?? 'anywhere')
      const portsTo = (name: string) => specOf(name).egress?.flatMap(({ ports = [] }) => ports.map(({ port }) => port))
      const monitoring = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }

      expect(specOf('nothing-else')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
      expect(specOf('every-pod').ingress).toEqual([{ from: [monitoring], ports: [{ protocol: 'TCP', port: 9464 }] }])
      const ingress = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'traefik' } } }
      expect(from('gateway')).toEqual(overlay === 'production' ? [ingress] : ['anywhere'])
      expect(specOf('gateway').ingress).toMatchObject([{ ports: [{ port: 8080 }] }])
      const { matchLabels } = (named(manifests, 'Deployment', 'gateway').spec as { selector: { matchLabels: object } })
        .selector
      expect(from('service')).toEqual([{ podSelector: { matchLabels } }])
      expect(specOf('dispatcher')).not.toHaveProperty('ingress')
      expect(specOf('migrate')).not.toHaveProperty('ingress')
      expect(portsTo('gateway')).toEqual([8081, 6379])
      expect(portsTo('service')).toEqual([5432, 6379, 5671, 5672, 443, 587, 465])
      expect(portsTo('migrate')).toEqual([5432])
      const [stores, receivers] = specOf('dispatcher').egress ?? []
      expect(stores?.ports?.map(({ port }) => port)).toEqual([5432, 5671, 5672, 6379])
      const [v4, v6] = receivers?.to ?? []
      for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10'])
        expect(v4?.ipBlock?.except).toContain(range)
      expect(v6?.ipBlock).toEqual({ cidr: '2000::/3' })
    })

    test('everything is in one namespace that takes no pod with more rights', () => {
      const [namespace] = of('Namespace')
      const elsewhere = manifests.filter(
        ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== namespace?.metadata.name,
      )

      expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
      expect(elsewhere).toEqual([])
      for (const { spec } of of('StatefulSet')) {
        expect(spec?.template?.spec.securityContext).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        })
        expect(spec?.template?.spec.containers[0]?.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        })
      }
    })

    test('two pods of each tier at least where there are nodes for them, and no more connections than Postgres has', () => {
      const scaled = of('HorizontalPodAutoscaler').map(({ metadata, spec }) => [metadata.name, spec] as const)

      if (overlay === 'one-node') return expect(scaled).toEqual([])
      expect(scaled.map(([name]) => name)).toEqual(tierNames.toSorted())
      for (const [name, spec] of scaled) {
        expect(spec).toMatchObject({ scaleTargetRef: { kind: 'Deployment', name }, minReplicas: 2 })
        expect(named(manifests, 'Deployment', name).spec).not.toHaveProperty('replicas')
      }
      const most = (name: string) => Number(scaled.find(([each]) => each === name)?.[1]?.['maxReplicas'])
      expect((most('service') + most('dispatcher') + 1) * (Number(service.databasePool.default) + 1)).toBeLessThan(97)
    })

    test.skipIf(lacksForeign)(
      'the schemas of Kubernetes accept each manifest, and know each of its fields',
      async () => {
        for (const manifest of manifests) {
          const { validate } = await foreign(async () => (await import(schemaOf(manifest))) as Validator)
          expect(validate(manifest) ? [] : validate.errors, manifest.metadata.name).toEqual([])
        }
        const { status, stdout } = typeChecked(manifests)
        expect(stdout).toBe('')
        expect(status).toBe(0)
      },
    )
  },
)

type Rule = {
  readonly from?: unknown[]
  readonly to?: { ipBlock?: { cidr: string; except?: string[] } }[]
  readonly ports?: { port: number }[]
}
type Policy = { readonly ingress?: Rule[]; readonly egress?: Rule[] }
type Validator = { readonly validate: ((data: unknown) => boolean) & { readonly errors?: unknown } }

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`)

function schemaOf({ apiVersion, kind }: Manifest): string {
  const [group = '', version = ''] = groupOf(apiVersion).split('/')
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
  return `kubernetes-models/_schemas/IoK8sApi${capital(group.split('.')[0] ?? '')}${capital(version)}${kind}`
}

/** The schemas let unknown fields pass; the types that are made of them do not. */
function typeChecked(manifests: readonly Manifest[]) {
  const folder = mkdtempSync(join(tmpdir(), 'kubernetes-types-'))
  try {
    symlinkSync(join(root, 'node_modules/.foreign/node_modules'), join(folder, 'node_modules'))
    const lines = manifests.map((manifest, at) => {
      const { apiVersion, kind } = manifest
      return [
        `import type { I${kind} as Kind${at} } from 'kubernetes-models/${apiVersion}'`,
        `export const manifest${at} = ${JSON.stringify(manifest)} satisfies Kind${at}`,
      ].join('\n')
    })
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'esnext',
      '--types',
      '',
    ]
    const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, 'manifests.ts'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return { status, stdout }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test.skipIf(lacksForeign)(
  'a field that Kubernetes does not know, a missing one and one of another type are noticed',
  async () => {
    const spec = { selector: {}, template: { spec: { containers: [{ name: 'app', readynessProbe: {} }] } } }
    const wrong = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec } as unknown as Manifest
    const { validate } = (await import(schemaOf(wrong))) as Validator

    expect(typeChecked([wrong]).stdout).toMatch(/readynessProbe\W+ does not exist/)
    expect(validate({ ...wrong, spec: { ...spec, replicas: 'two' } })).toBe(false)
    expect(validate({ ...wrong, spec: { template: spec.template } })).toBe(false)
  },
)

describe('the files with settings', () => {
  const read = (path: string): string => readFileSync(join(manifestsFolder, path), 'utf8')
  const listedIn = (text: string): string[] =>
    Array.from(text.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm), ([, name = '']) => name)

  test('list every setting of the tiers once: what is secret in one, all else in the other', () => {
    const names = [...all.values()].filter(({ name }) => name !== 'PORT')
    const secrets = names.filter(isSecret).map(({ name }) => name)

    expect(listedIn(read('secrets.env.example'))).toEqual(secrets.toSorted())
    expect(listedIn(read('base/settings.env'))).toEqual(
      names
        .map(({ name }) => name)
        .filter((name) => !secrets.includes(name))
        .toSorted(),
    )
  })

  test('ask for each secret without which nothing starts', () => {
    const every = Object.values(settingsOf).flat()
    const needed = new Set(every.filter((each) => isSecret(each) && each.default === undefined).map(({ name }) => name))
    const lines = valuesIn(read('secrets.env.example'))

    expect([...lines.keys()]).toEqual([...needed].toSorted())
    expect([...lines.values()].filter((value) => value !== '')).toEqual([])
  })
})

describe.skipIf(lacksKustomize)('deploy/kubernetes/components/scale-on-work', () => {
  const declared: Metric[] = [gatewayMetrics, serviceMetrics, dispatcherMetrics].flatMap((metrics) =>
    Object.values(metrics),
  )
  const gauges = new Set(declared.filter(({ type }) => type === 'gauge').map(({ name }) => name))
  const rules = readFileSync(join(manifestsFolder, 'components/scale-on-work/prometheus-adapter.yaml'), 'utf8')

  test('scales each tier by a figure of its own too, which its pods publish and the adapter serves', () => {
    const manifests = rendered('production', overlays.production, { components: ['../../components/scale-on-work'] })
    const scalers = manifests.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
    const figures = scalers.map(({ metadata, spec }) => {
      const { metrics } = spec as { metrics: { type: string; pods?: { metric: { name: string } } }[] }
      return [metadata.name, metrics.map(({ type }) => type), metrics[1]?.pods?.metric.name] as const
    })

    expect(figures.map(([name]) => name)).toEqual(tierNames.toSorted())
    for (const [name, types, metric = ''] of figures) {
      expect(types).toEqual(['Resource', 'Pods'])
      expect(metric.startsWith(`${name}_`)).toBe(true)
      expect(gauges).toContain(metric)
      expect(rules).toContain(`'${metric}{`)
    }
  })
})
