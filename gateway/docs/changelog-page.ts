// What has changed, release by release: CHANGELOG.md as a page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#runtime/process.ts'
import { heading, htmlPage, list } from './html.ts'
import type { Page } from './page.ts'

type Release = { readonly name: string; readonly changes: readonly string[] }

const changelog = join(import.meta.dirname, '../../CHANGELOG.md')

export function changelogPage(markdown: string): Page {
  const releases = releasesIn(markdown)
  return {
    json: { releases },
    html: htmlPage('Changelog', ...releases.flatMap(({ name, changes }) => [heading(name, name), list(changes)])),
  }
}

/** Throws a StartupError when the file is missing. */
export function readChangelog(): string {
  try {
    return readFileSync(changelog, 'utf8')
  } catch (cause) {
    throw new StartupError(`The changelog ${changelog} cannot be read.`, { cause })
  }
}

/** A `## ` begins a release, a `- ` a change. What a link leads to is not served here: its text stays. */
const releasesIn = (markdown: string): Release[] =>
  markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      name: part.split('\n', 1)[0]?.trim() ?? '',
      changes: part.split(/^- /m).slice(1).map(plain),
    }))

const plain = (item: string): string =>
  item
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
