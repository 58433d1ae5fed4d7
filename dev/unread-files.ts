// The last step of `npm ci`, and of the image: deletes from the installed packages what no program here reads, a
// quarter of their size. The next `npm ci` brings it back.
import { globSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Returns the paths in node_modules. `client` is the source of the generated database client. */
export function unreadFiles(packages: string, client: string): string[] {
  const within = { cwd: packages }
  return [
    // Headers for compiling C++ add-ons.
    ...globSync('node-{linux,win}-*/include', within),
    // The client has a query compiler for each database, in two sizes and two formats. It names those that it loads.
    ...globSync('@prisma/client/runtime/query_compiler_*.{js,mjs}', within).filter(
      (path) => !client.includes(basename(path)),
    ),
    // Nothing here asks Node for the sources of packages.
    ...globSync('**/*.{js,mjs,cjs,ts,mts,cts,css}.map', within),
  ]
}

if (import.meta.main) {
  const packages = join(root, 'node_modules')
  const client = readFileSync(join(root, 'prisma/generated/internal/class.ts'), 'utf8')
  for (const path of unreadFiles(packages, client)) rmSync(join(packages, path), { recursive: true })
}
