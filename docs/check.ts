// Every file that the documents name must exist: a path in backticks, or the target of a link. The tables of settings
// and figures must be what the processes have, the descriptions what the contract says. Part of `npm run verify`.
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { dashboardFiles } from './dashboards.ts'
import { kubernetesFiles } from './kubernetes-settings.ts'
import { metricsPage, withMetrics } from './metrics.ts'
import { descriptionFiles } from './openapi.ts'
import { readme, withSettings } from './settings.ts'
import { capacityPage, withStatements } from './statements-of-all-workspaces.ts'
import { webhooksPage, withCommands } from './webhook-headers.ts'

const root = join(import.meta.dirname, '..')
const documents = globSync(['docs/**/*.md', '*.md', '{gateway,service}/**/README.md'], { cwd: root }).toSorted()
const columnsMax = 120
const topLevel = new Set(readdirSync(root))
const folders =
  'bench,cli,clients,console,contract,dev,dispatcher,docs,doctor,gateway,moving,prisma,runtime,service,standalone,test'
const sources = globSync([`{${folders}}/**/*.{ts,tsx}`, '*.ts'], {
  cwd: root,
  exclude: ['console/dist/**', 'prisma/generated/**', 'clients/tried/*/**'],
})
const sourceNames = new Set(sources.map((file) => basename(file)))

const mistakes = documents.flatMap((document) =>
  namedIn(readFileSync(join(root, document), 'utf8'))
    // An address of the installation: test/gateway/downloads/pages.test.ts follows those.
    .filter((path) => !/^\/(?:docs|api)\//.test(path))
    .filter((path) =>
      path.includes('/') || !/\.tsx?$/.test(path)
        ? !existsSync(join(root, path)) && !existsSync(join(root, dirname(document), path))
        : !sourceNames.has(path),
    )
    .map((path) => `${document} names ${path}, which does not exist`),
)
if (withSettings(readFileSync(readme, 'utf8')) !== readFileSync(readme, 'utf8')) {
  mistakes.push('README.md has an outdated table of settings: run `npm run docs`')
}
if (withMetrics(readFileSync(metricsPage, 'utf8')) !== readFileSync(metricsPage, 'utf8')) {
  mistakes.push('docs/operating/metrics.md has an outdated table: run `npm run docs`')
}
if (withCommands(readFileSync(webhooksPage, 'utf8')) !== readFileSync(webhooksPage, 'utf8')) {
  mistakes.push('docs/guides/webhooks.md has an outdated table of headers: run `npm run docs`')
}
if (withStatements(readFileSync(capacityPage, 'utf8')) !== readFileSync(capacityPage, 'utf8')) {
  mistakes.push('docs/operating/capacity.md has an outdated list of statements: run `npm run docs`')
}
for (const [file, text] of [...kubernetesFiles(), ...dashboardFiles()]) {
  if (text !== readFileSync(file, 'utf8')) mistakes.push(`${relative(root, file)} is outdated: run \`npm run docs\``)
}
for (const [file, text] of descriptionFiles()) {
  if (!existsSync(file) || text !== readFileSync(file, 'utf8')) {
    mistakes.push(`docs/${basename(file)} is not what the contract says: run \`npm run openapi\``)
  }
}
mistakes.push(...commentMistakes())
for (const mistake of mistakes) console.error(mistake)
console.log(`${documents.length} documents, ${mistakes.length} mistakes`)
if (mistakes.length > 0) process.exitCode = 1

/** Comments that are too wide, which the formatter leaves, or that name a file or folder that is not there. */
function commentMistakes(): string[] {
  const path = new RegExp(
    `(?<![\\w./<-])(?:${folders.replaceAll(',', '|')})/[\\w./-]*\\w(?:\\.(?:tsx?|md)\\b|/(?![\\w<*{.$]))`,
    'g',
  )
  // A file without its folder.
  const name = /(?<![\w./*<…-])[\w-]+(?:\.test)?\.tsx?\b/g
  return sources.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        if (!/^\s*(?:\/\/|\/\*|\* )/.test(line)) return []
        const place = `${file}:${index + 1}`
        const missing = [
          ...(line.match(path) ?? []).filter((each) => !existsSync(join(root, each))),
          ...(line.match(name) ?? []).filter((each) => !sourceNames.has(each)),
        ]
        return [
          ...(line.length > columnsMax ? [`${place} is a comment of more than ${columnsMax} columns`] : []),
          ...missing.map((each) => `${place} names ${each}, which does not exist`),
        ]
      }),
  )
}

function namedIn(text: string): string[] {
  const quoted = Array.from(withoutBlocks(text).matchAll(/`([^`\s]+)`/g), ([, path = '']) => path).filter(isPath)
  const linked = Array.from(text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g), ([, path = '']) => path).filter(
    (path) => !/^\w+:/.test(path),
  )
  return [...quoted, ...linked]
}

// Placeholders (`<noun>/<verb>.ts`), globs and addresses are not paths of this repository.
function isPath(text: string): boolean {
  if (!/^[\w.@-]+(\/[\w.@-]+)*\/?$/.test(text)) return false
  if (!text.includes('/')) return /\w\.tsx?$/.test(text)
  return topLevel.has(text.split('/')[0] ?? '') || /\.(ts|tsx|md|json|ya?ml|prisma|sql|toml)$/.test(text)
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[^]*?^```/gm, '')
}
