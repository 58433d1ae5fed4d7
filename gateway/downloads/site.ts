// The documentation as the gateway serves it: guides and pages of the contract, each as HTML and as Markdown, the index
// that the browser searches, and the two texts for language models. A page is rendered at the first request for it; the
// routes keep it, and the number of pages is fixed.
import { apiPrefix, docsPaths, placeholderAddress } from '#contract/route-paths.ts'
import { faultCodes } from '#contract/faults/fault.ts'
import { infoOf } from '#contract/openapi/document.ts'
import {
  changelogPage,
  errorPage,
  errorsPage,
  readChangelog,
  referencePage,
  scopesPage,
  startPage,
  type PageSource,
} from './contract-pages.ts'
import { readGuides, servedMarkdown, siteHrefOf, withSetUp, type Guides } from './guides.ts'
import { htmlPage, markdownPath, siteName, type PageFiles } from './html.ts'
import { renderMarkdown, type Rendered } from './markdown.ts'

/** `address` in a text stands for that of the installation. */
export type Site = {
  readonly pages: readonly SitePage[]
  readonly searchIndex: () => string
  readonly llms: () => string
  readonly llmsFull: () => string
}
export type SitePage = {
  readonly path: string
  readonly html: () => string
  readonly markdown: () => string
  /** Undefined where the page has no such form. */
  readonly json: (() => unknown) | undefined
}

/** Throws a StartupError when a file is missing. */
export function readSite(files: PageFiles): Site {
  const guides = readGuides()
  const sources = sourcesOf(guides, readChangelog())
  const { navigation, setUp } = guides
  const pages = sources.map(({ path, markdown, json }) => ({
    path,
    html: () => htmlPage({ path, rendered: rendered(withSetUp(markdown, setUp)), navigation, files }),
    markdown: () => servedMarkdown(withSetUp(markdown, setUp)),
    json: json === undefined ? undefined : () => json,
  }))
  return {
    // The first one is the start of the documentation, and that of the installation.
    pages: [...pages, ...pages.slice(0, 1).map((page) => ({ ...page, path: docsPaths.start }))],
    // Of the pages without their set-up, which says the same on each.
    searchIndex: () =>
      JSON.stringify(sources.filter(isSearched).flatMap((each) => found(each, rendered(each.markdown)))),
    llms: () => llmsText(guides),
    llmsFull: () => guides.pages.map(({ markdown }) => servedMarkdown(markdown).trim()).join('\n\n') + '\n',
  }
}

const rendered = (markdown: string): Rendered =>
  renderMarkdown(markdown, { hrefOf: siteHrefOf, apiAddress: placeholderAddress + apiPrefix })

function sourcesOf({ overview, pages }: Guides, changelog: string): PageSource[] {
  return [
    startPage(overview),
    ...pages,
    referencePage(),
    errorsPage(),
    scopesPage(),
    changelogPage(changelog),
    ...faultCodes.map(errorPage),
  ]
}

/** The overview leads to all pages: what it says of them is said better there. The changelog is no explanation. */
const isSearched = ({ path }: PageSource): boolean => path !== docsPaths.docs && path !== docsPaths.changelog

const found = ({ path, sections }: PageSource, { title, sections: own }: Rendered): object[] =>
  (sections ?? own).map((section) => ({
    id: section.id === '' ? path : `${path}#${section.id}`,
    page: title,
    title: section.title,
    text: section.text,
  }))

/** As llmstxt.org has it: a title, a summary, and lists of links to Markdown. */
function llmsText({ navigation }: Guides): string {
  const groups = navigation.map(({ title, entries }) => {
    const lines = entries.map(
      ({ path, title, summary }) => `- [${title}](${placeholderAddress}${markdownPath(path)}): ${summary}`,
    )
    return [`## ${title}`, '', ...lines].join('\n')
  })
  return [`# ${siteName}`, `> ${infoOf('api').summary}`, ...groups].join('\n\n') + '\n'
}
