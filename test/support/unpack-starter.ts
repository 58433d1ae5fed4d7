// The starter files, downloaded and unpacked as a user does, with the key filled in as the README says.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Env } from './run-program.ts'
import { unzipped } from './zip.ts'

export type Language = {
  readonly name: string
  readonly program: string
  /** The arguments that start the sample, as the README says. */
  readonly sync: readonly string[]
}
const node: Language = { name: 'TypeScript', program: process.execPath, sync: ['typescript/run.js', 'sync'] }
const python: Language = { name: 'Python', program: 'python3', sync: ['python/sync.py'] }

/** The languages that this machine can run. */
export const languages = spawnSync('python3', ['--version']).status === 0 ? [node, python] : [node]

export type Starter = { readonly folder: string; readonly env: Env; readonly remove: () => void }

export async function unpackStarter(url: string, secret: string): Promise<Starter> {
  const folder = mkdtempSync(join(tmpdir(), 'starter-'))
  const archive = await fetch(`${url}/api/v1/starter.zip`)
  for (const { path, content, mode } of unzipped(Buffer.from(await archive.arrayBuffer()))) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    chmodSync(file, mode & 0o777)
  }
  // The frameworks that some samples are written for.
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  const [address = ''] = /(?<=^WORKSPACE_API_URL=).*$/m.exec(readFileSync(join(folder, '.env.example'), 'utf8')) ?? []
  const env = { WORKSPACE_API_URL: address, WORKSPACE_API_KEY: secret }
  return { folder, env, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
