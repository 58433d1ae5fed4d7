// A document for a model: a few lines about it, the outline where it is not shown whole, and its Markdown. Structured
// content has all but the Markdown, which stands in the text alone. Pure.
import type { readDocumentContent } from '#contract/documents.ts'
import type { Output } from '#contract/operation.ts'
import type { Fields } from './concise-fields.ts'
import { cutToFit } from './cut-fields.ts'
import { cutMembers, cutNote } from './cut-note.ts'
import type { ToolAnswer } from './runner.ts'
import { lines } from './text-rendering.ts'
import { estimateTokens } from './token-estimate.ts'

type Content = Output<typeof readDocumentContent>
export type Part = Pick<
  Content,
  'text' | 'version' | 'fromLine' | 'toLine' | 'nextLine' | 'totalLines' | 'outline' | 'headingCount'
>
type Heading = Content['outline'][number]

/** `isCut`: even one line is too long, so that it is cut within. */
export function documentAnswer(
  about: Fields,
  part: Part,
  tokensMax: number,
  { isCut = false }: { readonly isCut?: boolean } = {},
): ToolAnswer {
  const { fromLine, toLine, nextLine, totalLines, version } = part
  const isWhole = fromLine <= 1 && toLine === totalLines
  const outline = isWhole ? [] : outlineWithin(part.outline, tokensMax / 4)
  const { object, cut } = cutToFit({ ...about, version }, tokensMax / 4)
  const head = [lines(object), cutNote(cut), ...(isWhole && !isCut ? [] : [place(part), outlineText(outline, part)])]
  const headText = head.filter((each) => each !== '').join('\n')
  const text = isCut ? startOf(part.text, tokensMax - estimateTokens(headText) - 60) : part.text
  const isTruncated = nextLine !== null || isCut
  return {
    structured: {
      ...object,
      ...cutMembers(cut),
      content: {
        ...{ fromLine, toLine, totalLines },
        ...(nextLine !== null && { nextLine }),
        ...(isCut && { shownCharacters: text.length, ofCharacters: part.text.length }),
      },
      ...(outline.length > 0 && { outline, headingCount: part.headingCount }),
      ...(isTruncated && { truncated: true }),
    },
    text: `${headText}\n---\n${text}${isCut ? '… [cut: the line goes on; ask with a larger `maxTokens`]' : ''}`,
  }
}

function place({ fromLine, toLine, nextLine, totalLines }: Part): string {
  const more = nextLine === null ? '' : ` Go on with \`fromLine\`: ${nextLine}, or read one \`section\`.`
  return `Lines ${fromLine} to ${toLine} of ${totalLines}.${more}`
}

function outlineText(outline: readonly Heading[], { headingCount }: Part): string {
  if (outline.length === 0) return ''
  const missing = headingCount > outline.length ? ` (${outline.length} of ${headingCount} headings)` : ''
  const headings = outline.map(({ section, title, fromLine, toLine }) => `${section} ${title} (${fromLine}-${toLine})`)
  return [`Outline${missing}:`, ...headings].join('\n')
}

/** The first headings that fit. */
function outlineWithin(outline: readonly Heading[], tokensMax: number): readonly Heading[] {
  let left = tokensMax
  const beyond = outline.findIndex((heading) => (left -= estimateTokens(JSON.stringify(heading))) < 0)
  return beyond === -1 ? outline : outline.slice(0, beyond)
}

/** By halves: a character may be several tokens, or a part of one. */
function startOf(text: string, tokensMax: number): string {
  let length = Math.min(text.length, Math.max(0, tokensMax) * 8)
  while (length > 0 && estimateTokens(text.slice(0, length)) > tokensMax) length = Math.floor(length * 0.8)
  return text.slice(0, length).toWellFormed()
}
