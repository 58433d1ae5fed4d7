// The pages of the documentation: where to start, every error, every scope, every change. Each has two forms: HTML for
// people, JSON for callers that prefer it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendFile, textFile, type StaticFile } from './static-file.ts'
import { negotiatedType } from '../auth/request-policies.ts'
import { pageHeaders, note, heading, link, codeBlock, htmlPage, paragraph, table, cell, list } from './html.ts'
import { infoOf } from '#contract/openapi/document.ts'
import { docsPaths, mcpPath, publicPaths, apiPrefix } from '#contract/route-paths.ts'
import { adviceOn, exampleProblem, fieldMeanings, meaningOfFault } from '#contract/faults/help.ts'
import {
  faultCodes,
  fieldCodes,
  isRetryable,
  pageOfFault,
  statusOf,
  titleOf,
  type FaultCode,
} from '#contract/faults/fault.ts'
import { operations } from '#contract/api.ts'
import { presetNamed, presetNames, type PresetName } from '#contract/key-preset.ts'
import { meaningOfScope } from '#contract/scopes.ts'
import { scopes, type Scope } from '#contract/scopes.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#runtime/process.ts'

export type Page = { readonly html: string; readonly json: unknown }
type PageFiles = { readonly html: StaticFile; readonly json: StaticFile }

const html = 'text/html'
const json = 'application/json'

/** A page is rendered at the first request for it and kept. The number of pages is fixed, so nothing is evicted. */
export function pageCache(): (name: string, render: () => Page) => PageFiles {
  const pages = new Map<string, PageFiles>()
  return (name, render) => {
    const cached = pages.get(name)
    if (cached !== undefined) return cached
    const page = render()
    const files = {
      html: textFile(page.html, `${html}; charset=utf-8`),
      json: textFile(JSON.stringify(page.json), json),
    }
    pages.set(name, files)
    return files
  }
}

/** Throws `not_acceptable` when the caller takes neither form. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: PageFiles): FastifyReply {
  const type = negotiatedType(request.headers.accept, [html, json])
  if (type === html) reply.headers(pageHeaders)
  return sendFile(request, reply, type === html ? page.html : page.json, 'accept')
}

const { title, version, summary } = infoOf('api')

const links = [
  [publicPaths.json, 'The API as OpenAPI 3.1: every call, every event, with examples.'],
  [publicPaths.yaml, 'The same as YAML.'],
  [publicPaths.settings, 'The workspace settings as OpenAPI 3.1: workspaces, members, keys and policies.'],
  [
    publicPaths.starter,
    'Samples that run against this installation: curl, TypeScript, Python, MCP clients; webhook receivers for Express, Fastify, Next, FastAPI and Go.',
  ],
  [docsPaths.errors, 'Every error with its meaning, an example, and what to do.'],
  [docsPaths.scopes, 'Every scope with what it allows, and presets for usual keys.'],
  [docsPaths.changelog, 'What has changed, release by release.'],
] as const

/** At the address of this installation itself: what this is, and where to go on. */
export const startPage = (): Page => ({
  json: { name: title, version, summary, links: { api: apiPrefix, mcp: mcpPath, ...linksByName } },
  html: htmlPage(
    title,
    note(`Version ${version}`),
    paragraph(
      `${summary} Programs call it over HTTP under \`${apiPrefix}\`, AI agents call the same operations as MCP tools at \`${mcpPath}\`, and webhooks tell of every change.`,
    ),
    heading('First call', 'first-call'),
    paragraph('Make a key in the workspace settings, and send it with every call.'),
    codeBlock(`curl -s "$ADDRESS${apiPrefix}/me" -H "Authorization: Bearer $KEY"`),
    heading('Where to go on', 'links'),
    table(
      ['Address', 'What is there'],
      links.map(([path, what]) => [link(path, path), cell(what)]),
    ),
  ),
})

const linksByName = {
  description: publicPaths.json,
  settingsDescription: publicPaths.settings,
  starter: publicPaths.starter,
  errors: docsPaths.errors,
  scopes: docsPaths.scopes,
  changelog: docsPaths.changelog,
}

