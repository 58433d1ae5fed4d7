// The receivers of the starter files that this machine can run, each with what starts it.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { run, start } from './run-program.ts'
import { freePort } from './servers/server.ts'

export const starterFolder = join(import.meta.dirname, '../../clients/starter')

type Command = { readonly program: string; readonly args: readonly string[] }
export type WebhookReceiver = {
  readonly name: string
  readonly command: (folder: string, scratch: string) => Promise<Command>
}

const answers = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0

const inNode = [
  fixed('Node', process.execPath, 'typescript/run.js', 'webhook-receiver'),
  fixed('Express', process.execPath, 'typescript/run.js', 'express-receiver'),
  fixed('Fastify', process.execPath, 'typescript/run.js', 'fastify-receiver'),
  { name: 'Next', command: serveNextRoute },
]

/** The one that has FastAPI, where any has: not every interpreter sees Debian’s packages. */
const findFastApi =
  'import sys; from importlib.util import find_spec as f; sys.exit(not (f("fastapi") and f("uvicorn")))'
const pythons = ['python3', '/usr/bin/python3'].filter((program) => answers(program, '--version'))
export const [python] = pythons
const pythonWithFastApi = pythons.find((program) => answers(program, '-c', findFastApi))

// -B: nothing that is compiled is left in the folder, where the archive is made from.
const inPython = [
  ...(python === undefined ? [] : [fixed('Python', python, '-B', 'python/webhook_receiver.py')]),
  ...(pythonWithFastApi === undefined ? [] : [fixed('FastAPI', pythonWithFastApi, '-B', 'python/fastapi_receiver.py')]),
]

const inGo = answers('go', 'version') ? [{ name: 'Go', command: buildGo }] : []

export const webhookReceivers: readonly WebhookReceiver[] = [...inNode, ...inPython, ...inGo]

export type RunningReceiver = AsyncDisposable & { readonly url: string; readonly output: () => string }

/** Resolves once it listens. `folder` has the starter files; `secretFor` is asked with the receiver's address. */
export async function startWebhookReceiver(
  folder: string,
  { name, command }: WebhookReceiver,
  secretFor: (url: string) => string | Promise<string>,
): Promise<RunningReceiver> {
  const scratch = mkdtempSync(join(tmpdir(), 'webhook-receiver-'))
  const { program, args } = await command(folder, scratch)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const env = { PORT: String(port), WEBHOOK_SECRET: await secretFor(url) }
  const { child, output } = start(folder, program, args, env)
  let hasEnded = false
  const ended = once(child, 'close').then(() => (hasEnded = true))
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(scratch, { recursive: true })
  }
  try {
    await eventually(() => hasEnded || listens.test(output()), `the receiver for ${name} listens`)
    if (hasEnded) throw new Error(output())
  } catch (error) {
    await stop()
    throw error
  }
  return { url, output, [Symbol.asyncDispose]: stop }
}

/** What they print then. */
const listens = /^Waiting for deliveries|Uvicorn running on/m

function fixed(name: string, program: string, ...args: readonly string[]): WebhookReceiver {
  return { name, command: async () => ({ program, args }) }
}

async function serveNextRoute(folder: string): Promise<Command> {
  const serve = join(import.meta.dirname, 'serve-route-handler.ts')
  return { program: process.execPath, args: [serve, join(folder, 'typescript/next-route.ts')] }
}

/** It has no dependencies, so nothing is fetched. The cache is for the next time. */
const goEnv = { GOPROXY: 'off', GOTOOLCHAIN: 'local', GOCACHE: join(tmpdir(), 'wia-go-build') }

async function buildGo(folder: string, scratch: string): Promise<Command> {
  const program = join(scratch, 'receiver')
  const { code, output } = await run(join(folder, 'go'), 'go', ['build', '-o', program, '.'], goEnv)
  if (code !== 0) throw new Error(output)
  return { program, args: [] }
}
