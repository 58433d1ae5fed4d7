// The pages of the documentation that are made of the contract: every error, every scope, and what needs no key. They
// are Markdown, as the guides are, and JSON for programs.
import { infoOf } from '#contract/openapi/document.ts'
import { apiPrefix, docsPaths, mcpPath, publicPaths, tryPage } from '#contract/route-paths.ts'
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
import { operations, tags, transfers } from '#contract/api.ts'
import { methodOf, pathOf, tagOf, type Operation } from '#contract/operation.ts'
import { presetNamed, presetNames, type PresetName } from '#contract/key-preset.ts'
import { meaningOfScope, scopes, type Scope } from '#contract/scopes.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#runtime/process.ts'
import type { Section } from './markdown.ts'

export type PageSource = {
  readonly path: string
  readonly markdown: string
  /** Undefined where the page has no such form. */
  readonly json?: unknown
  /** What a search finds on it; undefined: its own sections. */
  readonly sections?: readonly Section[]
}

const { title, version, summary } = infoOf('api')

const links = [
  [publicPaths.json, 'The OpenAPI 3.1 description of the API in JSON: every operation and every event, with examples.'],
  [publicPaths.yaml, 'The OpenAPI 3.1 description of the API in YAML.'],
  [publicPaths.json30, 'The OpenAPI 3.0 description of the API in JSON, for generators that cannot read OpenAPI 3.1.'],
  [
    publicPaths.overlay,
    'An OpenAPI overlay that reduces each body to one media type, for generators that make a union of all media types.',
  ],
  [
    publicPaths.settings,
    'The OpenAPI 3.1 description of the workspace settings: workspaces, members, keys and policies.',
  ],
  [
    publicPaths.starter,
    'Samples that run against this installation: curl, TypeScript, Python, MCP clients; webhook receivers for Express, Fastify, Next, FastAPI and Go.',
  ],
  [publicPaths.commandLine, 'The command line, `workspace`: a package to install with npm.'],
  [publicPaths.postman, 'All operations as a Postman collection.'],
  [publicPaths.bruno, 'All operations as a folder for Bruno.'],
  [publicPaths.http, 'All operations as an `.http` file for editors.'],
  [publicPaths.workflows, 'Arazzo workflows that describe tasks of several calls, such as an import.'],
  [docsPaths.llms, 'A list of all pages, for language models.'],
  [docsPaths.llmsFull, 'All guides in one text file.'],
] as const

/** `overview`: the README of the guides. */
export const startPage = (overview: string): PageSource => ({
  path: docsPaths.docs,
  markdown: [
    overview.trimEnd(),
    '## Downloads',
    `Version ${version}. No key is needed:`,
    table(
      ['Address', 'Content'],
      links.map(([path, what]) => [`[\`${path}\`](${path})`, what]),
    ),
  ].join('\n\n'),
  json: { name: title, version, summary, links: { api: apiPrefix, mcp: mcpPath, ...linksByName } },
})

const linksByName = {
  description: publicPaths.json,
  description30: publicPaths.json30,
  settingsDescription: publicPaths.settings,
  starter: publicPaths.starter,
  commandLine: publicPaths.commandLine,
  postman: publicPaths.postman,
  bruno: publicPaths.bruno,
  http: publicPaths.http,
  workflows: publicPaths.workflows,
  overlay: publicPaths.overlay,
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

export function errorPage(code: FaultCode): PageSource {
  const { status, title, retryable, meaning, advice, example } = errorEntry(code)
  const retryAdvice = retryable
    ? 'The same call can succeed later.'
    : 'Sending the same call again does not help by itself.'
  return {
    path: pageOfFault(code),
    markdown: [
      `# ${title}`,
      `\`${code}\`, status ${status}. ${retryAdvice}`,
      '## What it means',
      meaning,
      '## What to do',
      advice,
      '## Example',
      `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    ].join('\n\n'),
    json: errorEntry(code),
  }
}

export const errorsPage = (): PageSource => ({
  path: docsPaths.errors,
  markdown: [
    '# Errors',
    'Every refusal is a problem (RFC 9457) with a `code` that stays the same, over HTTP, in MCP tools and in each item of a batch. 400 says that the call could not be read, 422 that it was read and its values are not acceptable. [Handling errors](/docs/handling-errors) says which calls to repeat.',
    table(
      ['Code', 'Status', 'What has happened'],
      faultCodes.map((code) => [`[\`${code}\`](${pageOfFault(code)})`, String(statusOf(code)), `${titleOf(code)}.`]),
    ),
    '## Codes of single values',
    'They stand in `errors`, each with the place of the value that was refused.',
    table(
      ['Code', 'What is wrong with the value'],
      fieldCodes.map((code) => [`\`${code}\``, fieldMeanings[code]]),
    ),
  ].join('\n\n'),
  json: {
    data: faultCodes.map(errorEntry),
    fieldCodes: fieldCodes.map((code) => ({ code, meaning: fieldMeanings[code] })),
  },
})

