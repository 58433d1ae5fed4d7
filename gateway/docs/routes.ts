// The documentation pages, which need no key: what this API is, every error, every scope.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault, faultCodes } from '#contract/faults/fault.ts'
import { colonPath, docsPaths } from '#contract/route-paths.ts'
import { changelogPage, readChangelog } from './changelog-page.ts'
import { errorPage, errorsPage } from './error-pages.ts'
import { pageCache, sendPage, type Page } from './page.ts'
import { scopesPage } from './scopes-page.ts'
import { startPage } from './start-page.ts'

export type Serve = (url: string, answer: (request: FastifyRequest, reply: FastifyReply) => unknown) => void

export function serveDocs(serve: Serve): void {
  const pageFor = pageCache()
  const changelog = readChangelog()
  const servePage = (path: string, render: () => Page) =>
    serve(path, (request, reply) => sendPage(request, reply, pageFor(path, render)))

  servePage(docsPaths.start, startPage)
  servePage(docsPaths.docs, startPage)
  servePage(docsPaths.errors, errorsPage)
  servePage(docsPaths.scopes, scopesPage)
  servePage(docsPaths.changelog, () => changelogPage(changelog))
  serve(colonPath(docsPaths.error), (request, reply) => {
    const { code: asked } = request.params as { code: string }
    const code = faultCodes.find((each) => each === asked)
    if (code === undefined) throw new Fault('route_not_found', 'No refusal has this code.')
    return sendPage(
      request,
      reply,
      pageFor(code, () => errorPage(code)),
    )
  })
}
