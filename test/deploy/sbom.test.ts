import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { billOfMaterials, packagesOfProduct } from '../../docs/sbom.ts'

const root = join(import.meta.dirname, '../..')

test('the bill of materials has every package of the product with its hash and licence, and none of development', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const bill = billOfMaterials()
  const listed = bill.components.map(({ name, version }) => `${name}@${version}`)
  const edges = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
  const refs = new Set([...bill.components.map((each) => each['bom-ref']), bill.metadata.component['bom-ref']])

  expect(bill.bomFormat).toBe('CycloneDX')
  expect(bill.metadata.component.name).toBe('workspace-integration-api')
  expect(listed.toSorted()).toEqual([...packagesOfProduct().keys()].toSorted())
  expect(listed).toEqual(expect.arrayContaining(Object.entries(dependencies).map((pair) => pair.join('@'))))
  // What the product has from others, which a tool of development has as well.
  expect(listed.map((each) => each.replace(/@[^@]*$/, ''))).toEqual(
    expect.arrayContaining(['pg-protocol', 'jose', 'debug']),
  )
  expect(listed.filter((each) => /^(?:vitest|typescript|oxlint|vite)@/.test(each))).toEqual([])
  expect(edges.filter((ref) => !refs.has(ref))).toEqual([])
  for (const { name, purl, hashes = [], licenses = [] } of bill.components) {
    expect(purl, name).toMatch(/^pkg:npm\//)
    expect(hashes[0]?.content, name).toMatch(/^[0-9a-f]{128}$/)
    expect(licenses.length, name).toBeGreaterThan(0)
  }
})

test('what the bill has is what is installed', () => {
  const installed = new Set(readdirSync(join(root, 'node_modules')))
  const plain = [...packagesOfProduct().keys()]
    .map((each) => each.replace(/@[^@]*$/, ''))
    .filter((name) => !name.startsWith('@'))

  expect(plain.length).toBeGreaterThan(50)
  expect(plain.filter((name) => !installed.has(name))).toEqual([])
})
