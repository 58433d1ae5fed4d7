// The sections of a document: each heading with the text up to the next heading of its level or above. Numbers by their
// places name them. Pure.
import { outlineHeadingsMax } from '#contract/documents.ts'
import { foldCase } from '../text/characters.ts'
import { didYouMean } from '../validation/unknown-field.ts'
import { headingsOf, type Lines } from './markdown.ts'

export type Section = {
  /** Such as `2.1`. */
  readonly section: string
  readonly level: number
  readonly title: string
  readonly fromLine: number
  readonly toLine: number
}

/** One whose end is not known yet, with the number of sections right below it. */
type Open = { readonly section: { -readonly [F in keyof Section]: Section[F] }; below: number }

export function sectionsOf(lines: Lines): Section[] {
  const all: Section[] = []
  const open: Open[] = []
  let top = 0
  for (const { level, title, fromLine } of headingsOf(lines)) {
    while ((open.at(-1)?.section.level ?? 0) >= level) close(open, fromLine - 1)
    const parent = open.at(-1)
    const number = parent === undefined ? `${(top += 1)}` : `${parent.section.section}.${(parent.below += 1)}`
    const section = { section: number, level, title, fromLine, toLine: 0 }
    open.push({ section, below: 0 })
    all.push(section)
  }
  while (open.length > 0) close(open, lines.count)
  return all
}

function close(open: Open[], toLine: number): void {
  const closed = open.pop()
  if (closed !== undefined) closed.section.toLine = toLine
}

/** A section, or the sentence that says why there is not exactly one. */
export type FoundSection = { readonly section: Section } | { readonly detail: string; readonly isMany: boolean }

/** By its number, else by its heading: `Setup`, or with the marks of its level, `## Setup`. */
export function findSection(sections: readonly Section[], wanted: string): FoundSection {
  const numbered = sections.find(({ section }) => section === wanted.trim())
  if (numbered !== undefined) return { section: numbered }
  const [, marks = '', title = ''] = /^(#{0,6})[ \t]*(.*)$/s.exec(wanted.trim()) ?? []
  const named = sections.filter(
    (each) => folded(each.title) === folded(title) && (marks === '' || marks.length === each.level),
  )
  const [first] = named
  if (first === undefined) return { detail: noneCalled(sections, title), isMany: false }
  return named.length === 1 ? { section: first } : { detail: manyCalled(named), isMany: true }
}

const folded = (title: string): string => foldCase(title.trim().replaceAll(/\s+/g, ' '))

const suggestedMax = 500
const namedMax = 5

const noneCalled = (sections: readonly Section[], title: string): string =>
  sections.length === 0
    ? 'The document has no headings.'
    : `The document has no such section.${didYouMean(
        title,
        sections.slice(0, suggestedMax).map((each) => each.title),
      )}`

function manyCalled(named: readonly Section[]): string {
  const numbers = named.slice(0, namedMax).map(({ section }) => section)
  const more = named.length > namedMax ? ' and others' : ''
  return `${named.length} sections have this heading: ${numbers.join(', ')}${more}. Name one by its number.`
}

/** The sections within this one, itself first; all of them for null. */
export const sectionsWithin = (sections: readonly Section[], whole: Section | null): readonly Section[] =>
  whole === null
    ? sections
    : sections.filter(({ fromLine, toLine }) => fromLine >= whole.fromLine && toLine <= whole.toLine)

const titleLengthMax = 200

/** As many levels as fit, from the top; of the top level alone the first. */
export function outlineOf(sections: readonly Section[]): Section[] {
  const levels = [6, 5, 4, 3, 2].find((level) => upTo(sections, level).length <= outlineHeadingsMax) ?? 1
  const shown = upTo(sections, levels)
  return (shown.length === 0 ? [...sections] : shown)
    .slice(0, outlineHeadingsMax)
    .map((each) => ({ ...each, title: each.title.slice(0, titleLengthMax) }))
}

const upTo = (sections: readonly Section[], level: number): Section[] => sections.filter((each) => each.level <= level)
