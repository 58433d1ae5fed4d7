// `npm run --silent sbom` prints the software bill of materials of the product in CycloneDX. npm makes it from the
// lockfile, and this leaves out what only development needs: npm's own `--omit=dev` also drops packages that the
// product and a tool of development share.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Component = {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly object[]
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}
export type BillOfMaterials = {
  readonly bomFormat: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}
type Locked = { readonly version?: string; readonly license?: string } & Partial<
  Record<'dev' | 'devOptional' | 'optional', boolean>
>

const root = join(import.meta.dirname, '..')
const lockfile = readFileSync(join(root, 'package-lock.json'), 'utf8')

/** `name@version` of each package that the image has, with its licence. It brings its own Node, which is optional. */
export function packagesOfProduct(): Map<string, string> {
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, Locked> }
  const needed = Object.entries(packages).filter(
    ([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional,
  )
  return new Map(
    needed.map(([path, { version, license = '' }]) => [
      `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`,
      license,
    ]),
  )
}

export function billOfMaterials(): BillOfMaterials {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx']
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const whole = JSON.parse(text) as BillOfMaterials
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }
  const kept = packagesOfProduct()
  const { component } = whole.metadata
  const isKept = (ref: string): boolean => kept.has(ref) || ref === component['bom-ref']
  return {
    ...whole,
    // npm takes the name of the folder.
    metadata: { ...whole.metadata, component: { ...component, name } },
    components: whole.components.flatMap((each) => {
      const licence = kept.get(`${each.name}@${each.version}`)
      // npm leaves out a licence that is none of SPDX.
      if (licence === undefined || (each.licenses ?? []).length > 0) return licence === undefined ? [] : [each]
      return [{ ...each, licenses: [{ license: { name: licence } }] }]
    }),
    dependencies: whole.dependencies
      .filter(({ ref }) => isKept(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
  }
}

if (import.meta.main) console.log(JSON.stringify(billOfMaterials(), null, 2))
