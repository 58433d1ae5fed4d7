// `npm run dev`: the product for those who change it. The tiers run in one process on embedded parts, as `npm start`
// runs them, and start anew when a file of theirs changes; the console is served by Vite and changes in place. The
// first run makes sample data for every page (dev/seed/), which later runs find again.
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { apiPrefix, consolePrefix, docsPaths, mcpPath } from '#contract/route-paths.ts'
import { logSettings } from '#runtime/log.ts'
import { closeAll, run } from '#runtime/process.ts'
import { keepState, mustBeFree, openFolder } from './folder.ts'
import { readOptions, usage, type Options } from './options.ts'
import { root, start, startReloading, type Program } from './program.ts'
import { startReceivers, type Receivers } from './receivers.ts'
import { owner, seed, type Seeded, type WithTiers } from './seed/seed.ts'

/** Of the headers that receivers answer with. */
const brand = process.env['BRAND'] || 'service'
const dayMs = 86_400_000
const closeWithinMs = 20_000

function optionsGiven(): Options | null {
  try {
    const given = readOptions(process.argv.slice(2), root)
    if (!given.wantsHelp) return given
    process.stdout.write(usage)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`)
    process.exitCode = 2
  }
  return null
}

async function develop(options: Options): Promise<{ close(): Promise<void> }> {
  const { folder, port, consolePort } = options
  for (const each of [port, consolePort]) await mustBeFree(each)
  const state = await openFolder(folder, options.isFresh, say)
  const receivers = await startReceivers(state?.receiversPort ?? 0, brand)
  const seeded = state?.seeded ?? (await makeSamples(options, receivers))
  const tiers = await startReloading(tiersProgram(options), {
    folders: ['contract', 'runtime', 'prisma', 'gateway', 'service', 'dispatcher', 'standalone'],
    beforeReload: async (file) => {
      // The gateway serves the descriptions as files.
      if (file.startsWith('contract/')) await describeApi()
    },
    say,
  })
  const console = await startReloading(consoleProgram(options), {
    // Vite takes up changes of the console by itself. What is made of the contract at build time it reads once.
    folders: ['contract', 'console/build'],
    beforeReload: async () => {},
    say,
  })
  process.stdout.write(welcome(options, seeded))
  const close = (program: { stop(): Promise<void> }) => ({ close: () => program.stop() })
  return { close: () => closeAll([receivers, close(tiers), close(console)], closeWithinMs) }
}

async function makeSamples(options: Options, receivers: Receivers): Promise<Seeded> {
  const { folder } = options
  say(`Making sample data in ${folder}. This is done once and takes a little while.`)
  keepState(folder, { receiversPort: receivers.port, seeded: null })
  const withTiers: WithTiers = async (daysBehind, work) => {
    const program = tiersProgram({ ...options, inspect: null }, daysBehind)
    const running = await start(program)
    try {
      return await work(new URL(program.readyAt).origin)
    } finally {
      await running.stop()
    }
  }
  const seeded = await seed({ folder, receiversPort: receivers.port, withTiers })
  keepState(folder, { receiversPort: receivers.port, seeded })
  return seeded
}

function tiersProgram({ port, folder, inspect }: Options, daysBehind = 0): Program {
  return {
    name: 'tiers',
    // It starts often and lives shortly: to optimise the database's WebAssembly takes longer than it gains.
    args: ['--liftoff-only', ...(inspect === null ? [] : [`--inspect=${inspect}`]), 'standalone/main.ts'],
    env: {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      DRAIN_SECONDS: '0',
      DEV_CLOCK_BEHIND_MS: String(daysBehind * dayMs),
      ...withoutServers,
    },
    readyAt: `http://127.0.0.1:${port}/ready`,
    // Only the log: what `npm start` prints is for its own first run.
    onLine: (line) => {
      if (line.startsWith('{')) process.stdout.write(`${line}\n`)
    },
  }
}

/** Addresses that are in the environment for the tests must not lead here: samples are made on embedded parts alone. */
const withoutServers = { DATABASE_URL: undefined, REDIS_URL: undefined, AMQP_URL: undefined, METRICS_PORT: undefined }

const consoleProgram = ({ port, consolePort, folder }: Options): Program => ({
  name: 'console',
  args: ['dev/console.ts', `http://127.0.0.1:${port}`, String(consolePort), join(folder, 'vite')],
  env: {},
  readyAt: `http://127.0.0.1:${consolePort}${consolePrefix}/main.tsx`,
  onLine: (line) => process.stdout.write(`${line}\n`),
})

async function describeApi(): Promise<void> {
  const child = spawn(process.execPath, ['docs/openapi.ts'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The API could not be described.')
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}

function welcome({ port, consolePort, folder, inspect }: Options, { workspaceId, apiKey }: Seeded): string {
  const [gateway, console] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${consolePort}`]
  const lines = {
    Console: `${console}${consolePrefix}/`,
    'Sign in': `${owner.email}, ${owner.password}`,
    API: `${gateway}${apiPrefix}`,
    MCP: `${gateway}${mcpPath}`,
    'API key': apiKey,
    Workspace: workspaceId,
    Operator: `the token in ${join(folder, 'operator-token')}`,
    Documents: `${gateway}${docsPaths.start}`,
    ...(inspect !== null && { Debugger: inspect }),
  }
  const rows = Object.entries(lines).map(([name, text]) => `  ${name.padEnd(10)} ${text}`)
  const ready =
    'Ready. Changes of files are taken up. Ctrl+C ends it; npm run dev -- --fresh makes the sample data anew.'
  return `\n${ready}\n\n${rows.join('\n')}\n\n`
}

const options = optionsGiven()
if (options !== null)
  await run('dev', () => develop(options), { logLevel: { ...logSettings.logLevel, default: 'warn' as const } })
