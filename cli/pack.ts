// Packs the command line as `npm pack` in clients/cli does, in a folder of its own. As a program it writes the file
// that the installation serves: it is run when the packages are installed, and when the image is built.
import { execFileSync } from 'node:child_process'
import { cpSync, copyFileSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPackage } from './build.ts'

const root = join(import.meta.dirname, '..')

type Packed = {
  /** The folder of the package before it was packed. */
  readonly source: string
  readonly archive: string
}

/** Leaves both in `folder`. */
export async function packInto(folder: string): Promise<Packed> {
  const source = join(folder, 'package')
  const isMade = (path: string): boolean => /\/(?:dist|[^/]*\.tgz)$/.test(path)
  cpSync(join(root, 'clients/cli'), source, { recursive: true, filter: (path) => !isMade(path) })
  copyFileSync(join(root, 'LICENSE'), join(source, 'LICENSE'))
  await buildPackage(join(source, 'dist'))
  // npm is a script for a shell on Windows.
  const isWindows = process.platform === 'win32'
  execFileSync('npm', ['--silent', '--offline', 'pack', '--ignore-scripts'], { cwd: source, shell: isWindows })
  const [name = ''] = globSync('*.tgz', { cwd: source })
  return { source, archive: join(source, name) }
}

if (import.meta.main) {
  const scratch = mkdtempSync(join(tmpdir(), 'workspace-cli-'))
  try {
    const { archive } = await packInto(scratch)
    copyFileSync(archive, join(root, 'docs/workspace-cli.tgz'))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
