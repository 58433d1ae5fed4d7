// The HTML of the pages. A page is one answer: no script, no picture, no font, nothing that is loaded from elsewhere.
import { createHash } from 'node:crypto'
import { docsPaths } from '#contract/route-paths.ts'

const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--tint:#f3f5f7;--link:#0a58ca;--paper:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ed;--soft:#9aa4af;--line:#30363d;--tint:#1c2229;--link:#7ab7ff;--paper:#12161b}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,sans-serif}
header,main{max-width:52rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:1.25rem;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
main{padding-bottom:4rem}
a{color:var(--link)}
h1{font-size:1.75rem;line-height:1.25;margin:2rem 0 .5rem}
h2{font-size:1.2rem;margin:2rem 0 .5rem}
p,li{margin:.5rem 0}
.soft{color:var(--soft)}
code,pre{font:.9em ui-monospace,monospace}
code{background:var(--tint);padding:.1em .3em;border-radius:4px;overflow-wrap:anywhere}
pre{background:var(--tint);border:1px solid var(--line);border-radius:6px;padding:1rem;overflow-x:auto}
pre code{background:none;padding:0;overflow-wrap:normal}
.table{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line)}
td:first-child,td code{white-space:nowrap}
@media(max-width:40rem){td:first-child,td code{white-space:normal}}
`

const styleHash = createHash('sha256').update(style).digest('base64')
/** The browser loads, runs, frames and sends nothing, and applies no style but the one above. */
export const pageHeaders = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
} as const

export function htmlPage(title: string, ...parts: readonly string[]): string {
  const heading = escapeHtml(title)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} · Workspace integration API</title>
<style>${style}</style>
</head>
<body>
<header>${link(docsPaths.start, 'Workspace integration API')} ${link(docsPaths.errors, 'Errors')} ${link(docsPaths.scopes, 'Scopes')} ${link(docsPaths.changelog, 'Changelog')}</header>
<main>
<h1>${heading}</h1>
${parts.join('\n')}
</main>
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter)

/** Returns the HTML of text in which backticks mark code, as everywhere in the contract. */
const inline = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

export const paragraph = (text: string): string => `<p>${inline(text)}</p>`
export const note = (text: string): string => `<p class="soft">${inline(text)}</p>`
export const heading = (text: string, id: string): string => `<h2 id="${escapeHtml(id)}">${escapeHtml(text)}</h2>`
export const link = (path: string, text: string): string => `<a href="${escapeHtml(path)}">${inline(text)}</a>`
export const codeBlock = (text: string): string => `<pre><code>${escapeHtml(text)}</code></pre>`
export const cell = inline
export const list = (items: readonly string[]): string =>
  `<ul>\n${items.map((item) => `<li>${inline(item)}</li>`).join('\n')}\n</ul>`

/** Cells hold HTML: made by `cell` or `link`. */
export function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = names.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((each) => `<td>${each}</td>`).join('')}</tr>`).join('\n')
  return `<div class="table"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table></div>`
}
