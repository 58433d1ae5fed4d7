// The installation that is tried: the one that BASE_URL and API_KEY name, else the product in one process on embedded
// parts, in a folder that is removed afterwards.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { scopes } from '#contract/scopes.ts'

const program = join(import.meta.dirname, '../../standalone/main.ts')
const readyWithinMs = 90_000
const pollEveryMs = 200

/** What a candidate is told: where the API is, and a key with every scope, bound to one workspace. */
export type Access = { readonly BASE_URL: string; readonly API_KEY: string }
export type Installation = AsyncDisposable & {
  /** Each candidate gets a workspace of its own, so that none of them meets what another one has left. */
  access(name: string): Promise<Access>
}

export async function openInstallation(): Promise<Installation> {
  const { BASE_URL, API_KEY } = process.env
  if (BASE_URL === undefined) return startProduct()
  if (API_KEY === undefined) throw new Error('BASE_URL names an installation, so API_KEY must be given as well')
  return { access: async () => ({ BASE_URL, API_KEY }), [Symbol.asyncDispose]: async () => {} }
}

async function startProduct(): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'tried-'))
  const operatorToken = randomBytes(32).toString('base64url')
  const url = `http://127.0.0.1:${await freePort()}`
  const { PATH = '', HOME = '' } = process.env
  // The flag compiles WebAssembly quickly, for a short life.
  const child = spawn(process.execPath, ['--liftoff-only', program], {
    env: { PATH, HOME, DATA_DIR: folder, PORT: new URL(url).port, OPERATOR_TOKEN: operatorToken },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const close = async () => {
    if (!hasEnded()) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
  const deadline = Date.now() + readyWithinMs
  while (!(await isReady(url))) {
    if (hasEnded() || Date.now() > deadline) {
      await close()
      throw new Error(`The product did not start: ${errors}`)
    }
    await wait(pollEveryMs)
  }
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const response = await fetch(`${url}/settings/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Record<string, string>
  }
  const access = async (name: string): Promise<Access> => {
    const { id } = await post('/workspaces', { name })
    const { secret = '' } = await post(`/workspaces/${id}/api-keys`, { name, scopes })
    return { BASE_URL: url, API_KEY: secret }
  }
  return { access, [Symbol.asyncDispose]: close }
}

const isReady = async (url: string): Promise<boolean> =>
  fetch(`${url}/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
