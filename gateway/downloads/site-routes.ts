// The routes of the documentation: its pages, the files that they load, the index of their search, and the texts for
// language models.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#contract/faults/fault.ts'
import { colonPath, docsPaths, placeholderAddress } from '#contract/route-paths.ts'
import { negotiatedType } from '../auth/request-policies.ts'
import { builtAssets, builtFolder, notBuilt } from './built-files.ts'
import { markdownPath, pageHeaders, type PageFiles } from './html.ts'
import { addressedFiles, addressedText, type Sharing } from './openapi.ts'
import { readSite, type Site, type SitePage } from './site.ts'
import { sendFile, textFile, type StaticFile } from './static-file.ts'
import { pathOf } from '../request/request-head.ts'
import { join } from 'node:path'

/** Registers a route for GET and HEAD. */
export type Serve = (url: string, answer: (request: FastifyRequest, reply: FastifyReply) => unknown) => void
type SiteDeps = { readonly addressOf: (request: FastifyRequest) => string; readonly sharing: Sharing }
type FindFile = (request: FastifyRequest) => StaticFile

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
} as const

/** Each page is kept for so many addresses: those of callers by any name of this host are made anew. */
const addressesMax = 8
const assetsUrl = docsPaths.docs

let installed: { readonly site: Site; readonly assets: ReadonlyMap<string, StaticFile> } | undefined

type Answer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** The routes of the pages, of their Markdown and of all that they load. */
const templates = [
  docsPaths.start,
  docsPaths.docs,
  docsPaths.docsMarkdown,
  docsPaths.page,
  docsPaths.error,
  docsPaths.asset,
  docsPaths.llms,
  docsPaths.llmsFull,
]

/** People end these with a slash. */
const typedByPeople = [docsPaths.docs, docsPaths.page, docsPaths.error]

export function serveSite(serve: Serve, { addressOf, sharing }: SiteDeps): void {
  const { site, assets } = (installed ??= readInstalled())
  const fileOf = (text: () => string, contentType: string): FindFile => {
    let find: ((address: string) => StaticFile) | undefined
    return (request) => (find ??= filesFor(text(), contentType, sharing))(addressOf(request))
  }
  const answerFile =
    (find: FindFile): Answer =>
    (request, reply) =>
      sendFile(request, reply, find(request))
  const answers = new Map<string, Answer>([
    ...site.pages.flatMap((page): [string, Answer][] => [
      [page.path, answerPage(page, fileOf)],
      ...(page.path === docsPaths.start
        ? []
        : [[markdownPath(page.path), answerFile(fileOf(page.markdown, types.markdown))] as [string, Answer]]),
    ]),
    ...Array.from(assets, ([name, file]): [string, Answer] => [`${assetsUrl}/${name}`, answerFile(() => file)]),
    [docsPaths.search, answerFile(fileOf(site.searchIndex, types.json))],
    [docsPaths.llms, answerFile(fileOf(site.llms, types.text))],
    [docsPaths.llmsFull, answerFile(fileOf(site.llmsFull, types.text))],
  ])
  for (const template of templates)
    serve(colonPath(template), (request, reply) => {
      const answer = answers.get(pathOf(request.url))
      if (answer === undefined) throw pageNotFound()
      return answer(request, reply)
    })
  for (const template of typedByPeople)
    serve(`${colonPath(template)}/`, ({ url }, reply) => {
      const page = pathOf(url).slice(0, -1)
      if (!answers.has(page)) throw pageNotFound()
      return reply.redirect(page + url.slice(page.length + 1), 308)
    })
}

const pageNotFound = () => new Fault('route_not_found', 'There is no documentation page at this URL.')

/** Throws `not_acceptable` to a caller that takes no form of the page. */
function answerPage(
  { html, markdown, json }: SitePage,
  fileOf: (text: () => string, contentType: string) => FindFile,
): Answer {
  const asHtml = fileOf(html, types.html)
  const forms = new Map<string, FindFile>([
    ['text/html', asHtml],
    ...(json === undefined ? [] : [['application/json', fileOf(() => JSON.stringify(json()), types.json)] as const]),
    ['text/markdown', fileOf(markdown, types.markdown)],
  ])
  return (request, reply) => {
    const type = negotiatedType(request.headers.accept, [...forms.keys()])
    if (type === 'text/html') reply.headers(pageHeaders)
    return sendFile(request, reply, (forms.get(type) ?? asHtml)(request), 'accept')
  }
}

/** Most texts do not name the address: those are the same for every caller. */
function filesFor(text: string, contentType: string, sharing: Sharing): (address: string) => StaticFile {
  if (text.includes(placeholderAddress))
    return addressedFiles(addressedText(text, placeholderAddress), contentType, sharing, addressesMax)
  const file = textFile(text, contentType)
  return () => file
}

function readInstalled() {
  const folder = join(builtFolder, 'docs')
  const assets = builtAssets(folder)
  const named = (pattern: RegExp): string => {
    const name = [...assets.keys()].find((each) => pattern.test(each))
    if (name === undefined) throw notBuilt(folder)
    return `${assetsUrl}/${name}`
  }
  const filesNamed = (name: string) => ({
    script: named(new RegExp(`/${name}-[\\w-]+\\.js$`)),
    styles: named(new RegExp(`/${name}-styles-[\\w-]+\\.css$`)),
  })
  const files: PageFiles = { ...filesNamed('site'), reference: filesNamed('reference') }
  return { site: readSite(files), assets }
}