const errorEntry = (code: FaultCode) => ({
  code,
  status: statusOf(code),
  title: titleOf(code),
  retryable: isRetryable(code),
  meaning: meaningOfFault(code),
  advice: adviceOn(code),
  example: exampleProblem(code),
})

export function errorPage(code: FaultCode): Page {
  const { status, title, retryable, meaning, advice, example } = errorEntry(code)
  const retryAdvice = retryable
    ? 'The same call can succeed later.'
    : 'Sending the same call again does not help by itself.'
  return {
    json: errorEntry(code),
    html: htmlPage(
      title,
      note(`\`${code}\`, status ${status}. ${retryAdvice}`),
      heading('What it means', 'meaning'),
      paragraph(meaning),
      heading('What to do', 'advice'),
      paragraph(advice),
      heading('Example', 'example'),
      codeBlock(JSON.stringify(example, null, 2)),
    ),
  }
}

export const errorsPage = (): Page => ({
  json: {
    data: faultCodes.map(errorEntry),
    fieldCodes: fieldCodes.map((code) => ({ code, meaning: fieldMeanings[code] })),
  },
  html: htmlPage(
    'Errors',
    paragraph(
      'Every refusal is a problem (RFC 9457) with a `code` that stays the same, over HTTP, in MCP tools and in each item of a batch. 400 says that the call could not be read, 422 that it was read and its values are not acceptable.',
    ),
    table(['Code', 'Status', 'What has happened'], faultCodes.map(errorRow)),
    heading('Codes of single values', 'values'),
    paragraph('They stand in `errors`, each with the place of the value that was refused.'),
    table(
      ['Code', 'What is wrong with the value'],
      fieldCodes.map((code) => [cell(`\`${code}\``), cell(fieldMeanings[code])]),
    ),
  ),
})

const errorRow = (code: FaultCode): string[] => [
  link(pageOfFault(code), `\`${code}\``),
  cell(String(statusOf(code))),
  cell(`${titleOf(code)}.`),
]

const scopeEntry = (scope: Scope) => ({
  scope,
  meaning: meaningOfScope(scope),
  operations: operations
    .filter((operation) => operation.scope === scope && operation.audiences.includes('api'))
    .map(({ name }) => name),
})
const presetEntry = (name: PresetName) => ({ name, ...presetNamed(name) })

/** What keys can be allowed to do: each scope with the operations that it opens, and the presets. */
export const scopesPage = (): Page => ({
  json: { scopes: scopes.map(scopeEntry), presets: presetNames.map(presetEntry) },
  html: htmlPage(
    'Scopes',
    paragraph(
      'A key may do what its scopes allow, and nothing else. `write` and `delete` include `read` of the same things. Give a key as few as it needs.',
    ),
    ...presetParts(),
    heading('All scopes', 'scopes'),
    table(['Scope', 'What it allows', 'Calls'], scopes.map(scopeRow)),
    paragraph('`GET /me` and what needs no scope is open to every key.'),
  ),
})

const presetParts = (): string[] => [
  heading('Presets', 'presets'),
  paragraph(
    'When a key is created, `preset` can replace `scopes`. The key stores the scopes of the preset one by one: it does not change when the preset does.',
  ),
  table(
    ['Preset', 'For what', 'Scopes'],
    presetNames
      .map(presetEntry)
      .map(({ name, meaning, scopes }) => [cell(`\`${name}\``), cell(meaning), codeList(scopes)]),
  ),
]

const scopeRow = (scope: Scope): string[] => {
  const { meaning, operations } = scopeEntry(scope)
  return [cell(`\`${scope}\``), cell(meaning), codeList(operations)]
}

const codeList = (names: readonly string[]): string => cell(names.map((name) => `\`${name}\``).join(' '))

type Release = { readonly name: string; readonly changes: readonly string[] }

const changelog = join(import.meta.dirname, '../../CHANGELOG.md')

/** What has changed, release by release: CHANGELOG.md as a page. */
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
