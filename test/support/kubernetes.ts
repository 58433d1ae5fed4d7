// The manifests of deploy/kubernetes as an operator would apply them: rendered by kustomize, which kubectl has in it.
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

type Source = { readonly name: string; readonly key: string; readonly optional?: boolean }
type Variable = {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef?: Source }
}
type Probe = { readonly httpGet: { readonly path: string; readonly port: string | number } }
export type Container = {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly env?: readonly Variable[]
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly resources: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
} & Partial<Record<'startupProbe' | 'readinessProbe' | 'livenessProbe', Probe>>
export type PodSpec = {
  readonly containers: readonly Container[]
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}
type Labels = Readonly<Record<string, string>>
export type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Labels; readonly namespace?: string }
  readonly data?: Labels
  readonly spec?: Readonly<Record<string, unknown>> & {
    readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec }
  }
}

export const manifestsFolder = join(import.meta.dirname, '../../deploy/kubernetes')
/** The product's own; the node of `one-node` has the stores too. */
export const tierNames = ['gateway', 'service', 'dispatcher'] as const

const kustomize = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
].find(([program = '', command = '']) => spawnSync(program, [command, '--help']).status === 0)
/** Tests that render are skipped by name: Debian has neither program. */
export const lacksKustomize = kustomize === undefined

type Changes = { readonly settings?: string; readonly components?: readonly string[] }

/**
 * What `kubectl apply -k` would send, with these lines in the overlay's secrets.env, and further ones in its
 * settings.env.
 */
export function rendered(
  overlay: string,
  secretLines: string,
  { settings = '', components = [] }: Changes = {},
): Manifest[] {
  const folder = mkdtempSync(join(tmpdir(), 'kubernetes-'))
  try {
    cpSync(manifestsFolder, folder, { recursive: true })
    const place = join(folder, 'overlays', overlay)
    writeFileSync(join(place, 'secrets.env'), secretLines)
    appendFileSync(join(place, 'settings.env'), settings)
    if (components.length > 0)
      appendFileSync(join(place, 'kustomization.yaml'), `components: [${components.join(', ')}]\n`)
    const [program = '', command = ''] = kustomize ?? []
    const { status, stdout, stderr } = spawnSync(program, [command, place], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function named(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name)
  if (found === undefined) throw new Error(`There is no ${kind} ${name}`)
  return found
}

/** The pod of a Deployment, Job or StatefulSet. */
export function podOf(manifest: Manifest): PodSpec {
  const pod = manifest.spec?.template?.spec
  if (pod === undefined) throw new Error(`${manifest.kind} ${manifest.metadata.name} has no pod`)
  return pod
}

/** The environment that Kubernetes would give a container: ConfigMaps as a whole, then variables, which win. */
export function environmentOf(manifests: readonly Manifest[], container: Container): Record<string, string> {
  const wholes = (container.envFrom ?? []).map(
    ({ configMapRef }) => named(manifests, 'ConfigMap', configMapRef.name).data ?? {},
  )
  const single = (container.env ?? []).flatMap(({ name, value, valueFrom }) => {
    const source = valueFrom?.secretKeyRef
    if (source === undefined) return [[name, value ?? '']]
    const found = named(manifests, 'Secret', source.name).data?.[source.key]
    if (found === undefined && source.optional !== true) throw new Error(`The Secret has no ${source.key}`)
    return found === undefined ? [] : [[name, Buffer.from(found, 'base64').toString()]]
  })
  return Object.assign({}, ...wholes, Object.fromEntries(single)) as Record<string, string>
}
