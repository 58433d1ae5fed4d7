// The package of the TypeScript client as `npm pack` makes it, built outside of the working copy.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
export const source = join(root, 'clients/typescript')

export const shell = (
  command: string,
  args: readonly string[],
  cwd: string,
): { code: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 60_000 })
  return { code: status, output: stdout + stderr }
}

/** Into this folder, with what npm would pack and nothing of the sources. */
export function buildPackage(folder: string): void {
  cpSync(source, folder, { recursive: true, filter: (path) => !/\/(?:dist|src)$/.test(path) })
  const tsc = join(root, 'node_modules/.bin/tsc')
  must(shell(tsc, ['-p', source, '--outDir', join(folder, 'dist')], root))
}

/** Packs what was built in this folder. Returns the path of the archive. */
export function pack(folder: string): string {
  must(shell('npm', ['pack', '--ignore-scripts'], folder))
  return join(folder, globSync('*.tgz', { cwd: folder })[0] ?? '')
}

/** Returns the folder of the package, as it is installed from its archive. */
export function unpack(archive: string, into: string): string {
  must(shell('tar', ['-xzf', archive, '-C', into], into))
  return join(into, 'package')
}

function must({ code, output }: ReturnType<typeof shell>): void {
  if (code !== 0) throw new Error(output)
}
