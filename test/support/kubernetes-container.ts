// Runs a container of a manifest without a container runtime: its command, its environment and its user, no rights, and
// file systems that it cannot write to except its volumes. Where this process is not root, it runs as its own user.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Container, PodSpec } from './kubernetes.ts'

const project = join(import.meta.dirname, '../..')
/** Where the project is to a confined container: what the image has at /app. */
const workdir = '/mnt'

type Ended = { readonly code: number | null; readonly signal: string | null; readonly output: string }
export type RunningContainer = AsyncDisposable & {
  readonly pid: number
  /** Resolves when it has ended by itself. */
  readonly ended: Promise<Ended>
  /** As the kubelet does: SIGTERM, and SIGKILL after the grace period. */
  stop(): Promise<Ended>
}

export const canConfine =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'setpriv', '--version']).status === 0

export function startContainer(
  pod: PodSpec,
  container: Container,
  given: Readonly<Record<string, string>>,
): RunningContainer {
  const [program = '', ...args] = container.command ?? []
  const volumes = (container.volumeMounts ?? []).map(({ mountPath }) => ({ mountPath, folder: volumeFor(pod) }))
  // As a value of its own, or in one such as `--allow-fs-write=/files/*`.
  const inVolume = (value: string) =>
    volumes.reduce(
      (text, { mountPath, folder }) => text.replaceAll(new RegExp(`(?<=^|=)${mountPath}(?=[ /]|$)`, 'g'), folder),
      value,
    )
  const env = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, inVolume(value)]))
  const folderOfNode = dirname(process.execPath)
  const inProject = relative(project, folderOfNode)
  const PATH = canConfine && !inProject.startsWith('..') ? join(workdir, inProject) : folderOfNode
  const whole = { ...env, PATH: `${PATH}:/usr/bin:/bin`, HOME: '/home/node' }
  const [command, words] = canConfine
    ? [
        'unshare',
        [
          '--mount',
          'sh',
          '-ec',
          confinement(
            pod,
            volumes.map(({ folder }) => folder),
          ),
          'sh',
          program,
          ...args,
        ],
      ]
    : [program, args]
  const child = spawn(command, words, {
    cwd: canConfine ? '/' : project,
    env: whole,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close').then(([code, signal]) => {
    for (const { folder } of volumes) rmSync(folder, { recursive: true, force: true })
    return { code: code as number | null, signal: signal as string | null, output }
  })
  const stop = async (): Promise<Ended> => {
    child.kill('SIGTERM')
    const killing = setTimeout(() => child.kill('SIGKILL'), pod.terminationGracePeriodSeconds * 1_000)
    return ended.finally(() => clearTimeout(killing))
  }
  return {
    pid: child.pid ?? 0,
    ended,
    stop,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Mounts, then user and rights. The command follows as arguments, so that signals reach it. */
function confinement({ securityContext }: PodSpec, writable: readonly string[]): string {
  const { runAsUser, runAsGroup } = securityContext
  return [
    `mount --bind '${project}' ${workdir}`,
    `mount -o remount,bind,ro ${workdir}`,
    ...writable.map((folder) => `mount --bind '${folder}' '${folder}'`),
    'mount -o remount,bind,ro /',
    `cd ${workdir}`,
    `exec setpriv --reuid ${String(runAsUser)} --regid ${String(runAsGroup)} --clear-groups --no-new-privs --bounding-set -all "$@"`,
  ].join('\n')
}

/** An empty one, which belongs to the group of the pod. */
function volumeFor({ securityContext: { runAsUser, fsGroup } }: PodSpec): string {
  const folder = mkdtempSync(join(tmpdir(), 'volume-'))
  if (canConfine) chownSync(folder, Number(runAsUser), Number(fsGroup))
  return folder
}
