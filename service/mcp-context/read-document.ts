// A document as its Markdown: all of it, a section, or lines; as much as fits, and then where to go on.
import { readDocumentContent } from '#contract/documents.ts'
import type { Output } from '#contract/operation.ts'
import { callOperation } from '../mcp-tools/call-operation.ts'
import type { Exchange } from '../mcp-tools/exchange.ts'
import { uriOf, type ObjectUri } from './uri.ts'

type Part = Output<typeof readDocumentContent>

/** About 6,000 tokens of English. */
const bytesMax = 24_000
/** Of one line, which is longer than all that is shown. */
const charactersMax = bytesMax
const headingsNamed = 40

export async function documentPage({ id, section, lines }: ObjectUri, exchange: Exchange): Promise<string> {
  const range = lines === undefined ? {} : { fromLine: lines.from, ...(lines.to !== undefined && { toLine: lines.to }) }
  const asked = { id, maxBytes: bytesMax, ...range, ...(section !== undefined && { section }) }
  const { body } = await callOperation(readDocumentContent, asked, exchange)
  const text = body.text.slice(0, charactersMax).toWellFormed()
  const isCut = text.length < body.text.length
  if (body.nextLine === null && !isCut) return text
  const end = section === undefined ? lines?.to : body.outline[0]?.toLine
  return `${text.trimEnd()}\n\n${howToGoOn(body, isCut, end)}\n`
}

/** `end`: the last line of what was asked for, where that is not the last of the document. */
function howToGoOn(part: Part, isCut: boolean, end: number | undefined): string {
  const { fromLine, toLine, nextLine, totalLines } = part
  const uri = uriOf('documents', part)
  const headings = part.outline.slice(0, headingsNamed).map(headingText)
  return [
    '---',
    `(Lines ${fromLine} to ${toLine} of ${totalLines}.${isCut ? ` Line ${toLine} is longer than what can be shown.` : ''}`,
    ...(nextLine === null ? [] : [`Read on: ${uri}?lines=${nextLine}-${end ?? ''}`]),
    `A section: ${uri}?section=<number>`,
    ...headings,
    `${part.headingCount} headings in all.)`,
  ].join('\n')
}

const headingText = ({ section, title, fromLine, toLine }: Part['outline'][number]): string =>
  `- ${section} ${JSON.stringify(title)} lines ${fromLine}-${toLine}`
