// Packages that only tests against the software of others need. `npm ci` leaves them out, test/foreign/install.ts
// brings them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(root, 'test/foreign/package.json'), 'utf8')) as {
  devDependencies: Record<string, string>
}
const folders = ['test/node_modules', 'node_modules'].map((folder) => join(root, folder))

/** Tests that need one of the packages are skipped by name. With CI=true they are not, and fail. */
export const lacksForeign =
  process.env['CI'] !== 'true' &&
  Object.keys(manifest.devDependencies).some((name) => !folders.some((folder) => existsSync(join(folder, name))))

/** Returns the module, or nothing of it where the packages are lacking: then every test that uses it is skipped. */
export async function foreign<T extends object>(load: () => Promise<T>): Promise<T> {
  return lacksForeign ? ({} as T) : load()
}
