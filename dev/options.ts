// The options of `npm run dev`. An unknown one is refused by its name.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

export type Options = {
  readonly port: number
  readonly consolePort: number
  readonly folder: string
  /** Deletes what earlier runs have left, and begins anew. */
  readonly isFresh: boolean
  /** Where the debugger of the tiers listens, as Node takes it; null for none. */
  readonly inspect: string | null
  readonly wantsHelp: boolean
}

const defaults = { port: '8080', consolePort: '5173', inspect: '127.0.0.1:9229' }

export const usage = `npm run dev -- [options]

  --fresh               delete the data of earlier runs and seed anew
  --inspect[=host:port] open the debugger of the tiers (${defaults.inspect})
  --port <number>       of the gateway: API, MCP, pages (${defaults.port})
  --console-port <n>    of the console, served by Vite (${defaults.consolePort})
  --folder <path>       where the data is kept (data/dev)
`

/** Throws an error with a sentence for an unknown option or value. */
export function readOptions(args: readonly string[], root: string): Options {
  const { values } = parseArgs({
    // `--inspect` alone has a value, too, as it has for Node.
    args: args.map((arg) => (arg === '--inspect' ? `--inspect=${defaults.inspect}` : arg)),
    options: {
      fresh: { type: 'boolean', default: false },
      inspect: { type: 'string' },
      port: { type: 'string', default: defaults.port },
      'console-port': { type: 'string', default: defaults.consolePort },
      folder: { type: 'string', default: join(root, 'data/dev') },
      help: { type: 'boolean', default: false },
    },
  })
  const inspect = values.inspect ?? null
  if (inspect !== null && !/^(?:[\w.-]+:)?\d{1,5}$/.test(inspect))
    throw new Error(`--inspect must be a port or host:port, not ${inspect}.`)
  return {
    port: portIn('port', values.port),
    consolePort: portIn('console-port', values['console-port']),
    // Relative to the folder in which npm was called, not to the one in which it runs scripts.
    folder: resolve(process.env['INIT_CWD'] ?? '.', values.folder),
    isFresh: values.fresh,
    inspect,
    wantsHelp: values.help,
  }
}

function portIn(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) throw new Error(`--${name} must be a port from 1 to 65535, not ${text}.`)
  return port
}
