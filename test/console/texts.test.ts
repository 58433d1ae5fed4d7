// The texts of the console stand in one place a page, `texts.ts` or `texts.tsx`, so that they can be translated.
// Nothing that a page shows stands in a component, and each text is used.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../console')
const files = globSync('{app,ui,charts,usage,history,key-usage,webhook-health,pages}/**/*.{ts,tsx}', { cwd: root })
const isTexts = (path: string): boolean => /^texts\.tsx?$/.test(basename(path))
const components = files.filter((path) => path.endsWith('.tsx') && !isTexts(path))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Attributes and fields that people see or hear, whatever the component. */
const seen = new Set(
  'title label about hint confirm placeholder aria-label alt summary text what note detail head empty'.split(' '),
)
/** Signs, single letters and names such as HTTP are the same in every language. */
const isWord = (text: string): boolean => /\p{L}{2}/u.test(text.replace(/&\w+;|\b[A-Z]{2,5}\b/g, ''))

/** What a component says itself: each text with its place. */
function ownTexts(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const found: string[] = []
  const note = (text: string): void => {
    if (isWord(text)) found.push(`${path}: ${text.trim()}`)
  }
  const noteValue = (value: unknown): void => literalsIn(value as Node).forEach(note)
  const ofChildren = ({ children }: { readonly children: readonly { readonly type: string }[] }): void =>
    children.filter(({ type }) => type === 'JSXExpressionContainer').forEach(noteValue)
  new Visitor({
    JSXText: ({ value }) => note(value),
    JSXElement: ofChildren,
    JSXFragment: ofChildren,
    JSXAttribute: ({ name, value }) => {
      if (name.type === 'JSXIdentifier' && seen.has(name.name)) noteValue(value)
    },
    Property: ({ key, value }) => {
      if (key.type === 'Identifier' && seen.has(key.name)) noteValue(value)
    },
  }).visit(program)
  return found
}

type Node = { readonly type: string; readonly [field: string]: unknown } | null

/** Of a value that is written out, or one of two. */
function literalsIn(value: Node): string[] {
  switch (value?.type) {
    case 'JSXExpressionContainer':
      return literalsIn(value['expression'] as Node)
    case 'Literal':
      return typeof value['value'] === 'string' ? [value['value']] : []
    case 'TemplateLiteral':
      return (value['quasis'] as { readonly value: { readonly raw: string } }[]).map((quasi) => quasi.value.raw)
    case 'ConditionalExpression':
      return [value['consequent'], value['alternate']].flatMap((each) => literalsIn(each as Node))
    case 'LogicalExpression':
      return literalsIn(value['right'] as Node)
    default:
      return []
  }
}

test.each(components)('%s has no texts of its own', (path) => {
  expect(ownTexts(path, read(path))).toEqual([])
})

test('a text in a component would be found, wherever it stands', () => {
  const source = `
    const column = { head: 'Planted one' }
    export const Page = ({ isOn, name }) => (
      <Section title="Planted two" className="not-seen" about={isOn ? 'Planted three' : undefined}>
        <p>Planted four</p>
        {\`Planted five \${name}\`}
        {isOn && 'Planted six'}
        {texts.planted} <code>{name}</code> ·
      </Section>
    )`

  const found = ownTexts('planted.tsx', source)

  const words = ['one', 'two', 'three', 'four', 'five', 'six'].map((word) => `planted.tsx: Planted ${word}`)
  expect(found.toSorted()).toEqual(words.toSorted())
})

test.each(files.filter(isTexts))('each text of %s is used, by its folder alone', (path) => {
  const names = Array.from(read(path).matchAll(/^ {2}(\w+):/gm), ([, name = '']) => name)
  const room = files.filter((other) => dirname(other) === dirname(path) && !isTexts(other)).map(read)
  const used = new Set(
    room.flatMap((text) => Array.from(text.matchAll(/\btexts\.(\w+)(?!\w*')/g), ([, name = '']) => name)),
  )

  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !used.has(name))).toEqual([])
  expect([...used].filter((name) => !names.includes(name))).toEqual([])
})
