// What a browser has to load, and what the files that it gets may not hold.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const dist = join(import.meta.dirname, '../../console/dist')
const read = (path: string): string => readFileSync(join(dist, path), 'utf8')
const packedBytes = (path: string): number => readFileSync(join(dist, `${path}.gz`)).length
const sum = (paths: readonly string[]): number => paths.reduce((total, path) => total + packedBytes(path), 0)

const firstLoadBytesMax = 200_000
const chunkBytesMax = 60_000

const page = read('index.html')
/** What the page names itself: the browser loads it before anything is shown. */
const first = Array.from(page.matchAll(/(?:src|href)="\/settings\/([^"]+\.(?:js|css))"/g), ([, path = '']) => path)
const scripts = globSync('assets/*.js', { cwd: dist })
const later = scripts.filter((path) => !first.includes(path))

test(`the first load is at most ${firstLoadBytesMax / 1_000} kB, packed`, () => {
  console.log(`console: first load ${Math.ceil(sum(first) / 1_000)} kB of ${firstLoadBytesMax / 1_000}`)
  expect(first.length).toBeGreaterThan(1)
  expect(sum(first)).toBeLessThanOrEqual(firstLoadBytesMax)
})

test(`each chunk that comes later is at most ${chunkBytesMax / 1_000} kB, packed`, () => {
  expect(later.length).toBeGreaterThan(0)
  expect(later.filter((path) => packedBytes(path) > chunkBytesMax)).toEqual([])
})

const docsFirstLoadBytesMax = 10_000
const docsSearchBytesMax = 8_000
const referenceBytesMax = 480_000

test(`a page of the documentation loads ${docsFirstLoadBytesMax / 1_000} kB at most, and its search ${docsSearchBytesMax / 1_000} kB, packed`, () => {
  const assets = globSync('docs/assets/*.{js,css}', { cwd: dist })
  const first = assets.filter((path) => /\/site-/.test(path))
  const search = assets.filter((path) => /\/es-/.test(path))

  const reference = assets.filter((path) => /\/reference-/.test(path))

  expect([first.length, search.length, reference.length]).toEqual([2, 1, 2])
  console.log(`docs: first load ${Math.ceil(sum(first) / 1_000)} kB, search ${Math.ceil(sum(search) / 1_000)} kB`)
  expect(sum(first)).toBeLessThanOrEqual(docsFirstLoadBytesMax)
  expect(sum(search)).toBeLessThanOrEqual(docsSearchBytesMax)
  expect(sum(reference)).toBeLessThanOrEqual(referenceBytesMax)
})

test('no file names another address to load from', () => {
  const styles = globSync('{,docs/}assets/*.css', { cwd: dist })

  expect(styles.filter((path) => /url\((?!["']?(?:data:|\/settings\/))|@import/.test(read(path)))).toEqual([])
  expect(page).not.toMatch(/https?:/)
})

test('no description of an operation is in the bundle: only where it is, and what forms are checked by', () => {
  const all = scripts.map(read).join('\n')

  expect(all).toContain('/settings/api/workspaces/{workspaceId}/api-keys')
  expect(all).not.toContain('Newest first, revoked ones included')
})
