// deploy/kubernetes/roll against a stand-in for kubectl that renders as the real one does, and otherwise only writes
// down what it is told.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { lacksKustomize, manifestsFolder, tierNames, type Manifest } from '../support/kubernetes.ts'

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const applied = /^apply .*--selector app\.kubernetes\.io\/component (.*)$/

/** `job`: which condition the migration has; `unready`: the tier that does not become ready. */
function roll({ job = 'Complete', unready = 'none' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'roll-'))
  folders.push(folder)
  cpSync(manifestsFolder, join(folder, 'kubernetes'), { recursive: true })
  const overlay = join(folder, 'kubernetes/overlays/one-node')
  writeFileSync(join(overlay, 'secrets.env'), 'STORE_PASSWORD=x\nDATABASE_URL=postgres://app:x@postgres/app\n')
  writeFileSync(join(folder, 'kubectl'), standIn(folder, job, unready), { mode: 0o755 })
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}`, LOOK_EVERY_SECONDS: '0' }
  const { status, stderr } = spawnSync(join(folder, 'kubernetes/roll'), [overlay], {
    env,
    encoding: 'utf8',
    timeout: 30_000,
  })
  const told = existsSync(join(folder, 'told'))
    ? readFileSync(join(folder, 'told'), 'utf8').split('\n').filter(Boolean)
    : []
  const shown = existsSync(join(folder, 'rendered')) ? readFileSync(join(folder, 'rendered'), 'utf8') : ''
  return { status, stderr, told, rendered: parseAllDocuments(shown).map((each) => each.toJS() as Manifest) }
}

const realKubectl = spawnSync('sh', ['-c', 'command -v kubectl'], { encoding: 'utf8' }).stdout.trim()
const standIn = (folder: string, job: string, unready: string): string => `#!/usr/bin/env bash
if [ "$1" = kustomize ]; then
  PATH="\${PATH#*:}" '${realKubectl}' "$@" | tee '${folder}/rendered'
  exit
fi
case "$*" in
  *'get job'*'${job}'*) echo True ;;
  *'get job'*) ;;
  *) echo "$*" | sed 's/ --filename [^ ]*//' >> '${folder}/told' ;;
esac
case "$*" in *'rollout status deployment/${unready}'*) exit 1 ;; esac
`

describe.skipIf(lacksKustomize || realKubectl === '')('deploy/kubernetes/roll', () => {
  test('applies all else first, then migrates, then replaces whoever reads before whoever writes', () => {
    const { status, told } = roll()
    const steps = told.map(
      (line) => applied.exec(line)?.[1] ?? line.replace('--namespace workspace-integration-api ', ''),
    )

    expect(status).toBe(0)
    expect(steps).toEqual([
      'notin (migrate, dispatcher, service, gateway)',
      'delete job migrate --ignore-not-found',
      'in (migrate)',
      'in (dispatcher)',
      'rollout status deployment/dispatcher --timeout 10m',
      'in (service)',
      'rollout status deployment/service --timeout 10m',
      'in (gateway)',
      'rollout status deployment/gateway --timeout 10m',
    ])
  })

  test('the pods of a tier are applied in its own step, and what they need before', () => {
    const { rendered } = roll()
    const stepOf = ({ metadata }: Manifest) => {
      const component = metadata.labels?.['app.kubernetes.io/component'] ?? ''
      return ['migrate', ...tierNames].includes(component) ? component : 'before'
    }
    const kindsOf = (step: string) =>
      rendered
        .filter((each) => stepOf(each) === step)
        .map(({ kind }) => kind)
        .toSorted()

    expect(kindsOf('migrate')).toEqual(['Job'])
    expect(kindsOf('gateway')).toEqual(['Deployment', 'Ingress', 'PodDisruptionBudget', 'Service'])
    expect(kindsOf('service')).toEqual(['Deployment', 'PodDisruptionBudget', 'Service'])
    expect(kindsOf('dispatcher')).toEqual(['Deployment', 'PodDisruptionBudget'])
    expect(new Set(kindsOf('before'))).toEqual(
      new Set(['ConfigMap', 'Namespace', 'NetworkPolicy', 'PersistentVolumeClaim', 'Secret', 'Service', 'StatefulSet']),
    )
  })

  test('a migration that fails ends it before any tier is touched', () => {
    const { status, stderr, told } = roll({ job: 'Failed' })

    expect(status).toBe(1)
    expect(stderr).toContain('logs job/migrate')
    expect(told.filter((line) => /dispatcher\)$|service\)$|gateway\)$/.test(line) && !line.includes('notin'))).toEqual(
      [],
    )
  })

  test('a tier that does not become ready ends it, with the tiers after it as they were', () => {
    const { status, told } = roll({ unready: 'service' })

    expect(status).toBe(1)
    expect(told.at(-1)).toContain('rollout status deployment/service')
  })
})
