// A component may ask its stylesheet for any name: each that is asked for is there, and no other.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../console')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const stylesheets = globSync('{app,ui,charts,usage,key-usage,webhook-health,pages}/**/*.module.css', { cwd: root })
const users = globSync('{app,ui,charts,usage,key-usage,webhook-health,pages}/**/*.tsx', { cwd: root }).map((path) => ({
  path,
  text: read(path),
}))

const classesIn = (stylesheet: string): string[] =>
  [...new Set(Array.from(read(stylesheet).matchAll(/\.([a-z]\w*)(?=[^{}]*\{)/gi), ([, name = '']) => name))].toSorted()

test.each(stylesheets)('%s has the classes that are used, and no others', (stylesheet) => {
  const file = stylesheet.slice(stylesheet.lastIndexOf('/') + 1)
  const folder = stylesheet.slice(0, stylesheet.lastIndexOf('/'))
  const using = users.filter(({ path, text }) => path.startsWith(`${folder}/`) && text.includes(`'./${file}'`))
  const used = using.flatMap(({ text }) => Array.from(text.matchAll(/\bcss\.(\w+)/g), ([, name = '']) => name))
  // `css[tone]`: which names those are, the type of `tone` says.
  const isOpen = using.some(({ text }) => /\bcss\[/.test(text))

  const there = classesIn(stylesheet)
  expect([...new Set(used)].filter((name) => !there.includes(name))).toEqual([])
  if (!isOpen) expect(there.filter((name) => !used.includes(name))).toEqual([])
})
