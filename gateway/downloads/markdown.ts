// Markdown of this project as HTML: the pages of the documentation are written in it, and so is what is made of the
// contract. The text is our own; still nothing of it is taken for HTML.
import { Marked, type Token, type Tokens } from 'marked'
import { samplesOf } from './curl-command.ts'

type Heading = { readonly depth: number; readonly id: string; readonly text: string }
/** A page up to its second heading, or from a heading to the next: what a search finds. */
export type Section = { readonly id: string; readonly title: string; readonly text: string }
export type Rendered = {
  /** Without the heading of the page. */
  readonly html: string
  readonly title: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
}
type Options = {
  /** Returns where a link of the text leads on the site; null where the site has no such page: then its text stays. */
  readonly hrefOf: (href: string) => string | null
  /** The address in the samples of calls. */
  readonly apiAddress: string
}

export function renderMarkdown(markdown: string, { hrefOf, apiAddress }: Options): Rendered {
  const marked = new Marked()
  const tokens = marked.lexer(markdown)
  const headings = headingsOf(tokens)
  const ids = headings.values()
  let samplesCount = 0
  marked.use({
    renderer: {
      heading({ depth, tokens: inner }) {
        const id = ids.next().value?.id ?? ''
        if (depth === 1) return ''
        const text = this.parser.parseInline(inner)
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>${text}</h${depth}>\n`
      },
      code({ text, lang = '' }) {
        const samples = lang === 'sh' ? samplesOf(text, apiAddress) : null
        if (samples === null) return codeBlock(text, lang)
        samplesCount += 1
        const group = `sample-${samplesCount}`
        const blocks = samples.map(
          ({ label, language, code }) =>
            `<div class="sample" id="${group}-${language}" data-language="${language}"><p class="language">${label}</p>\n${codeBlock(code, language)}</div>\n`,
        )
        return `<div class="samples">\n${blocks.join('')}</div>\n`
      },
      table(token) {
        const { header, rows } = token
        const inner = ({ tokens: inline }: Tokens.TableCell): string => this.parser.parseInline(inline)
        // On a phone the cells of a row stand below each other, each with the head of its column.
        const labels = header.map(({ tokens: inline }) => escapeHtml(plainText(inline)))
        const cells = (row: readonly Tokens.TableCell[]): string =>
          row.map((cell, at) => `<td data-label="${labels[at] ?? ''}">${inner(cell)}</td>`).join('')
        const body = rows.map((row) => `<tr>${cells(row)}</tr>\n`).join('')
        const heads = header.map((cell) => `<th scope="col">${inner(cell)}</th>`).join('')
        const head = labels.some((label) => label !== '') ? `<thead><tr>${heads}</tr></thead>\n` : ''
        return `<div class="table" tabindex="0"><table>\n${head}<tbody>\n${body}</tbody>\n</table></div>\n`
      },
      link({ href, tokens: inner }) {
        const text = this.parser.parseInline(inner)
        const target = /^https?:/.test(href) ? href : hrefOf(href)
        if (target === null) return text
        const isForeign = /^https?:/.test(target)
        return `<a href="${escapeHtml(target)}"${isForeign ? ' rel="noreferrer"' : ''}>${text}</a>`
      },
      // In a table, code with a space or a slash wraps there. Other code stays on one line.
      codespan: ({ text }) => `<code${/[\s/]/.test(text) ? ' class="wraps"' : ''}>${escapeHtml(text)}</code>`,
      html: ({ text }) => (/^\s*<!--[^]*-->\s*$/.test(text) ? '' : escapeHtml(text)),
      image: ({ text }) => escapeHtml(text),
    },
  })
  return {
    html: marked.parser(tokens),
    title: headings[0]?.text ?? '',
    headings,
    sections: sectionsOf(tokens, headings),
  }
}

const codeBlock = (text: string, language: string): string =>
  `<pre tabindex="0"${language === '' ? '' : ` data-language="${language}"`}><code>${escapeHtml(text)}</code></pre>\n`

/** The anchors are those that GitHub makes, so that a link works there and here. */
function headingsOf(tokens: readonly Token[]): Heading[] {
  const seen = new Map<string, number>()
  return tokens.filter(isHeading).map(({ depth, tokens: inner }) => {
    const text = plainText(inner)
    const id = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(id) ?? 0
    seen.set(id, before + 1)
    return { depth, text, id: before === 0 ? id : `${id}-${before}` }
  })
}

function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const sections: { id: string; title: string; texts: string[] }[] = []
  const next = headings.values()
  for (const token of tokens) {
    if (isHeading(token)) {
      const { depth, id, text } = next.next().value ?? { depth: 1, id: '', text: '' }
      sections.push({ id: depth === 1 ? '' : id, title: text, texts: [] })
    } else if (token.type !== 'code' && token.type !== 'html') sections.at(-1)?.texts.push(plainText([token]))
  }
  return sections.map(({ texts, ...section }) => ({ ...section, text: texts.join(' ').replaceAll(/\s+/g, ' ').trim() }))
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        return [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(' ')).join(' ')
      }
      if (token.type === 'list') return plainText((token as Tokens.List).items.flatMap(({ tokens }) => tokens))
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens)
      if (token.type === 'br' || token.type === 'space') return ' '
      return 'text' in token ? String(token.text) : ''
    })
    .join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter)
