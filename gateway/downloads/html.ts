// The frame of the pages of the documentation: navigation, search, and what the browser may do. All files that a page
// loads are our own.
import { consolePrefix, docsPaths, publicPaths } from '#contract/route-paths.ts'
import type { Group } from './guides.ts'
import { escapeHtml, type Rendered } from './markdown.ts'

/** The browser loads nothing from elsewhere, sends nothing there, and runs and frames nothing but files of ours. */
export const browserHeaders = (formAction: "'self'" | "'none'") =>
  ({
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      `form-action ${formAction}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
  }) as const

export const pageHeaders = browserHeaders("'none'")

/** The addresses of the files of the pages, which have the digest of their content in their names. */
type Files = { readonly script: string; readonly styles: string }
/** Those of every page, and those of the reference beside them. */
export type PageFiles = Files & { readonly reference: Files }

type Framed = {
  readonly path: string
  readonly rendered: Rendered
  readonly navigation: readonly Group[]
  readonly files: PageFiles
}

export const siteName = 'Workspace integration API'

export function htmlPage({ path, rendered, navigation, files }: Framed): string {
  const { title, html, headings } = rendered
  const isReference = path === docsPaths.reference
  const shownTitle = path === docsPaths.docs ? siteName : `${title} · ${siteName}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(shownTitle)}</title>
<link rel="canonical" href="${path}">
<link rel="alternate" type="text/markdown" href="${markdownPath(path)}">
<link rel="stylesheet" href="${files.styles}">
${isReference ? `<link rel="stylesheet" href="${files.reference.styles}">\n` : ''}<link rel="icon" href="data:,">
<script type="module" blocking="render" src="${files.script}"></script>
${isReference ? `<script type="module" src="${files.reference.script}"></script>\n` : ''}</head>
<body${isReference ? ' class="wide"' : ''}>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="${docsPaths.docs}">${siteName}</a>
<div class="search" role="search" data-index="${docsPaths.search}"></div>
<a class="pages-link" href="#pages">Menu</a>
<a href="${consolePrefix}">Workspace settings</a>
</header>
<div class="frame">
<main id="content">
<h1>${escapeHtml(title)}</h1>
<div class="reader"></div>
${isReference ? `<div id="reference" data-description="${publicPaths.json30}">\n${html}</div>` : contents(headings) + html}
${footer(path, navigation)}
</main>
<nav id="pages" aria-label="Documentation">
${menu(navigation, path)}
</nav>
</div>
</body>
</html>
`
}

export const markdownPath = (path: string): string => `${path}.md`

/** All groups are seen at once: only that of the page is open, or the first one where none has the page. */
function menu(navigation: readonly Group[], current: string): string {
  const own = navigation.find(({ entries }) => entries.some(({ path }) => placeIn(path, current) !== null))
  return navigation.map((group) => groupList(group, current, group === (own ?? navigation[0]))).join('\n')
}

function groupList({ title, entries }: Group, current: string, isOpen: boolean): string {
  const items = entries.map(({ path, title }) => {
    const place = placeIn(path, current)
    return `<li><a href="${path}"${place === null ? '' : ` aria-current="${place}"`}>${escapeHtml(title)}</a></li>`
  })
  const open = isOpen ? ' open' : ''
  return `<details${open}>\n<summary>${escapeHtml(title)}</summary>\n<ul>\n${items.join('\n')}\n</ul>\n</details>`
}

/** `page`: the entry is that of the page; `true`: of the list that the page belongs to, as an error does to errors. */
const placeIn = (entry: string, current: string): 'page' | 'true' | null =>
  entry === current ? 'page' : current.startsWith(`${entry}/`) ? 'true' : null

/** Where there are so few that they are seen at once, a list of them says nothing. */
const fewHeadings = 3

function contents(headings: Rendered['headings']): string {
  const sections = headings.filter(({ depth }) => depth === 2)
  if (sections.length < fewHeadings) return ''
  const items = sections.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<nav class="contents" aria-label="On this page">\n<ul>\n${items.join('\n')}\n</ul>\n</nav>\n`
}

function footer(path: string, navigation: readonly Group[]): string {
  const entries = navigation.flatMap(({ entries }) => entries)
  const at = entries.findIndex((entry) => entry.path === path)
  const next = path === docsPaths.docs ? entries[0] : at === -1 ? undefined : entries[at + 1]
  const onward = next === undefined ? '' : `<a href="${next.path}">Next: ${escapeHtml(next.title)}</a> `
  return `<footer>${onward}<a href="${markdownPath(path)}">This page as Markdown</a></footer>`
}
