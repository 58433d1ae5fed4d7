// Bundles the program for its package, without any other file of this repository: `npm pack` in clients/cli calls it.
import { chmodSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/** The oldest Node that it runs on, as its manifest says. */
const target = 'node20'
const root = join(import.meta.dirname, '..')

export async function buildPackage(outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root,
    publicDir: false,
    // What a package would be installed beside it for is in it.
    ssr: { noExternal: true },
    plugins: [licences(outDir)],
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target,
      minify: false,
      rolldownOptions: {
        input: { main: join(import.meta.dirname, 'packaged.ts') },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  })
  const program = join(outDir, 'main.js')
  if (!readFileSync(program, 'utf8').startsWith('#!')) throw new Error(`${program} does not begin as a program`)
  chmodSync(program, 0o755)
}

/** Writes the licences of the packages that the bundle has code of beside it, as they ask for. */
const licences = (outDir: string): Plugin => ({
  name: 'licences',
  writeBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []))
    const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
    const texts = [...new Set(folders)].toSorted().map(licenceIn)
    writeFileSync(join(outDir, 'licences.txt'), texts.join('\n'))
  },
})

function licenceIn(folder: string): string {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8')
  const { name, version } = JSON.parse(manifest) as { readonly name: string; readonly version: string }
  const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder })
  if (file === undefined) throw new Error(`${name} has no file with its licence`)
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`
}

if (import.meta.main) await buildPackage(join(root, 'clients/cli/dist'))
