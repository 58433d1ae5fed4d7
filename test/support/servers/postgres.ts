import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import type { Certificate } from '../certificates.ts'
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

type Options = {
  /** With it, all users but `postgres` need TLS and a password, which is checked by SCRAM. */
  readonly certificate?: Certificate | undefined
  /** The program, where it is another than the newest that is installed. */
  readonly program?: string
  /** As `name=value`. */
  readonly settings?: readonly string[]
}

/** Null where Postgres is not installed. */
export async function startPostgres({ certificate, ...options }: Options = {}): Promise<Server | null> {
  return startOn(options, (data, bin, owner) => {
    if (!existsSync(data)) createCluster(join(bin, 'initdb'), dirname(data), owner)
    if (certificate !== undefined) requireTls(data, certificate, owner)
    return certificate === undefined ? [] : ['ssl=on']
  })
}

/** A streaming replica of it, made by pg_basebackup when it is started first, and anew after `wipe`. */
export async function startReplica(primary: Server, options: Omit<Options, 'certificate'> = {}): Promise<Server> {
  const replica = await startOn(options, (data, bin, owner) => {
    if (!existsSync(data)) copyCluster(join(bin, 'pg_basebackup'), primary.url, data, owner)
    return []
  })
  if (replica === null) throw new Error('Postgres is not installed')
  return replica
}

type Owner = { uid?: number }

/** `prepare` makes the data folder where there is none, and returns further settings. */
async function startOn(
  { program, settings = [] }: Omit<Options, 'certificate'>,
  prepare: (data: string, bin: string, owner: Owner) => readonly string[],
): Promise<Server | null> {
  const postgres = program ?? binary()
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
      const ofServer = prepare(data, dirname(postgres), owner)
      const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...ofServer, ...settings]
      const args = ['-D', data, '-p', String(port), ...all.flatMap((each) => ['-c', each])]
      return launch(postgres, args, { ...owner, cwd: folder })
    },
    answers: postgresAnswers,
  })
}

function createCluster(initdb: string, folder: string, owner: Owner): void {
  mkdirSync(folder, { recursive: true })
  if (owner.uid !== undefined) chownSync(folder, owner.uid, -1)
  const args = ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  execFileSync(initdb, args, { stdio: 'ignore', cwd: folder, ...owner })
}

function copyCluster(basebackup: string, primary: string, data: string, owner: Owner): void {
  const folder = dirname(data)
  mkdirSync(folder, { recursive: true })
  if (owner.uid !== undefined) chownSync(folder, owner.uid, -1)
  const args = ['-d', primary, '-D', data, '-X', 'stream', '-c', 'fast', '-R', '--no-sync']
  execFileSync(basebackup, args, { stdio: 'ignore', cwd: folder, ...owner })
}

function requireTls(data: string, { key, cert }: Certificate, { uid = -1 }: Owner): void {
  const hosts = ['host all postgres 127.0.0.1/32 trust', 'hostssl all all 127.0.0.1/32 scram-sha-256', '']
  for (const [name, text] of Object.entries({
    'server.key': key,
    'server.crt': cert,
    'pg_hba.conf': hosts.join('\n'),
  })) {
    writeFileSync(join(data, name), text, { mode: 0o600 })
    if (uid !== -1) chownSync(join(data, name), uid, -1)
  }
}

// Postgres refuses to run as root.
function ownerId(): Owner {
  if (process.getuid?.() !== 0) return {}
  return { uid: Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })) }
}
