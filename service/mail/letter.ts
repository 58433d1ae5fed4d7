// What an email says, in one form from which its text and its HTML are written. Names that people have chosen stand in
// both: they are escaped in the one, and are a line of their own in neither.

/** A letter without its receiver. Paragraphs are plain text. */
export type Letter = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** Each with the page that it leads to, below the paragraphs. */
  readonly items?: readonly LetterItem[]
  /** The one thing to do. Null: nothing. */
  readonly action: { readonly label: string; readonly url: string } | null
  /** Below the action: until when it works, and why this email was sent. */
  readonly footnotes: readonly string[]
}
type LetterItem = { readonly title: string; readonly text: string; readonly url: string }

export type WrittenLetter = { readonly subject: string; readonly text: string; readonly html: string }

const subjectLengthMax = 150

/** A name within a sentence, whatever it holds: one line without control characters, and not long. */
export function inLine(name: string, lengthMax = 80): string {
  const line = name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const letters = Array.from(line)
  return letters.length <= lengthMax ? line : `${letters.slice(0, lengthMax - 1).join('')}…`
}

/** `4 December 2026 at 09:30 (Europe/Berlin)`. */
export const momentText = (moment: Date, timeZone: string): string =>
  moment.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }) + ` (${timeZone})`

export const writeLetter = (letter: Letter): WrittenLetter => ({
  subject: inLine(letter.subject, subjectLengthMax),
  text: textOf(letter),
  html: htmlOf(letter),
})

function textOf({ paragraphs, items = [], action, footnotes }: Letter): string {
  const listed = items.map(({ title, text, url }) => `- ${title}\n  ${text}\n  ${url}`)
  const act = action === null ? [] : [`${action.label}:\n${action.url}`]
  return `${[...paragraphs, ...listed, ...act, ...footnotes].join('\n\n')}\n`
}

function htmlOf({ paragraphs, items = [], action, footnotes }: Letter): string {
  const text = paragraphs.map((each) => `<p>${escaped(each)}</p>`)
  const listed = items.map(
    ({ title, text: about, url }) =>
      `<li style="margin-bottom:12px"><a href="${escaped(url)}">${escaped(title)}</a><br>${escaped(about)}</li>`,
  )
  const list = listed.length === 0 ? [] : [`<ul style="padding-left:20px">${listed.join('')}</ul>`]
  const act = action === null ? [] : [`<p><a href="${escaped(action.url)}">${escaped(action.label)}</a></p>`]
  const small = footnotes.map((each) => `<p style="color:#57606a;font-size:13px">${escaped(each)}</p>`)
  const body = [...text, ...list, ...act, ...small].join('\n')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="font:15px/1.5 system-ui,sans-serif;max-width:36em">
${body}
</body></html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? '')
