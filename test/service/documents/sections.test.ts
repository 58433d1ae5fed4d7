import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headingsOf, linesOf } from '../../../service/documents/markdown.ts'
import { findSection, outlineOf, sectionsOf } from '../../../service/documents/sections.ts'

const headings = (text: string): string[] =>
  headingsOf(linesOf(text)).map(({ level, title, fromLine }) => `${fromLine}: ${level} ${title}`)

test.each([
  ['# One\n## Two ##\n###### Six', ['1: 1 One', '2: 2 Two', '3: 6 Six']],
  ['#No\n####### No\n\\# No\n    # No\n   # Yes #not\n#\n', ['5: 1 Yes #not', '6: 1 ']],
  ['One\n===\n\nTwo\n  lines\n---\n', ['1: 1 One', '4: 2 Two lines']],
  ['One\r\n===\r\n# Two\r\n\r# Three', ['1: 1 One', '3: 1 Two', '5: 1 Three']],
  ['```sh\n# no\n```\n# yes', ['4: 1 yes']],
  ['~~~~\n# no\n~~~\n```\n~~~~\n# yes', ['6: 1 yes']],
  ['``` no `fence`\n# yes', ['2: 1 yes']],
  ['```\n# never closed', []],
  ['- item\n---\n# yes', ['3: 1 yes']],
  ['- item\n  # no\n\n  no\n  ---\n\nyes\n---', ['7: 2 yes']],
  ['- item\ngoes on\n===\n', []],
  ['1. code\n   ```\n   # no\n   ```\n2. # no\n\n# yes', ['7: 1 yes']],
  ['> # no\nyes\n---', ['2: 2 yes']],
  ['> no\nno\n===', []],
  ['***\n- - -\n\ntext\n***\ntext\n---', ['6: 2 text']],
  ['---\ntitle: no\n---\n# yes', ['4: 1 yes']],
  ['---\n\nyes\n---', ['3: 2 yes']],
  ['<!--\n# no\n-->\n# yes', ['4: 1 yes']],
  ['<div>\n# no\n\n# yes', ['4: 1 yes']],
  ['<b>bold</b> text\n# yes', ['2: 1 yes']],
  ['<custom-tag>\n# no\n\n<https://a.example>\n# yes', ['5: 1 yes']],
  ['<pre>\n\n# no\n</pre>\n# yes', ['5: 1 yes']],
  ['[a]: /b\n---\n# yes', ['3: 1 yes']],
  ['text\n14. goes on\n---', ['1: 2 text 14. goes on']],
  ['a | b\n--- | ---\n1 | 2', []],
  ['\t# no\n\n# yes\t# #', ['3: 1 yes\t#']],
  ['', []],
])('%j has the headings that CommonMark sees', (text, expected) => {
  expect(headings(text)).toEqual(expected)
})

const piece = fc.constantFrom(
  ...['# ', '## ', '### ', 'a', 'B c', '\n', '\r\n', '\r', '===', '---', '```', '~~~', '- ', '> ', '1. ', '  ', '\t'],
  ...['<!--', '-->', '<div>', '[a]: b', '    ', 'é', '\n\n', '\n# x\n', '\ny\n---\n'],
)
const markdown = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

test('lines are the text, cut after its line ends', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const lines = linesOf(text)
      const numbers = Array.from({ length: lines.count }, (_, at) => at + 1)

      expect(numbers.map((at) => lines.slice(at, at)).join('')).toBe(text)
      expect(lines.slice(1, lines.count)).toBe(text)
      expect(numbers.map((at) => lines.line(at)).join('')).toBe(text.replaceAll(/[\r\n]/g, ''))
      for (const at of numbers) expect(lines.line(at)).not.toMatch(/[\r\n]/)
    }),
  )
})

test('what stands before the first heading and the headings’ own texts are the whole document, once', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const lines = linesOf(text)
      const sections = sectionsOf(lines)
      const starts = [1, ...sections.map(({ fromLine }) => fromLine)]

      const own = starts.map((start, at) => lines.slice(start, (starts[at + 1] ?? lines.count + 1) - 1))
      expect(own.join('')).toBe(text)
      expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    }),
  )
})

test('a section ends where the next one of its level or above begins, and holds those below it', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const lines = linesOf(text)
      const sections = sectionsOf(lines)

      for (const [at, { level, fromLine, toLine, section }] of sections.entries()) {
        const next = sections.slice(at + 1).find((each) => each.level <= level)
        expect(toLine).toBe((next?.fromLine ?? lines.count + 1) - 1)
        expect(toLine).toBeGreaterThanOrEqual(fromLine)
        const above = sections.find((each) => each.section === section.replace(/\.?\d+$/, ''))
        if (section.includes('.')) expect(above?.toLine).toBeGreaterThanOrEqual(toLine)
      }
      expect(new Set(sections.map(({ section }) => section)).size).toBe(sections.length)
    }),
  )
})

const guide = sectionsOf(linesOf('# Guide\n## Setup\n### Linux\n## Use\n### Linux\n# 1.1\n# Guide lines\n'))

test('sections are numbered by their places, and cover the lines below them', () => {
  const places = guide.map(({ section, title, fromLine, toLine }) => `${section} ${title} ${fromLine}-${toLine}`)

  const first = ['1 Guide 1-5', '1.1 Setup 2-3', '1.1.1 Linux 3-3', '1.2 Use 4-5', '1.2.1 Linux 5-5']
  expect(places).toEqual([...first, '2 1.1 6-6', '3 Guide lines 7-7'])
})

test('a section is found by its number or its heading; of what is no one section the answer says why', () => {
  const wanted = { '1.1': '1.1', '# 1.1': '2', setup: '1.1', ' ## Setup ': '1.1', 'guide  LINES': '3' }
  const none = 'The document has no such section.'
  const many = '2 sections have this heading: 1.1.1, 1.2.1. Name one by its number.'

  for (const [heading, section] of Object.entries(wanted))
    expect(findSection(guide, heading)).toMatchObject({ section: { section } })
  expect(findSection(guide, 'Linux')).toEqual({ detail: many, isMany: true })
  expect(findSection(guide, '# Setup')).toEqual({ detail: `${none} Did you mean \`Setup\`?`, isMany: false })
  for (const heading of ['Nothing like it', '4'])
    expect(findSection(guide, heading)).toEqual({ detail: none, isMany: false })
})

test('an outline that is too long shows the upper levels, and never more than 200 headings', () => {
  const chapters = sectionsOf(linesOf('# A\n## B\n### C\n### D\n'.repeat(60)))
  const flat = sectionsOf(linesOf('###### A\n'.repeat(300)))

  expect(new Set(outlineOf(chapters).map(({ title }) => title))).toEqual(new Set(['A', 'B']))
  expect(outlineOf(chapters)).toHaveLength(120)
  expect(outlineOf(flat).map(({ section }) => section)).toEqual(Array.from({ length: 200 }, (_, at) => `${at + 1}`))
})
