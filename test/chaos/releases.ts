// Earlier releases of the product, as they were: the last commit of a version, with the packages of its own lockfile.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Place } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')
const bytesMax = 512 * 1024 ** 2

export type Release = { readonly version: string; readonly commit: string }

/** The newest first, without the one that is worked on. */
export function earlierReleases(): readonly Release[] {
  const versionAt = (commit: string): string =>
    (JSON.parse(git('show', `${commit}:package.json`)) as { version: string }).version
  const changed = git('log', '--format=%H', '-G"version":', '--', 'package.json').trim().split('\n')
  return changed
    .slice(0, -1)
    .map((commit) => git('rev-parse', `${commit}^`).trim())
    .map((commit) => ({ commit, version: versionAt(commit) }))
}

/** A folder of its own, which is removed in the end. */
export function installRelease({ commit }: Release): Place & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: bytesMax })
  execFileSync('tar', ['-x'], { cwd: folder, input: archive })
  const node = process.execPath
  const PATH = `${dirname(node)}:${process.env['PATH']}`
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, env: { ...process.env, PATH }, stdio: 'pipe' })
  return { folder, node, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

const git = (...given: readonly string[]): string =>
  execFileSync('git', [...given], { cwd: root, encoding: 'utf8', maxBuffer: bytesMax })
