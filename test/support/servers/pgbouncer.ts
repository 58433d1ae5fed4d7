// PgBouncer in front of a Postgres, as a test needs it: of every version that is installed.
import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { postgresAnswers } from './postgres.ts'
import { freePort, launch, privateFolder, serve, type Server } from './server.ts'

export type Installed = { readonly program: string; readonly version: string; readonly tracksNames: boolean }

/** From this version on it gives the prepared statements of its clients names of its own. */
const firstThatTracksNames = [1, 21]

export const pgbouncers = (): readonly Installed[] =>
  globSync(['/usr/sbin/pgbouncer', '/usr/local/{sbin,bin}/pgbouncer', '/opt/pgbouncer*/bin/pgbouncer']).map(
    (program) => {
      const [, version = ''] = /PgBouncer (\S+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? []
      const [major = 0, minor = 0] = version.split('.').map(Number)
      const [ofMajor = 0, ofMinor = 0] = firstThatTracksNames
      return { program, version, tracksNames: major > ofMajor || (major === ofMajor && minor >= ofMinor) }
    },
  )

type Settings = Readonly<Record<string, string>>

const configurationOf = (postgres: string, port: number, settings: Settings): string => {
  const { hostname, port: serverPort, username } = new URL(postgres)
  const all = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', ...settings }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const database = `* = host=${hostname} port=${serverPort || '5432'} user=${username}`
  return ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n')
}

/** `settings`: of its configuration. What `configure` is given holds from its next start. */
export type Pgbouncer = Server & { configure(settings: Settings): void }

/** Pools by transaction, unless told otherwise. Its address leads to the database of `postgres`. */
export async function startPgbouncer(program: string, postgres: string, settings: Settings = {}): Promise<Pgbouncer> {
  const port = await freePort()
  const folder = privateFolder('pgbouncer')
  const file = join(folder, 'pgbouncer.ini')
  const configure = (next: Settings) =>
    writeFileSync(file, configurationOf(postgres, port, { pool_mode: 'transaction', ...next }))
  configure(settings)
  // It refuses to run as root, and is another user then, who may read the folder.
  chmodSync(folder, 0o755)
  const user =
    process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' })) } : {}
  const server = await serve({
    name: 'PgBouncer',
    url: Object.assign(new URL(postgres), { host: `127.0.0.1:${port}` }).href,
    folder,
    launch: () => launch(program, [file], user),
    answers: postgresAnswers,
  })
  return { ...server, configure }
}
