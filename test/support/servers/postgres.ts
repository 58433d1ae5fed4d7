import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { freePort, installed, launch, privateFolder, serve, type Server } from './server.ts'

const binary = () =>
  installed(...globSync('/usr/lib/postgresql/*/bin/postgres').toSorted().toReversed(), '/usr/local/bin/postgres')

export async function postgresAnswers(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    await client.query('SELECT 1')
  } finally {
    await client.end()
  }
}

/** Null where Postgres is not installed. */
export async function startPostgres(): Promise<Server | null> {
  const postgres = binary()
  if (postgres === null) return null
  const port = await freePort()
  const folder = privateFolder('postgres')
  const data = join(folder, 'data')
  const owner = ownerId()
  return serve({
    name: 'Postgres',
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    folder,
    launch: () => {
      if (!existsSync(data)) createCluster(join(dirname(postgres), 'initdb'), folder, owner)
      const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap((each) => ['-c', each])
      return launch(postgres, ['-D', data, '-p', String(port), ...settings], { ...owner, cwd: folder })
    },
    answers: postgresAnswers,
  })
}

function createCluster(initdb: string, folder: string, owner: { uid?: number }): void {
  mkdirSync(folder, { recursive: true })
  if (owner.uid !== undefined) chownSync(folder, owner.uid, -1)
  const args = ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  execFileSync(initdb, args, { stdio: 'ignore', cwd: folder, ...owner })
}

// Postgres refuses to run as root.
function ownerId(): { uid?: number } {
  if (process.getuid?.() !== 0) return {}
  return { uid: Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })) }
}
