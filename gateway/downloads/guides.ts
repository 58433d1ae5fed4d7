// The guides: the Markdown files in docs/guides, which are the pages of the documentation as well. Their README names
// them in groups, each with a sentence: that is the navigation.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { docsPaths, publicPaths } from '#contract/route-paths.ts'
import { StartupError } from '#runtime/process.ts'

const folder = join(import.meta.dirname, '../../docs/guides')
const overview = 'README.md'
const quickStart = 'quick-start.md'

type Entry = { readonly path: string; readonly title: string; readonly summary: string }
export type Group = { readonly title: string; readonly entries: readonly Entry[] }
type Guide = { readonly path: string; readonly markdown: string }
export type Guides = {
  readonly overview: string
  readonly navigation: readonly Group[]
  readonly pages: readonly Guide[]
  /** The block of the quick start that sets what samples read: the address of the API and a key. */
  readonly setUp: string
}

/** Throws a StartupError when a file is missing. */
export function readGuides(from = folder): Guides {
  const read = (name: string): string => {
    try {
      return readFileSync(join(from, name), 'utf8')
    } catch (cause) {
      throw new StartupError(`The guide ${join(from, name)} cannot be read.`, { cause })
    }
  }
  const text = read(overview)
  const files = Array.from(text.matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\)/gm), ([, file = '']) => file)
  return {
    overview: text,
    navigation: groupsIn(text),
    pages: files.map((file) => ({ path: guidePath(file), markdown: read(file) })),
    setUp: /^```sh\nexport API=.*\n```$/m.exec(read(quickStart))?.[0] ?? '',
  }
}

const readsVariables = /^```sh\n(?:(?!```$).*\n)*?.*\$(?:API|WORKSPACE_API_KEY)\b/m

/**
 * A page whose samples read `$API` or `$WORKSPACE_API_KEY` says how both are set, for readers who have come to it from
 * a search: above the first such sample and the line that leads to it. Other pages stay as they are.
 */
export function withSetUp(markdown: string, setUp: string): string {
  const first = readsVariables.exec(markdown)
  if (first === null || markdown.includes(setUp)) return markdown
  const [lead = ''] = /(?<=\n\n)[^\n]+:\n\n$/.exec(markdown.slice(0, first.index)) ?? []
  const at = first.index - lead.length
  const sentence = `For the samples on this page, set the address and [an API key](${quickStart}#1-get-a-key):`
  return [markdown.slice(0, at).trimEnd(), sentence, setUp, markdown.slice(at)].join('\n\n')
}

const groupsIn = (text: string): Group[] =>
  text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.split('\n', 1)[0] ?? '',
      entries: Array.from(
        part.matchAll(/^- \[([^\]]+)\]\(([^)]+)\): (.+)$/gm),
        ([, title = '', href = '', summary = '']) => ({ path: siteHrefOf(href) ?? href, title, summary }),
      ),
    }))

const guidePath = (file: string): string =>
  file === overview ? docsPaths.docs : `${docsPaths.docs}/${basename(file, '.md')}`

/** Files of the repository that the installation serves in another form. */
const served: Readonly<Record<string, string>> = {
  '../../clients/starter/': publicPaths.starter,
  '../../CHANGELOG.md': docsPaths.changelog,
}

/** Returns where a link of a guide leads on the site; null where the site does not have it. */
export function siteHrefOf(href: string): string | null {
  if (href.startsWith('#') || href.startsWith('/')) return href
  const [, file = '', anchor = ''] = /^([\w-]+\.md)(#.*)?$/.exec(href) ?? []
  if (file !== '') return guidePath(file) + anchor
  return Object.entries(served).find(([path]) => href.startsWith(path))?.[1] ?? null
}

/** A guide as it is served as Markdown: its links lead to the Markdown of other pages. */
export const servedMarkdown = (markdown: string): string =>
  markdown
    .replaceAll(/^<!--.*-->\n\n?/gm, '')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, text: string, href: string) => {
      if (/^https?:/.test(href)) return whole
      const target = siteHrefOf(href)
      return target === null ? text : `[${text}](${target.replace(/^(\/docs[^#.]*)(?=#|$)/, '$1.md')})`
    })
