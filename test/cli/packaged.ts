// The package of the command line as an integrator has it: packed, and installed from its file into an empty folder.
// It is run there by the Node of the system where that is one, which is older than this project's.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { packInto } from '../../cli/pack.ts'

/** That of the system, where there is one. */
export const node = systemNode()

export type Packaged = {
  /** The folder that it was installed into. */
  readonly folder: string
  /** The unpacked package, before it is packed. */
  readonly source: string
  readonly program: string
  readonly node: string
}
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }
type Asked = { readonly env?: Record<string, string>; readonly input?: string; readonly cwd?: string }

let made: Promise<Packaged> | undefined

/** Made once for all files of a worker. */
export const packaged = (): Promise<Packaged> => (made ??= makePackage())

async function makePackage(): Promise<Packaged> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'wia-cli-')))
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
  const folder = join(scratch, 'user')
  const { source, archive } = await packInto(scratch)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  const args = ['--silent', 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', archive]
  execFileSync('npm', args, { cwd: folder })
  return { folder, source, program: join(folder, 'node_modules/workspace-integration-cli/dist/main.js'), node }
}

function systemNode(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules'))
  const isThere = (path: string): boolean => spawnSync(path, ['--version']).status === 0
  return folders.map((each) => join(each, 'node')).find(isThere) ?? process.execPath
}

/** Starts it with nothing in its environment but what is given. */
export async function start(words: readonly string[], { env = {}, cwd }: Asked = {}) {
  const { program, folder } = await packaged()
  const child = spawn(node, [program, ...words], {
    cwd: cwd ?? folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text))
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, ...said })))
  return { child, said, ended }
}

/** Runs it to its end. */
export async function workspace(words: readonly string[], asked: Asked = {}): Promise<Ended> {
  const { child, ended } = await start(words, asked)
  child.stdin.on('error', () => {}).end(asked.input ?? '')
  return ended
}
