// Installs what only tests against the software of others need, so that `npm ci` need not: `npm test` and `npm run
// verify` begin with it. It comes from a lockfile of its own, once for each lockfile, and no install script runs. Where
// it cannot be had, the tests that need it are skipped by name; with CI=true that is an error.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const withinMs = 600_000
const root = join(import.meta.dirname, '../..')
/** Beside the other packages: ignored wherever those are, and removed by `npm ci`. */
const place = join(root, 'node_modules/.foreign')
const marker = join(place, 'installed')
/** Files of these folders find them. What is installed twice is found here first. */
const links = ['test', 'bench'].map((folder) => join(root, folder, 'node_modules'))

const lockfile = readFileSync(join(import.meta.dirname, 'package-lock.json'))
const hash = createHash('sha256').update(lockfile).digest('hex')
const isInstalled = () => existsSync(marker) && readFileSync(marker, 'utf8') === hash

if (!isInstalled()) install()
if (isInstalled()) {
  for (const link of links.filter((each) => !existsSync(each))) {
    rmSync(link, { force: true })
    symlinkSync('../node_modules/.foreign/node_modules', link, 'junction')
  }
} else {
  console.error('Packages of test/foreign are not installed: the tests that need them are skipped')
  if (process.env['CI'] === 'true') process.exitCode = 1
}

function install(): void {
  console.log('installing the packages of test/foreign, which only tests need')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(import.meta.dirname, name), join(place, name))
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: place,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: withinMs,
    // npm is a script there.
    shell: process.platform === 'win32',
  })
  if (status === 0) writeFileSync(marker, hash)
}