const scopeEntry = (scope: Scope) => ({
  scope,
  meaning: meaningOfScope(scope),
  operations: operations
    .filter((operation) => operation.scope === scope && operation.audiences.includes('api'))
    .map(({ name }) => name),
})
const presetEntry = (name: PresetName) => ({ name, ...presetNamed(name) })

/** What keys can be allowed to do: each scope with the operations that it opens, and the presets. */
export const scopesPage = (): PageSource => ({
  path: docsPaths.scopes,
  markdown: [
    '# Scopes',
    'A key may do what its scopes allow, and nothing else. `write` and `delete` include `read` of the same things. Give a key as few as it needs. [Authentication and scopes](/docs/authentication) says how keys are used.',
    '## Presets',
    'When a key is created, `preset` can replace `scopes`. The key stores the scopes of the preset one by one: it does not change when the preset does.',
    table(
      ['Preset', 'For what', 'Scopes'],
      presetNames.map(presetEntry).map(({ name, meaning, scopes }) => [`\`${name}\``, meaning, codes(scopes)]),
    ),
    '## All scopes',
    table(
      ['Scope', 'What it allows', 'Calls'],
      scopes.map(scopeEntry).map(({ scope, meaning, operations }) => [`\`${scope}\``, meaning, codes(operations)]),
    ),
    '`GET /me` and what needs no scope is open to every key.',
  ].join('\n\n'),
  json: { scopes: scopes.map(scopeEntry), presets: presetNames.map(presetEntry) },
})

const ofApi = [...operations, ...transfers.map(({ asked }) => asked)].filter(({ audiences }) =>
  audiences.includes('api'),
)
/** Where Swagger UI shows the operation, at the address that it gives it itself. */
const referenceOf = (operation: Operation): string =>
  `${docsPaths.reference}#/${tagOf(operation.name)}/${operation.name}`
const callOf = (operation: Operation): string => `${methodOf(operation)} ${pathOf(operation)}`

/** Every operation in a line. In a browser, Swagger UI takes the place of the lists (console/docs/reference.ts). */
export const referencePage = (): PageSource => ({
  path: docsPaths.reference,
  markdown: [
    '# API reference',
    `Every operation of the API, below \`${apiPrefix}\`. Its parameters, schemas and examples are in the [description of the API](${publicPaths.json}) (OpenAPI 3.1). [Try it](${tryPage}) in the workspace settings sends any of them with a key.`,
    ...tags.flatMap(({ tag, about }) => {
      const rows = ofApi
        .filter((operation) => tagOf(operation.name) === tag)
        .map((each) => [
          `[\`${callOf(each)}\`](${referenceOf(each)})`,
          each.summary,
          each.scope === null ? '' : `\`${each.scope}\``,
          `[Try ${each.name}](${tryPage}?operation=${each.name})`,
        ])
      return rows.length === 0
        ? []
        : [`## ${tag}`, about, table(['Call', 'What it does', 'Scope', 'In the console'], rows)]
    }),
  ].join('\n\n'),
  sections: ofApi.map((each) => ({
    id: referenceOf(each).slice(docsPaths.reference.length + 1),
    title: callOf(each),
    text: `${each.summary}. ${each.name}`,
  })),
})

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' ')

function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(names), `|${'---|'.repeat(names.length)}`, ...rows.map(line)].join('\n')
}

type Release = { readonly name: string; readonly changes: readonly string[] }

const changelog = join(import.meta.dirname, '../../CHANGELOG.md')

/** What has changed, release by release: CHANGELOG.md as a page. */
export function changelogPage(text: string): PageSource {
  const releases = releasesIn(text)
  const parts = releases.map(({ name, changes }) => `## ${name}\n\n${changes.map((each) => `- ${each}`).join('\n')}`)
  return { path: docsPaths.changelog, markdown: ['# Changelog', ...parts].join('\n\n'), json: { releases } }
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
